//! What the coach says about a move.

use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::Step;

/// What a move teaches.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Lesson {
    /// Why it was bad, or that it was not, in sentences that searches have confirmed.
    pub clauses: Vec<Clause>,
    /// The chance to win that it gave away, from 0 to 1.
    pub loss: f64,
    /// The moves that were good instead, the best one first; three or four at most.
    pub good: Vec<Step>,
    /// The best line, from the position before the move.
    pub best: Vec<Step>,
    /// What the sentences are about.
    pub motifs: Vec<MotifName>,
    /// The phase of the game.
    #[cfg_attr(test, ts(type = "'opening' | 'middlegame' | 'endgame'"))]
    pub phase: &'static str,
    /// How hard the good moves are to see.
    pub difficulty: Difficulty,
    /// Which strength levels find a good move.
    pub levels: Levels,
    /// The last depth at which the search preferred the move itself; none if it never did.
    pub tempting: Option<i32>,
}

/// A sentence with the line that proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Clause {
    /// The sentence, in English.
    pub text: String,
    /// Where the line begins.
    pub fen: String,
    /// The moves that prove it.
    pub line: Vec<Step>,
    /// The index of the move in the line that makes the point.
    pub point: usize,
    /// Whether the line begins after a pass, so that it is no line of the game.
    pub passed: bool,
}

/// A motif of tactics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct MotifName {
    /// Its stable name, such as `fork` or `backRankMate`.
    pub name: &'static str,
    /// As it stands in a sentence, such as `a fork`.
    pub words: &'static str,
}

/// How hard a move is to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Difficulty {
    /// The depth from which on the search prefers it.
    pub depth: i32,
    /// The nodes until then.
    pub nodes: u64,
    /// An estimate of the rating of people who see it half of the time.
    pub rating: i32,
}

/// What the engine's strength levels choose in a position. None is asked where nothing was lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Levels {
    /// The levels that were asked, the weakest first.
    pub asked: Vec<LevelChoice>,
    /// The weakest level that finds a good move; none if the strongest that was asked does not.
    pub finds: Option<u32>,
}

/// What one level chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LevelChoice {
    /// The Elo of the level.
    pub elo: u32,
    /// Its moves, one for each try, in algebraic notation.
    pub moves: Vec<String>,
    /// Whether most tries chose a good move.
    pub finds: bool,
}
