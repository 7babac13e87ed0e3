//! What fixes a training run, and its form as text.

use std::fmt::Write as _;
use std::str::FromStr;

use nnue::KingBuckets;

use super::adam::AdamSettings;
use super::net::Shape;
use super::schedule::{Blend, LearningRate};
use crate::data::TdLambda;

/// Everything, besides the data, that a run depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// The size of the network.
    pub shape: Shape,
    /// Positions in a batch.
    pub batch: usize,
    /// Passes over the training set.
    pub epochs: u64,
    /// The learning rate, step by step.
    pub rate: LearningRate,
    /// The share of the run, at its end, over whose steps the weights are averaged; 0 for none.
    pub average: f32,
    /// The share of results in the target.
    pub wdl: Blend,
    /// The share of the next position's value in a score; see [`TdLambda`].
    pub td_lambda: f64,
    /// Centipawns that make the odds e to 1 in the target.
    pub scale: f32,
    /// The constants of the optimiser.
    pub adam: AdamSettings,
    /// Fixes first weights and the order of positions.
    pub seed: u64,
    /// Points of the loss curve, and checkpoints, in an epoch.
    pub reports: u64,
    /// Threads; sums depend on it in the last bits.
    pub threads: usize,
}

impl Config {
    /// What made the best network so far (see docs/nets.md), on one thread.
    pub const RECIPE: Self = Self {
        shape: Shape { hidden: 512, king_buckets: KingBuckets::One, buckets: 8 },
        batch: 16384,
        epochs: 6,
        rate: LearningRate { start: 4e-3, end: 5e-6, warm_up: 0 },
        average: 0.0,
        wdl: Blend { start: 0.1, end: 0.1 },
        td_lambda: 0.8,
        scale: 210.0,
        adam: AdamSettings::USUAL,
        seed: 1,
        reports: 1,
        threads: 1,
    };

    /// How the scores of games are corrected before they are learned.
    #[must_use]
    pub fn td_lambda(&self) -> TdLambda {
        TdLambda { share: self.td_lambda, scale: f64::from(self.scale) }
    }

    /// Checks that every number makes sense.
    ///
    /// # Errors
    /// Says which one does not.
    pub fn check(&self) -> Result<(), String> {
        Shape::new(self.shape.hidden, self.shape.king_buckets.count(), self.shape.buckets)?;
        let share = |value: f32| (0.0..=1.0).contains(&value);
        let positive = |value: f32| value > 0.0 && value.is_finite();
        let tests = [
            (self.batch > 0, "the batch must not be empty"),
            (self.epochs > 0, "there must be an epoch"),
            (self.reports > 0, "there must be a report in an epoch"),
            (self.threads > 0, "there must be a thread"),
            ((0.0..1.0).contains(&self.td_lambda), "td_lambda is a share from 0 to below 1"),
            (positive(self.scale), "the scale must be positive"),
            (positive(self.rate.start) && self.rate.end >= 0.0, "learning rates must be positive"),
            (share(self.wdl.start) && share(self.wdl.end), "shares of results are from 0 to 1"),
            (share(self.average), "the averaged share of the run is from 0 to 1"),
            (share(self.adam.beta1) && self.adam.beta1 < 1.0, "beta1 is from 0 to below 1"),
            (share(self.adam.beta2) && self.adam.beta2 < 1.0, "beta2 is from 0 to below 1"),
            (self.adam.decay >= 0.0, "the decay must not be negative"),
            (positive(self.adam.clip), "the bound of weights must be positive"),
        ];
        match tests.iter().find(|test| !test.0) {
            Some((_, reason)) => Err((*reason).to_owned()),
            None => Ok(()),
        }
    }

    /// One `name value` line for each setting, exact.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{name} {value}");
        };
        line("hidden", &self.shape.hidden);
        line("king-buckets", &self.shape.king_buckets.count());
        line("buckets", &self.shape.buckets);
        line("batch", &self.batch);
        line("epochs", &self.epochs);
        line("rate-start", &self.rate.start);
        line("rate-end", &self.rate.end);
        line("warm-up", &self.rate.warm_up);
        line("average", &self.average);
        line("wdl-start", &self.wdl.start);
        line("wdl-end", &self.wdl.end);
        line("td_lambda", &self.td_lambda);
        line("scale", &self.scale);
        line("beta1", &self.adam.beta1);
        line("beta2", &self.adam.beta2);
        line("decay", &self.adam.decay);
        line("clip", &self.adam.clip);
        line("seed", &self.seed);
        line("reports", &self.reports);
        line("threads", &self.threads);
        text
    }

    /// Reads what [`Self::to_text`] wrote; lines with other names are ignored.
    ///
    /// # Errors
    /// When a setting is missing or makes no sense.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let config = Self {
            shape: Shape::new(
                setting(text, "hidden")?,
                setting(text, "king-buckets").or_else(|_| setting(text, "zones"))?,
                setting(text, "buckets")?,
            )?,
            batch: setting(text, "batch")?,
            epochs: setting(text, "epochs")?,
            rate: LearningRate {
                start: setting(text, "rate-start")?,
                end: setting(text, "rate-end")?,
                warm_up: setting(text, "warm-up")?,
            },
            average: setting(text, "average").unwrap_or(0.0),
            wdl: Blend { start: setting(text, "wdl-start")?, end: setting(text, "wdl-end")? },
            td_lambda: setting(text, "td_lambda").or_else(|_| setting(text, "hindsight"))?,
            scale: setting(text, "scale")?,
            adam: AdamSettings {
                beta1: setting(text, "beta1")?,
                beta2: setting(text, "beta2")?,
                decay: setting(text, "decay")?,
                clip: setting(text, "clip")?,
            },
            seed: setting(text, "seed")?,
            reports: setting(text, "reports")?,
            threads: setting(text, "threads")?,
        };
        config.check()?;
        Ok(config)
    }
}

/// The value of a `name value` line.
pub(super) fn setting<T: FromStr>(text: &str, name: &str) -> Result<T, String> {
    let value = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(key, _)| *key == name)
        .ok_or_else(|| format!("no line for {name}"))?
        .1;
    value.parse().map_err(|_| format!("bad value for {name}: {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_survive_being_text() {
        let shape = Shape::new(192, 4, 8).expect("a good shape");
        let config = Config { scale: 371.3, seed: u64::MAX, threads: 3, shape, ..Config::RECIPE };
        assert_eq!(Config::from_text(&config.to_text()), Ok(config));
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let shape = Shape::new(64, 1, 1).expect("a good shape");
        let config = Config { batch: 0, shape, ..Config::RECIPE };
        assert!(Config::from_text(&config.to_text()).is_err());
        assert!(Config::from_text("hidden 64\n").is_err());
        assert!(Shape::new(100, 1, 1).is_err() && Shape::new(64, 1, 4).is_err());
        assert!(Shape::new(64, 2, 1).is_err());
    }
}
