//! Pruning: each step is a function from the facts of a node to a verdict.

use crate::params;
use crate::score::{Bound, Score};
use crate::tt::Entry;

/// What is known about a node before its moves are looked at. Not for nodes in check.
#[derive(Clone, Copy)]
pub(crate) struct NodeFacts {
    pub(crate) depth: i32,
    /// The best estimate of the score: the corrected evaluation, or a table score.
    pub(crate) eval: Score,
    /// The corrected evaluation.
    pub(crate) static_eval: Score,
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
    /// Whether the side to move stands better than two plies before.
    pub(crate) improving: bool,
    /// Whether the opponent stands worse than he thought before his last move.
    pub(crate) worsening: bool,
    pub(crate) tt_pv: bool,
}

/// The evaluation is so far above beta that some quiet move will hold it.
pub(crate) fn reverse_futility(node: &NodeFacts) -> Option<Score> {
    if node.tt_pv || node.depth > params::rfp_max_depth() || node.eval.is_win() {
        return None;
    }
    let margin = params::rfp_margin() * node.depth
        - params::rfp_improving() * i32::from(node.improving)
        - params::rfp_worsening() * i32::from(node.worsening);
    (node.eval - node.beta >= margin.max(0) && !node.beta.is_loss())
        .then(|| node.beta.blend(node.eval, params::rfp_blend()))
}

/// The evaluation is so far below alpha that only captures can help: quiescence decides.
pub(crate) fn razors(node: &NodeFacts) -> bool {
    let deficit = params::razor_base() + params::razor_slope() * node.depth * node.depth;
    node.depth <= params::razor_max_depth() && node.eval + deficit < node.alpha
}

/// Whether passing is worth a try, leaving aside who may pass at all.
pub(crate) fn tries_null_move(node: &NodeFacts) -> bool {
    let wanted = params::nmp_margin() - params::nmp_margin_slope() * node.depth;
    node.depth >= params::nmp_min_depth()
        && node.eval >= node.beta
        && node.static_eval - node.beta >= wanted
        && !node.beta.is_loss()
}

/// By how many plies the search after a null move is shallower.
pub(crate) fn null_move_reduction(node: &NodeFacts) -> i32 {
    let surplus = (node.eval - node.beta) / params::nmp_eval_divisor();
    (params::nmp_base() + params::nmp_depth_scale() * node.depth) / 1024
        + surplus.clamp(0, params::nmp_eval_max())
}

/// The score that a shallower search of captures has to reach for ProbCut.
pub(crate) fn probcut_beta(node: &NodeFacts) -> Score {
    let improving = params::probcut_improving() * i32::from(node.improving);
    node.beta + (params::probcut_margin() - improving)
}

/// A table score so far above beta that it is believed though its search was a little too shallow:
/// what is left of it.
pub(crate) fn table_probcut(hit: &Entry, depth: i32, beta: Score) -> Option<Score> {
    let enough = beta + params::probcut_table_margin();
    let is_floor = matches!(hit.bound, Some(Bound::Lower | Bound::Exact));
    (is_floor
        && hit.depth >= depth - params::probcut_reduction()
        && hit.score >= enough
        && !hit.score.is_decisive()
        && !beta.is_decisive())
    .then_some(enough)
}

/// How many moves are tried before late move pruning skips the rest.
pub(crate) fn late_move_limit(depth: i32, improving: bool) -> i32 {
    (params::lmp_base() + depth * depth) / if improving { 1 } else { 2 }
}

/// The best a quiet move can be hoped to bring the score to.
pub(crate) fn futility_score(static_eval: Score, reduced_depth: i32) -> Score {
    static_eval + (params::futility_base() + params::futility_slope() * reduced_depth)
}

/// Whether a quiet move has done so badly that it is not worth trying.
pub(crate) fn history_prunes(history: i32, reduced_depth: i32) -> bool {
    reduced_depth < params::history_pruning_max_depth()
        && history < -params::history_pruning_slope() * reduced_depth.max(1)
}

/// The exchange value below which a quiet move is not worth trying.
pub(crate) fn quiet_exchange_limit(reduced_depth: i32) -> i32 {
    -params::see_quiet_slope() * reduced_depth * reduced_depth
}

