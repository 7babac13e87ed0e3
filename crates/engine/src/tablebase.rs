//! Endgame tables: what they know about positions with few men.
//!
//! A build for a place without files or without dependencies leaves the feature `syzygy` out. The
//! tables are then a type without values, so nothing above this module has to know.

use std::fmt;
use std::path::Path;

use chess::Move;

#[cfg(feature = "syzygy")]
mod syzygy;
#[cfg(feature = "syzygy")]
pub use syzygy::Tablebases;

#[cfg(not(feature = "syzygy"))]
mod absent;
#[cfg(not(feature = "syzygy"))]
pub use absent::Tablebases;

/// Why a table, a folder of tables or a list of folders could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablebaseError {
    place: String,
    reason: String,
}

impl TablebaseError {
    fn new(place: &Path, reason: &impl ToString) -> Self {
        Self { place: place.display().to_string(), reason: reason.to_string() }
    }
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for TablebaseError {}

/// A position's value with best play, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Lost.
    Loss,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Verdict {
    /// The same value seen by the other side.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }

    /// The value when the fifty-move rule does not count.
    #[must_use]
    pub fn without_fifty_move_rule(self) -> Self {
        match self {
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }
}

/// What the tables say about the root.
#[derive(Clone, Debug)]
pub(crate) struct RootVerdict {
    pub(crate) verdict: Verdict,
    /// The moves that keep it, and make progress if it is a win.
    pub(crate) moves: Vec<Move>,
    /// How many positions were looked up for it.
    pub(crate) probes: u64,
}
