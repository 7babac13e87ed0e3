//! The door to the evaluation: the search tells it of every move and asks it for scores, and does
//! not know how they are made.

use chess::{Delta, Position};

use crate::eval;
use crate::score::Score;

/// The evaluation of one search thread.
#[derive(Default)]
pub(crate) struct Evaluator {}

impl Evaluator {
    /// A new root.
    pub(crate) fn reset(&mut self, _root: &Position) {}

    /// A move was made.
    #[inline]
    pub(crate) fn push(&mut self, _delta: Delta) {}

    /// The last move was taken back.
    #[inline]
    pub(crate) fn pop(&mut self) {}

    /// The static score of the current position for the side to move, before corrections. It
    /// fades as the fifty-move draw comes nearer.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Score {
        let clock = i32::from(position.halfmove_clock().min(100));
        Score::from_cp(eval::evaluate(position) * (200 - clock) / 200)
    }
}
