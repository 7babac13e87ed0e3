//! A training position in 32 bytes, in the layout of the `bulletformat` chess record.
//!
//! Everything is seen from the side to move: its pieces have colour bit 0, it sits on the first
//! rank, and score and result are its own. Castling rights, en passant and clocks are gone: the
//! network does not see them.

use std::path::Path;

use chess::{Bitboard, Board, Color, Piece, PieceType, Position, Setup, Square};

use crate::rng::hash_bytes;

/// How many bytes a packed position takes, in memory and in a file.
pub const PACKED_SIZE: usize = 32;

/// Whether a file holds packed positions rather than games, as its name tells: it ends in `.bin`, or
/// in `.bin.gz` and the like if it is compressed.
#[must_use]
pub fn is_packed_file(path: &Path) -> bool {
    let ends_in_bin = |path: &Path| path.extension().is_some_and(|extension| extension == "bin");
    let is_compressed = path.extension().is_some_and(|end| end == "gz" || end == "zst");
    ends_in_bin(path) || is_compressed && ends_in_bin(&path.with_extension(""))
}

/// The score that a network should give a position whose search came to `score`: what the engine
/// makes of a network's score as pieces leave the board and the half-move clock runs is taken back.
#[must_use]
pub fn learned_score(position: &Position, score: i16) -> i16 {
    let (least, most) = (i32::from(-i16::MAX), i32::from(i16::MAX));
    engine::unscale_eval(position, i32::from(score)).clamp(least, most) as i16
}

/// A position, its score and its game's result, seen from the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct PackedPosition {
    /// The occupied squares, rank 1 being the mover's.
    pub occupied: u64,
    /// Four bits for each piece in the order of squares: bit 3 is set for the opponent's pieces, the
    /// lower bits are 0 for a pawn up to 5 for a king.
    pub pieces: [u8; 16],
    /// The search's score in centipawns.
    pub score: i16,
    /// The game's result: 0 lost, 1 drawn, 2 won.
    pub result: u8,
    /// The square of the mover's king.
    pub king: u8,
    /// The opponent's king as the opponent sees it.
    pub other_king: u8,
    /// What the score is: 0 exact, 1 an upper bound, 2 a lower bound.
    pub bound: u8,
    /// How deep the position was searched inside the tree of a game's position, whose result is then
    /// not its own; 0 for a position of the game itself.
    pub depth: u8,
    /// Unused: it is always zero.
    pub extra: u8,
}

impl PackedPosition {
    /// [`Self::bound`] of a score that the true one may be below.
    pub const UPPER: u8 = 1;
    /// [`Self::bound`] of a score that the true one may be above.
    pub const LOWER: u8 = 2;

    /// Packs a position. `white_score` and `white_result` (0, 1 or 2) are seen from White.
    #[must_use]
    pub fn new(position: &Position, white_score: i16, white_result: u8) -> Self {
        let board = position.board();
        let us = position.side_to_move();
        let flip = if us == Color::White { 0 } else { 56 };
        let mut packed = Self {
            king: board.king(us).index() as u8 ^ flip,
            other_king: board.king(!us).index() as u8 ^ flip ^ 56,
            ..Self::default()
        };
        (packed.score, packed.result) = match us {
            Color::White => (white_score, white_result),
            Color::Black => (white_score.saturating_neg(), 2 - white_result.min(2)),
        };
        let occupied = board.occupied();
        packed.occupied = if us == Color::White { occupied.0 } else { occupied.0.swap_bytes() };
        for (index, square) in Bitboard(packed.occupied).into_iter().enumerate() {
            let piece = board.piece_at(Square::from_index(square.index() ^ usize::from(flip)));
            if let Some(piece) = piece {
                let code = u8::from(piece.color() != us) << 3 | piece.kind().index() as u8;
                packed.pieces[index / 2] |= code << (4 * (index % 2));
            }
        }
        packed
    }

