//! From a network file or a checkpoint to weights in training: the warm start.

use std::path::Path;

use nnue::{INPUT_SCALE, OUTPUT_SCALE, Parameters};

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
    use crate::train::config::Config;
    use crate::train::export::to_float_parameters;
    use crate::train::trainer::Trainer;

    #[test]
    fn the_embedded_network_comes_back_to_the_last_integer() {
        let parameters = nnue::embedded().parameters();
        let net = from_parameters(&parameters).unwrap();
        let config =
            Config { shape: net.shape, scale: parameters.score_scale as f32, ..Config::RECIPE };
        let mut trainer = Trainer::new(config);
        trainer.net = net;
        let again = to_float_parameters(&trainer, &parameters.description).quantise();
        assert!(again == parameters, "the integers differ");
    }
}
