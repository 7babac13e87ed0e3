//! From a trained network to a network file.

use std::path::Path;
use std::sync::Arc;

use nnue::{
    AccumulatorStack, FloatParameters, INPUT_SCALE, Network, OUTPUT_SCALE, Parameters, Shape,
};

use super::net::BLOCK;
use super::trainer::Trainer;
use crate::Error;
use crate::data::{PackedPosition, write_file};

/// The parameters as plain lists, in the order of the network file. Its scores are in the units of
/// the data, because the network's output is a score over the scale of the sigmoid.
#[must_use]
pub fn to_float_parameters(trainer: &Trainer, description: &str) -> FloatParameters {
    let net = trainer.result();
    let shape = net.shape;
    let join = |first: usize, step: usize, blocks: usize| {
        (0..blocks).flat_map(move |block| net.rows[first + block * step].0)
    };
    let blocks = shape.blocks();
    FloatParameters {
        description: description.to_owned(),
        shape: Shape {
            width: shape.hidden,
            king_buckets: shape.king_buckets.count(),
            buckets: shape.buckets,
        },
        score_scale: trainer.config.scale.round() as i32,
        feature_weights: (0..shape.inputs())
            .flat_map(|input| join(shape.row_of_input(input), shape.inputs(), blocks))
            .collect(),
        feature_bias: join(shape.feature_bias(0), 1, blocks).collect(),
        output_weights: join(shape.output_weights(0, 0, 0), 1, blocks * 2 * shape.buckets)
            .collect(),
        output_bias: net.rows[shape.output_bias()].0[..shape.buckets.min(BLOCK)].to_vec(),
    }
}

/// Writes a network file.
///
/// # Errors
/// When the engine does not support the network, or the file cannot be written.
pub fn write_network(parameters: &Parameters, path: &Path) -> Result<(), Error> {
    let bytes = nnue::format::encode(parameters);
    write_file(path, &bytes.map_err(|error| Error::content(path, error.to_string()))?)
}

/// Rounds a network to integers. The small errors of many output weights add up to an offset that
/// is much the same in all positions; it is found on a sample and taken out of the biases.
///
/// # Errors
/// When the engine does not support the network.
pub fn round(
    trainer: &Trainer,
    description: &str,
    sample: &[PackedPosition],
) -> Result<Parameters, Error> {
    /// With fewer positions, a bucket's bias stays where it is.
    const ENOUGH: usize = 256;
    let mut rounded = to_float_parameters(trainer, description).quantise();
    let errors = rounding_errors(trainer, &rounded, sample)?;
    for (bucket, bias) in rounded.output_bias.iter_mut().enumerate() {
        let of_bucket =
            errors.iter().filter(|(pieces, _)| trainer.net.shape.bucket(*pieces) == bucket);
        let (count, sum) = of_bucket.fold((0, 0.0), |(n, sum), (_, error)| (n + 1, sum + error));
        if count >= ENOUGH {
            let offset = sum / count as f32 / rounded.score_scale as f32;
            *bias -= (offset * (INPUT_SCALE * OUTPUT_SCALE) as f32).round() as i32;
        }
    }
    Ok(rounded)
}

/// How far a rounded network is from the trained one, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RoundingError {
    /// Mean absolute difference, in centipawns.
    pub mean: f32,
    /// Largest absolute difference, in centipawns.
    pub worst: f32,
}

/// Compares a rounded network, as the engine evaluates it, with the trained one.
///
/// # Errors
/// When the engine does not support the network.
pub fn rounding_error(
    trainer: &Trainer,
    rounded: &Parameters,
    positions: &[PackedPosition],
) -> Result<RoundingError, Error> {
    let errors = rounding_errors(trainer, rounded, positions)?;
    let sizes = || errors.iter().map(|(_, error)| error.abs());
    let mean = sizes().sum::<f32>() / errors.len().max(1) as f32;
    Ok(RoundingError { mean, worst: sizes().fold(0.0, f32::max) })
}

/// For each position the number of pieces and how much higher the rounded network's score is.
fn rounding_errors(
    trainer: &Trainer,
    rounded: &Parameters,
    positions: &[PackedPosition],
) -> Result<Vec<(usize, f32)>, Error> {
    let network = Network::new(rounded).map_err(|error| Error::Request(error.to_string()))?;
    let mut accumulators = AccumulatorStack::new(Arc::new(network));
    let mut errors = Vec::with_capacity(positions.len());
    for packed in positions {
        let Ok(position) = packed.to_position() else { continue };
        accumulators.reset(&position);
        let score = accumulators.evaluate(&position) as f32;
        let error = score - trainer.result().evaluate(packed) * rounded.score_scale as f32;
        errors.push((packed.piece_count() as usize, error));
    }
    Ok(errors)
}
