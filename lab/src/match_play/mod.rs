//! Matches of the engine against itself with something changed: for measuring what a technique is
//! worth, for deciding whether a change is one, and for tuning.
//!
//! Games are played in worker processes, because the parameters of a search belong to its process.

mod elo;
mod game;
mod variant;
mod workers;

pub use elo::{Elo, Sprt, Tally, Verdict};
pub use game::{Match, NodeClock, PairResult, Thinking};
pub use variant::Variant;
pub use workers::{PairRequest, Workers, serve};
