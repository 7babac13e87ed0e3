//! **Late move reductions**, in 1/1024 of a ply. Moves that come late are searched shallower and
//! with a zero window first; one that beats alpha all the same is searched again, deeper if it is
//! clearly the best so far and shallower if it hardly is.
//!
//! Source: Romstad, "An introduction to late move reductions" (2006); the terms as in the engines
//! that followed, see the chess programming wiki, "Late Move Reductions".
//! Worth: docs/ablations.md, row "Late move reductions".

use chess::Position;

use super::history_updates::bonus;
use super::kind::{Node, NodeKind, NonPv, Searched};
use super::worker::Worker;
use crate::history::Continuations;
use crate::params;
use crate::score::Score;
use crate::stats::{Event, Recorder};

/// What the reduction of a move depends on.
#[derive(Clone, Copy)]
pub(crate) struct ReductionFacts {
    pub(crate) depth: i32,
    pub(crate) move_number: i32,
    pub(crate) quiet: bool,
    pub(crate) pv_node: bool,
    pub(crate) tt_pv: bool,
    pub(crate) cut_node: bool,
    pub(crate) improving: bool,
    pub(crate) gives_check: bool,
    pub(crate) tt_capture: bool,
    pub(crate) tt_above_alpha: bool,
    pub(crate) tt_deep: bool,
    pub(crate) has_tt_move: bool,
    /// How often the children of this node's children have cut.
    pub(crate) child_cutoffs: u32,
    pub(crate) history: i32,
    /// By how much the evaluation was corrected.
    pub(crate) correction: i32,
    /// Another thread searches the same node.
    pub(crate) concurrent: bool,
    /// How wide the window is, in 1/1024 of the root's.
    pub(crate) window: i32,
}

/// `LOGS[i]` is 32 ln i: the integral of 1/x by Simpson's rule in whole numbers, so that it is
/// the same on every machine.
static LOGS: [i32; 256] = {
    const ONE: u64 = 1 << 32;
    let mut logs = [0; 256];
    let mut sum = 0;
    let mut to = 2;
    while to < 256 {
        let from = to - 1;
        sum += (ONE / from + 8 * ONE / (from + to) + ONE / to) / 6;
        logs[to as usize] = ((sum * 32) >> 32) as i32;
        to += 1;
    }
    logs
};

fn log(value: i32) -> i32 {
    LOGS[value.clamp(1, 255) as usize]
}

/// The reduction by depth and move number alone.
pub(crate) fn base_reduction(depth: i32, move_number: i32, quiet: bool) -> i32 {
    let product = log(depth) * log(move_number);
    if quiet {
        params::lmr_quiet_base() + product * params::lmr_quiet_scale() / 1024
    } else {
        params::lmr_capture_base() + product * params::lmr_capture_scale() / 1024
    }
}

/// The whole reduction.
#[inline(always)]
pub(crate) fn reduction(facts: &ReductionFacts) -> i32 {
    let mut reduction = base_reduction(facts.depth, facts.move_number, facts.quiet);
    let mut adjust = |when: bool, amount: i32| reduction += amount * i32::from(when);
    adjust(facts.tt_pv, -params::lmr_tt_pv());
    adjust(facts.tt_pv && facts.tt_above_alpha, -params::lmr_tt_pv_score());
    adjust(facts.tt_pv && facts.tt_deep, -params::lmr_tt_pv_depth());
    adjust(facts.pv_node, -params::lmr_pv());
    adjust(facts.cut_node, params::lmr_cut_node());
    adjust(facts.cut_node && !facts.has_tt_move, params::lmr_no_tt_move());
    adjust(!facts.improving, params::lmr_not_improving());
    adjust(facts.gives_check, -params::lmr_check());
    adjust(facts.tt_capture, params::lmr_tt_capture());
    let many_cutoffs = facts.child_cutoffs > params::lmr_cutoffs_from() as u32;
    let all_node = !facts.pv_node && !facts.cut_node;
    adjust(many_cutoffs, params::lmr_cutoffs());
    adjust(many_cutoffs && all_node, params::lmr_cutoffs_all());
    adjust(facts.concurrent, params::lmr_concurrent());
    reduction -= params::lmr_correction() * facts.correction.abs();
    reduction -= params::lmr_window() * facts.window / 1024;
    let divisor = if facts.quiet {
        params::lmr_history_divisor()
    } else {
        params::lmr_capture_history_divisor()
    };
    reduction - facts.history * 1024 / divisor
}

/// The plies that a first move, which has no late move reduction, is searched shallower where all signs
/// ask for a large one; none at depths 1 and 2.
#[inline(always)]
pub(crate) fn first_move_reduction(facts: &ReductionFacts) -> i32 {
    const OFF: i32 = 32_768;
    let threshold = params::lmr_first_move();
    i32::from(threshold < OFF && facts.depth > 2 && reduction(facts) > threshold)
}

