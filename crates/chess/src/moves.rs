//! Moves in sixteen bits, and a list of them.

use std::fmt;
use std::num::NonZeroU16;
use std::ops::Deref;

use crate::{PieceType, Placed, Square};

/// What kind of move it is. The discriminant is the upper four bits of a [`Move`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// An ordinary move to an empty square.
    Quiet = 0,
    /// A pawn's two-square advance.
    DoublePush = 1,
    /// Castling, written as king takes own rook, in chess as in Chess960.
    Castle = 2,
    /// A capture on the square of the move.
    Capture = 4,
    /// A capture in passing.
    EnPassant = 5,
    /// Promotion to a knight.
    PromoteKnight = 8,
    /// Promotion to a bishop.
    PromoteBishop = 9,
    /// Promotion to a rook.
    PromoteRook = 10,
    /// Promotion to a queen.
    PromoteQueen = 11,
    /// Capture with promotion to a knight.
    CapturePromoteKnight = 12,
    /// Capture with promotion to a bishop.
    CapturePromoteBishop = 13,
    /// Capture with promotion to a rook.
    CapturePromoteRook = 14,
    /// Capture with promotion to a queen.
    CapturePromoteQueen = 15,
}

impl MoveKind {
    /// A promotion to `piece`, with or without capture. Kings and pawns become queens.
    #[inline]
    #[must_use]
    pub const fn promotion(piece: PieceType, capture: bool) -> Self {
        match (piece, capture) {
            (PieceType::Knight, false) => Self::PromoteKnight,
            (PieceType::Bishop, false) => Self::PromoteBishop,
            (PieceType::Rook, false) => Self::PromoteRook,
            (_, false) => Self::PromoteQueen,
            (PieceType::Knight, true) => Self::CapturePromoteKnight,
            (PieceType::Bishop, true) => Self::CapturePromoteBishop,
            (PieceType::Rook, true) => Self::CapturePromoteRook,
            (_, true) => Self::CapturePromoteQueen,
        }
    }
}

/// A move: from (6 bits), to (6 bits), kind (4 bits). Never all zero, so `Option<Move>` has the
/// same size.
///
/// The kind says whether something is captured, so a move can be sorted without the board.
///
/// ```
/// use chess::{Move, MoveKind, Square};
/// let mv = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
/// assert_eq!((mv.from(), mv.to()), (Square::E2, Square::E4));
/// assert!(mv.is_quiet());
/// assert_eq!(std::mem::size_of::<Option<Move>>(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// Joins the parts. The two squares must differ.
    #[inline]
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Self {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move must lead somewhere"),
        }
    }

    /// Reads the sixteen bits back; `None` for an encoding that no move has.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        if matches!(bits >> 12, 3 | 6 | 7) || (bits & 63) == (bits >> 6 & 63) {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The move as sixteen bits: from, to and kind.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square the piece leaves.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::from_index(self.bits() as usize & 63)
    }

    /// The square it goes to; for castling the rook's square.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_index(self.bits() as usize >> 6 & 63)
    }

    /// The kind of move.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> 12 {
            1 => MoveKind::DoublePush,
            2 => MoveKind::Castle,
            4 => MoveKind::Capture,
            5 => MoveKind::EnPassant,
            8 => MoveKind::PromoteKnight,
            9 => MoveKind::PromoteBishop,
            10 => MoveKind::PromoteRook,
            11 => MoveKind::PromoteQueen,
            12 => MoveKind::CapturePromoteKnight,
            13 => MoveKind::CapturePromoteBishop,
            14 => MoveKind::CapturePromoteRook,
            15 => MoveKind::CapturePromoteQueen,
            _ => MoveKind::Quiet,
        }
    }

    /// Whether it takes something.
    #[inline]
    #[must_use]
    pub const fn is_capture(self) -> bool {
        self.bits() & 1 << 14 != 0
    }

    /// Whether a pawn becomes a piece.
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.bits() & 1 << 15 != 0
    }

    /// Whether it takes or promotes.
    #[inline]
    #[must_use]
    pub const fn is_noisy(self) -> bool {
        self.bits() & 3 << 14 != 0
    }

    /// Whether it neither takes nor promotes.
    #[inline]
    #[must_use]
    pub const fn is_quiet(self) -> bool {
        !self.is_noisy()
    }

    /// Whether it is castling.
    #[inline]
    #[must_use]
    pub const fn is_castle(self) -> bool {
        self.bits() >> 12 == MoveKind::Castle as u16
    }

    /// Whether it is a capture in passing.
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.bits() >> 12 == MoveKind::EnPassant as u16
    }

    /// The piece a pawn becomes.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<PieceType> {
        if !self.is_promotion() {
            return None;
        }
        Some(match self.bits() >> 12 & 3 {
            0 => PieceType::Knight,
            1 => PieceType::Bishop,
            2 => PieceType::Rook,
            _ => PieceType::Queen,
        })
    }

    /// From and to as one index below 4096, for tables.
    #[inline]
    #[must_use]
    pub const fn from_to(self) -> usize {
        self.bits() as usize & 0xFFF
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        if let Some(piece) = self.promotion() {
            write!(f, "{}", piece.letter())?;
        }
        write!(f, "({:?})", self.kind())
    }
}

/// No legal position has more moves than 218; rounded up so that a search can add its own.
pub const MAX_MOVES: usize = 256;

/// A list of moves on the stack.
///
/// ```
/// use chess::{MoveList, Position};
/// let moves: MoveList = Position::startpos().legal_moves();
/// assert_eq!(moves.len(), 20);
/// ```
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MAX_MOVES],
    len: usize,
}

impl MoveList {
    /// Adds a move at the end.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Empties the list and keeps its room.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for MoveList {
    #[inline]
    fn default() -> Self {
        // The filler is never read: `len` guards it.
        const FILLER: Move = Move::new(Square::A1, Square::B1, MoveKind::Quiet);
        Self { moves: [FILLER; MAX_MOVES], len: 0 }
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// What a move changed on the board, in the shape an incremental evaluation wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delta {
    /// Nothing moved: a null move.
    Nothing,
    /// A piece left one square and one (possibly another, by promotion) appeared.
    Quiet {
        /// The piece that appeared, and where.
        add: Placed,
        /// The piece that left, and from where.
        sub: Placed,
    },
    /// As `Quiet`, and an enemy piece disappeared.
    Capture {
        /// The piece that appeared, and where.
        add: Placed,
        /// The piece that left, and from where.
        sub: Placed,
        /// What was taken, on the square where it stood.
        captured: Placed,
    },
    /// King and rook moved.
    Castle {
        /// King and rook on their new squares.
        add: [Placed; 2],
        /// King and rook on their former squares.
        sub: [Placed; 2],
    },
}
