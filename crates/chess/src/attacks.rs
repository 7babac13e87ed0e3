//! What pieces attack. Leapers have plain tables; sliders are looked up with the occupied squares
//! of their lines squeezed into an index by multiplication with a magic number.
//!
//! The `pext` instruction does the same in one step, but only `unsafe` code can call it. In
//! perft it gains 3 % (start position) to 7 % (a position with many sliders), in a search less:
//! too little for a second path through the most trusted code of the engine.

use crate::geometry::RAYS;
use crate::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use crate::{Bitboard, Color, PieceType, Square};

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            if let Some(to) = Square::from_index(index).offset(files, ranks) {
                table[index] = table[index].with(to);
            }
            step += 1;
        }
        index += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leaper(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    leaper(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

/// The two lines a slider moves along, each as two opposite directions.
type Lines = [[usize; 2]; 2];

const ROOK_LINES: Lines = [[0, 4], [1, 5]];
const BISHOP_LINES: Lines = [[2, 6], [3, 7]];

/// Attacks along one line, ray by ray; the slow definition that fills the tables.
const fn slide(square: usize, [ahead, back]: [usize; 2], occupied: u64) -> u64 {
    let (ray, blockers) = (RAYS[ahead][square], RAYS[ahead][square] & occupied);
    let up = match blockers {
        0 => ray,
        _ => ray ^ RAYS[ahead][blockers.trailing_zeros() as usize],
    };
    let (ray, blockers) = (RAYS[back][square], RAYS[back][square] & occupied);
    let down = match blockers {
        0 => ray,
        _ => ray ^ RAYS[back][63 - blockers.leading_zeros() as usize],
    };
    up | down
}

/// Attacks of a slider by the slow definition.
const fn slide_both(square: usize, lines: Lines, occupied: u64) -> u64 {
    slide(square, lines[0], occupied) | slide(square, lines[1], occupied)
}

/// The squares of a line whose occupation matters: its rays without their last squares.
const fn relevant(square: usize, [ahead, back]: [usize; 2]) -> u64 {
    let (up, down) = (RAYS[ahead][square], RAYS[back][square]);
    let last = if up == 0 { 0 } else { 1 << (63 - up.leading_zeros()) };
    let first = if down == 0 { 0 } else { 1 << down.trailing_zeros() };
    (up | down) & !(last | first)
}

/// Where a square's attacks are in the table and how to find them.
#[derive(Clone, Copy)]
struct Lookup {
    mask: u64,
    magic: u64,
    shift: u32,
    offset: u32,
}

impl Lookup {
    #[inline]
    const fn index(&self, occupied: u64) -> usize {
        let squeezed = (occupied & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + squeezed as usize
    }
}

const fn lookups(lines: Lines, magics: &[u64; 64]) -> [Lookup; 64] {
    let mut table = [Lookup { mask: 0, magic: 0, shift: 0, offset: 0 }; 64];
    let mut offset = 0;
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, lines[0]) | relevant(square, lines[1]);
        let bits = mask.count_ones();
        table[square] = Lookup { mask, magic: magics[square], shift: 64 - bits, offset };
        offset += 1 << bits;
        square += 1;
    }
    table
}

/// Fills a table by joining every pattern of one line with every pattern of the other, which
/// the compiler can evaluate ten times as fast as a walk of all four rays for every entry.
const fn fill<const N: usize>(lines: Lines, lookups: &[Lookup; 64]) -> [Bitboard; N] {
    let mut table = [Bitboard::EMPTY; N];
    let mut square = 0;
    while square < 64 {
        let second_mask = relevant(square, lines[1]);
        let mut second = [(0, 0); 64];
        let mut count = 0;
        let mut subset = 0u64;
        loop {
            second[count] = (subset, slide(square, lines[1], subset));
            count += 1;
            subset = next_subset(subset, second_mask);
            if subset == 0 {
                break;
            }
        }
        let first_mask = relevant(square, lines[0]);
        loop {
            let attacks = slide(square, lines[0], subset);
            let mut index = 0;
            while index < count {
                let slot = lookups[square].index(subset | second[index].0);
                table[slot] = Bitboard(attacks | second[index].1);
                index += 1;
            }
            subset = next_subset(subset, first_mask);
            if subset == 0 {
                break;
            }
        }
        square += 1;
    }
    table
}

/// The next subset of a mask in counting order; after the whole mask the empty set.
const fn next_subset(subset: u64, mask: u64) -> u64 {
    subset.wrapping_sub(mask) & mask
}

const ROOK_LOOKUPS: [Lookup; 64] = lookups(ROOK_LINES, &ROOK_MAGICS);
const BISHOP_LOOKUPS: [Lookup; 64] = lookups(BISHOP_LINES, &BISHOP_MAGICS);
static ROOK: [Lookup; 64] = ROOK_LOOKUPS;
static BISHOP: [Lookup; 64] = BISHOP_LOOKUPS;
#[allow(long_running_const_eval)]
static ROOK_ATTACKS: [Bitboard; 102_400] = fill(ROOK_LINES, &ROOK_LOOKUPS);
#[allow(long_running_const_eval)]
static BISHOP_ATTACKS: [Bitboard; 5_248] = fill(BISHOP_LINES, &BISHOP_LOOKUPS);

const fn open_lines(lines: Lines) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = Bitboard(slide_both(square, lines, 0));
        square += 1;
    }
    table
}