    /// Packs pieces given as (square, code), both seen from the mover; see [`Self::pieces`] for codes.
    /// At most 32 are taken.
    #[must_use]
    pub fn from_pieces(pieces: &mut [(u8, u8)], score: i16, result: u8) -> Self {
        pieces.sort_unstable();
        let mut packed = Self { score, result, ..Self::default() };
        for (index, &(square, code)) in pieces.iter().take(32).enumerate() {
            packed.occupied |= 1 << square;
            packed.pieces[index / 2] |= code << (4 * (index % 2));
            match code {
                5 => packed.king = square,
                13 => packed.other_king = square ^ 56,
                _ => {}
            }
        }
        packed
    }

    /// The pieces in the order of squares, as codes (see [`Self::pieces`]) and squares.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (u8, u8)> {
        let pieces = u128::from_le_bytes(self.pieces);
        let (mut codes, mut rest) = (pieces, self.occupied);
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let square = rest.trailing_zeros() as u8;
            let code = (codes & 15) as u8;
            rest &= rest - 1;
            codes >>= 4;
            Some((code, square))
        })
    }

    /// A hash of the placement as the mover sees it: equal where the network sees no difference.
    #[must_use]
    pub fn placement_hash(&self) -> u64 {
        hash_bytes(&self.to_bytes()[..24])
    }

    /// The position with the mover as White and without castling rights, en passant and clocks.
    ///
    /// # Errors
    /// When the record is no legal position.
    pub fn to_position(&self) -> Result<Position, String> {
        if !self.is_sound() {
            return Err(String::from("the record makes no sense"));
        }
        let mut board = Board::EMPTY;
        for (code, square) in self.iter() {
            let color = if code >> 3 == 0 { Color::White } else { Color::Black };
            let kind = PieceType::ALL[usize::from(code & 7)];
            board.put(Piece::new(color, kind), Square::from_index(usize::from(square)));
        }
        Position::from_setup(Setup {
            board,
            side: Color::White,
            castling: Bitboard::EMPTY,
            en_passant: None,
            halfmove_clock: 0,
            fullmove: 1,
        })
        .map_err(|error| error.to_string())
    }

    /// How many pieces are on the board.
    #[inline]
    #[must_use]
    pub const fn piece_count(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// Whether no bit pattern of the record can lead a reader astray: 2 to 32 pieces of known kinds,
    /// one king a side where the record says, and a known result.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let mut kings = [None, None];
        let mut known = true;
        for (code, square) in self.iter() {
            known &= code & 7 <= 5;
            if code & 7 == 5 {
                known &= kings[usize::from(code >> 3)].replace(square).is_none();
            }
        }
        known
            && self.piece_count() <= 32
            && self.result <= 2
            && self.bound <= PackedPosition::LOWER
            && kings == [Some(self.king), Some(self.other_king ^ 56)]
    }

    /// The result as points: 0, 0.5 or 1.
    #[inline]
    #[must_use]
    pub fn points(&self) -> f32 {
        f32::from(self.result) * 0.5
    }

    /// Whether the game's result belongs to the position: it was played there.
    #[inline]
    #[must_use]
    pub fn has_result(&self) -> bool {
        self.depth == 0
    }

    /// The record as it is written to a file.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; PACKED_SIZE] {
        let mut bytes = [0; PACKED_SIZE];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.result;
        bytes[27] = self.king;
        bytes[28] = self.other_king;
        bytes[29] = self.bound;
        bytes[30] = self.depth;
        bytes[31] = self.extra;
        bytes
    }

    /// Reads a record; see [`Self::is_sound`] for whether it makes sense.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; PACKED_SIZE]) -> Self {
        let mut occupied = [0; 8];
        let mut pieces = [0; 16];
        occupied.copy_from_slice(&bytes[..8]);
        pieces.copy_from_slice(&bytes[8..24]);
        Self {
            occupied: u64::from_le_bytes(occupied),
            pieces,
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: bytes[26],
            king: bytes[27],
            other_king: bytes[28],
            bound: bytes[29],
            depth: bytes[30],
            extra: bytes[31],
        }
    }
}
