//! Moves as UCI text, with castling written either way.

use std::fmt;

use crate::make::castled_squares;
use crate::{Move, MoveKind, Piece, PieceType, Position, Square};

/// How castling is written in UCI text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Castling {
    /// The king's two squares, as in `e1g1`: for chess. In a Chess960 array the king may go one
    /// square, or none: that would be read as another move, so king takes rook there too.
    KingMove,
    /// King takes rook, as in `e1h1`: for Chess960.
    KingTakesRook,
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveTextError {
    /// It does not have the form of a move.
    Malformed,
    /// It has the form of a move, but no such move is legal.
    Illegal,
    /// The pawn arrives, and the text does not say as what.
    NoPromotion,
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => write!(f, "not of the form e2e4 or e7e8q"),
            Self::Illegal => write!(f, "not legal here"),
            Self::NoPromotion => write!(f, "a promotion: add q, r, b or n"),
        }
    }
}

impl std::error::Error for MoveTextError {}

impl Move {
    /// The move as UCI text.
    ///
    /// ```
    /// use chess::{Castling, Position};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castle = position.parse_san("O-O").unwrap();
    /// assert_eq!(castle.to_uci(Castling::KingMove), "e1g1");
    /// assert_eq!(castle.to_uci(Castling::KingTakesRook), "e1h1");
    /// # Ok::<(), chess::FenError>(())
    /// ```
    #[must_use]
    pub fn to_uci(self, castling: Castling) -> String {
        let mut to = self.to();
        if self.is_castle() && castling == Castling::KingMove {
            let goal = castled_squares(self.from(), to).0;
            if is_castling_step(self.from(), goal) {
                to = goal;
            }
        }
        let mut text = format!("{}{to}", self.from());
        text.extend(self.promotion().map(PieceType::letter));
        text
    }
}

/// Whether a king that goes so far along its rank can only be castling.
fn is_castling_step(from: Square, to: Square) -> bool {
    from.rank() == to.rank() && from.file().distance(to.file()) >= 2
}

impl Position {
    /// Reads a UCI move that must be legal here. Castling is understood in both forms: a king's
    /// move of two squares or onto its own rook.
    ///
    /// # Errors
    /// Whether the text has the wrong form or the move is not legal.
    pub fn parse_uci(&self, text: &str) -> Result<Move, MoveTextError> {
        let (squares, promotion) = match text.len() {
            4 => (text, None),
            5 if text.is_ascii() => {
                let letter = text.chars().last().ok_or(MoveTextError::Malformed)?;
                let kind = PieceType::from_letter(letter).ok_or(MoveTextError::Malformed)?;
                if !PieceType::PROMOTIONS.contains(&kind) {
                    return Err(MoveTextError::Malformed);
                }
                (&text[..4], Some(kind))
            }
            _ => return Err(MoveTextError::Malformed),
        };
        let square = |range| squares.get(range).and_then(Square::parse);
        let from = square(0..2).ok_or(MoveTextError::Malformed)?;
        let to = square(2..4).ok_or(MoveTextError::Malformed)?;
        self.find_move(from, to, promotion).ok_or_else(|| {
            let as_queen = || self.find_move(from, to, Some(PieceType::Queen));
            match promotion {
                None if as_queen().is_some() => MoveTextError::NoPromotion,
                _ => MoveTextError::Illegal,
            }
        })
    }

    /// The legal move between two squares. A king that goes onto its own rook castles; one that
    /// goes two squares or more castles too.
    #[must_use]
    pub fn find_move(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceType>,
    ) -> Option<Move> {
        let piece = self.board.piece_at(from)?;
        if from == to {
            return None;
        }
        if piece.kind() == PieceType::King && promotion.is_none() {
            if self.castling.has(to) && self.board.color(self.side).has(to) {
                return self.legal(from, to, MoveKind::Castle);
            }
            if is_castling_step(from, to) {
                let rook = self.castling.into_iter().find(|&rook| {
                    rook.rank() == from.rank() && castled_squares(from, rook).0 == to
                })?;
                return self.legal(from, rook, MoveKind::Castle);
            }
        }
        self.legal(from, to, self.kind_between(piece, from, to, promotion))
    }

    fn legal(&self, from: Square, to: Square, kind: MoveKind) -> Option<Move> {
        Some(Move::new(from, to, kind)).filter(|&mv| self.is_legal(mv))
    }

    fn kind_between(
        &self,
        piece: Piece,
        from: Square,
        to: Square,
        promotion: Option<PieceType>,
    ) -> MoveKind {
        let capture = self.board.piece_at(to).is_some();
        if let Some(kind) = promotion {
            return MoveKind::promotion(kind, capture);
        }
        if piece.kind() == PieceType::Pawn {
            if self.en_passant == Some(to) && from.file() != to.file() {
                return MoveKind::EnPassant;
            }
            if from.rank().distance(to.rank()) == 2 {
                return MoveKind::DoublePush;
            }
        }
        if capture { MoveKind::Capture } else { MoveKind::Quiet }
    }
}
