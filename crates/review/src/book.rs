//! Opening books in Polyglot's format: sorted records of 16 bytes, each a move with its weight in a
//! position that is known by a key. The keys are the format's own; `shakmaty` has their numbers.
//!
//! Books are for playing and for reviews. The search never asks one.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

use chess::{Color, Move, PieceType, Position, Rank, Square};
use shakmaty::zobrist::{Zobrist64, ZobristValue};

use crate::tree::{GameResult, GameTree};

const RECORD: usize = 16;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move, legal in the position asked for.
    pub mv: Move,
    /// How often to play it, beside the others.
    pub weight: u16,
}

/// Why a file is not a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookError {
    /// The length is not a multiple of sixteen.
    Length(usize),
    /// The records are not sorted: this one is out of order.
    Order(usize),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(length) => {
                write!(f, "not a Polyglot book: {length} bytes are not whole records of {RECORD}")
            }
            Self::Order(record) => {
                write!(f, "not a Polyglot book: record {record} is out of order")
            }
        }
    }
}

impl std::error::Error for BookError {}

/// An opening book in memory.
#[derive(Clone, Debug)]
pub struct Book {
    bytes: Vec<u8>,
}

impl Book {
    /// The book that a file holds.
    ///
    /// # Errors
    /// If it does not hold a book.
    pub fn new(bytes: Vec<u8>) -> Result<Self, BookError> {
        if !bytes.len().is_multiple_of(RECORD) {
            return Err(BookError::Length(bytes.len()));
        }
        let book = Self { bytes };
        match (1..book.len()).find(|&record| book.key(record - 1) > book.key(record)) {
            Some(record) => Err(BookError::Order(record)),
            None => Ok(book),
        }
    }

    /// How many records it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len() / RECORD
    }

    /// Whether it knows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn number<const N: usize>(&self, record: usize, offset: usize) -> [u8; N] {
        let start = record * RECORD + offset;
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.bytes[start..start + N]);
        bytes
    }

    fn key(&self, record: usize) -> u64 {
        u64::from_be_bytes(self.number(record, 0))
    }

    /// The moves it knows in a position, heaviest first.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<BookMove> {
        let key = polyglot_key(position);
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.key(middle) < key { low = middle + 1 } else { high = middle }
        }
        let mut moves: Vec<BookMove> = (low..self.len())
            .take_while(|&record| self.key(record) == key)
            .filter_map(|record| {
                let mv = decode(u16::from_be_bytes(self.number(record, 8)), position)?;
                Some(BookMove { mv, weight: u16::from_be_bytes(self.number(record, 10)) })
            })
            .collect();
        moves.sort_by_key(|known| std::cmp::Reverse(known.weight));
        moves
    }

    /// One of the moves, by weight: the same for the same number.
    #[must_use]
    pub fn choose(&self, position: &Position, number: u64) -> Option<Move> {
        let moves = self.moves(position);
        let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
        let mut left = number.checked_rem(total)?;
        for known in moves {
            match left.checked_sub(u64::from(known.weight)) {
                Some(rest) => left = rest,
                None => return Some(known.mv),
            }
        }
        None
    }

    /// One of the moves, by weight and chance.
    #[must_use]
    pub fn pick(&self, position: &Position) -> Option<Move> {
        self.choose(position, RandomState::new().hash_one(0))
    }

    /// How many moves of a game are in the book, from its beginning.
    #[must_use]
    pub fn plies_of(&self, game: &GameTree) -> usize {
        let positions = game.positions();
        let plies = game.main.plies.iter().zip(&positions);
        plies
            .take_while(|(ply, position)| {
                self.moves(position).iter().any(|known| Some(known.mv) == ply.mv)
            })
            .count()
    }
}

/// Makes a book of games.
#[derive(Clone, Debug, Default)]
pub struct BookMaker {
    /// Games and points of each move in each position.
    counts: BTreeMap<(u64, u16), Count>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: u32,
    /// Two for a win, one for a draw.
    points: u32,
}

