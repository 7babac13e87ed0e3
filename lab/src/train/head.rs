//! Training of the head: the small network that corrects a trained one by what the pieces do.
//!
//! The network below it stays as it is; its score of each position is computed once. What is left to
//! learn is small, so one thread and plain loops are enough.

use std::sync::Arc;

use nnue::activity::{HEAD_INPUTS, activity};
use nnue::{AccumulatorStack, HEAD_CEILING, HEAD_NEURONS, HeadParameters, Network};

use super::batch::{Target, sigmoid};
use super::schedule::LearningRate;
use crate::data::PackedPosition;
use crate::rng::Rng;

/// What fixes a run, besides the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadSettings {
    /// Passes over the training set.
    pub epochs: u64,
    /// Positions in a batch.
    pub batch: usize,
    /// The learning rate, step by step.
    pub rate: LearningRate,
    /// Share of each weight that is removed per step and unit of learning rate.
    pub decay: f32,
    /// Fixes first weights and the order of positions.
    pub seed: u64,
}

impl HeadSettings {
    /// What trained the best head so far.
    pub const USUAL: Self = Self {
        epochs: 12,
        batch: 4096,
        rate: LearningRate { start: 2e-3, end: 2e-5, warm_up: 0 },
        decay: 0.3,
        seed: 1,
    };
}

/// A position as the head sees it.
#[derive(Clone, Debug)]
pub struct HeadExample {
    inputs: [i16; HEAD_INPUTS],
    /// The network's score without a head, over the scale of the sigmoid.
    base: f32,
    position: PackedPosition,
}

/// Prepares positions for [`HeadTrainer`]; those that cannot be are left out.
pub fn examples<'a>(
    positions: impl Iterator<Item = &'a PackedPosition>,
    network: &Arc<Network>,
    scale: f32,
) -> Vec<HeadExample> {
    let mut accumulators = AccumulatorStack::new(Arc::clone(network));
    positions
        .filter_map(|packed| {
            let position = packed.to_position().ok()?;
            accumulators.reset(&position);
            let inputs = activity(position.board(), position.side_to_move());
            let base = accumulators.evaluate(&position) as f32 / scale;
            Some(HeadExample { inputs, base, position: *packed })
        })
        .collect()
}

/// Where the parts of a head lie in one list of numbers.
const BIAS: usize = HEAD_INPUTS * HEAD_NEURONS;
const OUTPUT: usize = BIAS + HEAD_NEURONS;
const OUTPUT_BIAS: usize = OUTPUT + HEAD_NEURONS;
const COUNT: usize = OUTPUT_BIAS + 1;

/// A training run of a head.
pub struct HeadTrainer {
    settings: HeadSettings,
    target: Target,
    /// Mean of each input, and one over its deviation; 0 for an input that never changes.
    norms: [(f32, f32); HEAD_INPUTS],
    parameters: Vec<f32>,
    gradient: Vec<f32>,
    /// Running means of the gradient and of its square.
    moments: [Vec<f32>; 2],
    steps: u64,
}

impl HeadTrainer {
    /// A head that corrects nothing yet.
    #[must_use]
    pub fn new(settings: HeadSettings, target: Target, examples: &[HeadExample]) -> Self {
        let mut rng = Rng::derived(settings.seed, 0);
        let mut parameters = vec![0.0; COUNT];
        let limit = (3.0 / HEAD_INPUTS as f32).sqrt();
        for weight in &mut parameters[..BIAS] {
            *weight = rng.symmetric(limit);
        }
        Self {
            settings,
            target,
            norms: std::array::from_fn(|input| norm(examples, input)),
            parameters,
            gradient: vec![0.0; COUNT],
            moments: [vec![0.0; COUNT], vec![0.0; COUNT]],
            steps: 0,
        }
    }