static ROOK_OPEN: [Bitboard; 64] = open_lines(ROOK_LINES);
static BISHOP_OPEN: [Bitboard; 64] = open_lines(BISHOP_LINES);

/// The squares a rook attacks on an empty board.
#[inline]
#[must_use]
pub fn rook_lines(square: Square) -> Bitboard {
    ROOK_OPEN[square.index()]
}

/// The squares a bishop attacks on an empty board.
#[inline]
#[must_use]
pub fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_OPEN[square.index()]
}

/// The squares a piece attacks on an empty board; nothing for a pawn.
pub(crate) const fn on_empty_board(kind: PieceType, square: usize) -> u64 {
    match kind {
        PieceType::Pawn => 0,
        PieceType::Knight => KNIGHT[square].0,
        PieceType::Bishop => BISHOP_OPEN[square].0,
        PieceType::Rook => ROOK_OPEN[square].0,
        PieceType::Queen => BISHOP_OPEN[square].0 | ROOK_OPEN[square].0,
        PieceType::King => KING[square].0,
    }
}

/// The squares a knight attacks.
#[inline]
#[must_use]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king attacks.
#[inline]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a pawn of `color` attacks.
#[inline]
#[must_use]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares all pawns of a set attack.
#[inline]
#[must_use]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}

/// The squares a bishop attacks through the gaps of `occupied`.
#[inline]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    BISHOP_ATTACKS[BISHOP[square.index()].index(occupied.0)]
}

/// The squares a rook attacks through the gaps of `occupied`.
#[inline]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    ROOK_ATTACKS[ROOK[square.index()].index(occupied.0)]
}

/// The squares a queen attacks through the gaps of `occupied`.
#[inline]
#[must_use]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares a piece of this kind attacks; for pawns see [`pawn`].
///
/// # Panics
/// For a pawn, whose attacks depend on its colour.
#[inline]
#[must_use]
pub fn piece(kind: PieceType, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::Pawn => panic!("a pawn's attacks depend on its colour"),
        PieceType::Knight => knight(square),
        PieceType::Bishop => bishop(square, occupied),
        PieceType::Rook => rook(square, occupied),
        PieceType::Queen => queen(square, occupied),
        PieceType::King => king(square),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_look_ups_equal_the_slow_definition() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        for square in Square::all() {
            for _ in 0..if cfg!(miri) { 2 } else { 200 } {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let occupied = seed & seed.rotate_left(23);
                assert_eq!(
                    rook(square, Bitboard(occupied)).0,
                    slide_both(square.index(), ROOK_LINES, occupied)
                );
                assert_eq!(
                    bishop(square, Bitboard(occupied)).0,
                    slide_both(square.index(), BISHOP_LINES, occupied)
                );
            }
        }
    }

    #[test]
    fn leapers_do_not_wrap_around_the_edge() {
        assert_eq!(knight(Square::A1), [Square::B3, Square::C2].into_iter().collect());
        assert_eq!(king(Square::H8).count(), 3);
        assert_eq!(pawn(Color::White, Square::A2), Bitboard::of(Square::B3));
        assert_eq!(pawn(Color::Black, Square::H7), Bitboard::of(Square::G6));
    }
}
