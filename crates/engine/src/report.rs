//! What a search tells while it runs and when it ends: plain data, made into text elsewhere.

use std::time::Duration;

use chess::Move;

use crate::score::{Bound, Score};
use crate::stats::Statistics;

/// One principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Rank among the lines, 1 for the best.
    pub multipv: usize,
    /// Iteration it belongs to.
    pub depth: i32,
    /// Deepest ply seen.
    pub seldepth: usize,
    /// What it is worth for the side to move at the root.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// The moves. The first is the root move.
    pub pv: Vec<Move>,
    /// How many of the moves were searched by the main search; the rest is quiescence.
    pub main_plies: usize,
}

/// The state of the whole search when something is reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Thousandths of the table that this search has filled.
    pub hashfull: u32,
    /// Tablebase hits of all threads.
    pub tablebase_hits: u64,
}

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A line was found or improved.
    Line(Line, Progress),
    /// A root move is being searched.
    CurrentMove {
        /// Iteration.
        depth: i32,
        /// The move.
        mv: Move,
        /// Its number in the order of searching, from 1.
        number: usize,
    },
    /// What was counted so far, several times a second, if counting is on.
    Statistics(Box<Statistics>),
}

/// Receives reports during a search, on the thread that called it.
pub trait Reporter {
    /// Takes one report.
    fn report(&mut self, report: &Report);
}

/// Hears everything and says nothing.
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Report) {}
}

impl<F: FnMut(&Report)> Reporter for F {
    fn report(&mut self, report: &Report) {
        self(report);
    }
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; none if the root has no legal move.
    pub best_move: Option<Move>,
    /// The answer expected to it, legal after it.
    pub ponder_move: Option<Move>,
    /// The lines, best first. Empty only if the root has no legal move.
    pub lines: Vec<Line>,
    /// The score of the root: that of the first line, or mate or stalemate.
    pub score: Score,
    /// The state at the end.
    pub progress: Progress,
    /// What was counted, if counting was on.
    pub statistics: Option<Statistics>,
    /// Threads that hit a bug; the others have searched on. If all did, there is no move.
    pub failed_threads: usize,
}
