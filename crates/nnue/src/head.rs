//! The head: a second, small network that corrects the score by what the pieces do.
//!
//! `192 -> 16 -> 1` with a clipped linear activation. Its inputs are those of [`activity`]: small
//! numbers that are counted again for each board, because a move changes many of them.
//!
//! [`activity`]: crate::activity::activity

use crate::FormatError;
use crate::activity::HEAD_INPUTS;
use crate::error::check_count;
use crate::line::{LANES, Line};
use crate::scales::divide_rounded;

/// The neurons of the head.
pub const HEAD_NEURONS: usize = 16;
/// The integer that stands for 1.0 in the weights and sums of the head's neurons.
pub const HEAD_SCALE: i32 = 2048;
/// The integer that stands for 1.0 in the head's output weights.
pub const HEAD_OUTPUT_SCALE: i32 = 4096;
/// Where the activation is clipped.
pub const HEAD_CEILING: f32 = 4.0;

/// [`HEAD_CEILING`] as the neurons have it.
pub(crate) const CEILING: i32 = HEAD_CEILING as i32 * HEAD_SCALE;

/// The inputs are taken two by two; the weights of two fill a line.
pub(crate) const PAIRS: usize = HEAD_INPUTS / 2;
const _: () = assert!(2 * HEAD_NEURONS == LANES);

/// No sum of a neuron leaves 32 bits with a bias up to this: the sum of all inputs is bounded.
const MAX_BIAS: i32 = 1 << 29;
const _: () =
    assert!(crate::activity::INPUT_SUM as i64 * 32768 + (MAX_BIAS as i64) <= i32::MAX as i64);

/// The quantised parameters of a head, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadParameters {
    /// What each neuron makes of each input, `[HEAD_INPUTS][HEAD_NEURONS]`, times [`HEAD_SCALE`].
    pub weights: Vec<i16>,
    /// Biases of the neurons, times [`HEAD_SCALE`].
    pub bias: Vec<i32>,
    /// What the neurons count in the output, times [`HEAD_OUTPUT_SCALE`].
    pub output_weights: Vec<i16>,
    /// Bias of the output, times [`HEAD_SCALE`] times [`HEAD_OUTPUT_SCALE`].
    pub output_bias: i32,
}

impl HeadParameters {
    /// A head that corrects nothing.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            weights: vec![0; HEAD_INPUTS * HEAD_NEURONS],
            bias: vec![0; HEAD_NEURONS],
            output_weights: vec![0; HEAD_NEURONS],
            output_bias: 0,
        }
    }

    /// Scales and rounds to integers; what is too large is clipped.
    #[must_use]
    pub fn quantise(weights: &[f32], bias: &[f32], output_weights: &[f32], output: f32) -> Self {
        let short = |value: f32, scale: i32| (value * scale as f32).round() as i16;
        let long = |value: f32, scale: i32| {
            ((value * scale as f32).round() as i32).clamp(-MAX_BIAS, MAX_BIAS)
        };
        Self {
            weights: weights.iter().map(|&weight| short(weight, HEAD_SCALE)).collect(),
            bias: bias.iter().map(|&bias| long(bias, HEAD_SCALE)).collect(),
            output_weights: output_weights
                .iter()
                .map(|&weight| short(weight, HEAD_OUTPUT_SCALE))
                .collect(),
            output_bias: long(output, HEAD_SCALE * HEAD_OUTPUT_SCALE),
        }
    }

    /// Checks that inference can be exact with these parameters.
    pub(crate) fn check(&self) -> Result<(), FormatError> {
        let counts = [
            ("head weights", self.weights.len(), HEAD_INPUTS * HEAD_NEURONS),
            ("head biases", self.bias.len(), HEAD_NEURONS),
            ("head output weights", self.output_weights.len(), HEAD_NEURONS),
        ];
        for (what, found, expected) in counts {
            check_count(what, found, expected)?;
        }
        let total: i64 =
            self.output_weights.iter().map(|weight| i64::from(weight.unsigned_abs())).sum();
        let fits = self.bias.iter().all(|bias| bias.unsigned_abs() <= MAX_BIAS.unsigned_abs())
            && total * i64::from(CEILING) <= i64::from(i32::MAX);
        if fits { Ok(()) } else { Err(FormatError::HeadOverflow) }
    }
}

