//! Gradient descent.

use super::Weight;
use super::prior::Prior;
use super::samples::{Sample, Samples};
use crate::rng::Rng;

/// What the evaluation is to promise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The share of the game's result; the rest is what the search's score promised.
    pub result_share: f32,
    /// Centipawns that make the odds e to 1.
    pub scale: f32,
}

impl Goal {
    fn target(self, sample: &Sample) -> f32 {
        let by_score = logistic(sample.score() / self.scale);
        self.result_share * sample.points() + (1.0 - self.result_share) * by_score
    }
}

fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross entropy between a target and the promise with these log odds.
fn cross_entropy(target: f32, odds: f32) -> f32 {
    // The usual form with the logarithms taken apart, so that none of them overflows.
    odds.max(0.0) - odds * target + (-odds.abs()).exp().ln_1p()
}

/// The mean loss over positions; 0 without any.
#[must_use]
pub fn loss(samples: &Samples, weights: &[Weight], goal: Goal) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| {
            let (score, _) = sample.evaluate(weights);
            f64::from(cross_entropy(goal.target(&sample), score / goal.scale))
        })
        .sum();
    sum / samples.len().max(1) as f64
}

/// Adds the gradient of the summed loss of some positions.
fn add_gradient(
    samples: &Samples,
    batch: &[u32],
    weights: &[Weight],
    goal: Goal,
    gradient: &mut [Weight],
) {
    for &index in batch {
        let sample = samples.get(index as usize);
        let (score, [middlegame, endgame]) = sample.evaluate(weights);
        let surplus = (logistic(score / goal.scale) - goal.target(&sample)) / goal.scale;
        sample.spread([surplus * middlegame, surplus * endgame], gradient);
    }
}

/// The optimiser: each weight moves at about the same speed, however rarely it counts.
#[derive(Clone, Debug)]
pub struct Adam {
    mean: Vec<Weight>,
    square: Vec<Weight>,
    steps: i32,
}

impl Adam {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;
    /// Far below the gradient of a weight that counts in one position of a batch.
    const EPSILON: f32 = 1e-9;

    /// An optimiser for so many weights.
    #[must_use]
    pub fn new(weights: usize) -> Self {
        Self { mean: vec![[0.0; 2]; weights], square: vec![[0.0; 2]; weights], steps: 0 }
    }

    /// Moves the weights against the gradient.
    pub fn step(&mut self, weights: &mut [Weight], gradient: &[Weight], rate: f32) {
        self.steps = self.steps.saturating_add(1);
        let mean_part = 1.0 - Self::MEAN_DECAY.powi(self.steps);
        let square_part = 1.0 - Self::SQUARE_DECAY.powi(self.steps);
        let moments = self.mean.iter_mut().flatten().zip(self.square.iter_mut().flatten());
        let weights = weights.iter_mut().flatten();
        for ((weight, &slope), (mean, square)) in
            weights.zip(gradient.iter().flatten()).zip(moments)
        {
            *mean += (1.0 - Self::MEAN_DECAY) * (slope - *mean);
            *square += (1.0 - Self::SQUARE_DECAY) * (slope * slope - *square);
            let speed = (*square / square_part).sqrt() + Self::EPSILON;
            *weight -= rate * (*mean / mean_part) / speed;
        }
    }
}

/// A run of gradient descent.
#[derive(Clone, Debug)]
pub struct Descent<'a> {
    /// Positions to learn from.
    pub samples: &'a Samples,
    /// What to learn.
    pub goal: Goal,
    /// What is believed before any game is seen.
    pub prior: &'a Prior,
    /// How often to go through all positions.
    pub epochs: usize,
    /// Positions a step.
    pub batch: usize,
    /// Centipawns that a weight moves in a step at first; it falls to nothing in a half cosine.
    pub rate: f32,
    /// Threads to use.
    pub threads: usize,
    /// Fixes the random order.
    pub seed: u64,
}

impl Descent<'_> {
    /// Tunes weights; calls `report` with the number of epochs done after each.
    pub fn run(&self, weights: &mut [Weight], mut report: impl FnMut(usize, &[Weight])) {
        let batch = self.batch.max(1);
        let mut order: Vec<u32> = (0..self.samples.len() as u32).collect();
        let mut adam = Adam::new(weights.len());
        let steps = order.len().div_ceil(batch) * self.epochs;
        let mut step = 0;
        for epoch in 0..self.epochs {
            Rng::derived(self.seed, epoch as u64).shuffle(&mut order);
            for batch in order.chunks(batch) {
                let mut gradient = self.gradient(batch, weights);
                self.prior.add_gradient(weights, &mut gradient);
                let done = step as f32 / steps as f32;
                let rate = self.rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos());
                adam.step(weights, &gradient, rate);
                step += 1;
            }
            report(epoch + 1, weights);
        }
    }

    /// The gradient of the mean loss of a batch.
    fn gradient(&self, batch: &[u32], weights: &[Weight]) -> Vec<Weight> {
        let part = |indices: &[u32]| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            add_gradient(self.samples, indices, weights, self.goal, &mut gradient);
            gradient
        };
        let size = batch.len().div_ceil(self.threads.max(1)).max(1);
        let (first, rest) = batch.split_at(size.min(batch.len()));
        let mut sum = std::thread::scope(|scope| {
            let others: Vec<_> =
                rest.chunks(size).map(|indices| scope.spawn(move || part(indices))).collect();
            let mut sum = part(first);
            // A thread that panicked has reported it; its part is then missing from one step.
            for other in others.into_iter().filter_map(|thread| thread.join().ok()) {
                add(&mut sum, &other);
            }
            sum
        });
        let share = 1.0 / batch.len().max(1) as f32;
        sum.iter_mut().flatten().for_each(|slope| *slope *= share);
        sum
    }
}

