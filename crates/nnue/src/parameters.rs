//! A network as plain lists of numbers, as files and trainers know it.

use crate::error::check_count;
use crate::head::HeadParameters;
use crate::{
    DEFAULT_SCORE_SCALE, FEATURES, FormatError, INPUT_SCALE, KingBuckets, MAX_ACTIVATION,
    OUTPUT_SCALE, SCORE_SCALES, Width,
};

/// The squares of the board.
const SQUARES: usize = 64;
/// The most pieces that a position has.
const MAX_PIECES: usize = 32;

/// The sizes of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Neurons of the hidden layer; see [`Width`].
    pub width: usize,
    /// Sets of feature weights, by the bucket of the own king: 1 or 4; see [`KingBuckets`].
    pub king_buckets: usize,
    /// Sets of output weights, by the number of pieces: 1 or 8.
    pub buckets: usize,
}

impl Shape {
    /// So many neurons, one king bucket and one bucket.
    #[must_use]
    pub const fn plain(width: usize) -> Self {
        Self { width, king_buckets: 1, buckets: 1 }
    }

    /// How many feature weights there are.
    #[must_use]
    pub const fn feature_weights(self) -> usize {
        self.king_buckets * FEATURES * self.width
    }

    /// How many output weights there are.
    #[must_use]
    pub const fn output_weights(self) -> usize {
        self.buckets * 2 * self.width
    }

    /// Checks that inference is compiled for these sizes.
    pub(crate) fn check(self) -> Result<(Width, KingBuckets), FormatError> {
        let width = Width::from_neurons(self.width);
        let width = width.ok_or(FormatError::UnsupportedWidth(self.width))?;
        let king_buckets = KingBuckets::from_count(self.king_buckets);
        let king_buckets =
            king_buckets.ok_or(FormatError::UnsupportedKingBuckets(self.king_buckets))?;
        if !matches!(self.buckets, 1 | 8) {
            return Err(FormatError::UnsupportedBuckets(self.buckets));
        }
        Ok((width, king_buckets))
    }
}

/// The quantised parameters of a network, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Name and provenance, for people.
    pub description: String,
    /// The sizes of the layers.
    pub shape: Shape,
    /// Centipawns for an output of 1.0, one of [`SCORE_SCALES`].
    pub score_scale: i32,
    /// `[king buckets][FEATURES][width]`, times [`INPUT_SCALE`].
    pub feature_weights: Vec<i16>,
    /// Biases of the neurons, `[width]`, times [`INPUT_SCALE`].
    pub feature_bias: Vec<i16>,
    /// `[buckets][2 * width]`, the side to move first, times [`OUTPUT_SCALE`].
    pub output_weights: Vec<i16>,
    /// `[buckets]`, times [`INPUT_SCALE`] times [`OUTPUT_SCALE`].
    pub output_bias: Vec<i32>,
    /// The small network that adds to the score, if there is one.
    pub head: Option<HeadParameters>,
}

impl Parameters {
    /// A network of this shape that finds every position equal.
    #[must_use]
    pub fn zero(shape: Shape) -> Self {
        Self {
            description: String::new(),
            shape,
            score_scale: DEFAULT_SCORE_SCALE,
            feature_weights: vec![0; shape.feature_weights()],
            feature_bias: vec![0; shape.width],
            output_weights: vec![0; shape.output_weights()],
            output_bias: vec![0; shape.buckets],
            head: None,
        }
    }

    /// Checks that inference can be exact with these parameters, and tells their kind.
    ///
    /// # Errors
    ///
    /// When the shape is not supported, a list has the wrong length, or sums of weights could
    /// overflow.
    pub fn check(&self) -> Result<(Width, KingBuckets), FormatError> {
        let shape = self.shape;
        let kind = shape.check()?;
        if !SCORE_SCALES.contains(&self.score_scale) {
            return Err(FormatError::UnsupportedScales {
                input: INPUT_SCALE as u16,
                output: OUTPUT_SCALE as u16,
                score: self.score_scale.cast_unsigned(),
            });
        }
        check_count("feature weights", self.feature_weights.len(), shape.feature_weights())?;
        check_count("feature biases", self.feature_bias.len(), shape.width)?;
        check_count("output weights", self.output_weights.len(), shape.output_weights())?;
        check_count("output biases", self.output_bias.len(), shape.buckets)?;
        self.check_accumulators()?;
        self.check_outputs()?;
        self.head.as_ref().map_or(Ok(()), HeadParameters::check)?;
        Ok(kind)
    }

    /// Whether no position can take an accumulator out of its 16 bits: a square holds one piece at
    /// most, and 32 squares do.
    fn check_accumulators(&self) -> Result<(), FormatError> {
        let width = self.shape.width;
        // Squares first: the pass over all weights runs along the neurons.
        let mut lows = vec![0i16; SQUARES * width];
        let mut highs = lows.clone();
        for king_bucket in self.feature_weights.chunks(FEATURES * width) {
            lows.fill(0);
            highs.fill(0);
            for (feature, row) in king_bucket.chunks(width).enumerate() {
                let neurons = feature % SQUARES * width..(feature % SQUARES + 1) * width;
                let extremes = lows[neurons.clone()].iter_mut().zip(&mut highs[neurons]);
                for ((low, high), &weight) in extremes.zip(row) {
                    *low = weight.min(*low);
                    *high = weight.max(*high);
                }
            }
            for neuron in 0..width {
                let column = |values: &[i16]| {
                    std::array::from_fn(|square| i32::from(values[square * width + neuron]))
                };
                let [mut low, mut high]: [[i32; SQUARES]; 2] = [column(&lows), column(&highs)];
                low.select_nth_unstable(MAX_PIECES);
                high.select_nth_unstable(SQUARES - MAX_PIECES);
                let bias = i32::from(self.feature_bias[neuron]);
                let lowest = bias + low[..MAX_PIECES].iter().sum::<i32>();
                let highest = bias + high[SQUARES - MAX_PIECES..].iter().sum::<i32>();
                if lowest < i32::from(i16::MIN) || highest > i32::from(i16::MAX) {
                    return Err(FormatError::AccumulatorOverflow { neuron });
                }
            }
        }
        Ok(())
    }

