//! Placement: which piece stands where.

use crate::{Bitboard, Color, Piece, PieceType, Square, attacks};

/// The pieces on their squares, as sets by kind and colour and as a list by square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    squares: [Option<Piece>; 64],
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Self =
        Self { kinds: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2], squares: [None; 64] };

    /// All pieces of a kind, of both sides.
    #[inline]
    #[must_use]
    pub const fn kind(&self, kind: PieceType) -> Bitboard {
        self.kinds[kind as usize]
    }

    /// All pieces of a side.
    #[inline]
    #[must_use]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The pieces of a side and a kind.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, kind: PieceType) -> Bitboard {
        self.kind(kind) & self.color(color)
    }

    /// The squares with a piece of either side.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Bishops and queens of both sides.
    #[inline]
    #[must_use]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceType::Bishop) | self.kind(PieceType::Queen)
    }

    /// Rooks and queens of both sides.
    #[inline]
    #[must_use]
    pub fn straight_sliders(&self) -> Bitboard {
        self.kind(PieceType::Rook) | self.kind(PieceType::Queen)
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.squares[square as usize]
    }

    /// The king's square. Every [`Position`](crate::Position) has both kings; on a bare board
    /// without that king the answer is a1.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        Square::from_index(self.pieces(color, PieceType::King).0.trailing_zeros() as usize)
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.squares[square.index()].is_none());
        let bit = Bitboard::of(square);
        self.kinds[piece.kind().index()] |= bit;
        self.colors[piece.color().index()] |= bit;
        self.squares[square.index()] = Some(piece);
    }

    /// Takes this piece off its square.
    #[inline]
    pub fn take(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.squares[square.index()], Some(piece));
        let bit = Bitboard::of(square);
        self.kinds[piece.kind().index()] ^= bit;
        self.colors[piece.color().index()] ^= bit;
        self.squares[square.index()] = None;
    }

    /// The pieces of both sides that attack a square, seen through the gaps of `occupied`.
    #[inline]
    #[must_use]
    pub fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        (attacks::pawn(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn))
            | (attacks::pawn(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn))
            | (attacks::knight(square) & self.kind(PieceType::Knight))
            | (attacks::king(square) & self.kind(PieceType::King))
            | (attacks::bishop(square, occupied) & self.diagonal_sliders())
            | (attacks::rook(square, occupied) & self.straight_sliders())
    }

    /// Whether `by` attacks a square, seen through the gaps of `occupied`.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        let theirs = self.color(by);
        (attacks::pawn(!by, square) & theirs).meets(self.kind(PieceType::Pawn))
            || (attacks::knight(square) & theirs).meets(self.kind(PieceType::Knight))
            || (attacks::king(square) & theirs).meets(self.kind(PieceType::King))
            || self.slider_attacks(square, theirs, occupied)
    }

    /// Whether a slider of a set attacks a square. Most squares are on no slider's line, and then
    /// the large tables are not asked.
    #[inline]
    fn slider_attacks(&self, square: Square, pieces: Bitboard, occupied: Bitboard) -> bool {
        let diagonal = self.diagonal_sliders() & pieces;
        let straight = self.straight_sliders() & pieces;
        attacks::bishop_lines(square).meets(diagonal)
            && attacks::bishop(square, occupied).meets(diagonal)
            || attacks::rook_lines(square).meets(straight)
                && attacks::rook(square, occupied).meets(straight)
    }

    /// Every square that `by` attacks, seen through the gaps of `occupied`.
    #[must_use]
    pub fn attacked_squares(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let theirs = self.color(by);
        let mut set =
            attacks::pawns(by, theirs & self.kind(PieceType::Pawn)) | attacks::king(self.king(by));
        for square in theirs & self.kind(PieceType::Knight) {
            set |= attacks::knight(square);
        }
        for square in theirs & self.diagonal_sliders() {
            set |= attacks::bishop(square, occupied);
        }
        for square in theirs & self.straight_sliders() {
            set |= attacks::rook(square, occupied);
        }
        set
    }

    /// The pieces, of either side, that alone stand between a king of `color` and an enemy slider.
    #[inline]
    #[must_use]
    pub fn blockers(&self, color: Color) -> Bitboard {
        let king = self.king(color);
        let theirs = self.color(!color);
        let occupied = self.occupied();
        let snipers = (attacks::bishop_lines(king) & self.diagonal_sliders()
            | attacks::rook_lines(king) & self.straight_sliders())
            & theirs;
        let mut blockers = Bitboard::EMPTY;
        for sniper in snipers {
            let inside = crate::geometry::between(king, sniper) & occupied;
            if !inside.many() {
                blockers |= inside;
            }
        }
        blockers
    }

    /// Whether neither side can mate by any sequence of legal moves, as far as material tells:
    /// bare kings, one minor piece, or any number of bishops that all stand on one colour.
    #[must_use]
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = self.kind(PieceType::Pawn) | self.straight_sliders();
        if heavy.any() {
            return false;
        }
        let knights = self.kind(PieceType::Knight);
        let bishops = self.kind(PieceType::Bishop);
        if knights.any() {
            return self.occupied().count() <= 3;
        }
        (bishops & Bitboard::LIGHT).is_empty() || bishops.minus(Bitboard::LIGHT).is_empty()
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::EMPTY
    }
}