fn add(sum: &mut [Weight], other: &[Weight]) {
    for (sum, other) in sum.iter_mut().flatten().zip(other.iter().flatten()) {
        *sum += other;
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use engine::eval::Recorder;

    use super::super::{current_weights, run_of};
    use super::*;
    use crate::data::GameResult;

    const GOAL: Goal = Goal { result_share: 1.0, scale: 180.0 };

    /// Positions of random games, with results that follow from these weights alone.
    fn synthetic(truth: &[Weight], games: usize) -> Samples {
        let mut rng = Rng::new(11);
        let mut samples = Samples::default();
        let mut recorder = Recorder::default();
        for _ in 0..games {
            let mut position = Position::startpos();
            for _ in 0..120 {
                let moves = position.legal_moves();
                if moves.is_empty() || position.halfmove_clock() >= 100 {
                    break;
                }
                position.make(moves[rng.below(moves.len())]);
                samples.push(&position, 0, GameResult::Draw, &mut recorder);
            }
            samples.games += 1;
        }
        samples.redraw_results(|sample| {
            let (score, _) = sample.evaluate(truth);
            let win = rng.unit() < f64::from(logistic(score / GOAL.scale));
            (score.clamp(-20_000.0, 20_000.0) as i16, if win { 2 } else { 0 })
        });
        samples
    }

    #[test]
    fn descent_finds_the_weights_that_made_the_results() {
        let truth = current_weights();
        let samples = synthetic(&truth, 600);
        let material = run_of("material").expect("there is such a group");
        let mut start = truth.clone();
        for place in material.places() {
            start[place] = [100.0, 100.0];
        }
        let prior = Prior::new(&start, 40.0, 0.0, samples.len() as u64);
        let mut descent = Descent {
            samples: &samples,
            goal: Goal { result_share: 0.0, ..GOAL },
            prior: &prior,
            epochs: 30,
            batch: 512,
            rate: 6.0,
            threads: 2,
            seed: 1,
        };
        let best = loss(&samples, &truth, descent.goal);
        let before = loss(&samples, &start, descent.goal);
        let mut weights = start.clone();
        descent.run(&mut weights, |_, _| {});
        let after = loss(&samples, &weights, descent.goal);
        assert!(before > best + 0.02, "{before} is near {best}");
        assert!(after < best + 0.002, "{before}, {after}, best {best}");
        for place in material.places() {
            let (found, real) = (weights[place][0], truth[place][0]);
            assert!((found - real).abs() < 0.15 * real + 15.0, "{place}: {found} for {real}");
        }

        // From results alone, too, it becomes about as good as the truth.
        descent.goal = GOAL;
        weights.clone_from(&start);
        descent.run(&mut weights, |_, _| {});
        let (after, best) = (loss(&samples, &weights, GOAL), loss(&samples, &truth, GOAL));
        assert!(after < best + 0.002, "{after}, best {best}");
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss_for_any_number_of_threads() {
        let truth = current_weights();
        let samples = synthetic(&truth, 20);
        let prior = Prior::none(truth.len());
        let mut descent = Descent {
            samples: &samples,
            goal: Goal { result_share: 0.5, scale: 150.0 },
            prior: &prior,
            epochs: 1,
            batch: 64,
            rate: 1.0,
            threads: 1,
            seed: 1,
        };
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        let gradient = descent.gradient(&order, &truth);
        descent.threads = 3;
        let shared = descent.gradient(&order, &truth);
        let place = run_of("tempo").expect("there is such a group").first;
        for half in 0..2 {
            let mut moved = truth.clone();
            moved[place][half] += 2.0;
            let above = loss(&samples, &moved, descent.goal);
            moved[place][half] -= 4.0;
            let below = loss(&samples, &moved, descent.goal);
            let slope = (above - below) / 4.0;
            let found = f64::from(gradient[place][half]);
            assert!((slope - found).abs() < 0.02 * slope.abs() + 1e-6, "{found} for {slope}");
            assert!((shared[place][half] - gradient[place][half]).abs() < 1e-7);
        }
    }

    #[test]
    fn cross_entropy_holds_at_any_odds() {
        assert!((cross_entropy(0.5, 0.0) - 2.0_f32.ln()).abs() < 1e-6);
        assert!((cross_entropy(0.0, 400.0) - 400.0).abs() < 1e-3);
        assert!(cross_entropy(1.0, 400.0).abs() < 1e-6);
    }
}