    /// Whether no sum of some or all products of activations and output weights leaves 32 bits.
    fn check_outputs(&self) -> Result<(), FormatError> {
        for (bucket, weights) in self.output_weights.chunks(2 * self.shape.width).enumerate() {
            let total: i64 = weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
            if total * i64::from(MAX_ACTIVATION) > i64::from(i32::MAX) {
                return Err(FormatError::OutputOverflow { bucket });
            }
        }
        Ok(())
    }
}

/// The parameters of a network as a trainer has them. The lists are as in [`Parameters`], without
/// the scales.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct FloatParameters {
    pub description: String,
    pub shape: Shape,
    pub score_scale: i32,
    pub feature_weights: Vec<f32>,
    pub feature_bias: Vec<f32>,
    pub output_weights: Vec<f32>,
    pub output_bias: Vec<f32>,
}

impl FloatParameters {
    /// Scales and rounds to integers; what is too large for 16 bits is clipped.
    #[must_use]
    pub fn quantise(&self) -> Parameters {
        let round = |values: &[f32], scale: i32| {
            values.iter().map(|v| (v * scale as f32).round() as i16).collect()
        };
        let bias_scale = f64::from(INPUT_SCALE * OUTPUT_SCALE);
        Parameters {
            description: self.description.clone(),
            shape: self.shape,
            score_scale: self.score_scale,
            feature_weights: round(&self.feature_weights, INPUT_SCALE),
            feature_bias: round(&self.feature_bias, INPUT_SCALE),
            output_weights: round(&self.output_weights, OUTPUT_SCALE),
            output_bias: self
                .output_bias
                .iter()
                .map(|&v| (f64::from(v) * bias_scale).round() as i32)
                .collect(),
            head: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_the_wrong_shape_are_refused() {
        let plain = Shape::plain(64);
        let refusal = |shape: Shape| shape.check().expect_err("not supported");
        assert_eq!(refusal(Shape::plain(96)), FormatError::UnsupportedWidth(96));
        assert_eq!(refusal(Shape { buckets: 4, ..plain }), FormatError::UnsupportedBuckets(4));
        assert_eq!(
            refusal(Shape { king_buckets: 2, ..plain }),
            FormatError::UnsupportedKingBuckets(2)
        );
        let mut short = Parameters::zero(Shape { buckets: 8, ..plain });
        short.output_bias.pop();
        assert_eq!(
            short.check(),
            Err(FormatError::WrongCount { what: "output biases", expected: 8, found: 7 })
        );
        assert_eq!(Parameters::zero(plain).check(), Ok((Width::W64, KingBuckets::One)));
        let large = Shape { width: 512, king_buckets: 4, buckets: 8 };
        assert_eq!(large.check(), Ok((Width::W512, KingBuckets::Four)));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let limit = i32::MAX / MAX_ACTIVATION;
        let mut steep = Parameters::zero(Shape { buckets: 8, ..Shape::plain(64) });
        for (index, weight) in steep.output_weights[3 * 128..4 * 128].iter_mut().enumerate() {
            *weight = [1, -1][index % 2] * (limit / 128) as i16;
        }
        assert!(steep.check().is_ok());
        steep.output_weights[3 * 128] += (limit % 128 + 1) as i16;
        assert_eq!(steep.check(), Err(FormatError::OutputOverflow { bucket: 3 }));

        // One piece on each of 32 squares counts, not two on one, and not the 33rd.
        let mut heavy = Parameters::zero(Shape { king_buckets: 4, ..Shape::plain(64) });
        let row = |square: usize, kind: usize| (2 * FEATURES + kind * SQUARES + square) * 64 + 7;
        for square in 0..40 {
            for kind in 0..12 {
                heavy.feature_weights[row(square, kind)] = -1024;
            }
        }
        assert!(heavy.check().is_ok());
        heavy.feature_bias[7] = -1;
        assert_eq!(heavy.check(), Err(FormatError::AccumulatorOverflow { neuron: 7 }));
        heavy.feature_bias[7] = 0;
        heavy.feature_weights[row(63, 11)] = i16::MAX;
        assert!(heavy.check().is_ok());
        heavy.feature_weights[row(62, 0)] = 1;
        assert_eq!(heavy.check(), Err(FormatError::AccumulatorOverflow { neuron: 7 }));
    }

    #[test]
    fn quantising_rounds_to_nearest_and_clips() {
        let mut float = FloatParameters {
            description: String::from("by hand"),
            shape: Shape::plain(64),
            score_scale: 300,
            feature_weights: vec![0.0; FEATURES * 64],
            feature_bias: vec![0.2505; 64],
            output_weights: vec![-1.98; 128],
            output_bias: vec![-0.25],
        };
        float.feature_weights[3] = 100.0;
        let quantised = float.quantise();
        assert_eq!(quantised.check(), Err(FormatError::AccumulatorOverflow { neuron: 3 }));
        assert_eq!(quantised.feature_weights[3], i16::MAX);
        assert_eq!(quantised.feature_bias, [256; 64]);
        assert_eq!(quantised.output_weights, [-1014; 128]);
        assert_eq!(quantised.output_bias, [-130_560]);
        assert_eq!(quantised.score_scale, 300);
    }
}
