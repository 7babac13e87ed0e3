//! The rules: from the moves that the page sends to a game, and to the facts of its position.

use std::collections::BTreeMap;

use chess::{Castling, Color, Move, Outcome, Position, chess960};
use engine::Game;
use review::{is_pass, play_or_pass};

use crate::openings;
use crate::protocol::{Ending, Facts, GameState, MAX_FEN, MAX_PLIES, Side, Start, Step};

/// A game that the page has sent, checked.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    start: Position,
    /// The moves; none for a null move.
    moves: Vec<Option<Move>>,
    /// The game as the engine wants it.
    pub(crate) game: Game,
}

impl Played {
    /// Reads a game.
    ///
    /// # Errors
    /// What is wrong with the start or the first impossible move, for people.
    pub(crate) fn read(state: &GameState) -> Result<Self, String> {
        let start = start(&state.start)?;
        if state.moves.len() > MAX_PLIES {
            return Err(format!("a game may have {MAX_PLIES} half-moves at most"));
        }
        let mut played = Self { start, moves: Vec::new(), game: Game::new(start) };
        for text in &state.moves {
            let position = played.position();
            let mv = if is_pass(text.trim()) && may_pass(position) {
                None
            } else {
                let mv = parse_move(position, text);
                Some(mv.ok_or_else(|| format!("{} is not a legal move here", quote(text)))?)
            };
            played.moves.push(mv);
            play_or_pass(&mut played.game, mv);
        }
        Ok(played)
    }

    /// The position on the board.
    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    /// All that the page must know.
    pub(crate) fn facts(&self) -> Facts {
        let position = self.position();
        let outcome = self.ending();
        Facts {
            fen: position.to_fen(),
            start_fen: self.start.to_fen(),
            turn: if position.side_to_move() == Color::White { Side::White } else { Side::Black },
            check: position.is_check(),
            dests: if outcome.is_some() { BTreeMap::new() } else { destinations(position) },
            last: self.last(),
            outcome,
            opening: openings::name(&self.start, &self.moves_before_pass()),
        }
    }

    /// The moves up to the first null move: no opening has one.
    fn moves_before_pass(&self) -> Vec<Move> {
        self.moves.iter().map_while(|&mv| mv).collect()
    }

    fn last(&self) -> Option<Step> {
        let (&last, before) = self.moves.split_last()?;
        let mut position = self.start;
        for &mv in before {
            step(&mut position, mv);
        }
        Some(step(&mut position, last))
    }

    /// How the game has ended, draws that need no claim on a board without arbiter included.
    pub(crate) fn ending(&self) -> Option<Ending> {
        const DRAW: &str = "1/2-1/2";
        let position = self.position();
        let (result, reason) = match position.outcome() {
            Some(Outcome::Win(Color::White)) => ("1-0", "checkmate"),
            Some(Outcome::Win(Color::Black)) => ("0-1", "checkmate"),
            Some(Outcome::Draw) if position.has_legal_move() => (DRAW, "insufficient material"),
            Some(Outcome::Draw) => (DRAW, "stalemate"),
            None if position.is_fifty_move_draw() => (DRAW, "fifty-move rule"),
            None if self.game.history().is_threefold(position) => (DRAW, "threefold repetition"),
            None => return None,
        };
        Some(Ending { result, reason })
    }
}

fn start(start: &Start) -> Result<Position, String> {
    match start {
        Start::Usual => Ok(Position::startpos()),
        Start::Chess960(number) if *number < 960 => Ok(chess960(*number)),
        Start::Chess960(number) => {
            Err(format!("Chess960 has the positions 0 to 959, and no number {number}"))
        }
        Start::Fen(fen) if fen.len() > MAX_FEN => Err("this text is too long for a FEN".into()),
        Start::Fen(fen) => Position::from_fen(fen.trim())
            .map_err(|error| format!("not a possible position: {error}")),
    }
}

/// Whether the side to move may pass. Whoever is in check, or has no move at all, may not.
fn may_pass(position: &Position) -> bool {
    !position.is_check() && position.outcome().is_none()
}

/// Makes a move or a null move, and says what it was.
pub(crate) fn step(position: &mut Position, mv: impl Into<Option<Move>>) -> Step {
    let (uci, san) = match mv.into() {
        Some(mv) => {
            let text = (mv.to_uci(Castling::KingTakesRook), position.to_san(mv));
            position.make(mv);
            text
        }
        None => {
            position.make_null();
            (String::from("0000"), String::from("--"))
        }
    };
    Step { uci, san, fen: position.to_fen() }
}

/// The moves of a line with the positions after them.
pub(crate) fn steps(mut position: Position, moves: &[Move]) -> Vec<Step> {
    moves.iter().map(|&mv| step(&mut position, mv)).collect()
}

