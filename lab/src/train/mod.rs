//! The trainer: supervised learning of the evaluation network on the processor.
//!
//! The network is `(768, mirrored by the king's file -> hidden) x 2 -> 1` with squared clipped
//! activation. Its output, through the logistic function, predicts a blend of the game's result and
//! the search's score; the loss is the squared error. A [`head`] that sees what the pieces do is trained afterwards.

pub mod net;
pub mod batch;
pub mod adam;
pub mod schedule;
pub mod config;
pub mod trainer;
pub mod checkpoint;
mod import;
pub mod export;
pub mod plot;
pub mod bench;
pub mod head;
pub mod cli;
pub mod head_cli;

pub use import::load_net;
