//! What the integers of a network stand for.

/// The integer that stands for 1.0 in feature weights and accumulators.
pub const INPUT_SCALE: i32 = 1020;
/// The integer that stands for 1.0 in output weights.
pub const OUTPUT_SCALE: i32 = 512;
/// A squared activation is shifted right by so many bits, so that it fits in 16 of them.
pub(crate) const ACTIVATION_SHIFT: u32 = 7;
/// The largest squared activation: that of [`INPUT_SCALE`].
pub const MAX_ACTIVATION: i32 = (INPUT_SCALE * INPUT_SCALE) >> ACTIVATION_SHIFT;
/// Centipawns for an output of 1.0 where nothing else is asked for. Each network has its own: that
/// of the sigmoid it was trained with, so that its scores are in the units of its data.
pub const DEFAULT_SCORE_SCALE: i32 = 400;
/// The scales that files may have; with them no score overflows.
pub const SCORE_SCALES: std::ops::RangeInclusive<i32> = 10..=4000;

/// Divides by a positive number and rounds to the nearest, the same way for both sides.
#[inline]
pub(crate) const fn divide_rounded(value: i64, by: i64) -> i64 {
    (value + value.signum() * (by / 2)) / by
}
