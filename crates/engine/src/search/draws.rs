//! **Draws and mate distance.** Repetitions, also those that one move can bring about, the
//! fifty-move rule, too little material; and windows that no mate from here can reach.
//!
//! Source: upcoming repetitions by cuckoo tables after Marcel van Kervinck, "The design and
//! implementation of the Rookie 2.0 chess playing program" (2002); mate distance pruning, the
//! chess programming wiki.
//! Worth: not in docs/ablations.md: both are part of what the search must get right.

use chess::Position;

use super::kind::Window;
use super::worker::Worker;
use crate::report::Warning;
use crate::score::{DRAW_JITTER, MAX_PLY, Score};
use crate::stats::{Event, Recorder};

impl<R: Recorder> Worker<'_, R> {
    /// A move that repeats an earlier position makes a draw at least: raises alpha to it, and
    /// returns it where that is enough to cut.
    #[inline]
    pub(super) fn upcoming_repetition(
        &mut self,
        position: &Position,
        window: &mut Window,
        ply: usize,
    ) -> Option<Score> {
        if window.alpha < Score::DRAW && self.data.keys.has_upcoming_repetition(position, ply) {
            window.alpha = self.draw_score();
            if window.alpha >= window.beta {
                self.record.count(Event::UpcomingRepetition);
                return Some(window.alpha);
            }
        }
        None
    }

    /// The score of a position that is drawn as far as the search is concerned.
    #[inline]
    pub(super) fn draw(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let is_draw = position.is_fifty_move_draw()
            || self.data.keys.is_repetition(position, ply)
            || position.board().is_insufficient_material();
        if !is_draw {
            return None;
        }
        self.record.count(Event::Draw);
        Some(self.draw_score())
    }

    /// A draw, a little above or below zero so that equal lines do not hide each other.
    #[inline]
    fn draw_score(&self) -> Score {
        Score::DRAW + DRAW_JITTER * (1 - (self.nodes & 2) as i32)
    }

    /// The score of a line that is as long as a line can be.
    #[inline]
    pub(super) fn max_ply(&mut self, position: &Position, ply: usize) -> Option<Score> {
        (ply >= MAX_PLY - 1).then(|| self.cut_off_line(position))
    }

    /// Ends a line that may not go on: the evaluation must do.
    pub(super) fn cut_off_line(&mut self, position: &Position) -> Score {
        self.record.count(Event::MaxPly);
        if R::ON {
            self.warn(|| Warning::PlyLimit { position: Box::new(*position) });
        }
        self.leaf_score(position)
    }

    /// What a line that is not played out is worth.
    pub(super) fn leaf_score(&mut self, position: &Position) -> Score {
        if position.is_check() { Score::DRAW } else { self.data.evaluator.evaluate(position) }
    }

    /// Mate distance pruning: a shorter mate than one already found cannot come from here.
    #[inline]
    pub(super) fn mate_distance(&mut self, window: &mut Window, ply: usize) -> Option<Score> {
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        if window.alpha < window.beta {
            return None;
        }
        self.record.count(Event::MateDistance);
        Some(window.alpha)
    }
}
