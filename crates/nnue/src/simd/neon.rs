//! 64-bit ARM processors, all of which have NEON.

#![allow(unsafe_code)]

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vmaxq_s16, vminq_s16,
    vmlal_high_s16, vmlal_s16, vqrdmulhq_s16, vshlq_n_s16,
};
use std::mem::transmute;

use super::{DOUBLINGS, Kernels, Line, ONE, Row, scalar};
use crate::activity::HeadInputs;
use crate::head::Head;

/// The back-end that every build for this architecture may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neon;

impl Neon {
    pub(super) const NAME: &str = "NEON";
    pub(super) const CERTAIN: Option<Self> = Some(Self);

    pub(super) const fn detect() -> Option<Self> {
        Some(Self)
    }
}

impl Kernels for Neon {
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
        // SAFETY: this module is compiled only where the build assumes NEON.
        unsafe { output(accumulators, weights) }
    }

    #[inline]
    fn head(self, inputs: &HeadInputs, head: &Head) -> i32 {
        scalar::head(inputs, head)
    }
}

#[target_feature(enable = "neon")]
fn output<const N: usize>(accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i32 {
    let mut sums = [vdupq_n_s32(0); 4];
    for (accumulator, weights) in accumulators.into_iter().zip(weights) {
        for (values, weights) in accumulator.iter().zip(weights) {
            let (values, weights) = (vectors(values), vectors(weights));
            for quarter in 0..4 {
                sums[quarter] = add_product(sums[quarter], values[quarter], weights[quarter]);
            }
        }
    }
    sums.into_iter().map(|lanes| vaddvq_s32(lanes)).sum()
}

/// `sums + activation(value) * weight`. The doubling high multiplication does not saturate: no
/// factor is negative.
#[inline]
#[target_feature(enable = "neon")]
fn add_product(sums: int32x4_t, values: int16x8_t, weights: int16x8_t) -> int32x4_t {
    let clipped = vminq_s16(vmaxq_s16(values, vdupq_n_s16(0)), vdupq_n_s16(ONE));
    let doubled = vshlq_n_s16::<{ DOUBLINGS as i32 }>(clipped);
    let activation = vqrdmulhq_s16(doubled, doubled);
    let sums = vmlal_s16(sums, vget_low_s16(activation), vget_low_s16(weights));
    vmlal_high_s16(sums, activation, weights)
}

#[inline(always)]
fn vectors(line: &Line) -> [int16x8_t; 4] {
    // SAFETY: both are 64 bytes in which every bit pattern is valid.
    unsafe { transmute(line.0) }
}
