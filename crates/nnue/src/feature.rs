//! From men on squares to inputs of the network.
//!
//! Both sides use the same weights. For the perspective of a side, Black's board is turned upside
//! down, and a board whose own king stands on the files e to h is mirrored left to right. Then
//! `index = 384 * (is an enemy) + 64 * kind + square`.

use chess::{Color, File, Placed, Square};

/// How many inputs one perspective has: two sides, six kinds, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// An input of the network, below [`FEATURES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Feature(u16);

impl Feature {
    /// The row of the feature weights that belongs to this input.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How one side sees the board: whose eyes, and whether left and right are exchanged.
///
/// ```
/// use chess::{Color, Piece, Placed, Square};
/// use nnue::Perspective;
/// let perspective = Perspective::new(Color::Black, Square::G8);
/// assert!(perspective.is_mirrored());
/// let rook = Placed { piece: Piece::WhiteRook, square: Square::A1 };
/// assert_eq!(perspective.feature(rook).index(), 384 + 3 * 64 + Square::H8.index());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Perspective {
    side: Color,
    /// What to exclusive-or a square's index with: 56 turns the board, 7 mirrors it.
    flip: u8,
}

impl Perspective {
    /// The view of `side`, whose king stands on `king`.
    #[inline]
    #[must_use]
    pub const fn new(side: Color, king: Square) -> Self {
        let turn = match side {
            Color::White => 0,
            Color::Black => 56,
        };
        let mirror = if king.file() as u8 >= File::E as u8 { 7 } else { 0 };
        Self { side, flip: turn | mirror }
    }

    /// Whose view it is.
    #[inline]
    #[must_use]
    pub const fn side(self) -> Color {
        self.side
    }

    /// Whether left and right are exchanged.
    #[inline]
    #[must_use]
    pub const fn is_mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    /// The input that this man switches on.
    #[inline]
    #[must_use]
    pub const fn feature(self, man: Placed) -> Feature {
        let enemy = (man.piece.color() as u16) ^ (self.side as u16);
        let kind = man.piece.kind() as u16;
        let square = man.square as u16 ^ self.flip as u16;
        Feature(enemy * 384 + kind * 64 + square)
    }
}

#[cfg(test)]
mod tests {
    use chess::Piece;

    use super::*;

    fn index(side: Color, king: Square, piece: Piece, square: Square) -> usize {
        Perspective::new(side, king).feature(Placed { piece, square }).index()
    }

    #[test]
    fn white_with_a_king_on_the_left_sees_the_board_as_it_is() {
        assert_eq!(index(Color::White, Square::C1, Piece::WhitePawn, Square::A2), 8);
        assert_eq!(index(Color::White, Square::D8, Piece::BlackQueen, Square::D8), 384 + 256 + 59);
    }

    #[test]
    fn a_king_on_the_right_exchanges_left_and_right() {
        assert_eq!(index(Color::White, Square::E1, Piece::WhiteKing, Square::E1), 320 + 3);
        assert_eq!(index(Color::White, Square::H4, Piece::WhitePawn, Square::A2), 15);
    }

    #[test]
    fn black_sees_the_board_from_the_other_end_and_its_own_men_first() {
        assert_eq!(index(Color::Black, Square::D8, Piece::BlackKing, Square::D8), 320 + 3);
        assert_eq!(index(Color::Black, Square::E8, Piece::BlackKing, Square::E8), 320 + 3);
        assert_eq!(index(Color::Black, Square::D8, Piece::WhitePawn, Square::A2), 384 + 48);
    }

    #[test]
    fn every_man_on_every_square_has_its_own_input() {
        for side in Color::ALL {
            for king in [Square::A1, Square::H8] {
                let mut seen = [false; FEATURES];
                for piece in Piece::ALL {
                    for square in Square::all() {
                        let index = index(side, king, piece, square);
                        assert!(!seen[index]);
                        seen[index] = true;
                    }
                }
            }
        }
    }
}
