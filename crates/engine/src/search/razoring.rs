//! **Razoring.** A shallow node whose evaluation is far below alpha needs a capture to get back:
//! quiescence decides whether there is one, and without one the node is not searched.
//!
//! Source: Birmingham and Kent, "Tree-searching and tree-pruning techniques" (1977); in this form
//! the chess programming wiki, "Razoring".
//! Worth: docs/ablations.md, row "Razoring".

use chess::Position;

use super::facts::NodeFacts;
use super::kind::{NonPv, Stopped};
use super::worker::Worker;
use crate::params;
use crate::score::Score;
use crate::stats::{Event, Recorder};

/// Whether the evaluation is so far below alpha that only a capture can help.
#[inline(always)]
fn applies(facts: &NodeFacts) -> bool {
    let (depth, alpha) = (facts.node.depth, facts.node.window.alpha);
    let deficit = params::razor_base() + params::razor_slope() * depth * depth;
    depth <= params::razor_max_depth() && facts.eval + deficit < alpha
}

impl<R: Recorder> Worker<'_, R> {
    /// The score of a hopeless node, if quiescence agrees that it is hopeless.
    #[inline(always)]
    pub(super) fn razoring(
        &mut self,
        position: &Position,
        facts: &NodeFacts,
    ) -> Result<Option<Score>, Stopped> {
        let window = facts.node.window;
        if !applies(facts) || window.alpha.is_decisive() || !self.record.allows(Event::RazorCut) {
            return Ok(None);
        }
        self.record.count(Event::RazorTried);
        let score = self.quiesce::<NonPv>(position, window, facts.node.ply)?;
        if score > window.alpha {
            return Ok(None);
        }
        self.record.count(Event::RazorCut);
        Ok(Some(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn razoring_is_for_hopeless_shallow_nodes() {
        let good = NodeFacts::example();
        assert!(!applies(&good));
        let hopeless = good.with_depth(1).with_eval(Score::from_cp(-2000));
        assert!(applies(&hopeless));
        assert!(!applies(&hopeless.with_depth(30)));
    }
}
