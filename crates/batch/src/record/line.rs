//! Lines of moves, and what was wrong with a text.

use chess::{Move, Position};
use review::{Eval, Fault, PositionAnalysis, castling_form};
use serde::{Deserialize, Serialize};

/// A line of moves and what it is worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineRecord {
    /// What it is worth.
    pub eval: Eval,
    /// Its moves in algebraic notation.
    pub san: String,
    /// Its moves in UCI notation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uci: String,
}

/// Something wrong with the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The line of the file.
    pub line: u64,
    /// What is wrong, in words.
    pub text: String,
}

impl From<&Fault> for FaultRecord {
    fn from(fault: &Fault) -> Self {
        Self { line: fault.line, text: fault.kind.to_string() }
    }
}

/// Moves in algebraic notation.
pub(super) fn san(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(position.to_san(mv));
        position.make(mv);
    }
    words.join(" ")
}

pub(crate) fn line_records(position: &Position, look: &PositionAnalysis) -> Vec<LineRecord> {
    let text = |moves: &[Move]| san(position, moves);
    let castling = castling_form(position);
    let uci =
        |moves: &[Move]| moves.iter().map(|mv| mv.to_uci(castling)).collect::<Vec<_>>().join(" ");
    look.lines
        .iter()
        .map(|line| LineRecord { eval: line.eval, san: text(&line.moves), uci: uci(&line.moves) })
        .collect()
}
