//! **ProbCut.** A capture that beats beta by a margin in a shallower search almost surely beats
//! beta in a full one. A TT score far above beta from a search that was a little too shallow is
//! believed for the same reason.
//!
//! Source: Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm" (1995);
//! the TT form as in Stockfish.
//! Worth: docs/ablations.md, row "ProbCut".

use super::facts::NodeFacts;
use super::kind::{NonPv, Stopped, Window};
use super::tt_cutoff::TtProbe;
use super::worker::Worker;
use crate::history::MoveContext;
use crate::params;
use crate::picker::Picker;
use crate::score::{Bound, Score};
use crate::stats::{Event, Recorder};
use crate::tt::Entry;

/// The score that a shallower search of a capture has to reach.
fn raised_beta(facts: &NodeFacts) -> Score {
    let improving = params::probcut_improving() * i32::from(facts.improving);
    facts.node.window.beta + (params::probcut_margin() - improving)
}

/// A TT score so far above beta that it is believed though its search was a little too shallow:
/// what is left of it.
#[inline(always)]
fn believed(hit: &Entry, depth: i32, beta: Score) -> Option<Score> {
    let enough = beta + params::probcut_tt_margin();
    let is_floor = matches!(hit.bound, Some(Bound::Lower | Bound::Exact));
    (is_floor
        && hit.depth >= depth - params::probcut_reduction()
        && hit.score >= enough
        && !hit.score.is_decisive()
        && !beta.is_decisive())
    .then_some(enough)
}

impl<R: Recorder> Worker<'_, R> {
    /// The score of a node whose TT score is far above beta.
    #[inline(always)]
    pub(super) fn tt_probcut(
        &mut self,
        hit: Option<Entry>,
        depth: i32,
        beta: Score,
        halfmove_clock: u16,
    ) -> Option<Score> {
        if i32::from(halfmove_clock) >= params::tt_cut_max_clock()
            || !self.record.allows(Event::TtProbCut)
        {
            return None;
        }
        let score = believed(&hit?, depth, beta)?;
        self.record.count(Event::TtProbCut);
        Some(score)
    }

    /// The score of a node with a capture that beats the raised beta. What it found is stored.
    #[inline(always)]
    pub(super) fn probcut(
        &mut self,
        picking: (&MoveContext<'_>, &chess::CheckInfo),
        facts: &NodeFacts,
        tt: &TtProbe,
        raw_eval: Option<i32>,
    ) -> Result<Option<Score>, Stopped> {
        let (depth, beta) = (facts.node.depth, facts.node.window.beta);
        if depth < params::probcut_min_depth()
            || beta.is_decisive()
            || !self.record.allows(Event::ProbCutCut)
        {
            return Ok(None);
        }
        let raised = raised_beta(facts);
        let refuted = tt.hit.is_some_and(|hit| {
            hit.depth >= depth - params::probcut_reduction() && hit.score < raised
        });
        if refuted {
            return Ok(None);
        }
        let Some(score) = self.search_probcut(picking, facts, tt, raised)? else {
            return Ok(None);
        };
        let entry = Entry {
            depth: depth - params::probcut_reduction() + 1,
            score,
            bound: Some(Bound::Lower),
            best_move: self.data.stack.at(facts.node.ply).mv,
            eval: raw_eval,
            pv: tt.pv,
        };
        self.job.tt.store(tt.key, facts.node.ply, entry);
        Ok(Some(if score.is_decisive() { score } else { score - (raised - beta) }))
    }

    /// Tries captures that win enough; a score at or above the raised beta.
    #[inline(never)]
    fn search_probcut(
        &mut self,
        (context, checks): (&MoveContext<'_>, &chess::CheckInfo),
        facts: &NodeFacts,
        tt: &TtProbe,
        beta: Score,
    ) -> Result<Option<Score>, Stopped> {
        let NodeFacts { node, static_eval, .. } = *facts;
        let position = context.position;
        let mut picker =
            Picker::probcut(&self.data.moves, position, tt.best_move, beta - static_eval);
        let window = Window::below(beta).flipped();
        while let Some(mv) = self.next_move(&mut picker, *context, checks) {
            let child = self.make(position, mv, node.ply);
            self.record.count(Event::ProbCutTried);
            let mut score = -self.quiesce::<NonPv>(&child, window, node.ply + 1)?;
            // The further quiescence is above, the less the confirming search has to confirm.
            let surplus = ((score - beta) / params::probcut_adaptive()).clamp(0, 3);
            let reduced = node.depth - params::probcut_reduction() - surplus;
            if score >= beta && reduced > 0 {
                let confirming = node.child(window, reduced, !node.cut_node);
                score = -self.search::<NonPv>(&child, confirming)?;
            }
            self.unmake();
            if score >= beta {
                self.record.count(Event::ProbCutCut);
                picker.finish(&mut self.data.moves);
                return Ok(Some(score));
            }
        }
        picker.finish(&mut self.data.moves);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tt_score_far_above_beta_is_believed_a_few_plies_too_early() {
        let beta = Score::from_cp(20);
        let enough = beta + params::probcut_tt_margin();
        let hit = Entry {
            depth: 6,
            score: enough,
            bound: Some(Bound::Lower),
            best_move: None,
            eval: None,
            pv: false,
        };
        let reach = 6 + params::probcut_reduction();
        assert_eq!(believed(&hit, reach, beta), Some(enough));
        assert_eq!(believed(&hit, reach + 1, beta), None);
        assert_eq!(believed(&Entry { score: enough - 1, ..hit }, reach, beta), None);
        assert_eq!(believed(&Entry { bound: Some(Bound::Upper), ..hit }, reach, beta), None);
        assert_eq!(believed(&Entry { score: Score::mate_in(9), ..hit }, reach, beta), None);
        assert_eq!(believed(&hit, reach, Score::mated_in(9)), None);
    }

    #[test]
    fn improving_nodes_need_a_smaller_margin() {
        let facts = NodeFacts::example();
        let improving = NodeFacts { improving: true, ..facts };
        assert!(raised_beta(&improving) < raised_beta(&facts));
    }
}
