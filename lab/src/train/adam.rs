//! The optimiser: Adam with decoupled weight decay, and weights kept inside a bound.
//!
//! With several king buckets a piece has a row of weights in each. What a king bucket that is seen often
//! learns is mostly true in the others as well, so the rows take two steps: each its own, and one
//! that follows the sum of their gradients. That is the same as training a common row and a
//! difference for each king bucket, without keeping them apart.

use super::batch::Worker;
use super::net::{BLOCK, Net, Row, Shape};

/// The constants of the optimiser.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamSettings {
    /// Decay of the mean gradient.
    pub beta1: f32,
    /// Decay of the mean squared gradient.
    pub beta2: f32,
    /// Share of each parameter that is removed per step and unit of learning rate.
    pub decay: f32,
    /// Largest absolute value of a parameter, so that it fits its integer type later.
    pub clip: f32,
}

impl AdamSettings {
    /// What trained the best network so far.
    pub const USUAL: Self = Self { beta1: 0.9, beta2: 0.999, decay: 0.1, clip: 1.98 };
}

/// The two moments of the gradients of some rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// Running means of the gradients.
    pub mean: Vec<Row>,
    /// Running means of the squared gradients.
    pub square: Vec<Row>,
}

impl Moments {
    fn zero(rows: usize) -> Self {
        Self { mean: vec![Row::ZERO; rows], square: vec![Row::ZERO; rows] }
    }

    /// Parts of so many rows; after the last one, empty parts for ever.
    fn parts(&mut self, size: usize) -> impl Iterator<Item = MomentsPart<'_>> {
        let mut means = self.mean.chunks_mut(size);
        let mut squares = self.square.chunks_mut(size);
        std::iter::repeat_with(move || MomentsPart {
            mean: means.next().unwrap_or_default(),
            square: squares.next().unwrap_or_default(),
        })
    }
}

/// The state of the optimiser.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The constants that it works with.
    pub settings: AdamSettings,
    /// How many steps are done.
    pub steps: u64,
    /// Of every row's gradient.
    pub own: Moments,
    /// Of the sum of the gradients of a piece's rows in all king buckets; none if there is one king bucket.
    pub shared: Moments,
}

/// What one step multiplies with, the same for all parameters.
#[derive(Clone, Copy)]
struct Factors {
    settings: AdamSettings,
    /// The learning rate, corrected for the mean's start at zero.
    rate: f32,
    /// Corrects the square's start at zero.
    square_correction: f32,
    /// What remains of a parameter after decay.
    keep: f32,
}

/// The part of all state that one thread updates.
struct Part<'a> {
    parameters: &'a mut [Row],
    own: MomentsPart<'a>,
    shared: MomentsPart<'a>,
    king_buckets: usize,
    gradients: Vec<&'a mut [Row]>,
}

struct MomentsPart<'a> {
    mean: &'a mut [Row],
    square: &'a mut [Row],
}

impl Adam {
    /// An optimiser that has not made a step.
    #[must_use]
    pub fn new(settings: AdamSettings, shape: Shape) -> Self {
        Self {
            settings,
            steps: 0,
            own: Moments::zero(shape.rows()),
            shared: Moments::zero(shape.shared_rows()),
        }
    }

    /// Makes one step along the sum of the workers' gradients, which are cleared, with as many
    /// threads as there are workers. The result does not depend on how threads are scheduled.
    pub fn step(&mut self, net: &mut Net, workers: &mut [Worker], learning_rate: f32) {
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let correction = |beta: f32| 1.0 / (1.0 - f64::from(beta).powi(steps));
        let factors = Factors {
            settings: self.settings,
            rate: learning_rate * correction(self.settings.beta1) as f32,
            square_correction: correction(self.settings.beta2) as f32,
            keep: 1.0 - learning_rate * self.settings.decay,
        };
        let parts = self.parts(net, workers);
        std::thread::scope(|scope| {
            let mut parts = parts.into_iter();
            let own = parts.next();
            for part in parts {
                scope.spawn(move || part.update(factors));
            }
            if let Some(part) = own {
                part.update(factors);
            }
        });
    }

