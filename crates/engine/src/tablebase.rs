//! Tablebases: what they know about positions with few pieces.
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
    /// The side to move loses.
    Loss,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Nobody can force a win.
    Draw,
    /// Won but for the fifty-move rule.
    CursedWin,
    /// The side to move wins.
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

/// What the tables say about a root move; the better one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RootRank {
    /// The value of the root if this move is played.
    pub(crate) verdict: Verdict,
    /// It keeps the value of the root and makes the most progress.
    pub(crate) recommended: bool,
}

/// What the tables say about the root.
#[derive(Clone, Debug)]
pub(crate) struct RootVerdict {
    /// Every legal move and its rank.
    pub(crate) moves: Vec<(Move, RootRank)>,
    /// How many positions were looked up for it.
    pub(crate) probes: u64,
}

impl RootVerdict {
    /// The rank of a move.
    pub(crate) fn rank(&self, mv: Move) -> Option<RootRank> {
        self.moves.iter().find(|(ranked, _)| *ranked == mv).map(|(_, rank)| *rank)
    }
}

/// The value of a position with its clock, and how far the next capture or pawn move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableValue {
    /// The value with best play from here, the half-move clock included.
    pub verdict: Verdict,
    /// Plies to the next capture, pawn move or mate with best play: the DTZ. Drawn positions have
    /// none, and it is not known without the tables of distances.
    pub distance: Option<u32>,
}
