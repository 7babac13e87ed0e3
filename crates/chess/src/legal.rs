//! Whether a move from elsewhere (a hash table, a killer slot, a file) is legal here.

use crate::{Bitboard, Move, MoveKind, PieceType, Position, Rank, Square, attacks, geometry};

impl Position {
    /// Whether this move is legal in this position. Agrees with the generators for every
    /// encoding, and is cheaper than generating.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side;
        let Some(piece) = self.board.piece_at(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        if mv.is_castle() {
            return piece.kind() == PieceType::King
                && self.castling.has(to)
                && self.board.color(us).has(to)
                && self.checkers.is_empty()
                && self.can_castle(from, to);
        }
        if mv.is_en_passant() {
            return piece.kind() == PieceType::Pawn
                && self.en_passant == Some(to)
                && attacks::pawn(us, from).has(to)
                && self.en_passant_is_safe(from, to);
        }
        let fits = if mv.is_capture() {
            self.board.color(!us).has(to)
        } else {
            !self.board.occupied().has(to)
        };
        if !fits {
            return false;
        }
        let reaches = match piece.kind() {
            PieceType::Pawn => self.pawn_reaches(mv),
            _ if mv.is_promotion() || mv.kind() == MoveKind::DoublePush => false,
            kind => attacks::piece(kind, from, self.board.occupied()).has(to),
        };
        reaches && self.king_stays_safe(piece.kind(), from, to)
    }

    /// Whether a pawn can make this move, king safety aside.
    fn pawn_reaches(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side;
        if mv.is_promotion() != (to.rank().relative_to(us) == Rank::R8) {
            return false;
        }
        if mv.is_capture() {
            return attacks::pawn(us, from).has(to);
        }
        let step = from.forward(us);
        if mv.kind() == MoveKind::DoublePush {
            return from.rank().relative_to(us) == Rank::R2
                && !self.board.occupied().has(step)
                && step.forward(us) == to;
        }
        step == to
    }

    fn king_stays_safe(&self, kind: PieceType, from: Square, to: Square) -> bool {
        if kind == PieceType::King {
            let behind = self.board.occupied().without(from);
            return !self.board.is_attacked(to, !self.side, behind);
        }
        let king = self.board.king(self.side);
        let answers_check = match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.many() => false,
            Some(checker) => (geometry::between(king, checker) | Bitboard::of(checker)).has(to),
        };
        answers_check && (!self.pinned.has(from) || geometry::aligned(king, from, to))
    }
}