    /// One part for each worker. The rows of a piece stay together.
    fn parts<'a>(&'a mut self, net: &'a mut Net, workers: &'a mut [Worker]) -> Vec<Part<'a>> {
        let king_buckets = net.shape.king_buckets.count();
        let pieces = net.rows.len().div_ceil(workers.len().max(1)).div_ceil(king_buckets);
        let mut parts: Vec<Part> = net
            .rows
            .chunks_mut(pieces * king_buckets)
            .zip(self.own.parts(pieces * king_buckets))
            .zip(self.shared.parts(pieces))
            .map(|((parameters, own), shared)| Part {
                parameters,
                own,
                shared,
                king_buckets,
                gradients: Vec::new(),
            })
            .collect();
        for worker in workers {
            for (part, gradient) in
                parts.iter_mut().zip(worker.gradient.chunks_mut(pieces * king_buckets))
            {
                part.gradients.push(gradient);
            }
        }
        parts
    }
}

impl Part<'_> {
    fn update(mut self, factors: Factors) {
        let mut gradients = vec![Row::ZERO; self.king_buckets];
        let pieces = self.shared.mean.len();
        for piece in 0..pieces {
            let mut sum = Row::ZERO;
            for (king_bucket, gradient) in gradients.iter_mut().enumerate() {
                *gradient = self.take_gradient(piece * self.king_buckets + king_bucket);
                sum.add(gradient);
            }
            let together = self.shared.step(piece, &sum, factors);
            for (king_bucket, gradient) in gradients.iter().enumerate() {
                let row = piece * self.king_buckets + king_bucket;
                let mut step = self.own.step(row, gradient, factors);
                step.add(&together);
                apply(&mut self.parameters[row], &step, factors);
            }
        }
        for row in pieces * self.king_buckets..self.parameters.len() {
            let gradient = self.take_gradient(row);
            let step = self.own.step(row, &gradient, factors);
            apply(&mut self.parameters[row], &step, factors);
        }
    }

    /// The sum of the workers' gradients of a row, which are cleared.
    fn take_gradient(&mut self, row: usize) -> Row {
        let mut gradient = Row::ZERO;
        for worker in &mut self.gradients {
            gradient.add(&std::mem::replace(&mut worker[row], Row::ZERO));
        }
        gradient
    }
}

impl MomentsPart<'_> {
    /// Takes note of a gradient and says how far to go down along it.
    fn step(&mut self, row: usize, gradient: &Row, factors: Factors) -> Row {
        /// Keeps the quotient finite where a parameter has not had a gradient yet.
        const EPSILON: f32 = 1e-8;
        let AdamSettings { beta1, beta2, .. } = factors.settings;
        let (mean, square) = (&mut self.mean[row], &mut self.square[row]);
        let mut step = Row::ZERO;
        for i in 0..BLOCK {
            let slope = gradient.0[i];
            mean.0[i] = beta1 * mean.0[i] + (1.0 - beta1) * slope;
            square.0[i] = beta2 * square.0[i] + (1.0 - beta2) * slope * slope;
            let spread = (square.0[i] * factors.square_correction).sqrt() + EPSILON;
            step.0[i] = factors.rate * mean.0[i] / spread;
        }
        step
    }
}

fn apply(parameters: &mut Row, step: &Row, factors: Factors) {
    let clip = factors.settings.clip;
    for i in 0..BLOCK {
        parameters.0[i] = (parameters.0[i] * factors.keep - step.0[i]).clamp(-clip, clip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_zone_learns_moves_the_others_half_as_far() {
        let shape = Shape::new(64, 4, 1).expect("a good shape");
        let mut net = Net::random(shape, 1);
        let before = net.rows.clone();
        let mut workers = [Worker::new(shape), Worker::new(shape)];
        let seen = shape.row_of_input(5);
        workers[1].gradient[seen].0[7] = 0.25;
        let settings = AdamSettings { decay: 0.0, ..AdamSettings::USUAL };
        Adam::new(settings, shape).step(&mut net, &mut workers, 0.01);
        let moved = |row: usize| before[row].0[7] - net.rows[row].0[7];
        assert!((moved(seen) - 0.02).abs() < 1e-5, "{}", moved(seen));
        for king_bucket in 1..4 {
            assert!(
                (moved(seen + king_bucket) - 0.01).abs() < 1e-5,
                "{}",
                moved(seen + king_bucket)
            );
        }
        let same = (0..shape.rows()).filter(|&row| net.rows[row] == before[row]).count();
        assert_eq!(same, shape.rows() - 4);
        assert_eq!(workers[1].gradient[seen], Row::ZERO);
    }
}
