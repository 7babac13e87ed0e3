//! x86-64 processors with AVX2.

#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_max_epi16,
    _mm256_max_epi32, _mm256_min_epi16, _mm256_min_epi32, _mm256_mulhrs_epi16, _mm256_mullo_epi32,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi16,
};
use std::mem::transmute;

use super::{DOUBLINGS, Kernels, Line, ONE, Row, scalar};
use crate::activity::{HEAD_INPUTS, HeadInputs};
use crate::head::{CEILING, HEAD_NEURONS, Head};

/// Proof that the processor has AVX2: there is no other way to make one than to find out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) const NAME: &str = "AVX2";

    /// Present if the whole program is built for processors with AVX2.
    pub(super) const CERTAIN: Option<Self> =
        if cfg!(target_feature = "avx2") { Some(Self(())) } else { None };

    /// Asks the processor.
    pub(super) fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

impl Kernels for Avx2 {
    #[inline(always)]
    fn update<const N: usize, const ADDS: usize, const SUBS: usize>(
        self,
        source: &Row<N>,
        target: &mut Row<N>,
        adds: [&Row<N>; ADDS],
        subs: [&Row<N>; SUBS],
    ) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { update(source, target, adds, subs) }
    }

    #[inline(always)]
    fn refresh<const N: usize>(self, accumulator: &mut Row<N>, adds: &[&Row<N>], subs: &[&Row<N>]) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { refresh(accumulator, adds, subs) }
    }

    #[inline(always)]
    fn output<const N: usize>(self, accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i32 {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { output(accumulators, weights) }
    }

    #[inline(always)]
    fn head(self, inputs: &HeadInputs, weights: &Head) -> i32 {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { head(inputs, weights) }
    }
}

/// Eight neurons of the head in a register.
const PARTS: usize = HEAD_NEURONS / 8;

#[target_feature(enable = "avx2")]
fn head(inputs: &HeadInputs, head: &Head) -> i32 {
    let pairs = pairs(inputs);
    // Even and odd pairs have sums of their own, so that additions wait for each other half as long.
    let mut sums = [eights(&head.bias), [_mm256_setzero_si256(); PARTS]];
    let (weights, _) = head.weights.as_chunks::<2>();
    for (pairs, lines) in pairs.as_chunks::<2>().0.iter().zip(weights) {
        for half in 0..2 {
            let pair = _mm256_set1_epi32(pairs[half]);
            for (sum, weights) in sums[half].iter_mut().zip(vectors(&lines[half])) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pair, weights));
            }
        }
    }
    let [even, odd] = sums;
    let sums = std::array::from_fn::<_, PARTS, _>(|part| _mm256_add_epi32(even[part], odd[part]));
    let (zero, ceiling) = (_mm256_setzero_si256(), _mm256_set1_epi32(CEILING));
    let mut total = zero;
    for (sum, weights) in sums.into_iter().zip(eights(&head.output_weights)) {
        let activated = _mm256_min_epi32(_mm256_max_epi32(sum, zero), ceiling);
        total = _mm256_add_epi32(total, _mm256_mullo_epi32(activated, weights));
    }
    add_lanes(total)
}

/// The inputs two by two, as the multiplication takes them.
#[inline(always)]
fn pairs(inputs: &HeadInputs) -> [i32; HEAD_INPUTS / 2] {
    // SAFETY: both are 384 bytes in which every bit pattern is valid.
    unsafe { transmute(inputs.0) }
}

#[inline(always)]
fn eights(values: &[i32; HEAD_NEURONS]) -> [__m256i; PARTS] {
    // SAFETY: both are 64 bytes in which every bit pattern is valid.
    unsafe { transmute(*values) }
}

#[target_feature(enable = "avx2")]
fn update<const N: usize, const ADDS: usize, const SUBS: usize>(
    source: &Row<N>,
    target: &mut Row<N>,
    adds: [&Row<N>; ADDS],
    subs: [&Row<N>; SUBS],
) {
    scalar::update(source, target, adds, subs);
}

#[target_feature(enable = "avx2")]
fn refresh<const N: usize>(accumulator: &mut Row<N>, adds: &[&Row<N>], subs: &[&Row<N>]) {
    scalar::refresh(accumulator, adds, subs);
}

#[target_feature(enable = "avx2")]
fn output<const N: usize>(accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i32 {
    let mut sums = [_mm256_setzero_si256(); 2];
    for (accumulator, weights) in accumulators.into_iter().zip(weights) {
        for (values, weights) in accumulator.iter().zip(weights) {
            let (values, weights) = (vectors(values), vectors(weights));
            for half in 0..2 {
                let share = _mm256_madd_epi16(activation(values[half]), weights[half]);
                sums[half] = _mm256_add_epi32(sums[half], share);
            }
        }
    }
    add_lanes(_mm256_add_epi32(sums[0], sums[1]))
}

/// `clamp(value)^2`, shifted and rounded.
#[inline]
#[target_feature(enable = "avx2")]
fn activation(values: __m256i) -> __m256i {
    let one = _mm256_set1_epi16(ONE);
    let clipped = _mm256_min_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), one);
    let doubled = _mm256_slli_epi16::<{ DOUBLINGS as i32 }>(clipped);
    _mm256_mulhrs_epi16(doubled, doubled)
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_lanes(lanes: __m256i) -> i32 {
    let low = _mm256_castsi256_si128(lanes);
    let four = _mm_add_epi32(low, _mm256_extracti128_si256::<1>(lanes));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b00_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
}

#[inline(always)]
fn vectors(line: &Line) -> [__m256i; 2] {
    // SAFETY: both are 64 bytes in which every bit pattern is valid.
    unsafe { transmute(line.0) }
}
