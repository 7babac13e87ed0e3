//! A game with scores, and its bytes in `viriformat`.
//!
//! A game is a 32-byte start position with the result, then four bytes a move, then four zero
//! bytes. All numbers are little-endian; scores and results are White's.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | occupied squares |
//! | 8 | 16 | four bits a piece in the order of squares: bit 3 for Black; 0 pawn to 5 king, 6 a rook that may castle |
//! | 24 | 1 | bit 7 for Black to move; below it the en-passant square, or 64 |
//! | 25 | 1 | plies since the last capture or pawn move |
//! | 26 | 2 | number of the move |
//! | 28 | 2 | score, unused |
//! | 30 | 1 | result: 0 Black won, 1 drawn, 2 White won |
//! | 31 | 1 | unused |
//!
//! A move is from (6 bits), to (6), promotion (2: knight to queen) and kind (2: 0 ordinary, 1 en
//! passant, 2 castling as king takes rook, 3 promotion), followed by its 16-bit score.

use std::fmt;

use chess::{Bitboard, Board, Color, Move, MoveKind, Piece, PieceType, Position, Setup, Square};

use crate::rng::hash_bytes;

/// How many bytes the start position takes.
const HEADER_SIZE: usize = 32;
/// How many bytes a move with its score takes.
const MOVE_SIZE: usize = 4;
/// The longest game that is read, in bytes; more without an end is damage.
pub const MAX_GAME_SIZE: usize = HEADER_SIZE + MOVE_SIZE * 8192;

const ROOK_THAT_MAY_CASTLE: u8 = 6;

/// How a game ended: who won, if anybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum GameResult {
    BlackWins = 0,
    Draw = 1,
    WhiteWins = 2,
}

impl GameResult {
    /// All three, from Black's win to White's.
    pub const ALL: [Self; 3] = [Self::BlackWins, Self::Draw, Self::WhiteWins];

    /// The side that won.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::BlackWins => Some(Color::Black),
            Self::Draw => None,
            Self::WhiteWins => Some(Color::White),
        }
    }

    /// The result when this side wins.
    #[must_use]
    pub const fn win_for(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        })
    }
}

/// A move and the score, seen from White, that the search gave the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move that was played.
    pub mv: Move,
    /// Centipawns, positive when White is better.
    pub white_score: i16,
}

/// A game: where it began, what was played, how it ended. Every move is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The position in which it began.
    pub start: Position,
    /// How the game ended.
    pub result: GameResult,
    /// The moves in order.
    pub moves: Vec<ScoredMove>,
}

/// Why bytes are not a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The bytes end before the game does.
    Truncated,
    /// The start position is none.
    Start(String),
    /// A move is illegal; counted from 0.
    Move(usize),
    /// The game does not end within [`MAX_GAME_SIZE`].
    Endless,
    /// The compressed data end or make no sense.
    Compression,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("the data end inside a game"),
            Self::Start(reason) => write!(f, "bad start position: {reason}"),
            Self::Move(index) => write!(f, "illegal move at ply {index} of a game"),
            Self::Endless => f.write_str("a game without end"),
            Self::Compression => f.write_str("the compressed data are torn or corrupt"),
        }
    }
}

impl Game {
    /// A game without moves yet, drawn until said otherwise.
    #[must_use]
    pub const fn new(start: Position) -> Self {
        Self { start, result: GameResult::Draw, moves: Vec::new() }
    }

    /// Appends the game's bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        out.extend(encode_start(&self.start, self.result));
        for scored in &self.moves {
            out.extend(encode_move(scored.mv).to_le_bytes());
            out.extend(scored.white_score.to_le_bytes());
        }
        out.extend([0; MOVE_SIZE]);
    }

    /// Reads the game at the start of `bytes` and returns it with its size.
    ///
    /// # Errors
    /// When the bytes are no game or end too early.
    pub fn decode(bytes: &[u8]) -> Result<(Self, usize), GameError> {
        let (header, body) =
            bytes.split_first_chunk::<HEADER_SIZE>().ok_or(GameError::Truncated)?;
        let (start, result) = decode_start(header).map_err(GameError::Start)?;
        let mut game = Self { start, result, moves: Vec::new() };
        let mut position = start;
        for &[move_low, move_high, score_low, score_high] in body.as_chunks::<MOVE_SIZE>().0 {
            let size = HEADER_SIZE + (game.moves.len() + 1) * MOVE_SIZE;
            if [move_low, move_high, score_low, score_high] == [0; MOVE_SIZE] {
                return Ok((game, size));
            }
            if size >= MAX_GAME_SIZE {
                return Err(GameError::Endless);
            }
            let mv = decode_move(&position, u16::from_le_bytes([move_low, move_high]))
                .ok_or(GameError::Move(game.moves.len()))?;
            let white_score = i16::from_le_bytes([score_low, score_high]);
            game.moves.push(ScoredMove { mv, white_score });
            position.make(mv);
        }
        Err(GameError::Truncated)
    }

    /// Calls `visit` with every position that has a move, and that move, in order; returns the
    /// last position.
    pub fn replay(&self, mut visit: impl FnMut(&Position, ScoredMove)) -> Position {
        let mut position = self.start;
        for &scored in &self.moves {
            visit(&position, scored);
            position.make(scored.mv);
        }
        position
    }

    /// A hash of start position and moves. It does not depend on scores, on the result or on
    /// where the game is stored, so a game keeps its place in a split for ever.
    #[must_use]
    pub fn identity(&self) -> u64 {
        let mut bytes = encode_start(&self.start, GameResult::Draw).to_vec();
        bytes.extend(self.moves.iter().flat_map(|scored| encode_move(scored.mv).to_le_bytes()));
        hash_bytes(&bytes)
    }
}

