//! Tuning by simultaneous perturbation: all parameters are moved a little at once, one way for one
//! player and the other way for the other, and follow whoever wins.

pub mod cli;
mod climb;

pub use climb::{Climb, Dimension};
