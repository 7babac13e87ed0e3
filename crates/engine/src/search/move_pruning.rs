//! **Pruning of moves** that will hardly matter, once something is known that does not lose:
//!
//! - *Late move pruning*: after enough moves the quiet rest is skipped.
//! - *History pruning*: a quiet move that did badly as an answer and as a follow-up is skipped.
//! - *Futility pruning*: quiet moves, and bad captures, that cannot bring the evaluation up to
//!   alpha are skipped.
//! - *SEE pruning*: moves that lose material in the exchange on their square are skipped.
//!
//! Source: Heinz, "Extended futility pruning" (1998); the chess programming wiki, "Futility
//! Pruning" (with move count based pruning), "History Leaf Pruning", "Static Exchange Evaluation".
//! Worth: docs/ablations.md, rows "Late move pruning", "History pruning", "Futility pruning",
//! "Exchange pruning" and "All shallow pruning".

use chess::Move;

use super::kind::Node;
use super::late_move_reductions::base_reduction;
use super::worker::Worker;
use crate::history::MoveContext;
use crate::params;
use crate::picker::{Picker, Stage};
use crate::score::Score;
use crate::stats::{Event, Recorder};

/// A move of a node and what is known about it before it is made.
#[derive(Clone, Copy)]
pub(super) struct MoveFacts {
    pub(super) mv: Move,
    /// Its number in the order of searching, from 1.
    pub(super) number: i32,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// How well it did before.
    pub(super) history: i32,
}

/// What the pruning of a node's moves depends on besides the move.
#[derive(Clone, Copy)]
pub(super) struct PruningContext<'a> {
    pub(super) node: Node,
    pub(super) moves: MoveContext<'a>,
    pub(super) static_eval: Option<Score>,
    pub(super) improving: bool,
}

/// How many moves are tried before late move pruning skips the rest.
fn late_move_limit(depth: i32, improving: bool) -> i32 {
    (params::lmp_base() + depth * depth) / if improving { 1 } else { 2 }
}

/// Whether a quiet move has done so badly that it is not worth trying.
fn history_prunes(history: i32, reduced_depth: i32) -> bool {
    reduced_depth < params::history_pruning_max_depth()
        && history < -params::history_pruning_slope() * reduced_depth.max(1)
}

/// The best score that a move can hope for.
fn futility_value(static_eval: Score, depth: i32, gain: i32) -> Score {
    static_eval + (params::futility_base() + params::futility_slope() * depth + gain)
}

/// The exchange value below which a quiet move is not worth trying.
fn quiet_see_margin(reduced_depth: i32) -> i32 {
    -params::see_quiet_slope() * reduced_depth * reduced_depth
}

/// The exchange value below which a capture or promotion is not worth trying.
fn noisy_see_margin(depth: i32, history: i32) -> i32 {
    -params::see_capture_slope() * depth - history * params::see_capture_history() / 1024
}

impl<R: Recorder> Worker<'_, R> {
    /// Whether a move is skipped. Raises `best` to what the skipped moves may still be worth, and
    /// lets the picker leave out the quiet rest where that follows.
    #[inline(always)]
    pub(super) fn is_pruned(
        &mut self,
        context: &PruningContext<'_>,
        mv: &MoveFacts,
        picker: &mut Picker,
        best: &mut Score,
    ) -> bool {
        let reason = self.pruned_by(context, mv, picker, best);
        if let Some(reason) = reason {
            self.record.skip(reason, mv.mv);
        }
        reason.is_some()
    }

    #[inline(always)]
    fn pruned_by(
        &self,
        context: &PruningContext<'_>,
        facts: &MoveFacts,
        picker: &mut Picker,
        best: &mut Score,
    ) -> Option<Event> {
        let PruningContext { node, moves, static_eval, improving } = context;
        let MoveFacts { mv, number, quiet, gives_check, history } = *facts;
        let (depth, alpha, position) = (node.depth, node.window.alpha, moves.position);
        let mut reduction = base_reduction(depth, number, quiet)
            + params::lmr_not_improving() * i32::from(!improving);
        if quiet {
            reduction -= history * params::pruning_history() / params::lmr_history_divisor();
        }
        let reduced_depth = (depth - reduction / 1024).max(0);
        let in_check = position.is_check();
        // An evasion is one of few moves: how late it comes and how it did before says little.
        if quiet && !in_check {
            let is_late = number >= late_move_limit(depth, *improving);
            if is_late && self.record.allows(Event::LateMovePrune) {
                picker.skip_quiets();
                if !gives_check {
                    return Some(Event::LateMovePrune);
                }
            }
            let continuation = self.data.history.continuation(moves, mv);
            if !gives_check
                && history_prunes(continuation, reduced_depth)
                && self.record.allows(Event::HistoryPrune)
            {
                return Some(Event::HistoryPrune);
            }
            if let Some(static_eval) = static_eval.filter(|_| !gives_check)
                && reduced_depth < params::futility_max_depth()
            {
                let gain = history / params::futility_history_divisor();
                let value = futility_value(static_eval, reduced_depth, gain);
                if value <= alpha && self.record.allows(Event::FutilityPrune) {
                    if !best.is_decisive() && !value.is_decisive() {
                        *best = value.max(*best);
                    }
                    picker.skip_quiets();
                    return Some(Event::FutilityPrune);
                }
            }
        } else if !quiet
            && picker.source() == Stage::BadNoisy
            && !gives_check
            && depth < params::capture_futility_max_depth()
            && let Some(static_eval) = *static_eval
        {
            let victim = position.captured(mv).map_or(0, chess::exchange_value);
            let value = futility_value(static_eval, depth, victim);
            if value <= alpha && self.record.allows(Event::CaptureFutilityPrune) {
                if !value.is_decisive() {
                    *best = value.max(*best);
                }
                return Some(Event::CaptureFutilityPrune);
            }
        }
        let margin =
            if quiet { quiet_see_margin(reduced_depth) } else { noisy_see_margin(depth, history) };
        let loses = reduced_depth < params::see_pruning_max_depth()
            && !(in_check && quiet)
            && !position.see_ge(mv, margin)
            && self.record.allows(Event::SeePrune);
        loses.then_some(Event::SeePrune)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_that_did_well_may_lose_more() {
        assert!(noisy_see_margin(4, 2000) < noisy_see_margin(4, 0));
        assert!(noisy_see_margin(4, -2000) > noisy_see_margin(4, 0));
        assert!(noisy_see_margin(6, 0) < noisy_see_margin(4, 0));
        assert!(quiet_see_margin(6) < quiet_see_margin(4));
    }

    #[test]
    fn improving_nodes_try_more_moves() {
        for depth in 1..12 {
            assert!(late_move_limit(depth, true) > late_move_limit(depth, false));
        }
    }
}
