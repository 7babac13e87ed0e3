//! 64-bit ARM processors, all of which have NEON.

#![allow(unsafe_code)]

use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddlvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16, vmaxq_s16,
    vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16,
};
use std::mem::transmute;

use super::{Kernels, Line, ONE, Row, fits_lanes, scalar};

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
    fn output<const N: usize>(self, accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i64 {
        // SAFETY: this module is compiled only where the build assumes NEON.
        unsafe { output(accumulators, weights) }
    }
}

/// Each of the sixteen lanes takes a sixteenth of the products, so 32 bits are enough until the
/// lanes are added up.
#[target_feature(enable = "neon")]
fn output<const N: usize>(accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i64 {
    const { assert!(fits_lanes::<N>(16)) };
    let mut sums = [vdupq_n_s32(0); 4];
    for (accumulator, weights) in accumulators.into_iter().zip(weights) {
        for (values, weights) in accumulator.iter().zip(weights) {
            let (values, weights) = (vectors(values), vectors(weights));
            for quarter in 0..4 {
                sums[quarter] = add_product(sums[quarter], values[quarter], weights[quarter]);
            }
        }
    }
    sums.into_iter().map(|lanes| vaddlvq_s32(lanes)).sum()
}

/// `sums + clamp(value)^2 * weight`.
#[inline]
#[target_feature(enable = "neon")]
fn add_product(sums: int32x4_t, values: int16x8_t, weights: int16x8_t) -> int32x4_t {
    let clipped = vminq_s16(vmaxq_s16(values, vdupq_n_s16(0)), vdupq_n_s16(ONE));
    let products = vmulq_s16(clipped, weights);
    let sums = vmlal_s16(sums, vget_low_s16(clipped), vget_low_s16(products));
    vmlal_high_s16(sums, clipped, products)
}

#[inline(always)]
fn vectors(line: &Line) -> [int16x8_t; 4] {
    // SAFETY: both are 64 bytes in which every bit pattern is valid.
    unsafe { transmute(line.0) }
}
