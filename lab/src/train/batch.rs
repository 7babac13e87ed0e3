//! The arithmetic of training: loss and gradient of one thread's share of a batch.
//!
//! Positions are taken in tiles. For each tile the hidden layer is computed one column block after
//! the other, so that a block's weights stay in the cache while the tile passes; then the loss;
//! then, block by block again, the gradient.

use super::net::{ActiveFeatures, BLOCK, Net, Row, Shape};
use crate::data::PackedPosition;

/// Positions that go through a column block before the next block is loaded.
const TILE: usize = 128;

/// How score and result become the number that the network is to predict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Centipawns that make the odds e to 1.
    pub scale: f32,
    /// The share of the game's result; the rest is the score's.
    pub wdl: f32,
}

impl Target {
    /// The expected points of the side to move.
    #[inline]
    #[must_use]
    pub fn of(self, position: &PackedPosition) -> f32 {
        let from_score = sigmoid(f32::from(position.score) / self.scale);
        let wdl = if position.has_result() { self.wdl } else { 0.0 };
        wdl * position.points() + (1.0 - wdl) * from_score
    }

    /// How far above the target the prediction is; nothing where the score is a bound that the
    /// prediction respects.
    #[inline]
    #[must_use]
    pub fn error(self, prediction: f32, position: &PackedPosition) -> f32 {
        let error = prediction - self.of(position);
        match position.bound {
            PackedPosition::UPPER => error.max(0.0),
            PackedPosition::LOWER => error.min(0.0),
            _ => error,
        }
    }
}

/// The logistic function, from score to chance.
#[inline]
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Sums of squared errors over some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// How many positions were counted.
    pub positions: u64,
    /// Against the blend of score and result that is trained for.
    pub blend: f64,
    /// Against the score alone.
    pub score: f64,
    /// Against the result alone.
    pub result: f64,
}

impl Loss {
    /// Adds the errors of other positions.
    pub fn add(&mut self, other: &Self) {
        self.positions += other.positions;
        self.blend += other.blend;
        self.score += other.score;
        self.result += other.result;
    }

    /// The mean errors; of no position, zero.
    #[must_use]
    pub fn mean(&self) -> Self {
        let share = 1.0 / self.positions.max(1) as f64;
        Self {
            positions: self.positions,
            blend: self.blend * share,
            score: self.score * share,
            result: self.result * share,
        }
    }
}

/// One thread's scratch memory and gradient.
pub struct Worker {
    shape: Shape,
    features: Vec<ActiveFeatures>,
    /// Hidden sums before activation: [block][position][side].
    hidden: Vec<Row>,
    outputs: [f32; TILE],
    /// Derivative of the loss by each output.
    slopes: [f32; TILE],
    /// The gradient, in the layout of the parameters. The optimiser clears it.
    pub gradient: Vec<Row>,
}

