//! What the integers of a network stand for.

/// The integer that stands for 1.0 in feature weights and accumulators.
pub const INPUT_SCALE: i32 = 255;
/// The integer that stands for 1.0 in output weights.
pub const OUTPUT_SCALE: i32 = 64;
/// Centipawns for an output of 1.0.
pub const SCORE_SCALE: i32 = 400;