/// A move that has been made and comes late enough to be reduced.
pub(super) struct LateMove {
    pub(super) facts: ReductionFacts,
    /// The depth of an unreduced search.
    pub(super) new_depth: i32,
    /// The best score of the node so far.
    pub(super) best: Score,
    pub(super) continuations: Continuations,
}

impl<R: Recorder> Worker<'_, R> {
    /// The score of a late move, seen from its node: a reduced search and, if that beats alpha,
    /// another one without the reduction.
    #[inline(always)]
    pub(super) fn search_late_move<N: NodeKind>(
        &mut self,
        child: &Position,
        node: &Node,
        late: &LateMove,
    ) -> Searched {
        let LateMove { facts, new_depth, best, continuations } = late;
        let Node { depth, ply, cut_node, window } = *node;
        let reduced = (new_depth - reduction(facts) / 1024)
            .clamp(1.min((*new_depth).max(0)), new_depth + 1 + i32::from(N::PV));
        self.record.count(Event::Reduced);
        self.data.stack.at(ply).reduction = (new_depth - reduced) * 1024;
        let zero = window.zero_flipped();
        let mut score = -self.search::<NonPv>(child, node.child(zero, reduced, true))?;
        self.data.stack.at(ply).reduction = 0;
        if score <= window.alpha || reduced >= *new_depth {
            return Ok(score);
        }
        let deeper = score > *best + params::lmr_deeper_margin();
        let shallower = score < *best + params::lmr_shallower_margin();
        let again = new_depth + i32::from(deeper && !N::ROOT) - i32::from(shallower && !N::ROOT);
        if again > reduced {
            self.record.count(Event::Researched);
            score = -self.search::<NonPv>(child, node.child(zero, again, !cut_node))?;
        }
        if facts.quiet && (score <= window.alpha || score >= window.beta) {
            let share = bonus(depth) * params::research_bonus() / 1024;
            let amount = if score >= window.beta { share } else { -share };
            if let Some(row) = self.data.stack.at(ply).continuation {
                self.data.history.update_continuation(*continuations, row.piece_to(), amount);
            }
        }
        Ok(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        for value in 1..=255 {
            let exact = f64::from(value).ln() * 32.0;
            assert!((f64::from(log(value)) - exact).abs() < 1.5, "{value}");
        }
    }

    fn plain() -> ReductionFacts {
        ReductionFacts {
            depth: 8,
            move_number: 6,
            quiet: true,
            pv_node: false,
            tt_pv: false,
            cut_node: false,
            improving: true,
            gives_check: false,
            tt_capture: false,
            tt_above_alpha: false,
            tt_deep: false,
            has_tt_move: false,
            child_cutoffs: 0,
            history: 0,
            correction: 0,
            concurrent: false,
            window: 0,
        }
    }

    #[test]
    fn an_expected_cut_node_without_a_tt_move_is_searched_shallowest() {
        let plain = plain();
        let cut = ReductionFacts { cut_node: true, has_tt_move: true, ..plain };
        let blind = ReductionFacts { has_tt_move: false, ..cut };
        assert!(reduction(&plain) < reduction(&cut) && reduction(&cut) < reduction(&blind));
        assert_eq!(reduction(&plain), reduction(&ReductionFacts { has_tt_move: true, ..plain }));
        let wide = ReductionFacts { window: 512, ..plain };
        let narrowed = params::with(&[("lmr_window", 600)], || reduction(&wide));
        assert_eq!(narrowed, reduction(&plain) - 300);
    }

    #[test]
    fn a_first_move_is_reduced_only_where_all_signs_ask_for_it_and_the_rule_is_on() {
        let hopeless = ReductionFacts {
            move_number: 1,
            cut_node: true,
            improving: false,
            tt_capture: true,
            ..plain()
        };
        let at = |threshold: i32, facts: &ReductionFacts| {
            params::with(&[("lmr_first_move", threshold)], || first_move_reduction(facts))
        };
        assert_eq!(at(32_768, &hopeless), 0);
        let on = |facts: &ReductionFacts| at(3500, facts);
        assert_eq!(on(&hopeless), 1);
        assert_eq!(on(&ReductionFacts { has_tt_move: true, improving: true, ..hopeless }), 0);
        assert_eq!(on(&ReductionFacts { depth: 2, ..hopeless }), 0);
    }

    #[test]
    fn later_and_deeper_moves_are_reduced_more() {
        assert!(base_reduction(8, 20, true) > base_reduction(8, 4, true));
        assert!(base_reduction(16, 4, true) > base_reduction(6, 4, true));
        assert!(base_reduction(8, 8, false) < base_reduction(8, 8, true));
        assert!(base_reduction(1000, 1000, true) >= base_reduction(255, 255, true));
    }
}
