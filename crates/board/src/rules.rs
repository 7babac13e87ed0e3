//! From what the page says about a game to the game, and to what the page must know of it.

use std::collections::BTreeMap;

use chess::{Castling, Color, Move, Outcome, Position, chess960};
use engine::Game;

use crate::openings;
use crate::protocol::{Ending, Facts, MAX_FEN, MAX_PLIES, Place, Start, Step};

/// A game as the page told it, checked.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    start: Position,
    moves: Vec<Move>,
    /// The game as the engine wants it.
    pub(crate) game: Game,
}

impl Played {
    /// Reads a game.
    ///
    /// # Errors
    /// What is wrong with the start or the first impossible move, for people.
    pub(crate) fn read(place: &Place) -> Result<Self, String> {
        let start = start(&place.start)?;
        if place.moves.len() > MAX_PLIES {
            return Err(format!("a game may have {MAX_PLIES} half-moves at most"));
        }
        let mut played = Self { start, moves: Vec::new(), game: Game::new(start) };
        for text in &place.moves {
            let position = played.position();
            let mv = position.parse_uci(text).or_else(|_| position.parse_san(text));
            let mv = mv.map_err(|_| format!("{} is not a legal move here", quote(text)))?;
            played.moves.push(mv);
            played.game.play(mv);
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
            turn: if position.side_to_move() == Color::White { "white" } else { "black" },
            check: position.is_check(),
            dests: if outcome.is_some() { BTreeMap::new() } else { destinations(position) },
            last: self.last(),
            outcome,
            opening: openings::name(&self.start, &self.moves),
        }
    }

    fn last(&self) -> Option<Step> {
        let (&last, before) = self.moves.split_last()?;
        let mut position = self.start;
        for &mv in before {
            position.make(mv);
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

/// Makes a move, and says what it was.
pub(crate) fn step(position: &mut Position, mv: Move) -> Step {
    let (uci, san) = (mv.to_uci(Castling::KingTakesRook), position.to_san(mv));
    position.make(mv);
    Step { uci, san, fen: position.to_fen() }
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

/// Somebody else's text, short enough to be shown.
pub(crate) fn quote(text: &str) -> String {
    const SHOWN: usize = 24;
    let mut shown: String =
        text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("“{shown}”")
}
