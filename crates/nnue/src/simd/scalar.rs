//! Portable loops: the fallback for every processor and the reference for the others.
//!
//! They are inlined into the functions of the other back-ends where the compiler turns them into
//! the same instructions that one would write by hand.

use super::{Kernels, LANES, Line, ONE, Row};
use crate::activity::HeadInputs;
use crate::head::{CEILING, Head};
use crate::scales::ACTIVATION_SHIFT;

/// The back-end that needs nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scalar;

#[allow(dead_code, reason = "used where no vector back-end is compiled")]
impl Scalar {
    pub(super) const NAME: &str = "portable code";
    pub(super) const CERTAIN: Option<Self> = Some(Self);

    pub(super) const fn detect() -> Option<Self> {
        Some(Self)
    }
}

impl Kernels for Scalar {
    fn update<const N: usize, const ADDS: usize, const SUBS: usize>(
        self,
        source: &Row<N>,
        target: &mut Row<N>,
        adds: [&Row<N>; ADDS],
        subs: [&Row<N>; SUBS],
    ) {
        update(source, target, adds, subs);
    }

    fn refresh<const N: usize>(self, accumulator: &mut Row<N>, adds: &[&Row<N>], subs: &[&Row<N>]) {
        refresh(accumulator, adds, subs);
    }

    fn output<const N: usize>(self, accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i32 {
        let half = |index: usize| {
            let lines = accumulators[index].iter().zip(weights[index]);
            lines.map(|(values, weights)| line_output(values, weights)).sum::<i32>()
        };
        half(0) + half(1)
    }

    fn head(self, inputs: &HeadInputs, weights: &Head) -> i32 {
        head(inputs, weights)
    }
}

#[inline(always)]
pub(super) fn head(inputs: &HeadInputs, head: &Head) -> i32 {
    let mut sums = head.bias;
    let pairs = inputs.0.as_chunks::<2>().0;
    for (&[first, second], weights) in pairs.iter().zip(head.weights.iter()) {
        for (sum, &[one, two]) in sums.iter_mut().zip(weights.0.as_chunks::<2>().0) {
            *sum += i32::from(first) * i32::from(one) + i32::from(second) * i32::from(two);
        }
    }
    let activated = sums.map(|sum| sum.clamp(0, CEILING));
    activated.iter().zip(head.output_weights).map(|(&value, weight)| value * weight).sum()
}

/// One line's share of the output.
#[inline(always)]
fn line_output(values: &Line, weights: &Line) -> i32 {
    let mut sum = 0;
    for lane in 0..LANES {
        let value = i32::from(values.0[lane].clamp(0, ONE));
        let activation = (value * value + (1 << (ACTIVATION_SHIFT - 1))) >> ACTIVATION_SHIFT;
        sum += activation * i32::from(weights.0[lane]);
    }
    sum
}

#[inline(always)]
pub(super) fn update<const N: usize, const ADDS: usize, const SUBS: usize>(
    source: &Row<N>,
    target: &mut Row<N>,
    adds: [&Row<N>; ADDS],
    subs: [&Row<N>; SUBS],
) {
    for index in 0..N {
        for lane in 0..LANES {
            let mut value = source[index].0[lane];
            for add in adds {
                value = value.wrapping_add(add[index].0[lane]);
            }
            for sub in subs {
                value = value.wrapping_sub(sub[index].0[lane]);
            }
            target[index].0[lane] = value;
        }
    }
}

/// How many lines of the accumulator stay in registers while all rows pass by.
const TILE: usize = 2;

#[inline(always)]
pub(super) fn refresh<const N: usize>(
    accumulator: &mut Row<N>,
    adds: &[&Row<N>],
    subs: &[&Row<N>],
) {
    const { assert!(N.is_multiple_of(TILE)) };
    for (tile, lines) in accumulator.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
        let mut sums = *lines;
        for row in adds {
            combine(&mut sums, &row.as_chunks().0[tile], i16::wrapping_add);
        }
        for row in subs {
            combine(&mut sums, &row.as_chunks().0[tile], i16::wrapping_sub);
        }
        *lines = sums;
    }
}

#[inline(always)]
fn combine(sums: &mut [Line; TILE], row: &[Line; TILE], operation: fn(i16, i16) -> i16) {
    for (sums, values) in sums.iter_mut().zip(row) {
        for (sum, value) in sums.0.iter_mut().zip(values.0) {
            *sum = operation(*sum, value);
        }
    }
}
