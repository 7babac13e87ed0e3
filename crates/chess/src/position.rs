//! A position with all that the rules need to know.

use std::fmt;

use crate::{
    Bitboard, Board, Color, Move, MoveList, Piece, PieceType, Square, attacks, geometry, zobrist,
};

/// A legal position: placement, side to move, castling rights, en passant, clocks, and the keys,
/// checkers and pins that follow from them.
///
/// The en-passant square is kept only when a capture in passing is legal, so that equal
/// positions have equal keys.
#[derive(Clone, Copy)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) keys: Keys,
    pub(crate) checkers: Bitboard,
    pub(crate) pinned: Bitboard,
    /// The rooks that may still castle.
    pub(crate) castling: Bitboard,
    pub(crate) halfmove_clock: u16,
    /// Plies since the last capture, pawn move or null move: how far back a repetition can be.
    pub(crate) reversible: u16,
    pub(crate) fullmove: u16,
    pub(crate) side: Color,
    pub(crate) en_passant: Option<Square>,
}

/// The hash keys of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) whole: u64,
    pub(crate) pawns: u64,
    pub(crate) non_pawns: [u64; 2],
    pub(crate) minors: u64,
}

impl Keys {
    /// Adds or removes a piece.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        let key = zobrist::piece(piece, square);
        self.whole ^= key;
        match piece.kind() {
            PieceType::Pawn => self.pawns ^= key,
            kind => {
                self.non_pawns[piece.color().index()] ^= key;
                if matches!(kind, PieceType::Knight | PieceType::Bishop | PieceType::King) {
                    self.minors ^= key;
                }
            }
        }
    }
}

/// How a game has ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has mated.
    Win(Color),
    /// Stalemate, or nobody can mate.
    Draw,
}

impl Position {
    /// The placement of the pieces.
    #[inline]
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Who is to move.
    #[inline]
    #[must_use]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The pieces that give check.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        self.checkers.any()
    }

    /// The pieces of the side to move that are pinned to their king.
    #[inline]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The rooks that may still castle.
    #[inline]
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// The square of a legal capture in passing.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move.
    #[inline]
    #[must_use]
    pub fn fullmove(&self) -> u16 {
        self.fullmove
    }

    /// The key of the whole position.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.keys.whole
    }

    /// The key of the pawns of both sides.
    #[inline]
    #[must_use]
    pub fn pawn_key(&self) -> u64 {
        self.keys.pawns
    }

    /// The key of one side's king and pieces.
    #[inline]
    #[must_use]
    pub fn non_pawn_key(&self, color: Color) -> u64 {
        self.keys.non_pawns[color.index()]
    }

    /// The key of both sides' knights, bishops and kings.
    #[inline]
    #[must_use]
    pub fn minor_key(&self) -> u64 {
        self.keys.minors
    }

    /// All legal moves, in no useful order.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::default();
        self.generate_all(&mut moves);
        moves
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.count_legal_moves() != 0
    }

    /// Mate, stalemate or a dead position. Draws that need the history of the game are in
    /// [`KeyHistory`](crate::KeyHistory).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.is_check() { Outcome::Win(!self.side) } else { Outcome::Draw });
        }
        self.board.is_insufficient_material().then_some(Outcome::Draw)
    }

    /// Whether fifty moves have passed without capture or pawn move and the last one did not mate.
    #[inline]
    #[must_use]
    pub fn is_fifty_move_draw(&self) -> bool {
        self.halfmove_clock >= 100 && (!self.is_check() || self.has_legal_move())
    }

    /// Whether a side has more than king and pawns.
    #[inline]
    #[must_use]
    pub fn has_pieces(&self, color: Color) -> bool {
        let light = self.board.kind(PieceType::Pawn) | self.board.kind(PieceType::King);
        self.board.color(color).minus(light).any()
    }

    /// The kind of piece that a legal move takes.
    #[inline]
    #[must_use]
    pub fn captured(&self, mv: Move) -> Option<PieceType> {
        if mv.is_en_passant() {
            return Some(PieceType::Pawn);
        }
        if !mv.is_capture() {
            return None;
        }
        self.board.piece_at(mv.to()).map(Piece::kind)
    }

    /// The piece that a legal move moves.
    ///
    /// # Panics
    /// If the square it leaves is empty.
    #[inline]
    #[must_use]
    pub fn moved(&self, mv: Move) -> Piece {
        self.board.piece_at(mv.from()).expect("a legal move leaves an occupied square")
    }

    /// All keys computed from scratch from placement and state.
    pub(crate) fn recomputed_keys(&self) -> Keys {
        let mut keys = Keys::default();
        for square in self.board.occupied() {
            if let Some(piece) = self.board.piece_at(square) {
                keys.toggle(piece, square);
            }
        }
        for rook in self.castling {
            keys.whole ^= zobrist::castling(rook);
        }
        if let Some(square) = self.en_passant {
            keys.whole ^= zobrist::en_passant(square.file());
        }
        if self.side == Color::Black {
            keys.whole ^= zobrist::side();
        }
        keys
    }

    /// Finds checkers and pinned pieces from scratch.
    #[inline]
    pub(crate) fn refresh_checks(&mut self) {
        let king = self.board.king(self.side);
        let theirs = self.board.color(!self.side);
        let occupied = self.board.occupied();
        let board = &self.board;
        self.checkers = ((attacks::pawn(self.side, king) & board.kind(PieceType::Pawn))
            | (attacks::knight(king) & board.kind(PieceType::Knight)))
            & theirs;
        self.pinned = Bitboard::EMPTY;
        let snipers = ((attacks::bishop_lines(king) & board.diagonal_sliders())
            | (attacks::rook_lines(king) & board.straight_sliders()))
            & theirs;
        for sniper in snipers {
            let inside = geometry::between(king, sniper) & occupied;
            if inside.is_empty() {
                self.checkers |= sniper.into();
            } else if !inside.many() {
                self.pinned |= inside.minus(theirs);
            }
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.board == other.board
            && self.side == other.side
            && self.castling == other.castling
            && self.en_passant == other.en_passant
            && self.halfmove_clock == other.halfmove_clock
            && self.fullmove == other.fullmove
    }
}

impl Eq for Position {}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.to_fen())
    }
}
