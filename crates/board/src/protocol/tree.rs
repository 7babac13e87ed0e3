//! Nodes of a recorded search.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::Step;

/// A node of a recorded search. Scores are those of the engine, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct TreeNode {
    /// Its number, to unfold it by.
    pub id: usize,
    /// How the search came to it: a move, `null move`, `re-search` or `without` a move.
    pub label: String,
    /// The kind of node, such as `pv` or `quiescence`.
    pub kind: &'static str,
    /// The position of the node.
    pub fen: String,
    /// The move that led to it as UCI text; none at a root or after a null move.
    pub uci: Option<String>,
    /// Plies to search; negative in quiescence.
    pub depth: i32,
    /// Scores at or below this did not matter.
    pub alpha: Option<i32>,
    /// A score at or above this was enough.
    pub beta: Option<i32>,
    /// The static score, if it was computed.
    pub static_score: Option<i32>,
    /// The score; none if the search was stopped inside.
    pub result: Option<i32>,
    /// The rule that ended it; none if all its moves were searched.
    pub end: Option<String>,
    /// The moves that were pruned here.
    pub skipped: Vec<Skipped>,
    /// How many children it has.
    pub children: usize,
}

/// What became of a move in a recorded tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct MoveReport {
    /// At how many nodes it was searched.
    pub searched: usize,
    /// At how many nodes a rule left it out.
    pub pruned: usize,
    /// The node nearest to the root at which it was left out.
    pub nearest: Option<LeftOutAt>,
}

/// A node at which a move was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LeftOutAt {
    /// The node that had the move.
    pub node: TreeNode,
    /// How the search came to it: moves, `null move` and so on from the root.
    pub way: Vec<String>,
    /// The moves of the way; none if there is something else among them.
    pub steps: Option<Vec<Step>>,
    /// The move in algebraic notation.
    pub san: String,
    /// The rule; none if a move before it was good enough, or only captures were searched.
    pub rule: Option<String>,
    /// Whether the search can be repeated without the rule.
    pub switchable: bool,
}

/// A move that was pruned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Skipped {
    /// The rule that pruned it.
    pub rule: String,
    /// The move in algebraic notation, if it is legal.
    pub san: Option<String>,
}
