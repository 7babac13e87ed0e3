//! The judge: how much of the truth an evaluation knows.
//!
//! A set of quiet positions from balanced games with natural openings, each labelled once by a deep
//! search, measures networks on what they were not trained for. An evaluation is turned into an
//! expected score with the scale that suits it best; what counts is the share of the variance of the
//! labels' expected scores that it explains.

pub mod cli;
mod measure;
mod set;

pub use measure::{Fit, PHASES, Phase, fit};
pub use set::{Judged, read_set};
