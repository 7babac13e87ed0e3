//! The optimiser: Adam with decoupled weight decay, and weights kept inside a bound.

use super::batch::Worker;
use super::net::{BLOCK, Net, Row};

/// The optimiser's constants.
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

impl Default for AdamSettings {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, decay: 0.01, clip: 1.98 }
    }
}

/// The optimiser's state: the two moments of every parameter's gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// The constants.
    pub settings: AdamSettings,
    /// Steps done.
    pub steps: u64,
    /// Mean gradients.
    pub mean: Vec<Row>,
    /// Mean squared gradients.
    pub square: Vec<Row>,
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
    mean: &'a mut [Row],
    square: &'a mut [Row],
    gradients: Vec<&'a mut [Row]>,
}

impl Adam {
    /// An optimiser for `rows` rows of parameters that has not made a step.
    #[must_use]
    pub fn new(settings: AdamSettings, rows: usize) -> Self {
        Self { settings, steps: 0, mean: vec![Row::ZERO; rows], square: vec![Row::ZERO; rows] }
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

    fn parts<'a>(&'a mut self, net: &'a mut Net, workers: &'a mut [Worker]) -> Vec<Part<'a>> {
        let size = net.rows.len().div_ceil(workers.len().max(1));
        let mut parts: Vec<Part> = net
            .rows
            .chunks_mut(size)
            .zip(self.mean.chunks_mut(size))
            .zip(self.square.chunks_mut(size))
            .map(|((parameters, mean), square)| Part {
                parameters,
                mean,
                square,
                gradients: Vec::new(),
            })
            .collect();
        for worker in workers {
            for (part, gradient) in parts.iter_mut().zip(worker.gradient.chunks_mut(size)) {
                part.gradients.push(gradient);
            }
        }
        parts
    }
}

impl Part<'_> {
    fn update(mut self, factors: Factors) {
        for index in 0..self.parameters.len() {
            let mut gradient = Row::ZERO;
            for worker in &mut self.gradients {
                let row = std::mem::replace(&mut worker[index], Row::ZERO);
                for i in 0..BLOCK {
                    gradient.0[i] += row.0[i];
                }
            }
            update_row(
                &mut self.parameters[index],
                &mut self.mean[index],
                &mut self.square[index],
                &gradient,
                factors,
            );
        }
    }
}

fn update_row(
    parameters: &mut Row,
    mean: &mut Row,
    square: &mut Row,
    gradient: &Row,
    factors: Factors,
) {
    /// Keeps the quotient finite where a parameter has not had a gradient yet.
    const EPSILON: f32 = 1e-8;
    let Factors {
        settings: AdamSettings { beta1, beta2, clip, .. },
        rate,
        square_correction,
        keep,
    } = factors;
    for i in 0..BLOCK {
        let slope = gradient.0[i];
        mean.0[i] = beta1 * mean.0[i] + (1.0 - beta1) * slope;
        square.0[i] = beta2 * square.0[i] + (1.0 - beta2) * slope * slope;
        let spread = (square.0[i] * square_correction).sqrt() + EPSILON;
        parameters.0[i] = (parameters.0[i] * keep - rate * mean.0[i] / spread).clamp(-clip, clip);
    }
}
