//! A position with what the engine thinks of it.

use review::Eval;
use serde::{Deserialize, Serialize};

use super::line::LineRecord;

/// A position with what the engine thinks of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionRecord {
    /// Number among all items of all files, from 1.
    pub item: u64,
    /// The file that the position is from.
    pub file: String,
    /// The line of the file, from 1.
    pub line: u64,
    /// The position; as it stood there if it is none.
    pub fen: String,
    /// What the rest of the line said.
    pub operations: String,
    /// What it is worth; none if it is no position.
    pub eval: Option<Eval>,
    /// White's chances to win, draw and lose, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// The best lines, best first.
    pub lines: Vec<LineRecord>,
    /// Depth of the search.
    pub depth: i32,
    /// Nodes of the search.
    pub nodes: u64,
    /// What was wrong with the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}
