//! A network as plain lists of numbers, as files and trainers know it.

use crate::{
    DEFAULT_SCORE_SCALE, FEATURES, FormatError, INPUT_SCALE, OUTPUT_SCALE, SCORE_SCALES, Width,
};

/// The largest magnitude of a feature weight or bias: 32 men and a bias fit in 16 bits.
pub const MAX_FEATURE_WEIGHT: i16 = i16::MAX / 33;
/// The largest magnitude of an output weight: its product with a clipped value fits in 16 bits.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The quantised parameters of a network, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Name and provenance, for people.
    pub description: String,
    /// Neurons of the hidden layer; see [`Width`].
    pub width: usize,
    /// Sets of output weights: 1 or 8.
    pub buckets: usize,
    /// Centipawns for an output of 1.0, one of [`SCORE_SCALES`].
    pub score_scale: i32,
    /// `[FEATURES][width]`, times [`INPUT_SCALE`].
    pub feature_weights: Vec<i16>,
    /// `[width]`, times [`INPUT_SCALE`].
    pub feature_bias: Vec<i16>,
    /// `[buckets][2 * width]`, the side to move first, times [`OUTPUT_SCALE`].
    pub output_weights: Vec<i16>,
    /// `[buckets]`, times [`INPUT_SCALE`] times [`OUTPUT_SCALE`].
    pub output_bias: Vec<i32>,
}

impl Parameters {
    /// A network of this shape that finds every position equal.
    #[must_use]
    pub fn zero(width: usize, buckets: usize) -> Self {
        Self {
            description: String::new(),
            width,
            buckets,
            score_scale: DEFAULT_SCORE_SCALE,
            feature_weights: vec![0; FEATURES * width],
            feature_bias: vec![0; width],
            output_weights: vec![0; buckets * 2 * width],
            output_bias: vec![0; buckets],
        }
    }

    /// Checks that inference can be exact with these parameters, and tells the width.
    ///
    /// # Errors
    ///
    /// When the shape is not supported, a list has the wrong length or a weight is too large.
    pub fn check(&self) -> Result<Width, FormatError> {
        let width = check_shape(self.width, self.buckets)?;
        if !SCORE_SCALES.contains(&self.score_scale) {
            return Err(FormatError::UnsupportedScales {
                input: INPUT_SCALE as u16,
                output: OUTPUT_SCALE as u16,
                score: self.score_scale.cast_unsigned(),
            });
        }
        check_count("feature weights", self.feature_weights.len(), FEATURES * self.width)?;
        check_count("feature biases", self.feature_bias.len(), self.width)?;
        check_count("output weights", self.output_weights.len(), self.buckets * 2 * self.width)?;
        check_count("output biases", self.output_bias.len(), self.buckets)?;
        check_range("feature weights", &self.feature_weights, MAX_FEATURE_WEIGHT)?;
        check_range("feature biases", &self.feature_bias, MAX_FEATURE_WEIGHT)?;
        check_range("output weights", &self.output_weights, MAX_OUTPUT_WEIGHT)?;
        Ok(width)
    }
}

/// Checks that inference is compiled for this many neurons and buckets.
pub(crate) fn check_shape(neurons: usize, buckets: usize) -> Result<Width, FormatError> {
    let width = Width::from_neurons(neurons).ok_or(FormatError::UnsupportedWidth(neurons))?;
    if matches!(buckets, 1 | 8) { Ok(width) } else { Err(FormatError::UnsupportedBuckets(buckets)) }
}

fn check_count(what: &'static str, found: usize, expected: usize) -> Result<(), FormatError> {
    if found == expected { Ok(()) } else { Err(FormatError::WrongCount { what, expected, found }) }
}

fn check_range(what: &'static str, values: &[i16], limit: i16) -> Result<(), FormatError> {
    match values.iter().position(|value| value.unsigned_abs() > limit.unsigned_abs()) {
        Some(index) => Err(FormatError::TooLarge { what, index, value: values[index] }),
        None => Ok(()),
    }
}

/// The parameters of a network as a trainer has them. The lists are as in [`Parameters`], without
/// the scales.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct FloatParameters {
    pub description: String,
    pub width: usize,
    pub buckets: usize,
    pub score_scale: i32,
    pub feature_weights: Vec<f32>,
    pub feature_bias: Vec<f32>,
    pub output_weights: Vec<f32>,
    pub output_bias: Vec<f32>,
}

impl FloatParameters {
    /// Scales and rounds to integers; what is too large is clipped to the limit.
    #[must_use]
    pub fn quantise(&self) -> Parameters {
        let round = |values: &[f32], scale: i32, limit: i16| {
            let limit = f32::from(limit);
            values.iter().map(|v| (v * scale as f32).round().clamp(-limit, limit) as i16).collect()
        };
        let bias_scale = f64::from(INPUT_SCALE * OUTPUT_SCALE);
        Parameters {
            description: self.description.clone(),
            width: self.width,
            buckets: self.buckets,
            score_scale: self.score_scale,
            feature_weights: round(&self.feature_weights, INPUT_SCALE, MAX_FEATURE_WEIGHT),
            feature_bias: round(&self.feature_bias, INPUT_SCALE, MAX_FEATURE_WEIGHT),
            output_weights: round(&self.output_weights, OUTPUT_SCALE, MAX_OUTPUT_WEIGHT),
            output_bias: self
                .output_bias
                .iter()
                .map(|&v| (f64::from(v) * bias_scale).round() as i32)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_the_wrong_shape_are_refused() {
        assert_eq!(Parameters::zero(96, 1).check(), Err(FormatError::UnsupportedWidth(96)));
        assert_eq!(Parameters::zero(64, 4).check(), Err(FormatError::UnsupportedBuckets(4)));
        let mut short = Parameters::zero(64, 8);
        short.output_bias.pop();
        assert_eq!(
            short.check(),
            Err(FormatError::WrongCount { what: "output biases", expected: 8, found: 7 })
        );
        assert_eq!(Parameters::zero(64, 8).check(), Ok(Width::W64));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let mut steep = Parameters::zero(64, 1);
        steep.output_weights[9] = -128;
        assert_eq!(
            steep.check(),
            Err(FormatError::TooLarge { what: "output weights", index: 9, value: -128 })
        );
        let mut heavy = Parameters::zero(64, 1);
        heavy.feature_weights[7] = i16::MIN;
        assert_eq!(
            heavy.check(),
            Err(FormatError::TooLarge { what: "feature weights", index: 7, value: i16::MIN })
        );
    }

    #[test]
    fn quantising_rounds_to_nearest_and_clips() {
        let mut float = FloatParameters {
            description: String::from("by hand"),
            width: 64,
            buckets: 1,
            score_scale: 300,
            feature_weights: vec![0.0; FEATURES * 64],
            feature_bias: vec![0.5; 64],
            output_weights: vec![-1.98; 128],
            output_bias: vec![-0.25],
        };
        float.feature_weights[3] = 100.0;
        let quantised = float.quantise();
        assert_eq!(quantised.check(), Ok(Width::W64));
        assert_eq!(quantised.feature_weights[3], MAX_FEATURE_WEIGHT);
        assert_eq!(quantised.feature_bias, [128; 64]);
        assert_eq!(quantised.output_weights, [-127; 128]);
        assert_eq!(quantised.output_bias, [-4080]);
        assert_eq!(quantised.score_scale, 300);
    }
}
