//! The door to the evaluation: the search tells it of every move and asks it for scores, and does
//! not know how they are made.

use std::sync::Arc;

use chess::{Delta, Position};
use nnue::{AccumulatorStack, Network};

use crate::endgame;
use crate::score::Score;

/// The evaluation of one search thread.
pub(crate) struct Evaluator {
    accumulators: Box<AccumulatorStack>,
}

impl Evaluator {
    /// Sees the start position with this network.
    pub(crate) fn new(network: &Arc<Network>) -> Self {
        Self { accumulators: Box::new(AccumulatorStack::new(Arc::clone(network))) }
    }

    /// A new root, seen by this network.
    pub(crate) fn reset(&mut self, root: &Position, network: &Arc<Network>) {
        if !Arc::ptr_eq(self.accumulators.network(), network) {
            *self = Self::new(network);
        }
        self.accumulators.reset(root);
    }

    /// A move was made.
    #[inline]
    pub(crate) fn push(&mut self, delta: Delta) {
        self.accumulators.push(delta);
    }

    /// The last move was taken back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The static score of the current position for the side to move, before corrections. It
    /// fades as the fifty-move draw comes nearer.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Score {
        let score = self.accumulators.evaluate(position);
        let score = endgame::correct(position, score);
        let clock = i32::from(position.halfmove_clock().min(100));
        Score::from_cp(score * (200 - clock) / 200)
    }
}