    /// Learns all epochs and calls `report` after each with its mean loss.
    pub fn run(&mut self, examples: &[HeadExample], mut report: impl FnMut(u64, f64)) {
        let batch = self.settings.batch.min(examples.len()).max(1);
        let total = self.settings.epochs * (examples.len() / batch) as u64;
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        for epoch in 0..self.settings.epochs {
            Rng::derived(self.settings.seed, 1 + epoch).shuffle(&mut order);
            let mut loss = 0.0;
            for part in order.chunks_exact(batch) {
                self.gradient.fill(0.0);
                for &index in part {
                    loss += self.learn(&examples[index as usize], 1.0 / batch as f32);
                }
                self.adam(self.settings.rate.at(self.steps, total));
            }
            report(epoch + 1, loss / (examples.len() / batch * batch) as f64);
        }
    }

    /// The mean loss on some positions.
    #[must_use]
    pub fn measure(&self, examples: &[HeadExample]) -> f64 {
        let squares = examples.iter().map(|example| {
            let prediction = sigmoid(example.base + self.output(example).0);
            f64::from(self.target.error(prediction, &example.position).powi(2))
        });
        squares.sum::<f64>() / examples.len().max(1) as f64
    }

    /// The output and what it was made of: the inputs as numbers of deviations, and the neurons.
    #[inline]
    fn output(&self, example: &HeadExample) -> (f32, [f32; HEAD_INPUTS], [f32; HEAD_NEURONS]) {
        let mut inputs = [0.0; HEAD_INPUTS];
        for ((input, &raw), (mean, scale)) in inputs.iter_mut().zip(&example.inputs).zip(self.norms)
        {
            *input = (f32::from(raw) - mean) * scale;
        }
        let mut neurons = [0.0; HEAD_NEURONS];
        neurons.copy_from_slice(&self.parameters[BIAS..OUTPUT]);
        for (input, weights) in inputs.iter().zip(self.parameters.as_chunks::<HEAD_NEURONS>().0) {
            for (neuron, weight) in neurons.iter_mut().zip(weights) {
                *neuron += input * weight;
            }
        }
        let weights = &self.parameters[OUTPUT..OUTPUT_BIAS];
        let sum: f32 = neurons
            .iter()
            .zip(weights)
            .map(|(neuron, weight)| neuron.clamp(0.0, HEAD_CEILING) * weight)
            .sum();
        (sum + self.parameters[OUTPUT_BIAS], inputs, neurons)
    }

    /// Adds the gradient of the squared error, times `weight`, and returns the error's square.
    fn learn(&mut self, example: &HeadExample, weight: f32) -> f64 {
        let (output, inputs, neurons) = self.output(example);
        let prediction = sigmoid(example.base + output);
        let error = self.target.error(prediction, &example.position);
        let slope = 2.0 * weight * error * prediction * (1.0 - prediction);
        let mut slopes = [0.0; HEAD_NEURONS];
        for (neuron, &sum) in neurons.iter().enumerate() {
            self.gradient[OUTPUT + neuron] += slope * sum.clamp(0.0, HEAD_CEILING);
            let is_inside = sum > 0.0 && sum < HEAD_CEILING;
            slopes[neuron] = if is_inside { slope * self.parameters[OUTPUT + neuron] } else { 0.0 };
            self.gradient[BIAS + neuron] += slopes[neuron];
        }
        self.gradient[OUTPUT_BIAS] += slope;
        let rows = self.gradient.as_chunks_mut::<HEAD_NEURONS>().0;
        for (input, row) in inputs.iter().zip(rows) {
            for (gradient, slope) in row.iter_mut().zip(slopes) {
                *gradient += input * slope;
            }
        }
        f64::from(error * error)
    }

    /// One step of Adam with decoupled weight decay.
    fn adam(&mut self, rate: f32) {
        const BETAS: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let steps = self.steps.min(1 << 30) as i32;
        let [mean_part, square_part] = BETAS.map(|beta| 1.0 - beta.powi(steps));
        let [means, squares] = &mut self.moments;
        for (((parameter, &slope), mean), square) in
            self.parameters.iter_mut().zip(&self.gradient).zip(means).zip(squares)
        {
            *mean = BETAS[0] * *mean + (1.0 - BETAS[0]) * slope;
            *square = BETAS[1] * *square + (1.0 - BETAS[1]) * slope * slope;
            let step = *mean / mean_part / ((*square / square_part).sqrt() + 1e-9);
            *parameter -= rate * (step + self.settings.decay * *parameter);
        }
    }

