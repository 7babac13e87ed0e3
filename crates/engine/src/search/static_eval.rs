//! **Static evaluation with correction history.** The network's score, corrected by how wrong it
//! was before in positions with the same pawns, pieces or last moves, and replaced by a TT score
//! that bounds the true one on the right side.
//!
//! Source: correction history first in Caissa (2023); the chess programming wiki, "Static
//! Evaluation Correction History".
//! Worth: docs/ablations.md, row "Correction history".

use chess::{Move, Position};

use super::kind::Node;
use super::tt_cutoff::TtProbe;
use super::worker::Worker;
use crate::score::{Bound, Score};
use crate::stats::Recorder;
use crate::tt::Entry;

/// What a node looks like before it is searched.
#[derive(Clone, Copy)]
pub(super) struct NodeEval {
    /// The network's score, without corrections; none in check and in a singular search.
    pub(super) raw: Option<i32>,
    /// By how much it was corrected.
    pub(super) correction: i32,
    /// The corrected score; none in check.
    pub(super) static_eval: Option<Score>,
    /// The best estimate: the corrected score or a TT score.
    pub(super) eval: Score,
}

impl<R: Recorder> Worker<'_, R> {
    /// Evaluates a node and notes it on the stack.
    #[inline(always)]
    pub(super) fn evaluate_node(
        &mut self,
        position: &Position,
        &Node { ply, window, .. }: &Node,
        tt: &TtProbe,
        excluded: Option<Move>,
    ) -> NodeEval {
        if position.is_check() {
            self.data.stack.at(ply).static_eval = None;
            return NodeEval { raw: None, correction: 0, static_eval: None, eval: Score::DRAW };
        }
        if excluded.is_some() {
            let static_eval = self.data.stack.at(ply).static_eval;
            let eval = static_eval.unwrap_or(Score::DRAW);
            return NodeEval { raw: None, correction: 0, static_eval, eval };
        }
        let raw = tt
            .hit
            .and_then(|hit| hit.eval)
            .map_or_else(|| self.static_score(position, window), Score::from_raw);
        let correction = self.data.correction.value(position, self.correction_context(ply));
        let static_eval = Score::from_cp(raw.raw() + correction);
        self.data.stack.at(ply).static_eval = Some(static_eval);
        self.record.evaluated(static_eval, correction);
        self.record.position_evaluated(position);
        self.update_eval_difference_history(ply, position.side_to_move());
        let raw = Some(raw.raw());
        let eval = match tt.hit {
            Some(hit)
                if !hit.score.is_decisive()
                    && hit.bound.is_some_and(|bound| bound.decides(hit.score, static_eval)) =>
            {
                hit.score
            }
            Some(_) => static_eval,
            None => {
                let entry = Entry {
                    depth: -1,
                    score: Score::DRAW,
                    bound: None,
                    best_move: None,
                    eval: raw,
                    pv: tt.pv,
                };
                self.job.tt.store(tt.key, ply, entry);
                static_eval
            }
        };
        NodeEval { raw, correction, static_eval: Some(static_eval), eval }
    }

    /// The search has found out how wrong the evaluation was: the correction history learns it,
    /// unless a capture explains the difference.
    #[inline(always)]
    pub(super) fn update_correction(
        &mut self,
        position: &Position,
        node: &Node,
        static_eval: Option<Score>,
        (best, bound, best_move): (Score, Bound, Option<Move>),
    ) {
        if let Some(static_eval) = static_eval
            && !best_move.is_some_and(Move::is_noisy)
            && !best.is_decisive()
            && bound.decides_against(best, static_eval)
        {
            let context = self.correction_context(node.ply);
            self.data.correction.update(position, context, node.depth, best - static_eval);
        }
    }
}
