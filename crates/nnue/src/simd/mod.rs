//! The loops over accumulators, once for each kind of processor.
//!
//! Every back-end offers the same [`Kernels`] and gives the same bits. The best one that the
//! processor has is chosen when a network is loaded; where the build already assumes it, the choice
//! is made by the compiler and costs nothing.

mod scalar;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
use avx2::Avx2 as Vector;

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use neon::Neon as Vector;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use wasm::Simd128 as Vector;

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128"),
)))]
use scalar::Scalar as Vector;

use scalar::Scalar;

use crate::activity::HeadInputs;
use crate::head::Head;
pub(crate) use crate::line::{LANES, Line, Row};

#[cfg(test)]
mod tests;

/// The value that stands for 1.0 in an accumulator, where the activation is clipped.
const ONE: i16 = crate::INPUT_SCALE as i16;

/// Doubled so often, a clipped value makes the rounding high multiplication, which shifts by 15, shift
/// by [`ACTIVATION_SHIFT`](crate::scales::ACTIVATION_SHIFT).
#[allow(dead_code, reason = "portable code shifts by itself")]
const DOUBLINGS: u32 = (15 - crate::scales::ACTIVATION_SHIFT) / 2;
const _: () = assert!(2 * DOUBLINGS + crate::scales::ACTIVATION_SHIFT == 15);
const _: () = assert!((ONE as i32) << DOUBLINGS <= i16::MAX as i32);

/// What a back-end computes.
pub(crate) trait Kernels: Copy {
    /// `target = source + adds - subs`, read and written once.
    fn update<const N: usize, const ADDS: usize, const SUBS: usize>(
        self,
        source: &Row<N>,
        target: &mut Row<N>,
        adds: [&Row<N>; ADDS],
        subs: [&Row<N>; SUBS],
    );

    /// `accumulator += adds - subs`, for any number of rows.
    fn refresh<const N: usize>(self, accumulator: &mut Row<N>, adds: &[&Row<N>], subs: &[&Row<N>]);

    /// The sum of `activation(value) * weight` over both accumulators, where the activation is
    /// `clamp(value, 0, ONE)^2` shifted right by seven bits and rounded. [`Parameters::check`] makes
    /// sure that no part of the sum leaves 32 bits.
    ///
    /// [`Parameters::check`]: crate::Parameters::check
    fn output<const N: usize>(self, accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i32;

    /// The weighted sum of a head's neurons, without the output bias.
    fn head(self, inputs: &HeadInputs, head: &Head) -> i32;
}

/// The back-end chosen for this processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Backend {
    /// `None` if the processor has only what every processor of its architecture has.
    vector: Option<Vector>,
}

impl Backend {
    /// Asks the processor.
    pub(crate) fn detect() -> Self {
        Self { vector: Vector::detect() }
    }

    /// What it is called, and whether that was certain before the processor was asked.
    pub(crate) fn name(self) -> (&'static str, bool) {
        (self.vector().map_or(Scalar::NAME, |_| Vector::NAME), Vector::CERTAIN.is_some())
    }

    /// The back-end for this processor; a constant where the build already knows it.
    #[inline(always)]
    fn vector(self) -> Option<Vector> {
        Vector::CERTAIN.or(self.vector)
    }
}

impl Kernels for Backend {
    #[inline(always)]
    fn update<const N: usize, const ADDS: usize, const SUBS: usize>(
        self,
        source: &Row<N>,
        target: &mut Row<N>,
        adds: [&Row<N>; ADDS],
        subs: [&Row<N>; SUBS],
    ) {
        match self.vector() {
            Some(vector) => vector.update(source, target, adds, subs),
            None => Scalar.update(source, target, adds, subs),
        }
    }

    #[inline(always)]
    fn refresh<const N: usize>(self, accumulator: &mut Row<N>, adds: &[&Row<N>], subs: &[&Row<N>]) {
        match self.vector() {
            Some(vector) => vector.refresh(accumulator, adds, subs),
            None => Scalar.refresh(accumulator, adds, subs),
        }
    }

    #[inline(always)]
    fn output<const N: usize>(self, accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i32 {
        match self.vector() {
            Some(vector) => vector.output(accumulators, weights),
            None => Scalar.output(accumulators, weights),
        }
    }

    #[inline(always)]
    fn head(self, inputs: &HeadInputs, head: &Head) -> i32 {
        match self.vector() {
            Some(vector) => vector.head(inputs, head),
            None => Scalar.head(inputs, head),
        }
    }
}
