//! Fitting the scale K: points expected = 1 / (1 + exp(-score / K)).

use std::collections::BTreeMap;

use super::packed::PackedPosition;
use crate::svg::{Chart, Style};

/// Results by score, enough to fit any curve to.
#[derive(Clone, Debug, Default)]
pub struct ScoreTable {
    /// For each score the number of losses, draws and wins.
    counts: BTreeMap<i16, [u64; 3]>,
}

/// A fitted scale and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Centipawns that make the odds e to 1.
    pub scale: f64,
    /// The mean error that was made smallest.
    pub error: f64,
}

/// Observed and predicted points for a range of scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Mean score of its positions, in centipawns.
    pub score: f64,
    /// How many positions it has.
    pub count: u64,
    /// Mean points that were made of them, from 0 to 1.
    pub points: f64,
}

/// What to make small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Squared error, as in training.
    Squares,
    /// Cross entropy, that is, the likelihood of the results.
    Likelihood,
}

impl ScoreTable {
    /// Counts the position's score and result.
    pub fn add(&mut self, position: &PackedPosition) {
        let results = self.counts.entry(position.score).or_default();
        if let Some(count) = results.get_mut(usize::from(position.result)) {
            *count += 1;
        }
    }

    /// How many positions were counted.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.counts.values().flatten().sum()
    }

    /// The scale that makes the criterion smallest, between 20 and 3000 centipawns; `None`
    /// without positions.
    #[must_use]
    pub fn fit(&self, criterion: Criterion) -> Option<Fit> {
        const RATIO: f64 = 0.618_033_988_749_895;
        if self.counts.is_empty() {
            return None;
        }
        // Golden-section search: the error has one valley.
        let (mut low, mut high) = (20.0_f64, 3000.0_f64);
        while high - low > 0.01 {
            let (left, right) = (high - RATIO * (high - low), low + RATIO * (high - low));
            if self.error(left, criterion) < self.error(right, criterion) {
                high = right;
            } else {
                low = left;
            }
        }
        let scale = f64::midpoint(low, high);
        Some(Fit { scale, error: self.error(scale, criterion) })
    }

    /// The mean error of a scale.
    #[must_use]
    pub fn error(&self, scale: f64, criterion: Criterion) -> f64 {
        let mut sum = 0.0;
        for (&score, results) in &self.counts {
            let expected = logistic(f64::from(score) / scale).clamp(1e-12, 1.0 - 1e-12);
            for (points, &count) in [0.0, 0.5, 1.0].into_iter().zip(results) {
                let error: f64 = match criterion {
                    Criterion::Squares => (points - expected) * (points - expected),
                    Criterion::Likelihood => {
                        -(points * expected.ln() + (1.0 - points) * (1.0 - expected).ln())
                    }
                };
                sum += error * count as f64;
            }
        }
        sum / self.positions().max(1) as f64
    }

    /// Observed points for ranges of `width` centipawns.
    #[must_use]
    pub fn bins(&self, width: i16) -> Vec<Bin> {
        let mut bins: BTreeMap<i16, (f64, f64, u64)> = BTreeMap::new();
        for (&score, &[losses, draws, wins]) in &self.counts {
            let count = losses + draws + wins;
            let bin = bins.entry(score.div_euclid(width.max(1))).or_default();
            bin.0 += f64::from(score) * count as f64;
            bin.1 += wins as f64 + 0.5 * draws as f64;
            bin.2 += count;
        }
        bins.into_values()
            .filter(|bin| bin.2 > 0)
            .map(|(scores, points, count)| Bin {
                score: scores / count as f64,
                count,
                points: points / count as f64,
            })
            .collect()
    }

    /// Observed points against the curve of a scale.
    #[must_use]
    pub fn chart(&self, scale: f64) -> Chart {
        let bins = self.bins(50);
        let observed = bins.iter().map(|bin| (bin.score, bin.points)).collect();
        let curve = bins.iter().map(|bin| (bin.score, logistic(bin.score / scale))).collect();
        Chart::new("Expected points by score", "centipawns", "points")
            .with(&format!("K = {scale:.0}"), Style::Line, curve)
            .with("observed", Style::Dots, observed)
    }
}

/// The logistic function.
#[must_use]
pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_fit_finds_the_scale_that_made_the_results() {
        let mut rng = Rng::new(5);
        let mut table = ScoreTable::default();
        for _ in 0..60_000 {
            let score = rng.below(1601) as i16 - 800;
            let win = rng.unit() < logistic(f64::from(score) / 250.0);
            let result = if win { 2 } else { 0 };
            table.add(&PackedPosition { score, result, ..PackedPosition::default() });
        }
        for criterion in [Criterion::Squares, Criterion::Likelihood] {
            let fit = table.fit(criterion).expect("there are positions");
            assert!((fit.scale - 250.0).abs() < 12.0, "{criterion:?}: {fit:?}");
        }
        assert_eq!(table.bins(100).iter().map(|bin| bin.count).sum::<u64>(), 60_000);
        assert_eq!(ScoreTable::default().fit(Criterion::Squares), None);
    }
}