impl BookMaker {
    /// Takes in the first `plies` moves of a game. Games without a result teach nothing.
    pub fn add(&mut self, game: &GameTree, plies: usize) {
        let mut position = game.start;
        for mv in game.moves().into_iter().take(plies) {
            let points = match (game.result, position.side_to_move()) {
                (GameResult::Unknown, _) => return,
                (GameResult::White, Color::White) | (GameResult::Black, Color::Black) => 2,
                (GameResult::Draw, _) => 1,
                (GameResult::White, Color::Black) | (GameResult::Black, Color::White) => 0,
            };
            let count = self.counts.entry((polyglot_key(&position), encode(mv))).or_default();
            count.games += 1;
            count.points += points;
            position.make(mv);
        }
    }

    /// The book, with the moves that were played in at least so many games and did not always
    /// lose.
    #[must_use]
    pub fn finish(&self, min_games: u32) -> Book {
        let mut bytes = Vec::new();
        let kept: Vec<_> = self
            .counts
            .iter()
            .filter(|(_, count)| count.games >= min_games && count.points > 0)
            .collect();
        for group in kept.chunk_by(|((one, _), _), ((other, _), _)| one == other) {
            let most = group.iter().map(|(_, count)| count.points).max().unwrap_or(1);
            let scale = most.div_ceil(u32::from(u16::MAX));
            let mut group: Vec<_> = group.to_vec();
            group.sort_by_key(|((_, mv), count)| (std::cmp::Reverse(count.points), *mv));
            for ((key, mv), count) in group {
                let weight = (count.points / scale).clamp(1, u32::from(u16::MAX)) as u16;
                bytes.extend_from_slice(&key.to_be_bytes());
                bytes.extend_from_slice(&mv.to_be_bytes());
                bytes.extend_from_slice(&weight.to_be_bytes());
                bytes.extend_from_slice(&[0; 4]);
            }
        }
        Book { bytes }
    }
}

impl Book {
    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The kinds of promotion by their number in the format.
const PROMOTIONS: [PieceType; 4] =
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

fn decode(bits: u16, position: &Position) -> Option<Move> {
    let square = |shift: u16| Square::from_index(usize::from(bits >> shift & 63));
    let promotion = match usize::from(bits >> 12 & 7) {
        0 => None,
        number => Some(*PROMOTIONS.get(number - 1)?),
    };
    position.find_move(square(6), square(0), promotion)
}

fn encode(mv: Move) -> u16 {
    let promotion =
        mv.promotion().and_then(|kind| PROMOTIONS.iter().position(|&known| known == kind));
    let promotion = promotion.map_or(0, |index| index as u16 + 1);
    promotion << 12 | (mv.from().index() as u16) << 6 | mv.to().index() as u16
}

/// The key of a position in Polyglot's books.
#[must_use]
pub fn polyglot_key(position: &Position) -> u64 {
    let mut key = Zobrist64::default();
    let board = position.board();
    for square in board.occupied() {
        if let Some(piece) = board.piece_at(square) {
            let piece = shakmaty::Piece { color: color(piece.color()), role: role(piece.kind()) };
            key ^=
                Zobrist64::zobrist_for_piece(shakmaty::Square::new(square.index() as u32), piece);
        }
    }
    for rook in position.castling_rooks() {
        let us = if rook.rank() == Rank::R1 { Color::White } else { Color::Black };
        let side = match rook > board.king(us) {
            true => shakmaty::CastlingSide::KingSide,
            false => shakmaty::CastlingSide::QueenSide,
        };
        key ^= Zobrist64::zobrist_for_castling_right(color(us), side);
    }
    // The format asks for a pawn that could capture; the position keeps the square only if it may.
    if let Some(square) = position.en_passant() {
        let file = shakmaty::File::new(square.file().index() as u32);
        key ^= Zobrist64::zobrist_for_en_passant_file(file);
    }
    if position.side_to_move() == Color::White {
        key ^= Zobrist64::zobrist_for_white_turn();
    }
    key.0
}

fn color(color: Color) -> shakmaty::Color {
    match color {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    }
}

fn role(kind: PieceType) -> shakmaty::Role {
    match kind {
        PieceType::Pawn => shakmaty::Role::Pawn,
        PieceType::Knight => shakmaty::Role::Knight,
        PieceType::Bishop => shakmaty::Role::Bishop,
        PieceType::Rook => shakmaty::Role::Rook,
        PieceType::Queen => shakmaty::Role::Queen,
        PieceType::King => shakmaty::Role::King,
    }
}
