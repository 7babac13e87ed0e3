//! **TT cutoff.** What the transposition table knows about the position: a score that was searched
//! deep enough ends the node, and a quiet TT move that cuts this way is rewarded.
//!
//! Source: Greenblatt, Eastlake and Crocker (1967); the chess programming wiki, "Transposition
//! Table".
//! Worth: docs/ablations.md, row "Transposition table".

use chess::{Move, Position};

use super::history_updates::bonus;
use super::kind::{Node, NodeKind};
use super::worker::Worker;
use crate::history::{MoveContext, Threats};
use crate::params;
use crate::score::Score;
use crate::stats::{Event, Recorder};
use crate::tt::{Entry, tt_key};

/// What the transposition table says about a node.
#[derive(Clone, Copy)]
pub(super) struct TtProbe {
    pub(super) key: u64,
    pub(super) hit: Option<Entry>,
    /// The move to try first, legal here; at the root the best move so far.
    pub(super) best_move: Option<Move>,
    /// Whether the node is or was in a principal variation.
    pub(super) pv: bool,
}

impl<R: Recorder> Worker<'_, R> {
    /// Asks the table. A search without the TT move must not see what was found with it.
    #[inline(always)]
    pub(super) fn probe_tt<N: NodeKind>(
        &mut self,
        position: &Position,
        ply: usize,
        excluded: Option<Move>,
    ) -> TtProbe {
        let key = tt_key(position);
        let hit = match excluded {
            None => self.job.tt.probe(key, ply, position.halfmove_clock()),
            Some(_) => None,
        };
        let best_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else if excluded.is_some() && params::singular_tt_move() != 0 {
            excluded
        } else {
            hit.and_then(|hit| hit.best_move).filter(|&mv| position.is_legal(mv))
        };
        let pv = match excluded {
            None => N::PV || hit.is_some_and(|hit| hit.pv),
            Some(_) => self.data.stack.at(ply).tt_pv,
        };
        self.data.stack.at(ply).tt_pv = pv;
        if hit.is_some() {
            self.record.count(Event::TtHit);
        }
        TtProbe { key, hit, best_move, pv }
    }

    /// The stored score, if it decides a zero-window node.
    #[inline(always)]
    pub(super) fn tt_cutoff<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        tt: &TtProbe,
    ) -> Option<Score> {
        let (hit, beta) = (tt.hit?, node.window.beta);
        let cuts = !N::PV
            && hit.depth >= node.depth
            && hit.bound.is_some_and(|bound| bound.decides(hit.score, beta))
            && (node.cut_node == (hit.score >= beta)
                || node.depth > params::tt_cut_expected_depth())
            && i32::from(position.halfmove_clock()) < params::tt_cut_max_clock();
        if !cuts {
            return None;
        }
        self.record.count(Event::TtCutoff);
        if hit.score >= beta {
            self.penalise_parent(node.ply, node.depth);
        }
        if let Some(mv) = tt.best_move.filter(|mv| mv.is_quiet())
            && hit.score >= beta
        {
            let threats = Threats::new(position);
            let continuations = self.continuations(node.ply);
            let context = MoveContext { position, threats: &threats, continuations, ply: node.ply };
            let bonus = bonus(node.depth) * params::tt_cut_bonus() / 1024;
            self.data.history.update_quiet(&context, mv, bonus);
        }
        Some(hit.score)
    }
}
