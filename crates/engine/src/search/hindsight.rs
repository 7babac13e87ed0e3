//! **Hindsight depth adjustment.** The parent reduced this node on a judgement of its move. The
//! evaluations before and after the move now show whether that judgement was right: one ply more
//! where it was wrong, one less where it was right.
//!
//! Source: Stockfish (2024), "hindsight adjustment of reductions".
//! Worth: not measured on its own in docs/ablations.md.

use super::worker::Worker;
use crate::params;
use crate::stats::Recorder;

impl<R: Recorder> Worker<'_, R> {
    /// By how many plies the depth of a node changes.
    #[inline]
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
