//! For engine makers: data tools and the trainer of the network.
//!
//! Everything that the program `halcyon-lab` does is a function here; the program only reads
//! arguments and prints.

mod say;
pub mod svg;
pub mod data;
pub mod datagen;
pub mod contest;
pub mod ablate;
pub mod sprt;
pub mod spsa;
pub mod train;
pub mod wdl;

pub use batch::Error;
pub use engine::rng;
pub use say::line as say;
