//! Playing a move.

use crate::{
    Bitboard, Color, Delta, File, Move, MoveKind, Piece, PieceType, Placed, Position, Rank, Square,
    attacks, zobrist,
};

impl Position {
    /// Plays a legal move and returns what it changed on the board.
    ///
    /// # Panics
    /// May panic, or leave a position that makes no sense, if the move is not legal here; test
    /// foreign moves with [`is_legal`](Position::is_legal).
    pub fn make(&mut self, mv: Move) -> Delta {
        debug_assert!(self.is_legal(mv), "{mv:?} in {self:?}");
        let us = self.side;
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible = self.reversible.saturating_add(1);

        let (from, to) = (mv.from(), mv.to());
        let piece = self.moved(mv);
        let delta = if mv.is_castle() {
            self.castle(from, to)
        } else {
            let captured = self.take_captured(mv);
            let placed = mv.promotion().map_or(piece, |kind| Piece::new(us, kind));
            self.remove(piece, from);
            self.place(placed, to);
            if piece.kind() == PieceType::Pawn || captured.is_some() {
                self.halfmove_clock = 0;
                self.reversible = 0;
            }
            let (add, sub) = (at(placed, to), at(piece, from));
            match captured {
                Some(captured) => Delta::Capture { add, sub, captured },
                None => Delta::Quiet { add, sub },
            }
        };
        self.lose_castling(piece, from, to);
        self.pass_turn();
        self.refresh_checks();
        if mv.kind() == MoveKind::DoublePush {
            self.offer_en_passant(from.forward(us));
        }
        debug_assert!(self.is_consistent(), "{mv:?} leads to {self:?}");
        delta
    }

    /// Passes. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.is_check());
        self.clear_en_passant();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.reversible = 0;
        self.pass_turn();
        self.refresh_checks();
    }

    /// The key after a move, near enough to prefetch with: castling rights, en passant and the
    /// rook's part in castling are left out.
    #[inline]
    #[must_use]
    pub fn key_after(&self, mv: Move) -> u64 {
        let piece = self.moved(mv);
        let placed = mv.promotion().map_or(piece, |kind| Piece::new(self.side, kind));
        let mut key = self.keys.whole
            ^ zobrist::side()
            ^ zobrist::piece(piece, mv.from())
            ^ zobrist::piece(placed, mv.to());
        if let (true, Some(captured)) = (mv.is_capture(), self.board.piece_at(mv.to())) {
            key ^= zobrist::piece(captured, mv.to());
        }
        if let Some(square) = self.en_passant {
            key ^= zobrist::en_passant(square.file());
        }
        key
    }

    #[inline]
    fn place(&mut self, piece: Piece, square: Square) {
        self.board.put(piece, square);
        self.keys.toggle(piece, square);
    }

    #[inline]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.board.take(piece, square);
        self.keys.toggle(piece, square);
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.keys.whole ^= zobrist::en_passant(square.file());
        }
    }

    #[inline]
    fn take_captured(&mut self, mv: Move) -> Option<Placed> {
        if !mv.is_capture() {
            return None;
        }
        let square = if mv.is_en_passant() { mv.to().forward(!self.side) } else { mv.to() };
        let piece = self.board.piece_at(square)?;
        self.remove(piece, square);
        Some(at(piece, square))
    }

    fn castle(&mut self, king_from: Square, rook_from: Square) -> Delta {
        let us = self.side;
        let (king, rook) = (Piece::new(us, PieceType::King), Piece::new(us, PieceType::Rook));
        let (king_to, rook_to) = castled_squares(king_from, rook_from);
        // In Chess960 the squares may overlap: lift both before putting either down.
        self.remove(king, king_from);
        self.remove(rook, rook_from);
        self.place(king, king_to);
        self.place(rook, rook_to);
        Delta::Castle {
            add: [at(king, king_to), at(rook, rook_to)],
            sub: [at(king, king_from), at(rook, rook_from)],
        }
    }

    #[inline]
    fn lose_castling(&mut self, moved: Piece, from: Square, to: Square) {
        if self.castling.is_empty() {
            return;
        }
        let mut touched = Bitboard::of(from).with(to);
        if moved.kind() == PieceType::King {
            touched |= Bitboard::rank(Rank::R1.relative_to(self.side));
        }
        for rook in self.castling & touched {
            self.keys.whole ^= zobrist::castling(rook);
        }
        self.castling = self.castling.minus(touched);
    }

    #[inline]
    fn pass_turn(&mut self) {
        if self.side == Color::Black {
            self.fullmove = self.fullmove.saturating_add(1);
        }
        self.side = !self.side;
        self.keys.whole ^= zobrist::side();
    }

    #[inline]
    fn offer_en_passant(&mut self, square: Square) {
        if self.can_capture_en_passant(square) {
            self.en_passant = Some(square);
            self.keys.whole ^= zobrist::en_passant(square.file());
        }
    }

    /// Whether a pawn of the side to move may legally capture in passing on `square`.
    #[inline]
    pub(crate) fn can_capture_en_passant(&self, square: Square) -> bool {
        let pawns = self.board.pieces(self.side, PieceType::Pawn);
        let capturers = attacks::pawn(!self.side, square) & pawns;
        capturers.into_iter().any(|from| self.en_passant_is_safe(from, square))
    }

    /// Whether the king is safe after this capture in passing, which takes two pawns off a line.
    pub(crate) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let king = self.board.king(self.side);
        let victim = Bitboard::of(to.forward(!self.side));
        let occupied = self.board.occupied().without(from).minus(victim).with(to);
        let enemies = self.board.color(!self.side).minus(victim);
        (self.board.attackers(king, occupied) & enemies).is_empty()
    }
}

/// Where king and rook stand after castling with the rook on `rook`.
#[inline]
pub(crate) fn castled_squares(king: Square, rook: Square) -> (Square, Square) {
    let rank = king.rank();
    if rook > king {
        (Square::new(File::G, rank), Square::new(File::F, rank))
    } else {
        (Square::new(File::C, rank), Square::new(File::D, rank))
    }
}

#[inline]
fn at(piece: Piece, square: Square) -> Placed {
    Placed { piece, square }
}
