//! The door to the evaluation: the search tells it of every move and asks it for scores, and does
//! not know how they are made.

use std::sync::Arc;

use chess::{Delta, Position};
use nnue::{AccumulatorStack, Network};

use crate::eval;
use crate::score::Score;

/// The evaluation of one search thread: a network, or without one the hand-made terms.
#[derive(Default)]
pub(crate) struct Evaluator {
    network: Option<Box<AccumulatorStack>>,
}

impl Evaluator {
    /// A new root, seen by this network or by none.
    pub(crate) fn reset(&mut self, root: &Position, network: Option<&Arc<Network>>) {
        let known = self.network.as_ref().map(|stack| Arc::as_ptr(stack.network()));
        if known != network.map(Arc::as_ptr) {
            self.network = network.map(|net| Box::new(AccumulatorStack::new(Arc::clone(net))));
        }
        if let Some(stack) = &mut self.network {
            stack.reset(root);
        }
    }

    /// A move was made.
    #[inline]
    pub(crate) fn push(&mut self, delta: Delta) {
        if let Some(stack) = &mut self.network {
            stack.push(delta);
        }
    }

    /// The last move was taken back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        if let Some(stack) = &mut self.network {
            stack.pop();
        }
    }

    /// The static score of the current position for the side to move, before corrections. It
    /// fades as the fifty-move draw comes nearer.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Score {
        let score = match &mut self.network {
            Some(stack) => stack.evaluate(position),
            None => eval::evaluate(position),
        };
        let clock = i32::from(position.halfmove_clock().min(100));
        Score::from_cp(score * (200 - clock) / 200)
    }
}
