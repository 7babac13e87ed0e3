//! Rescoring: better labels for positions of games that were cheap to play.
//!
//! A search of a few hundred nodes knows hardly more than the network that guides it, so its scores
//! teach little. The games still have variety. Rescoring takes positions of them that are far apart
//! and labels each with a deep search of its own.
//!
//! The labels of a game depend on the game, the seed and the settings alone: not on the number of
//! threads, and not on where a run was interrupted.

pub mod cli;
mod label;
mod progress;
mod run;

pub use label::{Label, LabelRules, label_game};
pub use progress::Progress;
pub use run::{Counts, OutputFormat, Plan, run};
