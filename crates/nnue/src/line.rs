//! Sixteen-bit numbers in whole cache lines.

/// How many 16-bit values a [`Line`] holds.
pub(crate) const LANES: usize = 32;

/// One cache line of an accumulator or of a row of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [i16; LANES]);

impl Line {
    pub(crate) const ZERO: Self = Self([0; LANES]);
}

/// An accumulator, or one row of weights, of `N` cache lines.
pub(crate) type Row<const N: usize> = [Line; N];
