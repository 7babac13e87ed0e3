//! The rules of chess and Chess960: squares, moves, positions, notation. No I/O, no
//! dependencies, no evaluation.
//!
//! A [`Position`] is a small value. To look ahead, copy it and [`make`](Position::make) a move:
//!
//! ```
//! use chess::Position;
//! let start = Position::startpos();
//! let mut next = start;
//! next.make(start.parse_san("e4")?);
//! assert_eq!(next.to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! # Ok::<(), chess::SanError>(())
//! ```

#![forbid(unsafe_code)]

// From the bottom up: a module imports only from those above it.
pub mod rng;
mod color;
mod square;
mod piece;
mod bitboard;
mod moves;
pub mod geometry;
mod magics;
pub mod attacks;
mod zobrist;
mod board;
mod position;
mod setup;
mod make;
mod generate;
mod legal;
mod see;
mod repetition;
mod chess960;
mod fen;
mod notation;
mod san;
mod perft;
mod random_moves;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use chess960::{chess960, double_chess960};
pub use color::Color;
pub use fen::FenError;
pub use generate::{CheckInfo, Sink};
pub use moves::{Delta, MAX_MOVES, Move, MoveKind, MoveList};
pub use notation::{Castling, MoveTextError};
pub use perft::{HashedPerft, divide, perft};
pub use piece::{Piece, PieceType, Placed};
pub use position::{Outcome, Position};
pub use repetition::KeyHistory;
pub use san::SanError;
pub use see::exchange_value;
pub use setup::{PositionError, Setup};
pub use square::{File, Rank, Square};
