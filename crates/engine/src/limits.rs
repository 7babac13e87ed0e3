//! What a search may spend.

use std::num::NonZeroU64;
use std::time::Duration;

use chess::Move;

use crate::score::MAX_PLY;
use crate::time::Instant;

/// Nodes at which a search with a soft limit is cut off, in multiples of that limit.
pub const HARD_NODE_FACTOR: u64 = 8;

/// The clock of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockTime {
    /// Time left for all moves to come.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// The limits of one search. All that are given hold together; with none of them the search goes
/// on until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// When the clock began to run; the beginning of the search if it is not known.
    pub started: Option<Instant>,
    /// The clock of the side to move.
    pub clock: Option<ClockTime>,
    /// Moves until the next time control.
    pub moves_to_go: Option<u32>,
    /// The clock runs by nodes, so many to the second: what is decided by the clock can then be
    /// repeated, and is the same on a busy machine.
    pub nodes_per_second: Option<NonZeroU64>,
    /// Exactly this time for the move.
    pub move_time: Option<Duration>,
    /// No iteration deeper than this.
    pub depth: Option<i32>,
    /// Not many more nodes than this.
    pub nodes: Option<u64>,
    /// No new iteration after this many nodes. For making training games.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Do not end before a stop is requested.
    pub infinite: bool,
    /// Ponder: the opponent's clock is running, so wait for a ponder hit or a stop before
    /// finishing.
    pub ponder: bool,
    /// Only these moves at the root. Illegal ones count for nothing; if none is left, all do.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// A limit of depth only.
    #[must_use]
    pub fn depth(depth: i32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// The last iteration that is wanted, if the depth is limited.
    pub(crate) fn last_iteration(&self) -> Option<i32> {
        self.depth.map(|depth| depth.clamp(1, MAX_PLY as i32 - 1))
    }

    /// A limit of nodes only.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// About so many nodes, ending with a finished iteration wherever that takes less than
    /// [`HARD_NODE_FACTOR`] times as many.
    #[must_use]
    pub fn soft_nodes(nodes: u64) -> Self {
        let hard = nodes.saturating_mul(HARD_NODE_FACTOR);
        Self { soft_nodes: Some(nodes), nodes: Some(hard), ..Self::default() }
    }
}
