//! Facts of a position.

use std::collections::BTreeMap;

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

/// A move on the way from one position to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Step {
    /// As UCI text; castling is king takes rook.
    pub uci: String,
    /// The move in algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
}

/// A move of an opening book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct BookMove {
    /// The move and the position after it.
    #[serde(flatten)]
    pub step: Step,
    /// How often to play it, beside the others.
    pub weight: u16,
}

/// What the page must know of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Facts {
    /// The position as FEN.
    pub fen: String,
    /// Where the game began.
    pub start_fen: String,
    /// Who is to move: `white` or `black`.
    pub turn: Side,
    /// Whether the king is in check.
    pub check: bool,
    /// From where to where the pieces can move. A king that can castle goes onto its rook, and in
    /// standard chess to its new square as well.
    pub dests: BTreeMap<String, Vec<String>>,
    /// The last move of the game.
    pub last: Option<Step>,
    /// How the game has ended.
    pub outcome: Option<Ending>,
    /// The name of the opening.
    pub opening: Option<Opening>,
}

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    #[cfg_attr(test, ts(type = "'1-0' | '0-1' | '1/2-1/2'"))]
    pub result: &'static str,
    /// The reason in words.
    pub reason: &'static str,
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Its name in English.
    pub name: String,
}