    /// The head as the engine computes it, for the inputs as they are.
    #[must_use]
    pub fn quantised(&self) -> HeadParameters {
        let mut weights = self.parameters[..BIAS].to_vec();
        let mut bias = self.parameters[BIAS..OUTPUT].to_vec();
        for (row, (mean, scale)) in
            weights.as_chunks_mut::<HEAD_NEURONS>().0.iter_mut().zip(self.norms)
        {
            for (weight, bias) in row.iter_mut().zip(&mut bias) {
                *weight *= scale;
                *bias -= mean * *weight;
            }
        }
        let output = &self.parameters[OUTPUT..OUTPUT_BIAS];
        HeadParameters::quantise(&weights, &bias, output, self.parameters[OUTPUT_BIAS])
    }
}

/// The mean of an input and one over its deviation.
fn norm(examples: &[HeadExample], input: usize) -> (f32, f32) {
    let values = || examples.iter().map(|example| f64::from(example.inputs[input]));
    let count = examples.len().max(1) as f64;
    let mean = values().sum::<f64>() / count;
    let variance = values().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    // What hardly ever happens is not blown up: its weights must fit into 16 bits.
    let scale = if variance > 0.0 { 1.0 / variance.sqrt().max(0.1) } else { 0.0 };
    (mean as f32, scale as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    /// Positions of random games.
    fn random_positions(count: usize) -> Vec<PackedPosition> {
        let mut rng = Rng::new(3);
        let mut positions = Vec::with_capacity(count);
        let mut position = Position::startpos();
        while positions.len() < count {
            let moves = position.legal_moves();
            if moves.is_empty() || position.board().occupied().count() < 8 {
                position = Position::startpos();
                continue;
            }
            position.make(rng.pick(&moves));
            positions.push(PackedPosition::new(&position, 0, 1));
        }
        positions
    }

    /// Positions whose label is the network's score and something for the own rooks' mobility.
    fn set(network: &Arc<Network>, count: usize) -> Vec<HeadExample> {
        let positions = random_positions(count);
        let mut examples = examples(positions.iter(), network, 210.0);
        for example in &mut examples {
            let learned = example.base * 210.0 + f32::from(example.inputs[11]) * 20.0;
            example.position.score = learned.clamp(-3000.0, 3000.0) as i16;
        }
        examples
    }

    #[test]
    fn a_head_learns_what_the_network_does_not_see_and_survives_rounding() {
        let mut parameters = nnue::embedded().parameters();
        parameters.head = None;
        let body = Arc::new(Network::new(&parameters).unwrap());
        let examples = set(&body, 4000);
        assert!(examples.len() > 3000);
        let settings = HeadSettings { epochs: 30, batch: 64, ..HeadSettings::USUAL };
        let target = Target { scale: 210.0, wdl: 0.0 };
        let mut trainer = HeadTrainer::new(settings, target, &examples);
        let before = trainer.measure(&examples);
        let mut losses = Vec::new();
        trainer.run(&examples, |_, loss| losses.push(loss));
        let after = trainer.measure(&examples);
        assert!(after < before / 4.0, "{before} to {after}");
        assert!(losses.len() == 30 && losses[29] < losses[0]);

        // The engine adds the same number of centipawns, but for rounding.
        parameters.head = Some(trainer.quantised());
        parameters.score_scale = 210;
        let network = Arc::new(Network::new(&parameters).unwrap());
        let mut accumulators = AccumulatorStack::new(network);
        for example in &examples[..200] {
            let position = example.position.to_position().unwrap();
            accumulators.reset(&position);
            let score = accumulators.evaluate(&position) as f32;
            let exact = (example.base + trainer.output(example).0) * 210.0;
            assert!((score - exact).abs() < 2.0, "{score} for {exact}");
        }
    }
}