/// A head laid out for inference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// A line for each pair of inputs: for each neuron its weights of both, side by side.
    pub(crate) weights: Box<[Line; PAIRS]>,
    pub(crate) bias: [i32; HEAD_NEURONS],
    pub(crate) output_weights: [i32; HEAD_NEURONS],
    output_bias: i32,
}

impl Head {
    /// Lays out parameters that have been checked.
    pub(crate) fn new(parameters: &HeadParameters) -> Self {
        let mut weights = Box::new([Line::ZERO; PAIRS]);
        for (at, &weight) in parameters.weights.iter().enumerate() {
            let (line, lane) = place(at);
            weights[line].0[lane] = weight;
        }
        Self {
            weights,
            bias: std::array::from_fn(|neuron| parameters.bias[neuron]),
            output_weights: std::array::from_fn(|neuron| {
                i32::from(parameters.output_weights[neuron])
            }),
            output_bias: parameters.output_bias,
        }
    }

    /// The parameters as plain lists.
    pub(crate) fn parameters(&self) -> HeadParameters {
        let weight = |at: usize| {
            let (line, lane) = place(at);
            self.weights[line].0[lane]
        };
        HeadParameters {
            weights: (0..HEAD_INPUTS * HEAD_NEURONS).map(weight).collect(),
            bias: self.bias.to_vec(),
            output_weights: self.output_weights.iter().map(|&weight| weight as i16).collect(),
            output_bias: self.output_bias,
        }
    }

    /// Centipawns for the weighted sum of the neurons, rounded the same way for both sides.
    #[inline]
    pub(crate) fn score(&self, sum: i32, score_scale: i32) -> i32 {
        let unit = i64::from(HEAD_SCALE * HEAD_OUTPUT_SCALE);
        let scaled = (i64::from(sum) + i64::from(self.output_bias)) * i64::from(score_scale);
        divide_rounded(scaled, unit) as i32
    }
}

/// The line and lane of the weight that the file has at this place.
const fn place(at: usize) -> (usize, usize) {
    let (input, neuron) = (at / HEAD_NEURONS, at % HEAD_NEURONS);
    (input / 2, neuron * 2 + input % 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_laid_out_and_read_back() {
        let mut parameters = HeadParameters::zero();
        for (index, weight) in parameters.weights.iter_mut().enumerate() {
            *weight = (index as i16).wrapping_mul(77);
        }
        for (index, bias) in parameters.bias.iter_mut().enumerate() {
            *bias = index as i32 * 1001 - 9999;
        }
        parameters.output_weights[5] = -321;
        parameters.output_bias = 4321;
        assert_eq!(parameters.check(), Ok(()));
        assert_eq!(Head::new(&parameters).parameters(), parameters);
    }

    #[test]
    fn heads_that_could_overflow_or_are_incomplete_are_refused() {
        let mut steep = HeadParameters::zero();
        steep.output_weights.fill(16383);
        assert_eq!(steep.check(), Ok(()));
        steep.output_weights[0] = 16384 + 16;
        assert_eq!(steep.check(), Err(FormatError::HeadOverflow));
        let mut high = HeadParameters::zero();
        high.bias[15] = -MAX_BIAS - 1;
        assert_eq!(high.check(), Err(FormatError::HeadOverflow));
        let mut short = HeadParameters::zero();
        short.weights.pop();
        let (what, expected, found) = ("head weights", 3072, 3071);
        assert_eq!(short.check(), Err(FormatError::WrongCount { what, expected, found }));
    }

    #[test]
    fn scores_are_rounded_to_the_nearest_for_both_sides() {
        let head = Head::new(&HeadParameters::zero());
        let unit = HEAD_SCALE * HEAD_OUTPUT_SCALE;
        assert_eq!(head.score(unit, 210), 210);
        for sum in (0..unit).step_by(4321) {
            let exact = f64::from(sum) / f64::from(unit) * 210.0;
            assert!((f64::from(head.score(sum, 210)) - exact).abs() <= 0.5);
            assert_eq!(head.score(-sum, 210), -head.score(sum, 210));
        }
    }
}
