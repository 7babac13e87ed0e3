//! For engine makers: data tools and the trainer of the network.
//!
//! Everything that the program `halcyon-lab` does is a function here; the program only reads
//! arguments and prints.

mod say;
pub mod svg;
mod network_file;
mod processor_time;
pub mod data;
pub mod book;
pub mod datagen;
pub mod rescore;
pub mod match_play;
pub mod ablate;
pub mod sprt;
pub mod levels;
pub mod likeness;
pub mod spsa;
pub mod train;
pub mod judge;
pub mod wdl;
pub mod puzzles;

pub use batch::Error;
pub use chess::rng;
pub use say::line as say;
