//! From scores to the chances of winning, drawing and losing: a model fitted to games.
//!
//! The chance to win from a score `x` is `1 / (1 + exp((half - x) / spread))`; the chance to lose
//! is the same for `-x`, and what is left is the chance to draw. `half` and `spread` are
//! polynomials of the material on the board.

pub mod cli;
pub mod own_games;
mod fit;
mod table;

pub use fit::{Fit, Model, TERMS};
pub use table::{Cell, ResultTable};
