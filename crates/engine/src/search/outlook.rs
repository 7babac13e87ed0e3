//! Where the evaluation is going along the line that leads to a node.

use super::worker::Worker;
use crate::params;
use crate::stats::Recorder;

impl<R: Recorder> Worker<'_, R> {
    /// Whether the side to move stands better than at its last turn out of check.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let Some(now) = self.data.stack.back(ply, 0).static_eval else { return false };
        // The plies before the root have no evaluation.
        let before = |plies: usize| self.data.stack.back(ply, plies).static_eval;
        before(2).or_else(|| before(4)).is_none_or(|before| now > before)
    }

    /// Whether the opponent stands worse than he did before his last move.
    pub(super) fn is_worsening(&self, ply: usize) -> bool {
        let now = self.data.stack.back(ply, 0).static_eval;
        let before = self.data.stack.back(ply, 1).static_eval;
        matches!((now, before), (Some(now), Some(before)) if now > -before)
    }

    /// One ply more where the parent's large reduction was wrong, one less where it was right.
    pub(super) fn hindsight(&self, ply: usize, depth: i32) -> i32 {
        let parent = self.data.stack.back(ply, 1);
        let (Some(before), Some(now)) =
            (parent.static_eval, self.data.stack.back(ply, 0).static_eval)
        else {
            return 0;
        };
        let sum = before.raw() + now.raw();
        if parent.reduction >= params::hindsight_deeper_reduction() && sum < 0 {
            return 1;
        }
        let judged_right = parent.reduction >= params::hindsight_shallower_reduction()
            && sum > params::hindsight_margin();
        -i32::from(judged_right && depth >= 2)
    }
}
