//! From what the threads found to the move that is played.

use super::Engine;
use crate::report::Outcome;
use crate::score::{Bound, Score};
use crate::search::{RootMove, SearchJob, ThreadResult};
use crate::strength::{Candidate, Level, Situation};
use crate::vote;

impl Engine {
    pub(super) fn outcome(&self, job: &SearchJob, results: &[ThreadResult]) -> Outcome {
        let progress = job.progress();
        let position = self.game.position();
        let chosen = if job.settings.multipv > 1 {
            0
        } else {
            vote::choose(results, job.limits.last_iteration())
        };
        let mut root_moves =
            results.get(chosen).map_or(Vec::new(), |result| result.root_moves.clone());
        if let Some(level) = self.context.settings.level().map(|level| level.in_position(position))
        {
            let index = self.limited_choice(&level, &root_moves);
            if !root_moves.is_empty() {
                root_moves[..=index].rotate_right(1);
            }
        }
        let Some(best) = root_moves.first() else {
            let score = if position.is_check() { Score::mated_in(0) } else { Score::DRAW };
            return Outcome {
                best_move: None,
                ponder_move: None,
                lines: vec![],
                score,
                progress,
                statistics: None,
                failed_threads: 0,
            };
        };
        let count = self.context.settings.multipv.clamp(1, root_moves.len());
        let lines = (0..count).map(|index| root_moves[index].line(index + 1)).collect();
        Outcome {
            best_move: Some(best.mv),
            ponder_move: best.pv.get(1).copied().or_else(|| self.expected_answer(best.mv)),
            lines,
            score: best.line(1).score,
            progress,
            statistics: self.context.settings.statistics.then(|| job.total_statistics(false)),
            failed_threads: 0,
        }
    }

    /// Which root move a limited player plays.
    fn limited_choice(&self, level: &Level, root_moves: &[RootMove]) -> usize {
        let candidates: Vec<Candidate> = root_moves
            .iter()
            .take(level.candidates)
            .take_while(|root_move| root_move.bound == Bound::Exact)
            .map(|root_move| Candidate {
                mv: root_move.mv,
                score: root_move.score,
                answer: root_move.pv.get(1).copied(),
            })
            .collect();
        let situation = Situation {
            position: self.game.position(),
            last: self.game.last_move().map(chess::Move::to),
            game: self.games,
        };
        level.choose(&candidates, &situation)
    }

    /// The TT move after a move, if it is legal.
    fn expected_answer(&self, mv: chess::Move) -> Option<chess::Move> {
        let mut next = *self.game.position();
        next.make(mv);
        let key = crate::tt::tt_key(&next);
        let answer = self.context.tt.probe(key, 0, next.halfmove_clock())?.best_move?;
        next.is_legal(answer).then_some(answer)
    }
}
