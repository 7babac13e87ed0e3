//! A position with all that the rules need to know, and what makes one legal.

use std::fmt;

use crate::{
    Bitboard, Board, Color, Move, MoveList, Piece, PieceType, Rank, Square, attacks, geometry,
    zobrist,
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
    /// Adds or removes a man.
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

/// The parts of a position before anybody checked that they fit together.
#[derive(Clone, Copy)]
pub struct Setup {
    /// The men.
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
    /// A side has more than sixteen men.
    ManyMen(Color),
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
    /// More than two men give check.
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
            Self::ManyMen(color) => write!(f, "{} has more than 16 men", name(color)),
            Self::ManyPawns(color) => write!(f, "{} has more than 8 pawns", name(color)),
            Self::ManyPromoted(color) => {
                write!(f, "{} has more promoted pieces than missing pawns", name(color))
            }
            Self::PawnOnBackRank(square) => write!(f, "a pawn stands on {square}"),
            Self::KingsTouch => write!(f, "the kings stand next to each other"),
            Self::OpponentInCheck => write!(f, "the side that is not to move is in check"),
            Self::ManyCheckers => write!(f, "more than two men give check"),
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

/// How a game has ended on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This side has mated.
    Win(Color),
    /// Stalemate, or nobody can mate.
    Draw,
}

impl Position {
    /// The start of a game of chess.
    #[must_use]
    pub fn startpos() -> Self {
        crate::chess960::standard()
    }

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

    /// The men.
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

    /// The men that give check.
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

    /// The men of the side to move that are pinned to their king.
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

    /// All legal moves.
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

    /// The man a move takes, with its square.
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

    /// The man that a legal move moves.
    ///
    /// # Panics
    /// If the square it leaves is empty.
    #[inline]
    #[must_use]
    pub fn moved(&self, mv: Move) -> Piece {
        self.board.piece_at(mv.from()).expect("a legal move leaves an occupied square")
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

    /// All keys computed anew from placement and state.
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

    /// Finds checkers and pinned men anew.
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
        let snipers = ((attacks::bishop(king, theirs) & board.diagonal_sliders())
            | (attacks::rook(king, theirs) & board.straight_sliders()))
            & theirs;
        for sniper in snipers {
            let inside = geometry::between(king, sniper) & occupied;
            if inside.is_empty() {
                self.checkers |= sniper.into();
            } else if !inside.many() {
                self.pinned |= inside;
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
            return Err(PositionError::ManyMen(color));
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
                left += 1
            } else {
                right += 1
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
