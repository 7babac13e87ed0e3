//! From pieces on squares to inputs of the network.
//!
//! Both sides use the same weights. For the perspective of a side, Black's board is turned upside
//! down, and a board whose own king stands on the files e to h is mirrored left to right. Then
//! `index = 768 * king bucket + 384 * (is an enemy) + 64 * kind + square`, where the king bucket says about where
//! the own king stands, if the network tells king buckets apart.

use chess::{Color, File, Placed, Rank, Square};

/// How many inputs one perspective has for each king bucket of its king: two sides, six kinds, 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// An input of the network, below [`FEATURES`] times the number of king buckets.
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

/// Whether a network has weights of their own for every king bucket in which a king may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KingBuckets {
    /// The same weights wherever the king stands.
    One,
    /// The corner that castling leads to, the middle of the first rank, the second rank, the rest.
    Four,
}

impl KingBuckets {
    /// Every number of king buckets that is supported.
    pub const ALL: [Self; 2] = [Self::One, Self::Four];

    /// How many king buckets there are.
    #[inline]
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Four => 4,
        }
    }

    /// The way that has so many king buckets.
    #[must_use]
    pub fn from_count(count: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|king_buckets| king_buckets.count() == count)
    }

    /// The bucket of a king on this square, as its own side sees the board.
    #[inline]
    #[must_use]
    pub const fn of(self, king: Square) -> usize {
        match (self, king.rank()) {
            (Self::One, _) => 0,
            (Self::Four, Rank::R1) => match king.file() {
                File::A | File::B | File::G | File::H => 0,
                File::C | File::D | File::E | File::F => 1,
            },
            (Self::Four, Rank::R2) => 2,
            (Self::Four, _) => 3,
        }
    }
}

/// How one side sees the board: whose eyes, whether left and right are exchanged, and the king bucket of
/// its king.
///
/// ```
/// use chess::{Color, Piece, Placed, Square};
/// use nnue::{Perspective, KingBuckets};
/// let perspective = Perspective::new(Color::Black, Square::G8, KingBuckets::One);
/// assert!(perspective.is_mirrored());
/// let rook = Placed { piece: Piece::WhiteRook, square: Square::A1 };
/// assert_eq!(perspective.feature(rook).index(), 384 + 3 * 64 + Square::H8.index());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Perspective {
    side: Color,
    /// What to exclusive-or a square's index with: 56 turns the board, 7 mirrors it.
    flip: u8,
    king_bucket: u8,
}

impl Perspective {
    /// The view of `side`, whose king stands on `king`.
    #[inline]
    #[must_use]
    pub const fn new(side: Color, king: Square, king_buckets: KingBuckets) -> Self {
        let turn = match side {
            Color::White => 0,
            Color::Black => 56,
        };
        let mirror = if king.file() as u8 >= File::E as u8 { 7 } else { 0 };
        let king_bucket = king_buckets.of(king.relative_to(side)) as u8;
        Self { side, flip: turn | mirror, king_bucket }
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

    /// The bucket that the own king stands in.
    #[inline]
    #[must_use]
    pub const fn king_bucket(self) -> usize {
        self.king_bucket as usize
    }

    /// The input that this piece switches on.
    #[inline]
    #[must_use]
    pub const fn feature(self, placed: Placed) -> Feature {
        let enemy = (placed.piece.color() as u16) ^ (self.side as u16);
        let kind = placed.piece.kind() as u16;
        let square = placed.square as u16 ^ self.flip as u16;
        Feature(self.king_bucket as u16 * FEATURES as u16 + enemy * 384 + kind * 64 + square)
    }
}

#[cfg(test)]
mod tests {
    use chess::Piece;

    use super::*;

    fn index(side: Color, king: Square, piece: Piece, square: Square) -> usize {
        Perspective::new(side, king, KingBuckets::One).feature(Placed { piece, square }).index()
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

    #[test]
    fn zones_are_seen_from_the_own_side_and_alike_on_both_wings() {
        let rows = ["00111100", "22222222", "33333333", "33333333"];
        for (rank, row) in rows.iter().enumerate() {
            for (file, expected) in row.bytes().enumerate() {
                let square = Square::all().nth(rank * 8 + file).expect("a square of the board");
                let expected = usize::from(expected - b'0');
                for side in Color::ALL {
                    let king = square.relative_to(side);
                    let view = |king_buckets| Perspective::new(side, king, king_buckets);
                    assert_eq!(
                        view(KingBuckets::Four).king_bucket(),
                        expected,
                        "{side:?} {king:?}"
                    );
                    assert_eq!(view(KingBuckets::One).king_bucket(), 0);
                    let pawn = Placed { piece: Piece::WhitePawn, square: Square::A2 };
                    let [plain, bucketed] = KingBuckets::ALL
                        .map(|king_buckets| view(king_buckets).feature(pawn).index());
                    assert_eq!(bucketed, plain + FEATURES * expected);
                }
            }
        }
    }
}
