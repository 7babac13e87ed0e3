//! The coach measured against Lichess's puzzles: motifs, acceptance and difficulty.

mod file;
pub mod motifs;
pub mod check;
pub mod sentences;
pub mod cost;

pub use file::{Puzzle, read};