/// The exchange value below which a capture or promotion is not worth trying.
pub(crate) fn noisy_exchange_limit(depth: i32, history: i32) -> i32 {
    -params::see_capture_slope() * depth - history * params::see_capture_history() / 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> NodeFacts {
        NodeFacts {
            depth: 3,
            eval: Score::from_cp(900),
            static_eval: Score::from_cp(900),
            alpha: Score::from_cp(-1),
            beta: Score::from_cp(0),
            improving: false,
            worsening: false,
            tt_pv: false,
        }
    }

    #[test]
    fn reverse_futility_never_invents_a_win_or_a_loss() {
        let score = reverse_futility(&facts()).unwrap();
        assert!(score >= facts().beta && score <= facts().eval);
        assert_eq!(reverse_futility(&NodeFacts { eval: Score::mate_in(5), ..facts() }), None);
        let mated = NodeFacts { beta: Score::mated_in(4), alpha: Score::mated_in(3), ..facts() };
        assert_eq!(reverse_futility(&mated), None);
        assert_eq!(reverse_futility(&NodeFacts { tt_pv: true, ..facts() }), None);
    }

    #[test]
    fn reverse_futility_asks_for_less_where_things_go_well() {
        let margin = params::rfp_margin() * 3;
        let short = |by: i32| NodeFacts { eval: Score::from_cp(margin - by), ..facts() };
        assert!(reverse_futility(&short(0)).is_some() && reverse_futility(&short(1)).is_none());
        let worsening = NodeFacts { worsening: true, ..short(params::rfp_worsening()) };
        let improving = NodeFacts { improving: true, ..short(params::rfp_improving()) };
        assert!(reverse_futility(&worsening).is_some() && reverse_futility(&improving).is_some());
    }

    #[test]
    fn null_move_wants_a_surplus_and_no_lost_window() {
        assert!(tries_null_move(&facts()));
        assert!(!tries_null_move(&NodeFacts { eval: Score::from_cp(-1), ..facts() }));
        assert!(!tries_null_move(&NodeFacts { beta: Score::mated_in(9), ..facts() }));
        assert!(null_move_reduction(&NodeFacts { depth: 12, ..facts() }) > 5);
    }

    #[test]
    fn razoring_is_for_hopeless_shallow_nodes() {
        assert!(!razors(&facts()));
        let hopeless = NodeFacts { depth: 1, eval: Score::from_cp(-2000), ..facts() };
        assert!(razors(&hopeless));
        assert!(!razors(&NodeFacts { depth: 30, ..hopeless }));
    }

    #[test]
    fn a_table_score_far_above_beta_is_believed_a_few_plies_too_early() {
        let beta = Score::from_cp(20);
        let enough = beta + params::probcut_table_margin();
        let hit = Entry {
            depth: 6,
            score: enough,
            bound: Some(Bound::Lower),
            best_move: None,
            eval: None,
            pv: false,
        };
        let reach = 6 + params::probcut_reduction();
        assert_eq!(table_probcut(&hit, reach, beta), Some(enough));
        assert_eq!(table_probcut(&hit, reach + 1, beta), None);
        assert_eq!(table_probcut(&Entry { score: enough - 1, ..hit }, reach, beta), None);
        assert_eq!(table_probcut(&Entry { bound: Some(Bound::Upper), ..hit }, reach, beta), None);
        assert_eq!(table_probcut(&Entry { score: Score::mate_in(9), ..hit }, reach, beta), None);
        assert_eq!(table_probcut(&hit, reach, Score::mated_in(9)), None);
    }

    #[test]
    fn a_capture_that_did_well_may_lose_more() {
        assert!(noisy_exchange_limit(4, 2000) < noisy_exchange_limit(4, 0));
        assert!(noisy_exchange_limit(4, -2000) > noisy_exchange_limit(4, 0));
        assert!(noisy_exchange_limit(6, 0) < noisy_exchange_limit(4, 0));
        assert!(quiet_exchange_limit(6) < quiet_exchange_limit(4));
    }

    #[test]
    fn improving_nodes_try_more_moves() {
        for depth in 1..12 {
            assert!(late_move_limit(depth, true) > late_move_limit(depth, false));
        }
    }
}
