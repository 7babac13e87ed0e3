//! Self-play: games for the network to learn from.
//!
//! Every game is a function of the seed and its number alone, so that a run can be repeated, and
//! a run that was stopped goes on where it stopped.

pub mod cli;
mod play;
mod run;

pub(crate) use play::white_score;
pub use play::{GameRules, play_game, play_on};
pub use run::{Plan, Tally, run};
