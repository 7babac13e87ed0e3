//! What a match says about strength.

use serde::{Deserialize, Serialize};

/// Pairs of games by what the first player made of them: 0 to 4 half points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many pairs came to so many half points.
    pub pairs: [u64; 5],
    /// Games won, drawn and lost.
    pub games: [u64; 3],
}

/// A difference in strength with its error, 95 times out of 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference in Elo; positive if the first is stronger.
    pub difference: f64,
    /// How far off it may be.
    pub error: f64,
}

impl Tally {
    /// Adds the points of a pair of games.
    pub fn add(&mut self, points: [u8; 2]) {
        self.pairs[usize::from(points[0].min(2) + points[1].min(2))] += 1;
        for point in points {
            self.games[usize::from(2 - point.min(2))] += 1;
        }
    }

    /// How many pairs were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// How many games were counted: two a pair.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * self.count()
    }

    /// Mean and variance of the share of points in a pair.
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        let count = self.count().max(1) as f64;
        let sum = |power: i32, center: f64| -> f64 {
            self.pairs
                .iter()
                .enumerate()
                .map(|(points, &pairs)| pairs as f64 * (points as f64 / 4.0 - center).powi(power))
                .sum::<f64>()
                / count
        };
        let mean = sum(1, 0.0);
        (mean, sum(2, mean))
    }

    /// The difference in strength; none before the first pair.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        if self.count() == 0 {
            return None;
        }
        let count = self.count() as f64;
        let (mean, variance) = self.moments();
        // A whole match one way says only that the difference is large: half a point less keeps it
        // finite. A few pairs all alike say nothing about the error: they count as if not alike.
        let edge = 0.25 / count;
        let place = |share: f64| elo(share.clamp(edge, 1.0 - edge));
        let spread = 1.96 * (variance.max(edge * edge) / count).sqrt();
        let error = (place(mean + spread) - place(mean - spread)) / 2.0;
        Some(Elo { difference: place(mean), error })
    }
}

/// The difference that makes a share of points.
fn elo(share: f64) -> f64 {
    -400.0 * (1.0 / share - 1.0).log10()
}

/// The share of points that a difference makes.
fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// A sequential test of two differences against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference that would not be worth it.
    pub elo0: f64,
    /// The difference that would.
    pub elo1: f64,
    /// How often a change that is not worth it may be accepted.
    pub alpha: f64,
    /// How often a change that is may be rejected.
    pub beta: f64,
}

/// What a test has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The change is worth it.
    Accepted,
    /// The change is not worth it.
    Rejected,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The logarithm of how much likelier the result is with the larger difference, by the normal
    /// approximation over pairs of games.
    #[must_use]
    pub fn ratio(&self, tally: &Tally) -> f64 {
        let (mean, variance) = tally.moments();
        if variance == 0.0 {
            return 0.0;
        }
        let (low, high) = (share(self.elo0), share(self.elo1));
        tally.count() as f64 * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// The ratios at which it is decided.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What the result so far means.
    #[must_use]
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (ratio, (low, high)) = (self.ratio(tally), self.bounds());
        if ratio >= high {
            Verdict::Accepted
        } else if ratio <= low {
            Verdict::Rejected
        } else {
            Verdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn tally(pairs: [u64; 5]) -> Tally {
        Tally { pairs, games: [0; 3] }
    }

    #[test]
    fn points_are_counted_by_game_and_by_pair() {
        let mut tally = Tally::default();
        for points in [[2, 0], [2, 2], [1, 1], [0, 1]] {
            tally.add(points);
        }
        assert_eq!((tally.pairs, tally.games), ([0, 1, 2, 0, 1], [3, 3, 2]));
    }

    #[test]
    fn differences_have_the_right_sign_and_size() {
        let even = tally([10, 20, 40, 20, 10]).elo().unwrap();
        assert!(even.difference.abs() < 1e-9 && even.error > 0.0);
        let better = tally([0, 10, 40, 40, 10]).elo().unwrap();
        assert!((better.difference - elo(0.625)).abs() < 1e-9);
        let more = tally([0, 100, 400, 400, 100]).elo().unwrap();
        assert!((better.error / more.error - 10f64.sqrt()).abs() < 0.1);
        let whole = tally([0, 0, 0, 0, 50]).elo().unwrap();
        assert!(
            whole.difference > 800.0 && whole.difference.is_finite() && whole.error.is_finite()
        );
        assert_eq!(tally([0; 5]).elo(), None);
    }

    #[test]
    fn the_test_is_seldom_wrong() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
        let run = |truth: f64, seed: u64| {
            let mut rng = Rng::new(seed);
            let mut tally = Tally::default();
            // Half of the games are drawn; the rest makes the difference.
            let win = (share(truth) - 0.25) * 1000.0;
            loop {
                let mut game = || match rng.below(1000) as f64 {
                    place if place < win => 2,
                    place if place < win + 500.0 => 1,
                    _ => 0,
                };
                tally.add([game(), game()]);
                match sprt.verdict(&tally) {
                    Verdict::Open => {}
                    verdict => return verdict,
                }
            }
        };
        let accepted =
            |truth| (0..200).filter(|&seed| run(truth, seed) == Verdict::Accepted).count();
        let (none, some) = (accepted(0.0), accepted(20.0));
        assert!(none < 24 && some > 176, "{none} {some}");
    }
}