impl Worker {
    /// A worker for networks of this shape.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            features: vec![ActiveFeatures::NONE; TILE],
            hidden: vec![Row::ZERO; shape.blocks() * TILE * 2],
            outputs: [0.0; TILE],
            slopes: [0.0; TILE],
            gradient: vec![Row::ZERO; shape.rows()],
        }
    }

    /// Adds the gradient of the squared error, times `weight`, of these positions to the worker's.
    pub fn learn<'a>(
        &mut self,
        net: &Net,
        positions: impl Iterator<Item = &'a PackedPosition>,
        target: Target,
        weight: f32,
    ) -> Loss {
        let mut loss = Loss::default();
        self.tiles(net, positions, |worker, tile| {
            for (index, position) in tile.iter().enumerate() {
                let prediction = sigmoid(worker.outputs[index]);
                let error = target.error(prediction, position);
                loss.blend += f64::from(error * error);
                worker.slopes[index] = 2.0 * weight * error * prediction * (1.0 - prediction);
            }
            loss.positions += tile.len() as u64;
            worker.backward(net, tile.len());
        });
        loss
    }

    /// The errors of the network on these positions.
    pub fn measure<'a>(
        &mut self,
        net: &Net,
        positions: impl Iterator<Item = &'a PackedPosition>,
        target: Target,
    ) -> Loss {
        let mut loss = Loss::default();
        let square = |error: f32| f64::from(error * error);
        self.tiles(net, positions, |worker, tile| {
            for (position, &output) in tile.iter().zip(&worker.outputs) {
                let prediction = sigmoid(output);
                loss.blend += square(target.error(prediction, position));
                loss.score += square(Target { wdl: 0.0, ..target }.error(prediction, position));
                loss.result += square(prediction - position.points());
            }
            loss.positions += tile.len() as u64;
        });
        loss
    }

    /// Computes the outputs tile by tile and hands each tile to `then`.
    fn tiles<'a>(
        &mut self,
        net: &Net,
        positions: impl Iterator<Item = &'a PackedPosition>,
        mut then: impl FnMut(&mut Self, &[PackedPosition]),
    ) {
        assert_eq!(net.shape, self.shape, "the worker was made for another shape");
        let mut positions = positions.fuse();
        let mut tile = Vec::with_capacity(TILE);
        loop {
            tile.clear();
            tile.extend(positions.by_ref().take(TILE));
            if tile.is_empty() {
                return;
            }
            for (features, position) in self.features.iter_mut().zip(&tile) {
                *features = ActiveFeatures::of(position, self.shape.king_buckets);
            }
            self.forward(net, tile.len());
            then(self, &tile);
        }
    }

    fn forward(&mut self, net: &Net, count: usize) {
        let shape = self.shape;
        let biases = &net.rows[shape.output_bias()].0;
        for (output, features) in self.outputs[..count].iter_mut().zip(&self.features) {
            *output = biases[shape.bucket(features.count)];
        }
        for block in 0..shape.blocks() {
            let weights = block_weights(&net.rows, shape, block);
            let bias = &net.rows[shape.feature_bias(block)];
            let hidden = &mut self.hidden[block * TILE * 2..][..count * 2];
            let (hidden, _) = hidden.as_chunks_mut::<2>();
            for ((features, sums), output) in
                self.features.iter().zip(hidden).zip(&mut self.outputs)
            {
                let bucket = shape.bucket(features.count);
                for (side, active) in features.sides().into_iter().enumerate() {
                    let row = &net.rows[shape.output_weights(bucket, side, block)];
                    sums[side] = accumulate(weights, bias, active);
                    *output += activated_dot(&sums[side], row);
                }
            }
        }
    }

    fn backward(&mut self, net: &Net, count: usize) {
        let shape = self.shape;
        for (features, slope) in self.features[..count].iter().zip(self.slopes) {
            self.gradient[shape.output_bias()].0[shape.bucket(features.count)] += slope;
        }
        for block in 0..shape.blocks() {
            let hidden = &self.hidden[block * TILE * 2..][..count * 2];
            let (hidden, _) = hidden.as_chunks::<2>();
            let mut bias = self.gradient[shape.feature_bias(block)];
            for ((features, sums), slope) in self.features.iter().zip(hidden).zip(self.slopes) {
                let bucket = shape.bucket(features.count);
                for (side, active) in features.sides().into_iter().enumerate() {
                    let at = shape.output_weights(bucket, side, block);
                    let delta = activation_slope(
                        &sums[side],
                        &net.rows[at],
                        slope,
                        &mut self.gradient[at],
                        &mut bias,
                    );
                    let first = shape.feature_weights(block);
                    scatter(&mut self.gradient[first..][..shape.inputs()], &delta, active);
                }
            }
            self.gradient[shape.feature_bias(block)] = bias;
        }
    }
}

fn block_weights(rows: &[Row], shape: Shape, block: usize) -> &[Row] {
    &rows[shape.feature_weights(block)..][..shape.inputs()]
}

/// The bias plus the rows of the active features.
#[inline]
fn accumulate(weights: &[Row], bias: &Row, active: &[u16]) -> Row {
    let mut sums = *bias;
    for &feature in active {
        sums.add(&weights[usize::from(feature)]);
    }
    sums
}

/// The number clamped to 0 and 1, in the one form that becomes two vector instructions.
#[inline]
fn unit_clamp(x: f32) -> f32 {
    let positive = if x > 0.0 { x } else { 0.0 };
    if positive < 1.0 { positive } else { 1.0 }
}

/// The activated sums (clamped to 0 and 1, then squared) times the output weights.
#[inline]
fn activated_dot(sums: &Row, weights: &Row) -> f32 {
    // Independent lanes, so that the additions need not wait for each other.
    const LANES: usize = 32;
    let mut lanes = [0.0; LANES];
    for part in 0..BLOCK / LANES {
        for (i, lane) in lanes.iter_mut().enumerate() {
            let clamped = unit_clamp(sums.0[part * LANES + i]);
            *lane += clamped * clamped * weights.0[part * LANES + i];
        }
    }
    let mut eight = [0.0; 8];
    for i in 0..8 {
        eight[i] = (lanes[i] + lanes[i + 8]) + (lanes[i + 16] + lanes[i + 24]);
    }
    let four = [eight[0] + eight[4], eight[1] + eight[5], eight[2] + eight[6], eight[3] + eight[7]];
    (four[0] + four[2]) + (four[1] + four[3])
}

/// The derivative of the loss by each hidden sum; adds to the gradients of output weights and bias.
#[inline]
fn activation_slope(
    sums: &Row,
    weights: &Row,
    slope: f32,
    output_gradient: &mut Row,
    bias_gradient: &mut Row,
) -> Row {
    let mut delta = Row::ZERO;
    for i in 0..BLOCK {
        let clamped = unit_clamp(sums.0[i]);
        output_gradient.0[i] += slope * (clamped * clamped);
        let inside = if sums.0[i] < 1.0 { clamped } else { 0.0 };
        delta.0[i] = (2.0 * slope) * (weights.0[i] * inside);
        bias_gradient.0[i] += delta.0[i];
    }
    delta
}

/// Adds a row to the gradient rows of the active features.
#[inline]
fn scatter(gradient: &mut [Row], delta: &Row, active: &[u16]) {
    for &feature in active {
        gradient[usize::from(feature)].add(delta);
    }
}
