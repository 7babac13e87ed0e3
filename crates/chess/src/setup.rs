//! Parts that become a position once they are found to fit together.

use std::fmt;

use crate::position::Keys;
use crate::{Bitboard, Board, Color, Piece, PieceType, Position, Rank, Square, attacks};

/// The parts of a position before anybody checked that they fit together.
#[derive(Clone, Copy)]
pub struct Setup {
    /// The placement of the pieces.
    pub board: Board,
    /// Who is to move.
    pub side: Color,
    /// The rooks that may castle.
    pub castling: Bitboard,
    /// The square behind a pawn that has just advanced two squares.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// The number of the move, 1 at the start.
    pub fullmove: u16,
}

/// Why a setup is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// A side has no king.
    MissingKing(Color),
    /// A side has more than one king.
    ManyKings(Color),
    /// A side has more than sixteen pieces.
    ManyPieces(Color),
    /// A side has more than eight pawns.
    ManyPawns(Color),
    /// A side has more promoted pieces than missing pawns.
    ManyPromoted(Color),
    /// A pawn stands on the first or eighth rank.
    PawnOnBackRank(Square),
    /// The kings stand next to each other.
    KingsTouch,
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// More than two pieces give check.
    ManyCheckers,
    /// A castling right without king or rook where they must be.
    Castling(Square),
    /// No pawn can just have passed this square.
    EnPassant(Square),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |color: Color| match color {
            Color::White => "White",
            Color::Black => "Black",
        };
        match *self {
            Self::MissingKing(color) => write!(f, "{} has no king", name(color)),
            Self::ManyKings(color) => write!(f, "{} has more than one king", name(color)),
            Self::ManyPieces(color) => write!(f, "{} has more than 16 pieces", name(color)),
            Self::ManyPawns(color) => write!(f, "{} has more than 8 pawns", name(color)),
            Self::ManyPromoted(color) => {
                write!(f, "{} has more promoted pieces than missing pawns", name(color))
            }
            Self::PawnOnBackRank(square) => write!(f, "a pawn stands on {square}"),
            Self::KingsTouch => write!(f, "the kings stand next to each other"),
            Self::OpponentInCheck => write!(f, "the side that is not to move is in check"),
            Self::ManyCheckers => write!(f, "more than two pieces give check"),
            Self::Castling(square) => {
                write!(f, "castling right with {square}, but no king and rook stand ready for it")
            }
            Self::EnPassant(square) => {
                write!(f, "en passant on {square}, but no pawn can just have passed it")
            }
        }
    }
}

impl std::error::Error for PositionError {}

impl Position {
    /// Checks that a setup is a legal position.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn from_setup(setup: Setup) -> Result<Self, PositionError> {
        check_men(&setup.board)?;
        let board = setup.board;
        let (us, them) = (setup.side, !setup.side);
        if attacks::king(board.king(us)).has(board.king(them)) {
            return Err(PositionError::KingsTouch);
        }
        if board.is_attacked(board.king(them), us, board.occupied()) {
            return Err(PositionError::OpponentInCheck);
        }
        check_castling(&board, setup.castling)?;
        let en_passant = match setup.en_passant {
            // On the far side of the board the square says nothing about this move; such FENs
            // circulate, and dropping it loses nothing.
            Some(square) if square.rank().relative_to(us) == Rank::R6 => {
                check_en_passant(&board, square, us)?;
                Some(square)
            }
            _ => None,
        };
        let mut position = Self {
            board,
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: setup.castling,
            halfmove_clock: setup.halfmove_clock,
            reversible: setup.halfmove_clock,
            fullmove: setup.fullmove.max(1),
            side: us,
            en_passant: None,
        };
        position.refresh_checks();
        if position.checkers.count() > 2 {
            return Err(PositionError::ManyCheckers);
        }
        position.en_passant = en_passant.filter(|&square| position.can_capture_en_passant(square));
        position.keys = position.recomputed_keys();
        Ok(position)
    }

    /// The parts, to change one and check again.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: self.board,
            side: self.side,
            castling: self.castling,
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove: self.fullmove,
        }
    }

    /// The same position with the colours exchanged: top and bottom, White and Black.
    #[must_use]
    pub fn color_flipped(&self) -> Self {
        let mut board = Board::EMPTY;
        for square in self.board.occupied() {
            if let Some(piece) = self.board.piece_at(square) {
                board.put(Piece::new(!piece.color(), piece.kind()), square.flip_rank());
            }
        }
        let setup = Setup {
            board,
            side: !self.side,
            castling: self.castling.flip_ranks(),
            en_passant: self.en_passant.map(Square::flip_rank),
            ..self.to_setup()
        };
        Self::from_setup(setup).expect("the mirror image of a legal position is legal")
    }

    /// Whether all that is kept from move to move equals what a fresh look gives. For tests and
    /// debug assertions.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        Self::from_setup(self.to_setup()).is_ok_and(|fresh| {
            fresh.keys == self.keys
                && fresh.checkers == self.checkers
                && fresh.pinned == self.pinned
                && fresh.en_passant == self.en_passant
        })
    }
}

