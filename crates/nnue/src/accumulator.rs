//! The accumulators along the line of play that a search looks at.

use std::sync::Arc;

use chess::{Board, Color, Delta, PieceType, Placed, Position, Square};

use crate::refresh::{RefreshCache, convert};
use crate::simd::{Kernels, Line, Row};
use crate::width::at_width;
use crate::{KingBuckets, Network, Perspective, forward};

/// How many moves may be pushed above the root, not counting null moves.
pub const MAX_PLIES: usize = 256;

/// With assertions the accumulators of one position of so many are computed from scratch.
const CHECKED_ONE_IN: u64 = 32;

/// One position on the line of play.
#[derive(Clone, Copy)]
struct Frame {
    /// What changed since the frame below.
    delta: Delta,
    /// How each side sees this board.
    perspectives: [Perspective; 2],
    /// Whose accumulator has been computed.
    computed: [bool; 2],
    /// Null moves made from here: they change nothing, so they need no frames of their own.
    passes: u16,
}

impl Frame {
    fn root(kings: [Square; 2], king_buckets: KingBuckets) -> Self {
        let view = |side: Color| Perspective::new(side, kings[side.index()], king_buckets);
        Self {
            delta: Delta::Nothing,
            perspectives: Color::ALL.map(view),
            computed: [false; 2],
            passes: 0,
        }
    }
}

/// Accumulators for the positions from the root of a search to its current node.
///
/// [`push`](Self::push) only notes what changed. [`evaluate`](Self::evaluate) goes back to the
/// nearest position whose accumulators are known and carries the changes forward from there, so
/// nodes that are left without an evaluation cost no arithmetic. All memory is claimed at the
/// start.
pub struct AccumulatorStack {
    network: Arc<Network>,
    frames: Box<[Frame]>,
    /// The frame of the current position.
    top: usize,
    /// Two for each frame, White's first.
    accumulators: Vec<Line>,
    cache: RefreshCache,
}

