//! From a network file or a checkpoint to weights in training: the warm start.

use std::path::Path;

use nnue::{INPUT_SCALE, KingBuckets, OUTPUT_SCALE, Parameters};

use super::checkpoint;
use super::net::{BLOCK, Net, Row, Shape};
use crate::Error;
use crate::network_file::read_network;

/// The weights of a network file or a checkpoint, and the centipawns that its output of 1 means.
///
/// # Errors
/// If the file cannot be read or is neither.
pub fn load_net(path: &Path) -> Result<(Net, f32), Error> {
    if path.extension().is_some_and(|end| end == "checkpoint") {
        let trainer = checkpoint::load(path)?.trainer;
        let scale = trainer.config.scale;
        return Ok((trainer.into_result(), scale));
    }
    let parameters = read_network(path)?.parameters();
    let net = from_parameters(&parameters).map_err(|reason| Error::content(path, reason))?;
    Ok((net, parameters.score_scale as f32))
}

/// The weights of a network in floating point. Exporting them again gives the same integers.
fn from_parameters(parameters: &Parameters) -> Result<Net, String> {
    let sizes = parameters.shape;
    let shape = Shape::new(sizes.width, sizes.king_buckets, sizes.buckets)?;
    let mut rows = vec![Row::ZERO; shape.rows()];
    let mut fill = |row: usize, values: &[i16], scale: i32| {
        for (weight, &value) in rows[row].0.iter_mut().zip(values) {
            *weight = f32::from(value) / scale as f32;
        }
    };
    for (input, weights) in parameters.feature_weights.chunks(sizes.width).enumerate() {
        for (block, values) in weights.chunks(BLOCK).enumerate() {
            fill(shape.feature_weights(block) + shape.row_of_input(input), values, INPUT_SCALE);
        }
    }
    for (block, values) in parameters.feature_bias.chunks(BLOCK).enumerate() {
        fill(shape.feature_bias(block), values, INPUT_SCALE);
    }
    let outputs = shape.output_weights(0, 0, 0);
    for (row, values) in parameters.output_weights.chunks(BLOCK).enumerate() {
        fill(outputs + row, values, OUTPUT_SCALE);
    }
    let biases = &mut rows[shape.output_bias()].0;
    for (weight, &value) in biases.iter_mut().zip(&parameters.output_bias) {
        *weight = value as f32 / (INPUT_SCALE * OUTPUT_SCALE) as f32;
    }
    Ok(Net { shape, rows })
}

impl Net {
    /// The same function in a larger shape, to train it further: each king bucket begins with the
    /// weights that all had, and new neurons begin random and unheard, with output weights of zero.
    ///
    /// # Errors
    /// When the shape is not one that this network can grow into.
    pub fn grown(&self, shape: Shape, seed: u64) -> Result<Self, String> {
        let old = self.shape;
        let can_grow = shape.hidden >= old.hidden
            && shape.buckets == old.buckets
            && (old.king_buckets == KingBuckets::One || old.king_buckets == shape.king_buckets);
        if !can_grow {
            return Err(format!("a network of {old:?} cannot grow into {shape:?}"));
        }
        let mut grown = Self::random(shape, seed);
        for block in 0..shape.blocks() {
            let is_new = block >= old.blocks();
            for bucket in 0..shape.buckets {
                for side in 0..2 {
                    grown.rows[shape.output_weights(bucket, side, block)] = match is_new {
                        true => Row::ZERO,
                        false => self.rows[old.output_weights(bucket, side, block)],
                    };
                }
            }
            if is_new {
                continue;
            }
            grown.rows[shape.feature_bias(block)] = self.rows[old.feature_bias(block)];
            for input in 0..shape.inputs() {
                let from = old.row_of_input(input % old.inputs());
                grown.rows[shape.feature_weights(block) + shape.row_of_input(input)] =
                    self.rows[old.feature_weights(block) + from];
            }
        }
        grown.rows[shape.output_bias()] = self.rows[old.output_bias()];
        Ok(grown)
    }

    /// Multiplies the output by a factor.
    pub fn scale_output(&mut self, factor: f32) {
        let outputs = self.shape.output_weights(0, 0, 0);
        for weight in self.rows[outputs..].iter_mut().flat_map(|row| &mut row.0) {
            *weight *= factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::train::bench::random_position;
    use crate::train::config::Config;
    use crate::train::export::to_float_parameters;
    use crate::train::trainer::Trainer;

    #[test]
    fn a_grown_network_is_the_same_function() {
        let small = Shape::new(64, 1, 8).unwrap();
        let net = Net::random(small, 5);
        let mut rng = Rng::new(7);
        let positions: Vec<_> = (0..200).map(|_| random_position(&mut rng)).collect();
        for (hidden, king_buckets) in [(64, 4), (192, 1), (128, 4)] {
            let shape = Shape::new(hidden, king_buckets, 8).unwrap();
            let grown = net.grown(shape, 6).unwrap();
            for position in &positions {
                let difference = net.evaluate(position) - grown.evaluate(position);
                assert!(difference.abs() < 1e-5, "{shape:?}: {difference}");
            }
            assert!(grown.grown(small, 1).is_err());
            assert_eq!(grown.grown(shape, 1).unwrap(), grown);
        }
    }

    #[test]
    fn the_embedded_network_comes_back_to_the_last_integer() {
        // The head is trained by itself.
        let parameters = Parameters { head: None, ..nnue::embedded().parameters() };
        let net = from_parameters(&parameters).unwrap();
        let config =
            Config { shape: net.shape, scale: parameters.score_scale as f32, ..Config::RECIPE };
        let mut trainer = Trainer::new(config);
        trainer.net = net;
        let again = to_float_parameters(&trainer, &parameters.description).quantise();
        assert!(again == parameters, "the integers differ");
    }
}
