//! When the main thread has found out enough.

use std::sync::atomic::Ordering::Relaxed;

use chess::Move;

use super::worker::Worker;
use crate::score::Score;
use crate::stats::{Recorder, StopReason};
use crate::time_manager::Stability;

/// How the best move and its score behave from iteration to iteration.
#[derive(Default)]
pub(super) struct Trend {
    best_move: Option<Move>,
    unchanged: i32,
    /// The score of the last move of the game.
    last_move: Option<Score>,
    /// The scores of the last iterations, the newest first.
    scores: [Option<Score>; 4],
    fall: i32,
    fall_since_move: i32,
}

impl Trend {
    pub(super) fn since(last_move: Option<Score>) -> Self {
        Self { last_move, ..Self::default() }
    }

    /// The scores of the last iterations, the newest first.
    pub(super) fn scores(&self) -> [Option<Score>; 4] {
        self.scores
    }

    pub(super) fn update(&mut self, mv: Move, score: Score) {
        self.unchanged = if self.best_move == Some(mv) { self.unchanged + 1 } else { 0 };
        self.best_move = Some(mv);
        let fall_from = |before: Option<Score>| before.map_or(0, |before| before - score);
        self.fall = fall_from(self.scores[3]);
        self.fall_since_move = fall_from(self.last_move);
        self.scores.rotate_right(1);
        self.scores[0] = Some(score);
    }
}

impl<R: Recorder> Worker<'_, R> {
    /// Why the main thread has found out enough, if it has.
    pub(super) fn enough(&mut self, trend: &Trend) -> Option<StopReason> {
        let limits = &self.job.limits;
        self.publish_nodes();
        if limits.soft_nodes.is_some_and(|soft| self.job.total_nodes() >= soft)
            || limits.nodes.is_some_and(|nodes| self.job.total_nodes() >= nodes)
        {
            return Some(StopReason::Nodes);
        }
        let best = &self.root_moves[0];
        let mate = best.score.mate_plies();
        if let (Some(wanted), Some(plies)) = (limits.mate, mate)
            && plies.abs() <= 2 * wanted as i32
        {
            return Some(StopReason::Mate);
        }
        let forced = self.root_moves.len() == 1 && limits.clock.is_some();
        let stability = Stability {
            best_move_nodes: (best.nodes * 1024 / self.nodes.max(1)) as i32,
            unchanged: trend.unchanged,
            fall: trend.fall,
            fall_since_move: trend.fall_since_move,
        };
        let wanted = self.job.time.wanted(stability);
        if R::ON {
            self.job.log().wanted = wanted;
        }
        let used = self.job.time.used(self.job.total_nodes());
        let reason = if wanted.is_some_and(|wanted| used >= wanted) {
            StopReason::Enough
        } else if self.job.time.is_over(self.job.total_nodes()) {
            StopReason::TimeIsUp
        } else if forced && self.completed_depth >= 6 {
            StopReason::OnlyMove
        } else if limits.clock.is_some()
            && mate.is_some_and(|plies| plies.abs() * 2 < self.completed_depth)
        {
            StopReason::MateIsNear
        } else {
            return None;
        };
        if self.job.is_pondering() {
            // The opponent still thinks: go on, and stop at once when the move is played.
            self.job.flags.enough.store(true, Relaxed);
            return None;
        }
        Some(reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_tells_how_far_the_score_fell_within_the_search_and_since_the_last_move() {
        let mv = chess::Position::startpos().parse_uci("e2e4").unwrap();
        let mut trend = Trend::since(Some(Score::from_cp(50)));
        let mut falls = |score: i32| {
            trend.update(mv, Score::from_cp(score));
            (trend.fall, trend.fall_since_move)
        };
        assert_eq!(falls(40), (0, 10));
        assert_eq!((falls(30), falls(60), falls(20)), ((0, 20), (0, -10), (0, 30)));
        assert_eq!((falls(25), falls(25)), ((15, 25), (5, 25)));
        assert_eq!(trend.unchanged, 5);
        let mut first = Trend::since(None);
        first.update(mv, Score::from_cp(-90));
        assert_eq!((first.fall, first.fall_since_move), (0, 0));
    }
}