/// Plies from the start of chess, as the number of the move tells.
#[must_use]
pub fn ply_of(position: &Position) -> usize {
    (usize::from(position.fullmove()).max(1) - 1) * 2 + position.side_to_move().index()
}

fn encode_start(start: &Position, result: GameResult) -> [u8; HEADER_SIZE] {
    let board = start.board();
    let mut bytes = [0; HEADER_SIZE];
    bytes[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (index, square) in board.occupied().into_iter().enumerate() {
        let Some(piece) = board.piece_at(square) else { continue };
        let kind = if start.castling_rooks().has(square) {
            ROOK_THAT_MAY_CASTLE
        } else {
            piece.kind().index() as u8
        };
        let code = kind | (piece.color().index() as u8) << 3;
        bytes[8 + index / 2] |= code << (4 * (index % 2));
    }
    let en_passant = start.en_passant().map_or(64, Square::index) as u8;
    bytes[24] = en_passant | (start.side_to_move().index() as u8) << 7;
    bytes[25] = start.halfmove_clock().min(100) as u8;
    bytes[26..28].copy_from_slice(&start.fullmove().to_le_bytes());
    bytes[30] = result as u8;
    bytes
}

fn decode_start(bytes: &[u8; HEADER_SIZE]) -> Result<(Position, GameResult), String> {
    let result = *GameResult::ALL
        .get(usize::from(bytes[30]))
        .ok_or_else(|| format!("{} is no result", bytes[30]))?;
    let occupied = bytes[..8].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte));
    let occupied = Bitboard(occupied);
    if occupied.count() > 32 {
        return Err(format!("{} pieces", occupied.count()));
    }
    let mut setup = Setup {
        board: Board::EMPTY,
        side: if bytes[24] >> 7 == 0 { Color::White } else { Color::Black },
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: u16::from(bytes[25]),
        fullmove: u16::from_le_bytes([bytes[26], bytes[27]]),
    };
    if setup.halfmove_clock > 100 {
        return Err(format!("{} plies without progress", setup.halfmove_clock));
    }
    setup.en_passant = match bytes[24] & 127 {
        square @ 0..64 => Some(Square::from_index(usize::from(square))),
        64 => None,
        other => return Err(format!("{other} is no en-passant square")),
    };
    for (index, square) in occupied.into_iter().enumerate() {
        let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 15;
        let color = if code >> 3 == 0 { Color::White } else { Color::Black };
        let kind = match code & 7 {
            ROOK_THAT_MAY_CASTLE => {
                setup.castling = setup.castling.with(square);
                PieceType::Rook
            }
            kind => *PieceType::ALL
                .get(usize::from(kind))
                .ok_or_else(|| format!("{code} is no piece's code"))?,
        };
        setup.board.put(Piece::new(color, kind), square);
    }
    let position = Position::from_setup(setup).map_err(|error| error.to_string())?;
    Ok((position, result))
}

fn encode_move(mv: Move) -> u16 {
    let squares = mv.from().index() as u16 | (mv.to().index() as u16) << 6;
    let kind = match mv.promotion() {
        Some(piece) => (piece.index() as u16 - 1) << 12 | 3 << 14,
        None if mv.is_castle() => 2 << 14,
        None if mv.is_en_passant() => 1 << 14,
        None => 0,
    };
    squares | kind
}

/// Reads a move and checks that it is legal.
fn decode_move(position: &Position, bits: u16) -> Option<Move> {
    let from = Square::from_index(usize::from(bits & 63));
    let to = Square::from_index(usize::from(bits >> 6 & 63));
    let promotion = usize::from(bits >> 12 & 3);
    if from == to {
        return None;
    }
    let capture = position.board().piece_at(to).is_some();
    let kind = match (bits >> 14, promotion) {
        (0, 0) if capture => MoveKind::Capture,
        (0, 0) => {
            let pawn = position.board().kind(PieceType::Pawn).has(from);
            let doubled = pawn && from.rank().distance(to.rank()) == 2;
            if doubled { MoveKind::DoublePush } else { MoveKind::Quiet }
        }
        (1, 0) => MoveKind::EnPassant,
        (2, 0) => MoveKind::Castle,
        (3, _) => MoveKind::promotion(PieceType::ALL[promotion + 1], capture),
        _ => return None,
    };
    let mv = Move::new(from, to, kind);
    position.is_legal(mv).then_some(mv)
}
