//! WebAssembly with 128-bit vectors. A module either has them or does not load, so there is nothing
//! to find out at run time.

#![allow(unsafe_code)]

use std::arch::wasm32::{
    i16x8_max, i16x8_min, i16x8_mul, i16x8_splat, i32x4_add, i32x4_dot_i16x8, i32x4_splat,
    i64x2_add, i64x2_extend_high_i32x4, i64x2_extend_low_i32x4, i64x2_extract_lane, v128,
};
use std::mem::transmute;

use super::{Kernels, Line, ONE, Row, fits_lanes, scalar};

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

    /// Each of the sixteen lanes takes a sixteenth of the products, so 32 bits are enough until the
    /// lanes are added up.
    #[inline]
    fn output<const N: usize>(self, accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i64 {
        const { assert!(fits_lanes::<N>(16)) };
        let mut sums = [i32x4_splat(0); 4];
        for (accumulator, weights) in accumulators.into_iter().zip(weights) {
            for (values, weights) in accumulator.iter().zip(weights) {
                let (values, weights) = (vectors(values), vectors(weights));
                for quarter in 0..4 {
                    let share = squared_product(values[quarter], weights[quarter]);
                    sums[quarter] = i32x4_add(sums[quarter], share);
                }
            }
        }
        sums.into_iter().map(add_lanes).sum()
    }
}

/// `clamp(value)^2 * weight`, neighbours added in pairs.
#[inline]
fn squared_product(values: v128, weights: v128) -> v128 {
    let clipped = i16x8_min(i16x8_max(values, i16x8_splat(0)), i16x8_splat(ONE));
    i32x4_dot_i16x8(clipped, i16x8_mul(clipped, weights))
}

#[inline]
fn add_lanes(lanes: v128) -> i64 {
    let two = i64x2_add(i64x2_extend_low_i32x4(lanes), i64x2_extend_high_i32x4(lanes));
    i64x2_extract_lane::<0>(two) + i64x2_extract_lane::<1>(two)
}

#[inline(always)]
fn vectors(line: &Line) -> [v128; 4] {
    // SAFETY: both are 64 bytes in which every bit pattern is valid.
    unsafe { transmute(line.0) }
}
