//! **Null move pruning.** If passing still beats beta in a shallower search, a real move almost
//! surely does. Not without pieces, where passing can be the best move (zugzwang), and at high
//! depth only after a search without null moves for this side has verified it.
//!
//! Source: Beal (1989), Donninger, "Null move and deep search" (1993); verification after
//! Tabibi and Netanyahu (2002), with a ban by plies as in Stockfish.
//! Worth: docs/ablations.md, row "Null move pruning".

use chess::{Move, PieceType, Position};

use super::facts::NodeFacts;
use super::kind::{Node, NonPv, Stopped, Window};
use super::tt_cutoff::TtProbe;
use super::worker::Worker;
use crate::params;
use crate::score::Score;
use crate::stats::{Event, Recorder};

/// Whether passing is worth a try, leaving aside who may pass at all.
#[inline(always)]
fn applies(facts: &NodeFacts) -> bool {
    let beta = facts.node.window.beta;
    let wanted = params::nmp_margin() - params::nmp_margin_slope() * facts.node.depth
        + params::nmp_not_improving() * i32::from(!facts.improving);
    facts.node.depth >= params::nmp_min_depth()
        && facts.eval >= beta
        && facts.static_eval - beta >= wanted
        && !beta.is_loss()
}

/// By how many plies the search after a null move is shallower.
fn reduction(facts: &NodeFacts) -> i32 {
    let surplus = facts.surplus() / params::nmp_eval_divisor();
    (params::nmp_base() + params::nmp_depth_scale() * facts.node.depth) / 1024
        + surplus.clamp(0, params::nmp_eval_max())
}

impl<R: Recorder> Worker<'_, R> {
    /// The score of a node that beats beta even after a pass.
    #[inline(always)]
    pub(super) fn null_move(
        &mut self,
        position: &Position,
        facts: &NodeFacts,
        tt: &TtProbe,
    ) -> Result<Option<Score>, Stopped> {
        let ply = facts.node.ply;
        let captures = |mv: Move| position.captured(mv).is_some_and(|kind| kind != PieceType::Pawn);
        if !facts.node.cut_node
            || params::nmp_tt_capture() != 0 && tt.best_move.is_some_and(captures)
            || ply < self.null_move_from
            || self.data.stack.back(ply, 1).mv.is_none()
            || !position.has_pieces(position.side_to_move())
            || !applies(facts)
            || !self.record.allows(Event::NullMoveCut)
        {
            return Ok(None);
        }
        self.search_null_move(position, facts)
    }

    /// Passes, and searches shallower.
    #[inline(never)]
    pub(super) fn search_null_move(
        &mut self,
        position: &Position,
        facts: &NodeFacts,
    ) -> Result<Option<Score>, Stopped> {
        let NodeFacts { node, .. } = *facts;
        let beta = node.window.beta;
        let depth = node.depth - reduction(facts);
        let child = self.make_null(position, node.ply);
        let window = Window::below(beta).flipped();
        self.record.count(Event::NullMoveTried);
        let score = -self.search::<NonPv>(&child, node.child(window, depth, false))?;
        self.unmake();
        if score < beta {
            return Ok(None);
        }
        // A win found after passing is not proven.
        let score = if score.is_win() { beta } else { score };
        if node.depth < params::nmp_verify_depth() || self.null_move_from > 0 {
            self.record.count(Event::NullMoveCut);
            return Ok(Some(score));
        }
        // At high depth a zugzwang would be costly: verify without null moves on this side.
        self.null_move_from = node.ply + (3 * depth.max(0) / 4) as usize;
        let verification =
            Node { depth, ply: node.ply, cut_node: false, window: Window::below(beta) };
        let verified = self.search::<NonPv>(position, verification);
        self.null_move_from = 0;
        let holds = verified? >= beta;
        self.record.count(if holds { Event::NullMoveCut } else { Event::NullMoveRefuted });
        Ok(holds.then_some(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_move_wants_a_surplus_and_no_lost_window() {
        let facts = NodeFacts::example();
        assert!(applies(&facts));
        assert!(!applies(&facts.with_eval(Score::from_cp(-1))));
        assert!(!applies(&facts.with_beta(Score::mated_in(9))));
        assert!(reduction(&facts.with_depth(12)) > 5);
    }
}
