//! Principal variations, one for each ply of the current line.

use chess::Move;

use crate::score::MAX_PLY;

#[derive(Clone)]
struct Variation {
    moves: Vec<Move>,
    /// How many of the moves belong to the main search; quiescence found the rest.
    main: usize,
}

/// The best line below each ply.
pub(crate) struct PvTable(Vec<Variation>);

impl PvTable {
    pub(crate) fn new() -> Self {
        let empty = || Variation { moves: Vec::with_capacity(MAX_PLY + 1), main: 0 };
        Self((0..MAX_PLY + 2).map(|_| empty()).collect())
    }

    /// Forgets the line at a ply.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].moves.clear();
        self.0[ply].main = 0;
    }

    /// The line at `ply` becomes this move and the line below it.
    pub(crate) fn extend(&mut self, ply: usize, mv: Move, quiescence: bool) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut above[ply], &below[0]);
        line.moves.clear();
        line.moves.push(mv);
        line.moves.extend_from_slice(&rest.moves);
        line.main = if quiescence { 0 } else { rest.main + 1 };
    }

    /// The line at a ply and how many of its moves belong to the main search.
    pub(crate) fn line(&self, ply: usize) -> (&[Move], usize) {
        (&self.0[ply].moves, self.0[ply].main)
    }
}
