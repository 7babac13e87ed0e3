//! **History updates.** What a node teaches the move ordering: the move that cut is rewarded, those
//! tried before it are penalised, and the move that led here is judged by what became of it.
//!
//! Source: Schaeffer, "The history heuristic" (1989), with gravity and continuation rows as in
//! Stockfish; the chess programming wiki, "History Heuristic".
//! Worth: docs/ablations.md, rows "Histories of quiet moves, all", "Continuation history" and
//! "Pawn history".

use chess::{Color, Move};

use super::worker::Worker;
use crate::history::MoveContext;
use crate::params;
use crate::stats::Recorder;

/// The first moves of one kind that a node has searched.
#[derive(Default)]
struct MoveBuffer {
    moves: [Option<Move>; 32],
    len: usize,
}

impl MoveBuffer {
    fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.len].iter().copied().flatten()
    }
}

/// Moves that a node has searched and that were not its best, to be penalised if another one is.
#[derive(Default)]
pub(super) struct SearchedMoves {
    quiets: MoveBuffer,
    captures: MoveBuffer,
}

impl SearchedMoves {
    /// Remembers a move; only the first of each kind are worth it.
    #[inline]
    pub(super) fn push(&mut self, mv: Move) {
        if mv.is_quiet() {
            self.quiets.push(mv);
        } else {
            self.captures.push(mv);
        }
    }
}

/// From this number on a move comes late: a bonus for it is news.
const LATE_MOVE: i32 = 8;

/// The reward of a move that cut at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_max())
}

/// The penalty of a move that was tried before it.
fn malus(depth: i32) -> i32 {
    (params::malus_slope() * depth - params::malus_offset()).clamp(0, params::malus_max())
}

/// What is left of a penalty for the move of this index among those tried: the best move was
/// expected before the first ones, hardly before the last.
fn decayed(malus: i32, index: usize) -> i32 {
    malus * (1024 - params::malus_decay() * index as i32).max(128) / 1024
}

impl<R: Recorder> Worker<'_, R> {
    /// Rewards the best move and penalises those tried before it.
    pub(super) fn update_histories(
        &mut self,
        context: &MoveContext<'_>,
        ply: usize,
        best: Move,
        depth: i32,
        searched: &SearchedMoves,
    ) {
        let history = &mut self.data.history;
        if best.is_quiet() {
            history.update_quiet(context, best, bonus(depth));
            for (index, mv) in searched.quiets.iter().enumerate() {
                history.update_quiet(context, mv, -decayed(malus(depth), index));
            }
            if params::countermove() != 0 {
                history.set_countermove(context.continuations[0], best);
            }
            let killers = &mut self.data.stack.at(ply).killers;
            if params::killers() > 0 && killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
        } else {
            history.update_capture(context, best, bonus(depth));
        }
        for (index, mv) in searched.captures.iter().enumerate() {
            history.update_capture(context, mv, -decayed(malus(depth), index));
        }
    }

    /// Every move of `side` failed low: a bonus for the opponent's last move.
    pub(super) fn update_parent_history(&mut self, side: Color, ply: usize, depth: i32) {
        let parent = self.data.stack.back(ply, 1);
        let (Some(last), Some(picked), Some(key)) = (parent.mv, parent.picked, parent.continuation)
        else {
            return;
        };
        if let Some(row) = picked.capture_row {
            if params::prior_capture_bonus() != 0 {
                let amount = (params::prior_capture_bonus() * depth).min(params::bonus_max());
                self.data.history.update_capture_row(row, amount);
            }
            return;
        }
        let late = picked.number > LATE_MOVE;
        let slope = params::prior_bonus_slope() + params::prior_bonus_late() * i32::from(late);
        let amount = (slope * depth).min(params::bonus_max());
        self.data.history.update_butterfly(!side, last, picked.threat_index, amount);
        let continuations = self.continuations(ply - 1);
        self.data.history.update_continuation(continuations, key.piece_to(), amount);
    }

    /// The node refutes the opponent's last move: a malus for it, if it was quiet and came first.
    pub(super) fn penalise_parent(&mut self, ply: usize, depth: i32) {
        if params::prior_malus_slope() == 0 || ply == 0 {
            return;
        }
        let parent = self.data.stack.back(ply, 1);
        let (Some(picked), Some(key)) = (parent.picked, parent.continuation) else { return };
        if picked.number == 1 && picked.capture_row.is_none() {
            let amount = -(params::prior_malus_slope() * depth).min(params::malus_max());
            let continuations = self.continuations(ply - 1);
            self.data.history.update_continuation(continuations, key.piece_to(), amount);
        }
    }

    /// The evaluation jumped from the ply before to this one: a bonus or malus for the move between.
    pub(super) fn update_eval_difference_history(&mut self, ply: usize, side: Color) {
        if ply == 0 || params::eval_difference_weight() == 0 {
            return;
        }
        let before = self.data.stack.back(ply, 1);
        let (Some(mv), Some(picked), Some(earlier)) =
            (before.mv.filter(|mv| mv.is_quiet()), before.picked, before.static_eval)
        else {
            return;
        };
        let Some(now) = self.data.stack.back(ply, 0).static_eval else { return };
        // Good for the opponent is what is bad for both scores seen from here.
        let gain = -(earlier.raw() + now.raw());
        let max = params::eval_difference_max();
        let amount = (params::eval_difference_weight() * gain).clamp(-max, max);
        self.data.history.update_butterfly(!side, mv, picked.threat_index, amount);
    }
}
