//! A game with its comments, glyphs and variations.

use std::fmt;

use chess::{Castling, File, Move, Position};
use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White won the game.
    #[serde(rename = "1-0")]
    White,
    /// Black won the game.
    #[serde(rename = "0-1")]
    Black,
    /// The game was drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// It has not ended, or nobody knows.
    #[default]
    #[serde(rename = "*")]
    Unknown,
}

impl GameResult {
    /// As PGN writes it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// A game with tags, moves, variations and comments.
#[derive(Clone, Debug)]
pub struct GameTree {
    /// Names and values of the tags, in their order. `FEN`, `SetUp` and `Result` among them are
    /// not looked at when the game is written: `start` and `result` are.
    pub tags: Vec<(String, String)>,
    /// The position in which it began.
    pub start: Position,
    /// The moves that were played.
    pub main: Line,
    /// How the game ended.
    pub result: GameResult,
}

/// A line of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves, first to last.
    pub plies: Vec<Ply>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move; none for a null move, a pass, which only [`read_with_passes`](crate::read_with_passes)
    /// lets in.
    pub mv: Option<Move>,
    /// Glyphs by number: 1 for `!`, 2 for `?` and so on.
    pub nags: Vec<u8>,
    /// Comments behind the move.
    pub comments: Vec<String>,
    /// What could have been played instead of it.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move about which nothing is said.
    #[must_use]
    pub fn new(mv: Move) -> Self {
        Self { mv: Some(mv), ..Self::pass() }
    }

    /// A pass about which nothing is said.
    #[must_use]
    pub fn pass() -> Self {
        Self { mv: None, nags: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// Plays the move, or passes.
    pub fn play(&self, position: &mut Position) {
        match self.mv {
            Some(mv) => drop(position.make(mv)),
            None => position.make_null(),
        }
    }
}

impl GameTree {
    /// A game without moves.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { tags: Vec::new(), start, main: Line::default(), result: GameResult::Unknown }
    }

    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag, in its place if it is there.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }

    /// The moves played, up to the first pass.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        self.main.plies.iter().map_while(|ply| ply.mv).collect()
    }

    /// All positions, from the start to the last: one more than moves.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut position = self.start;
        let mut positions = vec![position];
        for ply in &self.main.plies {
            ply.play(&mut position);
            positions.push(position);
        }
        positions
    }

    /// How castling is written in UCI text: as in chess unless the start is one of Chess960.
    #[must_use]
    pub fn castling(&self) -> Castling {
        castling_form(&self.start)
    }
}

/// How castling is written in UCI text from this position on.
#[must_use]
pub fn castling_form(start: &Position) -> Castling {
    let is_chess = start.castling_rooks().into_iter().all(|rook| {
        let color = if start.board().color(chess::Color::White).has(rook) {
            chess::Color::White
        } else {
            chess::Color::Black
        };
        matches!(rook.file(), File::A | File::H) && start.board().king(color).file() == File::E
    });
    if is_chess { Castling::KingMove } else { Castling::KingTakesRook }
}
