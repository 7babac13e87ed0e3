//! The progress of a search.

use engine::stats::Statistics;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::Step;
#[cfg(test)]
use super::tests;

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[cfg_attr(test, ts(rename = "SearchState"))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It waits for its share of the engine.
    Waiting,
    /// It has an engine.
    Running,
    /// It has found all it can.
    Done,
    /// It was stopped on request.
    Stopped,
    /// It was stopped because its page has asked for nothing in a long time.
    Idle,
}

/// A search as the page shows it. Scores are from White's view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Search {
    /// What it is doing.
    pub state: State,
    /// The last finished iteration.
    pub depth: i32,
    /// The deepest ply that was searched.
    pub seldepth: usize,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Nodes searched per second so far.
    pub nps: u64,
    /// Time spent searching, without waiting.
    pub time_ms: u64,
    /// Thousandths of the transposition table that are in use.
    pub hashfull: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// What it has counted, if it counts.
    #[cfg_attr(test, ts(as = "Option<tests::Statistics>"))]
    pub statistics: Option<Box<Statistics>>,
}

/// One line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Line {
    /// The iteration that found it.
    pub depth: i32,
    /// The score for White.
    pub score: Score,
    /// White's chances to win, to draw and to lose, in thousandths.
    pub wdl: [u32; 3],
    /// Its moves with the positions after them.
    pub moves: Vec<Step>,
    /// How many of the moves the main search found; the rest is quiescence.
    pub main_plies: usize,
}

/// A score for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Centipawns, normalised so that 100 wins half of the engine's games.
    Cp(i32),
    /// Moves to mate; negative when White is mated.
    Mate(i32),
}