/// Reads a move as people write it: UCI text, algebraic notation, and the usual slips of both, such as
/// `e2-e4`, `o-o`, `nf3` and `a8q`. A promotion without a piece becomes a queen.
pub(crate) fn parse_move(position: &Position, text: &str) -> Option<Move> {
    let text = text.trim();
    let exact = |text: &str| position.parse_uci(text).ok().or(position.parse_san(text).ok());
    if let Some(mv) = exact(text) {
        return Some(mv);
    }
    let bare: String =
        text.chars().filter(|letter| !matches!(letter, '-' | '=' | '+' | '#')).collect();
    match bare.to_ascii_lowercase().as_str() {
        "oo" | "00" => return exact("O-O"),
        "ooo" | "000" => return exact("O-O-O"),
        _ => {}
    }
    let lower = bare.to_ascii_lowercase();
    let mut forms = vec![bare.clone(), lower.clone(), format!("{bare}=Q"), format!("{lower}q")];
    // `a8q` and `bxa8Q`; `nf3`, but not `b…`, which is a pawn.
    if let Some((at, last)) = bare.char_indices().next_back()
        && matches!(last.to_ascii_lowercase(), 'q' | 'r' | 'b' | 'n')
    {
        forms.push(format!("{}={}", &bare[..at], last.to_ascii_uppercase()));
    }
    if let Some(first @ ('k' | 'q' | 'r' | 'n')) = bare.chars().next() {
        forms.push(format!("{}{}", first.to_ascii_uppercase(), &bare[1..]));
    }
    forms.iter().find_map(|form| exact(form))
}

fn destinations(position: &Position) -> BTreeMap<String, Vec<String>> {
    let mut dests: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for &mv in &position.legal_moves() {
        let squares = dests.entry(mv.from().to_string()).or_default();
        let mut add = |to: String| {
            if !squares.contains(&to) {
                squares.push(to);
            }
        };
        add(mv.to().to_string());
        if mv.is_castle() {
            // The usual way to castle too, unless it could be meant as another move.
            let text = mv.to_uci(Castling::KingMove);
            if position.parse_uci(&text) == Ok(mv) {
                add(text[2..4].to_owned());
            }
        }
    }
    dests
}

/// Foreign text, short enough to be shown.
pub(crate) fn quote(text: &str) -> String {
    const SHOWN: usize = 24;
    let mut shown: String =
        text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("“{shown}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_may_pass_unless_it_is_in_check() {
        let state = |moves: &[&str]| GameState {
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            ..GameState::default()
        };
        let facts = Played::read(&state(&["e4", "--", "d4", "Z0", "0000"])).unwrap().facts();
        assert_eq!(facts.turn, Side::Black);
        let last = facts.last.unwrap();
        assert_eq!((last.uci.as_str(), last.san.as_str()), ("0000", "--"));
        assert_eq!(last.fen, facts.fen);
        assert!(facts.opening.is_some_and(|opening| opening.name.contains("King's Pawn")));
        // 1. f3 e5 2. g4 Qh4 is mate, and 1. e4 f5 2. Qh5 is a check.
        for moves in [["f3", "e5", "g4", "Qh4", "--"].as_slice(), &["e4", "f5", "Qh5", "--"]] {
            assert!(Played::read(&state(moves)).is_err(), "{moves:?}");
        }
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        let start = Position::startpos();
        for text in ["e4", "e2e4", "e2-e4", "E2E4", "E2-E4"] {
            assert_eq!(parse_move(&start, text), start.parse_san("e4").ok(), "{text}");
        }
        assert_eq!(parse_move(&start, "nf3"), start.parse_san("Nf3").ok());
        let castle = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
        for text in ["O-O", "o-o", "0-0", "oo", "e1g1", "e1-g1"] {
            assert_eq!(parse_move(&castle, text), castle.parse_san("O-O").ok(), "{text}");
        }
        assert_eq!(parse_move(&castle, "o-o-o"), castle.parse_san("O-O-O").ok());
        let promote = Position::from_fen("1n5k/P7/8/8/8/8/7K/8 w - - 0 1").unwrap();
        for text in ["a8", "a8q", "a8Q", "a8=Q", "a7a8", "a7a8q", "a7-a8", "a7-a8=q"] {
            assert_eq!(parse_move(&promote, text), promote.parse_san("a8=Q").ok(), "{text}");
        }
        assert_eq!(parse_move(&promote, "axb8n"), promote.parse_san("axb8=N").ok());
        for text in ["", "-", "q", "a9", "e5", "ooo", "é", "aé", "ké"] {
            assert_eq!(parse_move(&start, text), None, "{text}");
        }
    }
}
