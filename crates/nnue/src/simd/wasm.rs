//! WebAssembly with 128-bit vectors. A module either has them or does not load, so there is nothing
//! to find out at run time.

#![allow(unsafe_code)]

use std::arch::wasm32::{
    i16x8_max, i16x8_min, i16x8_q15mulr_sat, i16x8_shl, i16x8_splat, i32x4_add, i32x4_dot_i16x8,
    i32x4_extract_lane, i32x4_max, i32x4_min, i32x4_mul, i32x4_splat, v128,
};
use std::mem::transmute;

use super::{DOUBLINGS, Kernels, Line, ONE, Row, scalar};
use crate::activity::HeadInputs;
use crate::head::{CEILING, HEAD_NEURONS, Head};

/// The back-end that a build with 128-bit vectors may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simd128;

impl Simd128 {
    pub(super) const NAME: &str = "SIMD128";
    pub(super) const CERTAIN: Option<Self> = Some(Self);

    pub(super) const fn detect() -> Option<Self> {
        Some(Self)
    }
}

impl Kernels for Simd128 {
    #[inline]
    fn update<const N: usize, const ADDS: usize, const SUBS: usize>(
        self,
        source: &Row<N>,
        target: &mut Row<N>,
        adds: [&Row<N>; ADDS],
        subs: [&Row<N>; SUBS],
    ) {
        scalar::update(source, target, adds, subs);
    }

    #[inline]
    fn refresh<const N: usize>(self, accumulator: &mut Row<N>, adds: &[&Row<N>], subs: &[&Row<N>]) {
        scalar::refresh(accumulator, adds, subs);
    }

    #[inline]
    fn output<const N: usize>(self, accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i32 {
        let mut sums = [i32x4_splat(0); 4];
        for (accumulator, weights) in accumulators.into_iter().zip(weights) {
            for (values, weights) in accumulator.iter().zip(weights) {
                let (values, weights) = (vectors(values), vectors(weights));
                for quarter in 0..4 {
                    let share = i32x4_dot_i16x8(activation(values[quarter]), weights[quarter]);
                    sums[quarter] = i32x4_add(sums[quarter], share);
                }
            }
        }
        sums.into_iter().map(add_lanes).sum()
    }

    #[inline]
    fn head(self, inputs: &HeadInputs, head: &Head) -> i32 {
        let mut sums: [v128; HEAD_NEURONS / 4] = fours(&head.bias);
        let pairs = inputs.0.as_chunks::<2>().0;
        for (pair, weights) in pairs.iter().zip(head.weights.iter()) {
            let pair = i32x4_splat(i32::from(pair[1]) << 16 | i32::from(pair[0].cast_unsigned()));
            for (sum, weights) in sums.iter_mut().zip(vectors(weights)) {
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(pair, weights));
            }
        }
        let (zero, ceiling) = (i32x4_splat(0), i32x4_splat(CEILING));
        sums.into_iter()
            .zip(fours(&head.output_weights))
            .map(|(sum, weights)| {
                let activated = i32x4_min(i32x4_max(sum, zero), ceiling);
                add_lanes(i32x4_mul(activated, weights))
            })
            .sum()
    }
}

/// `clamp(value)^2`, shifted and rounded.
#[inline]
fn activation(values: v128) -> v128 {
    let clipped = i16x8_min(i16x8_max(values, i16x8_splat(0)), i16x8_splat(ONE));
    let doubled = i16x8_shl(clipped, DOUBLINGS);
    i16x8_q15mulr_sat(doubled, doubled)
}

#[inline]
fn add_lanes(lanes: v128) -> i32 {
    i32x4_extract_lane::<0>(lanes)
        + i32x4_extract_lane::<1>(lanes)
        + i32x4_extract_lane::<2>(lanes)
        + i32x4_extract_lane::<3>(lanes)
}

#[inline(always)]
fn fours(values: &[i32; HEAD_NEURONS]) -> [v128; HEAD_NEURONS / 4] {
    // SAFETY: both are 64 bytes in which every bit pattern is valid.
    unsafe { transmute(*values) }
}

#[inline(always)]
fn vectors(line: &Line) -> [v128; 4] {
    // SAFETY: both are 64 bytes in which every bit pattern is valid.
    unsafe { transmute(line.0) }
}
