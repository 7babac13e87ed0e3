//! How settings change while training goes on, and in which order positions come.

use std::f64::consts::PI;

use crate::rng::Rng;

/// A learning rate that rises linearly during warm-up and then falls along half a cosine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRate {
    /// Highest rate, at the end of warm-up.
    pub start: f32,
    /// Rate of the last step.
    pub end: f32,
    /// Steps in which the rate grows to its full value.
    pub warm_up: u64,
}

impl LearningRate {
    /// The rate of a step, counted from 0, of `total`.
    #[must_use]
    pub fn at(self, step: u64, total: u64) -> f32 {
        if step < self.warm_up {
            return self.start * (step + 1) as f32 / self.warm_up as f32;
        }
        let done = progress(step - self.warm_up, total.saturating_sub(self.warm_up));
        let height = f64::midpoint((done * PI).cos(), 1.0);
        (f64::from(self.end) + f64::from(self.start - self.end) * height) as f32
    }
}

/// The share of the game's result in the target: constant, or changing linearly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blend {
    /// Share at the first step.
    pub start: f32,
    /// Share at the last step.
    pub end: f32,
}

impl Blend {
    /// The share at a step of `total`.
    #[must_use]
    pub fn at(self, step: u64, total: u64) -> f32 {
        self.start + (self.end - self.start) * progress(step, total) as f32
    }
}

/// 0 for the first of `total` steps, 1 for the last.
fn progress(step: u64, total: u64) -> f64 {
    (step as f64 / total.saturating_sub(1).max(1) as f64).min(1.0)
}

/// The order of positions in one epoch.
///
/// The positions were shuffled one by one when they were loaded. A large set is then only shuffled
/// in runs of neighbours, which keeps memory access sequential and the order small.
#[derive(Clone, Debug)]
pub struct EpochOrder {
    epoch: u64,
    /// Positions in a run, as a power of two.
    run_bits: u32,
    runs: Vec<u32>,
}

impl EpochOrder {
    /// Sets up to this size are shuffled one by one.
    const SMALL: usize = 1 << 22;
    const RUN_BITS: u32 = 6;

    /// The order of `count` positions in an epoch.
    #[must_use]
    pub fn new(count: usize, seed: u64, epoch: u64) -> Self {
        let run_bits = if count <= Self::SMALL { 0 } else { Self::RUN_BITS };
        let runs = u32::try_from(count >> run_bits).unwrap_or(u32::MAX);
        let mut runs: Vec<u32> = (0..runs).collect();
        Rng::derived(seed, epoch).shuffle(&mut runs);
        Self { epoch, run_bits, runs }
    }

    /// Which epoch it is for.
    #[must_use]
    pub const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// How many positions the order has; a few of the set may be missing.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.len() << self.run_bits
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Which position comes at this place.
    #[inline]
    #[must_use]
    pub fn at(&self, place: usize) -> usize {
        let run = self.runs[place >> self.run_bits] as usize;
        (run << self.run_bits) | (place & ((1 << self.run_bits) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_rate_warms_up_and_falls_to_its_end() {
        let rate = LearningRate { start: 1e-3, end: 5e-6, warm_up: 10 };
        assert!((rate.at(0, 1000) - 1e-4).abs() < 1e-9);
        assert!((rate.at(10, 1000) - 1e-3).abs() < 1e-9);
        assert!((rate.at(999, 1000) - 5e-6).abs() < 1e-9);
        let falls = (10..999).all(|step| rate.at(step, 1000) >= rate.at(step + 1, 1000));
        assert!(falls);
        let middle = LearningRate { warm_up: 0, ..rate }.at(500, 1001);
        assert!((middle - 0.5 * (1e-3 + 5e-6)).abs() < 1e-6);
    }

    #[test]
    fn the_blend_goes_from_start_to_end() {
        let blend = Blend { start: 0.2, end: 0.4 };
        assert_eq!([blend.at(0, 101), blend.at(100, 101)], [0.2, 0.4]);
        assert!((blend.at(50, 101) - 0.3).abs() < 1e-6);
        assert_eq!(Blend { start: 0.25, end: 0.25 }.at(7, 10), 0.25);
    }

    #[test]
    fn an_order_visits_every_position_once_and_differs_between_epochs() {
        for count in [1000, EpochOrder::SMALL + 64] {
            let order = EpochOrder::new(count, 3, 0);
            let mut seen: Vec<_> = (0..order.len()).map(|place| order.at(place)).collect();
            seen.sort_unstable();
            assert!(seen.iter().copied().eq(0..count));
            let next = EpochOrder::new(count, 3, 1);
            assert!((0..100).any(|place| order.at(place) != next.at(place)));
        }
    }
}