impl AccumulatorStack {
    /// A stack for one thread, at the standard starting position.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        let frames = MAX_PLIES + 1;
        let lines = network.width().lines();
        Self {
            frames: vec![Frame::root([Square::E1, Square::E8], network.king_buckets()); frames]
                .into(),
            top: 0,
            accumulators: vec![Line::ZERO; frames * 2 * lines],
            cache: RefreshCache::new(&network),
            network,
        }
    }

    /// The network that evaluates.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Forgets the line of play and starts from a new root.
    pub fn reset(&mut self, root: &Position) {
        self.top = 0;
        let kings = Color::ALL.map(|side| root.board().king(side));
        self.frames[0] = Frame::root(kings, self.network.king_buckets());
    }

    /// Notes what a move changed. To be called for every move, null moves included.
    ///
    /// # Panics
    ///
    /// When more than [`MAX_PLIES`] moves are on the stack.
    #[inline]
    pub fn push(&mut self, delta: Delta) {
        let below = &mut self.frames[self.top];
        let moved = match delta {
            Delta::Nothing => {
                below.passes += 1;
                return;
            }
            Delta::Quiet { add, .. } | Delta::Capture { add, .. } => add,
            Delta::Castle { add: [king, _], .. } => king,
        };
        let mut perspectives = below.perspectives;
        if moved.piece.kind() == PieceType::King {
            let side = moved.piece.color();
            perspectives[side.index()] =
                Perspective::new(side, moved.square, self.network.king_buckets());
        }
        self.top += 1;
        self.frames[self.top] = Frame { delta, perspectives, computed: [false; 2], passes: 0 };
    }

    /// Takes the last move back.
    ///
    /// # Panics
    ///
    /// When there is none.
    #[inline]
    pub fn pop(&mut self) {
        let frame = &mut self.frames[self.top];
        if frame.passes > 0 {
            frame.passes -= 1;
        } else {
            self.top = self.top.checked_sub(1).expect("every pop belongs to a push");
        }
    }

    /// The score in centipawns for the side to move, at most
    /// [`EVALUATION_LIMIT`](crate::EVALUATION_LIMIT) either way.
    ///
    /// The position must be the root with all pushed moves made.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.evaluate_with(position, |_| true)
    }

    /// The same, but a network's head is asked only if `wants_head` says so of the score without it.
    #[inline]
    pub fn evaluate_with(
        &mut self,
        position: &Position,
        wants_head: impl FnOnce(i32) -> bool,
    ) -> i32 {
        at_width!(self.network.width(), N => self.evaluate_at_width::<N>(position, wants_head))
    }

    fn evaluate_at_width<const N: usize>(
        &mut self,
        position: &Position,
        wants_head: impl FnOnce(i32) -> bool,
    ) -> i32 {
        self.compute::<N>(Color::White, position.board());
        self.compute::<N>(Color::Black, position.board());
        debug_assert!(self.is_as_from_scratch::<N>(position), "{position:?}");
        let us = position.side_to_move();
        let pair = &self.accumulators.as_chunks::<N>().0.as_chunks::<2>().0[self.top];
        let accumulators = [&pair[us.index()], &pair[(!us).index()]];
        forward::score(&self.network, accumulators, position.board(), us, wants_head)
    }

    /// Whether the accumulators at the top are those of the position, computed from scratch. Only some
    /// positions are looked at: all of them would cost more than the search.
    fn is_as_from_scratch<const N: usize>(&self, position: &Position) -> bool {
        if !position.key().is_multiple_of(CHECKED_ONE_IN) {
            return true;
        }
        Color::ALL.into_iter().all(|side| {
            let mut fresh = *self.network.feature_bias::<N>();
            let perspective = self.frames[self.top].perspectives[side.index()];
            let board = position.board();
            convert(&self.network, perspective, &mut fresh, &Board::EMPTY, board);
            fresh == self.accumulators.as_chunks::<N>().0[self.top * 2 + side.index()]
        })
    }

    /// Makes sure that the accumulator of `side` at the top is computed.
    #[inline]
    fn compute<const N: usize>(&mut self, side: Color, board: &Board) {
        debug_assert_eq!(
            self.frames[self.top].perspectives[side.index()],
            Perspective::new(side, board.king(side), self.network.king_buckets()),
            "the position is not the one on the stack",
        );
        match self.nearest_computed(side) {
            Some(start) => {
                for frame in start + 1..=self.top {
                    self.carry_forward::<N>(frame, side);
                }
            }
            None => self.refresh::<N>(side, board),
        }
    }

    /// The nearest frame at or below the top from which the changes can be carried to the top:
    /// `None` if it would lead across a king's change of wings or king buckets, which exchanges all inputs.
    #[inline]
    fn nearest_computed(&self, side: Color) -> Option<usize> {
        let side = side.index();
        let perspective = self.frames[self.top].perspectives[side];
        for index in (0..=self.top).rev() {
            let frame = &self.frames[index];
            if frame.perspectives[side] != perspective {
                return None;
            }
            if frame.computed[side] {
                return Some(index);
            }
        }
        None
    }

    /// Computes one frame from the frame below it.
    #[inline]
    fn carry_forward<const N: usize>(&mut self, index: usize, side: Color) {
        let frame = &mut self.frames[index];
        frame.computed[side.index()] = true;
        let perspective = frame.perspectives[side.index()];
        let network = &*self.network;
        let row = |placed: Placed| network.row::<N>(perspective.feature(placed));

        let pairs = self.accumulators.as_chunks_mut::<N>().0.as_chunks_mut::<2>().0;
        let (below, above) = pairs.split_at_mut(index);
        let source = &below[index - 1][side.index()];
        let target = &mut above[0][side.index()];
        let kernels = network.backend();
        match frame.delta {
            Delta::Nothing => *target = *source,
            Delta::Quiet { add, sub } => {
                kernels.update(source, target, [row(add)], [row(sub)]);
            }
            Delta::Capture { add, sub, captured } => {
                kernels.update(source, target, [row(add)], [row(sub), row(captured)]);
            }
            Delta::Castle { add, sub } => {
                kernels.update(source, target, add.map(row), sub.map(row));
            }
        }
    }

    /// Computes the top frame from the board.
    #[cold]
    fn refresh<const N: usize>(&mut self, side: Color, board: &Board) {
        let frame = &mut self.frames[self.top];
        frame.computed[side.index()] = true;
        let perspective = frame.perspectives[side.index()];
        let accumulator: &Row<N> = self.cache.refresh(&self.network, perspective, board);
        let target = self.top * 2 + side.index();
        self.accumulators.as_chunks_mut::<N>().0[target] = *accumulator;
    }
}
