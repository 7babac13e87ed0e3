//! What a search reports while it runs and when it ends: plain data, made into text elsewhere.

use std::time::Duration;

use chess::{Move, Position};

use crate::score::{Bound, Score};
use crate::stats::Statistics;

/// One principal variation with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Rank among the lines, 1 for the best.
    pub multipv: usize,
    /// Iteration it belongs to.
    pub depth: i32,
    /// The deepest ply that was reached.
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
    pub tb_hits: u64,
}

/// Something worth showing while a search runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A line was found or improved.
    Line(Line, Progress),
    /// The main thread begins to search this root move; only in searches of some seconds.
    CurrentMove {
        /// The iteration that is being searched.
        depth: i32,
        /// The root move that is searched now.
        mv: Move,
        /// Its number in the order of searching, from 1.
        number: usize,
    },
    /// The totals, about once a second while nothing else reports them. At the end the last line
    /// has them.
    Totals(Progress),
    /// What was counted so far, several times a second, if counting is on.
    Statistics(Box<Statistics>),
    /// Something that deserves a look, at most once a second, if counting is on.
    Warning(Warning),
}

/// Something in the search that deserves a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// One quiescence search took very many nodes.
    Explosion {
        /// The position in which it began.
        position: Box<Position>,
        /// How many nodes it took.
        nodes: u64,
    },
    /// A line was cut off because it was as long as a line can be.
    PlyLimit {
        /// Where it was cut off.
        position: Box<Position>,
    },
    /// Quiescence has most of the nodes by far.
    QuiescenceShare {
        /// Nodes of quiescence so far.
        quiescence: u64,
        /// Nodes of the main search.
        main: u64,
    },
    /// The score goes up and down from iteration to iteration.
    Oscillation {
        /// The last iteration that was finished.
        depth: i32,
        /// The scores of the last iterations, the newest first.
        scores: [Score; 4],
    },
}

/// Receives reports during a search, on the thread that called it.
pub trait Reporter {
    /// Takes one report; the search waits for it.
    fn report(&mut self, report: &Report);

    /// Whether reports are wanted at all; a search that nobody listens to makes none.
    fn listens(&self) -> bool {
        true
    }
}

/// A reporter that wants no reports.
pub struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Report) {}

    fn listens(&self) -> bool {
        false
    }
}

impl<F: FnMut(&Report)> Reporter for F {
    fn report(&mut self, report: &Report) {
        self(report);
    }
}

/// The result of a search.
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
