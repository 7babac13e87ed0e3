//! Sets of squares, one bit each.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Color, File, Rank, Square};

/// A set of squares; bit 0 is a1, bit 63 is h8.
///
/// ```
/// use chess::{Bitboard, Square};
/// let set = Bitboard::from(Square::A1) | Square::H8.into();
/// assert_eq!(set.count(), 2);
/// assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::H8]);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The set without any square.
    pub const EMPTY: Self = Self(0);
    /// The set of all 64 squares.
    pub const ALL: Self = Self(!0);
    /// The 32 light squares, h1 among them.
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);

    /// The set of one square.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u64)
    }

    /// All squares of a file.
    #[inline]
    #[must_use]
    pub const fn file(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u64)
    }

    /// All squares of a rank.
    #[inline]
    #[must_use]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xFF << (rank as u64 * 8))
    }

    /// How many squares are in the set.
    #[inline]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no square.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has more than one square.
    #[inline]
    #[must_use]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether a square is in the set.
    #[inline]
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u64 & 1 != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set and one square more.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square as u64)
    }

    /// The set less one square.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square as u64))
    }

    /// The squares of this set that are not in `other`.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The lowest square, if there is one.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_index(self.0.trailing_zeros() as usize)) }
    }

    /// The squares one rank ahead as `color` sees it.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => Self(self.0 << 8),
            Color::Black => Self(self.0 >> 8),
        }
    }

    /// The squares one file towards the h-file; those on it fall off.
    #[inline]
    #[must_use]
    pub const fn east(self) -> Self {
        Self((self.0 & !Self::file(File::H).0) << 1)
    }

    /// The squares one file towards the a-file; those on it fall off.
    #[inline]
    #[must_use]
    pub const fn west(self) -> Self {
        Self((self.0 & !Self::file(File::A).0) >> 1)
    }

    /// The set with top and bottom exchanged.
    #[inline]
    #[must_use]
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

macro_rules! operator {
    ($trait:ident $method:ident, $assign:ident $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self(self.0 $op other.0)
            }
        }
        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}

operator!(BitAnd bitand, BitAndAssign bitand_assign, &);
operator!(BitOr bitor, BitOrAssign bitor_assign, |);
operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Walks the squares of a set from a1 to h8.
#[derive(Clone)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