fn check_men(board: &Board) -> Result<(), PositionError> {
    let back_ranks = Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8);
    for color in Color::ALL {
        let count = |kind| board.pieces(color, kind).count();
        match count(PieceType::King) {
            0 => return Err(PositionError::MissingKing(color)),
            1 => {}
            _ => return Err(PositionError::ManyKings(color)),
        }
        if board.color(color).count() > 16 {
            return Err(PositionError::ManyPieces(color));
        }
        let pawns = count(PieceType::Pawn);
        if pawns > 8 {
            return Err(PositionError::ManyPawns(color));
        }
        let promoted = count(PieceType::Knight).saturating_sub(2)
            + count(PieceType::Bishop).saturating_sub(2)
            + count(PieceType::Rook).saturating_sub(2)
            + count(PieceType::Queen).saturating_sub(1);
        if promoted > 8 - pawns {
            return Err(PositionError::ManyPromoted(color));
        }
        if let Some(square) = (board.pieces(color, PieceType::Pawn) & back_ranks).first() {
            return Err(PositionError::PawnOnBackRank(square));
        }
    }
    Ok(())
}

fn check_castling(board: &Board, rooks: Bitboard) -> Result<(), PositionError> {
    for color in Color::ALL {
        let home = Bitboard::rank(Rank::R1.relative_to(color));
        let king = board.king(color);
        let (mut left, mut right) = (0, 0);
        for rook in rooks & home {
            let ready = home.has(king) && board.pieces(color, PieceType::Rook).has(rook);
            if rook < king {
                left += 1;
            } else {
                right += 1;
            }
            if !ready || left > 1 || right > 1 {
                return Err(PositionError::Castling(rook));
            }
        }
    }
    let stray = rooks.minus(Bitboard::rank(Rank::R1) | Bitboard::rank(Rank::R8));
    stray.first().map_or(Ok(()), |square| Err(PositionError::Castling(square)))
}

fn check_en_passant(board: &Board, square: Square, us: Color) -> Result<(), PositionError> {
    let pawn = square.forward(!us);
    let origin = square.forward(us);
    let possible = board.piece_at(pawn) == Some(Piece::new(!us, PieceType::Pawn))
        && board.piece_at(square).is_none()
        && board.piece_at(origin).is_none();
    if possible { Ok(()) } else { Err(PositionError::EnPassant(square)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_kept_wrongly_is_noticed() {
        let fen = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3";
        let right = Position::from_fen(fen).unwrap();
        assert!(right.is_consistent());
        let spoilers: [fn(&mut Position); 5] = [
            |position| position.keys.toggle(Piece::WhitePawn, Square::E5),
            |position| position.checkers = Square::E5.into(),
            |position| position.pinned = Square::E5.into(),
            |position| position.en_passant = Some(Square::C6),
            |position| position.castling = Square::A4.into(),
        ];
        for (number, spoil) in spoilers.into_iter().enumerate() {
            let mut wrong = right;
            spoil(&mut wrong);
            assert!(!wrong.is_consistent(), "{number}");
        }
    }
}
