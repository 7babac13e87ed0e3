//! What a search remembers about each ply of the current line.

use chess::Move;

use crate::history::{CaptureRow, ContinuationKey};
use crate::score::{MAX_PLY, Score};

/// One ply of the current line.
#[derive(Clone, Copy, Default)]
pub(crate) struct StackEntry {
    /// The move being searched here; none for a null move.
    pub(crate) mv: Option<Move>,
    /// Where the histories keep that move; none where it was not picked by a search.
    pub(crate) picked: Option<PickedMove>,
    /// That move as a row of the continuation tables.
    pub(crate) continuation: Option<ContinuationKey>,
    /// The corrected static score; none in check.
    pub(crate) static_eval: Option<Score>,
    /// The move that a singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// Quiet moves that cut here.
    pub(crate) killers: [Option<Move>; 2],
    /// By how much the move being searched is reduced, in 1/1024 ply.
    pub(crate) reduction: i32,
    /// How often the children of the present node have cut.
    pub(crate) cutoffs: u32,
    /// Double and triple extensions on the way here.
    pub(crate) double_extensions: i32,
    /// Whether the node is or was in a principal variation.
    pub(crate) tt_pv: bool,
}

/// What a node knows of a move that it has picked, for what the answers teach about it.
#[derive(Clone, Copy)]
pub(crate) struct PickedMove {
    /// Its number in the order of searching, from 1 on.
    pub(crate) number: i32,
    /// The threats it was made under, as an index of the histories.
    pub(crate) threat_index: usize,
    /// Its place in the capture table; none for a quiet move.
    pub(crate) capture_row: Option<CaptureRow>,
}

/// Plies before the root that may be asked for.
const BEFORE: usize = 6;
/// Plies after the max ply that a node writes to.
const AFTER: usize = 4;

const _: () = assert!(MAX_PLY >= 128 && BEFORE + MAX_PLY + AFTER < u8::MAX as usize + 1);

/// All plies, with some empty ones before the root and after the last.
pub(crate) struct Stack(Box<[StackEntry]>);

impl Stack {
    pub(crate) fn new() -> Self {
        Self(vec![StackEntry::default(); BEFORE + MAX_PLY + AFTER].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(StackEntry::default());
    }

    #[inline]
    pub(crate) fn at(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.0[ply + BEFORE]
    }

    /// The entry `plies` before `ply`, at most six.
    #[inline]
    pub(crate) fn back(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.0[ply + BEFORE - plies]
    }
}
