//! Lines between squares.

use crate::{Bitboard, Square};

/// The eight directions as (files, ranks), the four that lead to higher squares first.
const DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];

/// `RAYS[d][s]`: the squares seen from `s` in direction `d` on an empty board.
pub(crate) static RAYS: [[u64; 64]; 8] = {
    let mut rays = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = DIRECTIONS[direction];
        let mut index = 0;
        while index < 64 {
            let mut square = Square::from_index(index);
            while let Some(next) = square.offset(files, ranks) {
                rays[direction][index] |= Bitboard::of(next).0;
                square = next;
            }
            index += 1;
        }
        direction += 1;
    }
    rays
};

/// The opposite of a direction.
const fn opposite(direction: usize) -> usize {
    direction ^ 4
}

const fn build(through: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut direction = 0;
    while direction < 8 {
        let back = opposite(direction);
        let mut from = 0;
        while from < 64 {
            let mut rest = RAYS[direction][from];
            while rest != 0 {
                let to = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                table[from][to] = Bitboard(if through {
                    RAYS[direction][from] | RAYS[back][from] | 1 << from
                } else {
                    RAYS[direction][from] & RAYS[back][to]
                });
            }
            from += 1;
        }
        direction += 1;
    }
    table
}

static BETWEEN: [[Bitboard; 64]; 64] = build(false);
static LINE: [[Bitboard; 64]; 64] = build(true);

/// The squares strictly between two squares on a line; empty if they share none.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two squares, edge to edge; empty if they share none.
#[inline]
#[must_use]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// Whether three squares stand on one line.
#[inline]
#[must_use]
pub fn aligned(a: Square, b: Square, c: Square) -> bool {
    line(a, b).has(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_excludes_both_ends_and_line_spans_the_board() {
        assert_eq!(between(Square::A1, Square::D4), [Square::B2, Square::C3].into_iter().collect());
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(line(Square::E2, Square::E4).count(), 8);
        assert!(aligned(Square::A8, Square::C6, Square::H1));
        assert!(!aligned(Square::A1, Square::B3, Square::C5));
        assert_eq!(line(Square::A1, Square::A1), Bitboard::EMPTY);
    }
}
