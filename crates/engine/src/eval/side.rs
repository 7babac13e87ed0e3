//! The two sides as types, so that the compiler makes a pass of its own for each.

use chess::{Bitboard, Color};

/// White or Black, known at compile time.
pub(super) trait Side {
    const US: Color;
    const THEM: Color;
}

pub(super) struct White;
pub(super) struct Black;

impl Side for White {
    const US: Color = Color::White;
    const THEM: Color = Color::Black;
}

impl Side for Black {
    const US: Color = Color::Black;
    const THEM: Color = Color::White;
}

/// The squares ahead of a set on its files, as `color` sees it.
#[inline]
pub(super) fn ahead(set: Bitboard, color: Color) -> Bitboard {
    match color {
        Color::White => {
            let mut fill = set.0 << 8;
            fill |= fill << 8;
            fill |= fill << 16;
            Bitboard(fill | fill << 32)
        }
        Color::Black => {
            let mut fill = set.0 >> 8;
            fill |= fill >> 8;
            fill |= fill >> 16;
            Bitboard(fill | fill >> 32)
        }
    }
}

/// The squares on both sides of a set.
#[inline]
pub(super) fn beside(set: Bitboard) -> Bitboard {
    set.east() | set.west()
}

/// All squares of the files that a set touches.
#[inline]
pub(super) fn files(set: Bitboard) -> Bitboard {
    ahead(set, Color::White) | set | ahead(set, Color::Black)
}

#[cfg(test)]
mod tests {
    use chess::{File, Square};

    use super::*;

    #[test]
    fn fills_stay_on_their_files() {
        let e4 = Bitboard::of(Square::E4);
        assert_eq!(ahead(e4, Color::White).count(), 4);
        assert_eq!(ahead(e4, Color::Black).count(), 3);
        assert_eq!(files(e4), Bitboard::file(File::E));
        assert_eq!(beside(Bitboard::of(Square::A1)), Bitboard::of(Square::B1));
        assert!(ahead(Bitboard::of(Square::H8), Color::White).is_empty());
    }
}
