//! How wrong the evaluation was in positions with the same pawns, the same pieces or the same
//! last moves, so that it can be put right.

use chess::{Color, Position};
use memory::{AllocationError, ZeroedArray};

use super::ContinuationKey;
use super::tables::update;
use crate::params;

const ROWS: usize = 16_384;
const PIECE_TO: usize = 12 * 64;
/// Parts of a centipawn that an entry counts in.
const GRAIN: i32 = 16;
/// Bound of an entry: no table corrects by more than 64 centipawns.
const MAX: i32 = 1024;

/// Errors of the evaluation, remembered by several features of the position.
pub(crate) struct Correction {
    pawns: ZeroedArray<[i16; 2]>,
    non_pawns: [ZeroedArray<[i16; 2]>; 2],
    minors: ZeroedArray<[i16; 2]>,
    continuation: ZeroedArray<[i16; PIECE_TO]>,
}

/// The moves one, two and four plies back.
#[derive(Clone, Copy, Default)]
pub(crate) struct CorrectionContext {
    pub(crate) last: Option<ContinuationKey>,
    pub(crate) before: Option<ContinuationKey>,
    pub(crate) fourth: Option<ContinuationKey>,
}

impl Correction {
    pub(crate) fn new() -> Result<Self, AllocationError> {
        Ok(Self {
            pawns: ZeroedArray::new(ROWS)?,
            non_pawns: [ZeroedArray::new(ROWS)?, ZeroedArray::new(ROWS)?],
            minors: ZeroedArray::new(ROWS)?,
            continuation: ZeroedArray::new(PIECE_TO)?,
        })
    }

    pub(crate) fn clear(&mut self) {
        self.pawns.as_flattened_mut().fill(0);
        for table in &mut self.non_pawns {
            table.as_flattened_mut().fill(0);
        }
        self.minors.as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
    }

    /// How many entries have learned something.
    pub(crate) fn entries(&self) -> usize {
        let count = |entries: &[i16]| entries.iter().filter(|&&entry| entry != 0).count();
        let [white, black] = &self.non_pawns;
        [&self.pawns, white, black, &self.minors]
            .into_iter()
            .map(|table| count(table.as_flattened()))
            .sum::<usize>()
            + count(self.continuation.as_flattened())
    }

    /// What to add to the evaluation, in centipawns.
    pub(crate) fn value(&self, position: &Position, context: CorrectionContext) -> i32 {
        let side = position.side_to_move().index();
        let rows = Rows::new(position, context);
        let mut sum = params::correction_pawns() * i32::from(self.pawns[rows.pawns][side])
            + params::correction_minors() * i32::from(self.minors[rows.minors][side]);
        for (table, row) in self.non_pawns.iter().zip(rows.non_pawns) {
            sum += params::correction_non_pawns() * i32::from(table[row][side]);
        }
        if let Some((before, last)) = rows.continuation {
            let entry = self.continuation[before][last];
            sum += params::correction_continuation() * i32::from(entry);
        }
        if let Some((fourth, last)) = rows.fourth {
            let entry = self.continuation[fourth][last];
            sum += params::correction_continuation_4() * i32::from(entry);
        }
        sum / (1024 * GRAIN)
    }

    /// Has the entries of a position on their way before they are asked for.
    pub(crate) fn prefetch(&self, position: &Position, context: CorrectionContext) {
        let rows = Rows::new(position, context);
        memory::prefetch(&self.pawns[rows.pawns]);
        memory::prefetch(&self.minors[rows.minors]);
        for (table, row) in self.non_pawns.iter().zip(rows.non_pawns) {
            memory::prefetch(&table[row]);
        }
        for (row, column) in [rows.continuation, rows.fourth].into_iter().flatten() {
            memory::prefetch(&self.continuation[row][column]);
        }
    }

    /// Learns that a search of this depth found the corrected evaluation still wrong by `error`
    /// centipawns. All tables learn the rest that none of them knew.
    pub(crate) fn update(
        &mut self,
        position: &Position,
        context: CorrectionContext,
        depth: i32,
        error: i32,
    ) {
        let bonus = (error * depth / 8).clamp(-MAX / 4, MAX / 4);
        let side = position.side_to_move().index();
        let rows = Rows::new(position, context);
        let learn = |entry: &mut i16| update(entry, bonus, MAX);
        learn(&mut self.pawns[rows.pawns][side]);
        learn(&mut self.minors[rows.minors][side]);
        for (table, row) in self.non_pawns.iter_mut().zip(rows.non_pawns) {
            learn(&mut table[row][side]);
        }
        for (row, column) in [rows.continuation, rows.fourth].into_iter().flatten() {
            learn(&mut self.continuation[row][column]);
        }
    }
}

/// Where the tables keep what concerns a position.
struct Rows {
    pawns: usize,
    minors: usize,
    /// By colour.
    non_pawns: [usize; 2],
    /// Row and column; none unless both moves are known.
    continuation: Option<(usize, usize)>,
    /// The same with the move four plies back, where that counts.
    fourth: Option<(usize, usize)>,
}

impl Rows {
    #[inline]
    fn new(position: &Position, context: CorrectionContext) -> Self {
        let row = |key: u64| key as usize % ROWS;
        let pair = |row: Option<ContinuationKey>| {
            row.zip(context.last).map(|(row, last)| (row.piece_to(), last.piece_to()))
        };
        let fourth = context.fourth.filter(|_| params::correction_continuation_4() != 0);
        Self {
            pawns: row(position.pawn_key()),
            minors: row(position.minor_key()),
            non_pawns: Color::ALL.map(|color| row(position.non_pawn_key(color))),
            continuation: pair(context.before),
            fourth: pair(fourth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_errors_are_put_right_and_stay_bounded() {
        let position = Position::startpos();
        let mut correction = Correction::new().unwrap();
        let context = CorrectionContext::default();
        for _ in 0..200 {
            let error = 40 - correction.value(&position, context);
            correction.update(&position, context, 12, error);
        }
        let value = correction.value(&position, context);
        assert!((36..=44).contains(&value), "{value}");
        for _ in 0..5000 {
            correction.update(&position, context, 20, -30_000);
        }
        assert!(correction.value(&position, context) >= -5 * MAX / GRAIN);
        let mut other = position;
        other.make_null();
        assert_eq!(correction.value(&other, context), 0);
        assert_eq!(correction.entries(), 4);
        correction.clear();
        assert_eq!(correction.value(&position, context), 0);
        assert_eq!(correction.entries(), 0);
    }

    #[test]
    fn the_move_four_plies_back_counts_only_where_it_is_on() {
        let position = Position::startpos();
        let key = |square| {
            let to = chess::Square::from_index(square);
            Some(ContinuationKey::new(chess::Piece::ALL[1], to))
        };
        let context = CorrectionContext { last: key(18), before: key(45), fourth: key(40) };
        let learned = |weight: i32| {
            params::with(&[("correction_continuation_4", weight)], || {
                let mut correction = Correction::new().unwrap();
                correction.update(&position, context, 8, 100);
                let other = CorrectionContext { before: key(44), ..context };
                (correction.entries(), correction.value(&position, other))
            })
        };
        let ((without, plain), (with, corrected)) = (learned(0), learned(2048));
        assert_eq!(with, without + 1);
        assert!(corrected > plain, "{corrected} {plain}");
    }
}
