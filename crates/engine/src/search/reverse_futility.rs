//! **Reverse futility pruning**, also called static null move pruning. The evaluation is so far
//! above beta that some quiet move will hold it: the node is not searched.
//!
//! Source: the chess programming wiki, "Reverse Futility Pruning".
//! Worth: docs/ablations.md, row "Reverse futility pruning".

use super::facts::NodeFacts;
use super::worker::Worker;
use crate::params;
use crate::score::Score;
use crate::stats::{Event, Recorder};

/// What is left of the evaluation's surplus, if it is large enough to cut.
#[inline(always)]
fn cutoff(facts: &NodeFacts) -> Option<Score> {
    let (depth, beta) = (facts.node.depth, facts.node.window.beta);
    if facts.tt_pv || depth > params::rfp_max_depth() || facts.eval.is_win() {
        return None;
    }
    let margin = params::rfp_margin() * depth
        - params::rfp_improving() * i32::from(facts.improving)
        - params::rfp_worsening() * i32::from(facts.opponent_worsening);
    (facts.surplus() >= margin.max(0) && !beta.is_loss())
        .then(|| beta.blend(facts.eval, params::rfp_blend()))
}

impl<R: Recorder> Worker<'_, R> {
    /// The score of a node that is far enough above beta.
    #[inline(always)]
    pub(super) fn reverse_futility(&mut self, facts: &NodeFacts) -> Option<Score> {
        if facts.eval >= facts.node.window.beta {
            self.record.count(Event::ReverseFutilityTried);
        }
        let score = cutoff(facts).filter(|_| self.record.allows(Event::ReverseFutilityCut))?;
        self.record.count(Event::ReverseFutilityCut);
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reverse_futility_never_invents_a_win_or_a_loss() {
        let facts = NodeFacts::example();
        let score = cutoff(&facts).unwrap();
        assert!(score >= facts.node.window.beta && score <= facts.eval);
        assert_eq!(cutoff(&facts.with_eval(Score::mate_in(5))), None);
        assert_eq!(cutoff(&facts.with_beta(Score::mated_in(4))), None);
        assert_eq!(cutoff(&NodeFacts { tt_pv: true, ..facts }), None);
    }

    #[test]
    fn reverse_futility_asks_for_less_where_things_go_well() {
        let margin = params::rfp_margin() * 3;
        let short = |by: i32| NodeFacts::example().with_eval(Score::from_cp(margin - by));
        assert!(cutoff(&short(0)).is_some() && cutoff(&short(1)).is_none());
        let worsening = NodeFacts { opponent_worsening: true, ..short(params::rfp_worsening()) };
        let improving = NodeFacts { improving: true, ..short(params::rfp_improving()) };
        assert!(cutoff(&worsening).is_some() && cutoff(&improving).is_some());
    }
}
