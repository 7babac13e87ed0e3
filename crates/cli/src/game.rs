//! The `position` command, and the game it describes.

use chess::{Move, Position};
use engine::Game;

use crate::text::{CommandError, quote, split_word};

/// What a FEN consists of at most.
const FEN_FIELDS: usize = 6;

/// What follows from a position that was refused.
pub const POSITION_REFUSED: &str = "no search until a position is accepted";

/// A start and the legal moves played from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    start: Position,
    moves: Vec<Move>,
    position: Position,
}

impl Default for Played {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

impl Played {
    /// A game that begins here.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { start, moves: Vec::new(), position: start }
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays a move that is legal.
    pub fn play(&mut self, mv: Move) {
        self.position.make(mv);
        self.moves.push(mv);
    }

    /// The game as the engine wants it.
    #[must_use]
    pub fn game(&self) -> Game {
        let mut game = Game::new(self.start);
        for &mv in &self.moves {
            game.play(mv);
        }
        game
    }
}

/// What a `position` command says, before anybody looked whether it is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRequest {
    /// `None` is the usual start.
    fen: Option<String>,
    moves: String,
}

impl PositionRequest {
    /// The game of a FEN without moves.
    #[must_use]
    pub fn from_fen(fen: &str) -> Self {
        Self { fen: Some(fen.to_owned()), moves: String::new() }
    }

    /// Reads what follows the word `position`.
    ///
    /// # Errors
    /// If it begins with neither `startpos` nor `fen`.
    pub fn parse(text: &str) -> Result<(Self, Option<CommandError>), CommandError> {
        let (kind, rest) = split_word(text);
        let (before, moves) = split_at_moves(rest);
        let moves = moves.to_owned();
        let junk = |text: &str, kept: &str| {
            let wrong = format!("{} is not introduced by the word moves", quote(text));
            (!text.is_empty())
                .then(|| CommandError::new(wrong, format!("set to {kept} without it")))
        };
        if kind.eq_ignore_ascii_case("fen") {
            let mut fields = before;
            (0..FEN_FIELDS).for_each(|_| fields = split_word(fields).1);
            return Ok((Self { fen: Some(before.to_owned()), moves }, junk(fields, "the FEN")));
        }
        if !kind.eq_ignore_ascii_case("startpos") {
            let wrong = format!("position needs startpos or fen, not {}", quote(kind));
            return Err(CommandError::new(wrong, POSITION_REFUSED));
        }
        Ok((Self { fen: None, moves }, junk(before, "the start position")))
    }

    /// Builds the game.
    ///
    /// # Errors
    /// What is wrong with the FEN or the first impossible move.
    pub fn resolve(&self) -> Result<Played, CommandError> {
        let start = match &self.fen {
            None => Position::startpos(),
            Some(fen) => Position::from_fen(fen).map_err(|error| {
                CommandError::new(format!("FEN refused: {error}"), POSITION_REFUSED)
            })?,
        };
        let mut played = Played::new(start);
        for (index, text) in self.moves.split_ascii_whitespace().enumerate() {
            let mv = played.position().parse_uci(text).map_err(|error| {
                let wrong = format!("move {} {} is {error}", index + 1, quote(text));
                CommandError::new(wrong, POSITION_REFUSED)
            })?;
            played.play(mv);
        }
        Ok(played)
    }
}

/// Splits at the word `moves`.
fn split_at_moves(text: &str) -> (&str, &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        if word.eq_ignore_ascii_case("moves") {
            return (text[..text.len() - rest.len()].trim(), after);
        }
        rest = after;
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fen_after(text: &str) -> Result<String, String> {
        let (request, _) = PositionRequest::parse(text).map_err(|error| error.to_string())?;
        let played = request.resolve().map_err(|error| error.to_string())?;
        assert_eq!(played.game().position(), played.position());
        Ok(played.position().to_fen())
    }

    #[test]
    fn starts_and_moves_are_understood() {
        let start = Position::startpos().to_fen();
        for text in ["startpos", "startpos moves", "startpos moves ", "STARTPOS"] {
            assert_eq!(fen_after(text).as_ref(), Ok(&start), "{text}");
        }
        assert_eq!(fen_after(&format!("fen {start}")).as_ref(), Ok(&start));
        assert_eq!(fen_after(&format!("fen  {start}  moves")), Ok(start));
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(fen_after("startpos moves e2e4 e7e5"), Ok(fen.to_owned()));
        assert_eq!(fen_after("startpos\tmoves\te2e4\te7e5"), Ok(fen.to_owned()));
    }

    #[test]
    fn castling_is_understood_both_ways() {
        let castled = fen_after("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
        assert_eq!(castled, fen_after("fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1"));
        assert_eq!(castled, Ok(String::from("4k3/8/8/8/8/8/8/5RK1 b - - 1 1")));
    }

    #[test]
    fn the_first_thing_wrong_is_named() {
        let wrong = |text: &str| fen_after(text).unwrap_err();
        assert!(wrong("").starts_with("position needs startpos or fen"));
        assert!(wrong("fen").starts_with("FEN refused: the FEN is empty"));
        assert!(wrong("startpos moves e2e4 e2e4").starts_with("move 2 \"e2e4\" is not legal"));
        assert!(wrong("startpos moves \u{e9}2e4").contains("\\u{e9}2e4"));
        assert!(wrong("startpos moves 0000").ends_with("until a position is accepted"));
    }

    #[test]
    fn a_word_out_of_place_is_left_out_and_told() {
        let fen = format!("fen {} e2e4", Position::startpos().to_fen());
        for text in ["startpos e2e4", &fen] {
            let (request, error) = PositionRequest::parse(text).unwrap();
            assert_eq!(request.resolve().unwrap(), Played::default());
            assert!(error.unwrap().to_string().starts_with("\"e2e4\" is not introduced"), "{text}");
        }
        let (_, error) = PositionRequest::parse(fen.trim_end_matches(" e2e4")).unwrap();
        assert_eq!(error, None);
    }
}
