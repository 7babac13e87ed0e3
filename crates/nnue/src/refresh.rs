//! Accumulators from whole boards, and a cache that makes it cheap.

use chess::{Board, Piece, Placed};

use crate::simd::{Kernels, Line, Row};
use crate::width::at_width;
use crate::{Network, Perspective};

/// Turns the accumulator of one board into that of another, seen from the same perspective.
pub(crate) fn convert<const N: usize>(
    network: &Network,
    perspective: Perspective,
    accumulator: &mut Row<N>,
    from: &Board,
    to: &Board,
) {
    let mut adds = Rows::new(network);
    let mut subs = Rows::new(network);
    for piece in Piece::ALL {
        let before = from.pieces(piece.color(), piece.kind());
        let after = to.pieces(piece.color(), piece.kind());
        let row = |square| network.row(perspective.feature(Placed { piece, square }));
        for square in after.minus(before) {
            adds.push(row(square));
        }
        for square in before.minus(after) {
            subs.push(row(square));
        }
    }
    network.backend().refresh(accumulator, adds.as_slice(), subs.as_slice());
}

/// References to rows of weights, at most one for each square.
struct Rows<'a, const N: usize> {
    rows: [&'a Row<N>; 64],
    len: usize,
}

impl<'a, const N: usize> Rows<'a, N> {
    fn new(network: &'a Network) -> Self {
        // The filler is never read: `len` guards it.
        Self { rows: [network.feature_bias(); 64], len: 0 }
    }

    fn push(&mut self, row: &'a Row<N>) {
        self.rows[self.len] = row;
        self.len += 1;
    }

    fn as_slice(&self) -> &[&'a Row<N>] {
        &self.rows[..self.len]
    }
}

/// For each perspective (side, mirrored or not, king bucket) the last board that was computed
/// from scratch and its accumulator. The next refresh only pays for the difference.
pub(crate) struct RefreshCache {
    boards: Box<[Board]>,
    accumulators: Vec<Line>,
}

impl RefreshCache {
    pub(crate) fn new(network: &Network) -> Self {
        let entries = 4 * network.king_buckets().count();
        let accumulators =
            at_width!(network.width(), N => network.feature_bias::<N>().repeat(entries));
        Self { boards: vec![Board::EMPTY; entries].into(), accumulators }
    }

    /// The accumulator of a board.
    pub(crate) fn refresh<const N: usize>(
        &mut self,
        network: &Network,
        perspective: Perspective,
        board: &Board,
    ) -> &Row<N> {
        let wing = usize::from(perspective.is_mirrored());
        let entry = perspective.king_bucket() * 4 + perspective.side().index() * 2 + wing;
        let accumulator = &mut self.accumulators.as_chunks_mut().0[entry];
        convert(network, perspective, accumulator, &self.boards[entry], board);
        self.boards[entry] = *board;
        accumulator
    }
}
