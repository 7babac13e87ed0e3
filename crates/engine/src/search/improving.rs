//! **Improving.** Where the evaluation is going along the line that leads to a node: a side that
//! stands better than at its last turn is pruned and reduced less below beta, and more above it.
//!
//! Source: Stockfish (2012 and later); the chess programming wiki, "Improving".
//! Worth: part of the rows of the techniques that ask for it.

use super::worker::Worker;
use crate::stats::Recorder;

impl<R: Recorder> Worker<'_, R> {
    /// Whether the side to move stands better than at its last turn out of check.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.data.stack.back(ply, 0).static_eval else { return false };
        // The plies before the root have no evaluation.
        let before = |plies: usize| self.data.stack.back(ply, plies).static_eval;
        before(2).or_else(|| before(4)).is_none_or(|before| now > before)
    }

    /// Whether the opponent stands worse than before their last move.
    pub(super) fn is_opponent_worsening(&self, ply: usize) -> bool {
        let now = self.data.stack.back(ply, 0).static_eval;
        let before = self.data.stack.back(ply, 1).static_eval;
        matches!((now, before), (Some(now), Some(before)) if now > -before)
    }
}
