//! What a node teaches: which moves did well, and how wrong the evaluation was.

use chess::Move;

use super::worker::Worker;
use crate::history::MoveContext;
use crate::params;
use crate::stats::Recorder;

/// Moves tried at a node before the best one, to be told that they were not it.
#[derive(Default)]
pub(crate) struct Tried {
    moves: [Option<Move>; 32],
    len: usize,
}

impl Tried {
    /// Remembers a move; only the first few are worth it.
    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves[..self.len].iter().copied().flatten()
    }
}

pub(crate) fn bonus(depth: i32) -> i32 {
    (params::bonus_slope() * depth - params::bonus_offset()).clamp(0, params::bonus_max())
}

fn malus(depth: i32) -> i32 {
    (params::malus_slope() * depth - params::malus_offset()).clamp(0, params::malus_max())
}

impl<R: Recorder> Worker<'_, R> {
    /// The best move is praised, those tried before it are blamed.
    pub(super) fn learn_cutoff(
        &mut self,
        context: &MoveContext<'_>,
        ply: usize,
        best: Move,
        depth: i32,
        tried: (&Tried, &Tried),
    ) {
        let (quiets, captures) = tried;
        let history = &mut self.data.history;
        if best.is_quiet() {
            history.update_quiet(context, best, bonus(depth));
            for mv in quiets.iter() {
                history.update_quiet(context, mv, -malus(depth));
            }
            history.set_countermove(context.continuations[0], best);
            let killers = &mut self.data.stack.at(ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
        } else {
            history.update_capture(context, best, bonus(depth));
        }
        for mv in captures.iter() {
            history.update_capture(context, mv, -malus(depth));
        }
    }

    /// Every move failed: the opponent's last move was good.
    pub(super) fn learn_fail_low(&mut self, ply: usize, depth: i32, side: chess::Color) {
        let Some(last) = self.data.stack.back(ply, 1).mv.filter(|mv| mv.is_quiet()) else { return };
        let amount = (params::prior_bonus_slope() * depth).min(params::bonus_max());
        let Some(key) = self.data.stack.back(ply, 1).continuation else { return };
        self.data.history.update_butterfly(!side, last, amount);
        let continuations = self.continuations(ply - 1);
        self.data.history.update_continuation(continuations, key.piece_to(), amount);
    }

    /// The evaluation jumped from the ply before to this one: news about the move between.
    pub(super) fn learn_eval_difference(&mut self, ply: usize, side: chess::Color) {
        if ply == 0 || params::eval_difference_weight() == 0 {
            return;
        }
        let before = self.data.stack.back(ply, 1);
        let (Some(mv), Some(earlier)) = (before.mv.filter(|mv| mv.is_quiet()), before.static_eval)
        else {
            return;
        };
        let Some(now) = self.data.stack.back(ply, 0).static_eval else { return };
        // Good for the opponent is what is bad for both scores seen from here.
        let gain = -(earlier.raw() + now.raw());
        let max = params::eval_difference_max();
        let amount = (params::eval_difference_weight() * gain).clamp(-max, max);
        self.data.history.update_butterfly(!side, mv, amount);
    }
}
