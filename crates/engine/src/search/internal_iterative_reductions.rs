//! **Internal iterative reductions.** A node without a TT move is not worth its full depth yet: a
//! shallower search finds a move, and the next iteration comes back with it.
//!
//! Source: Ed Schröder (2020); the chess programming wiki, "Internal Iterative Reductions".
//! Worth: docs/ablations.md, row "Internal iterative reduction".

use chess::Move;

use super::kind::{Node, NodeKind};
use super::worker::Worker;
use crate::params;
use crate::stats::{Event, Recorder};

impl<R: Recorder> Worker<'_, R> {
    /// The depth of a node, a ply less where no move is known that is worth more.
    #[inline(always)]
    pub(super) fn iterative_reduction<N: NodeKind>(
        &mut self,
        node: &Node,
        tt_move: Option<Move>,
    ) -> i32 {
        let applies =
            (N::PV || node.cut_node) && tt_move.is_none() && node.depth >= params::iir_min_depth();
        if !applies {
            return node.depth;
        }
        self.record.count(Event::IterativeReduction);
        node.depth - 1
    }
}
