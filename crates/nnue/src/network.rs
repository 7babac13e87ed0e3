//! The weights, laid out for inference.

use std::fmt;

use chess::{Board, Position};

use crate::head::Head;
use crate::simd::{Backend, LANES, Line, Row};
use crate::{Feature, FormatError, KingBuckets, Parameters, Shape, Width, format};

/// A loaded network. It never changes, so threads share it behind an `Arc`.
pub struct Network {
    description: String,
    width: Width,
    king_buckets: KingBuckets,
    backend: Backend,
    feature_weights: Vec<Line>,
    feature_bias: Vec<Line>,
    output_weights: Vec<Line>,
    output_bias: Vec<i32>,
    head: Option<Head>,
    score_scale: i32,
    /// How far to shift the number of pieces beyond the kings to the right to get the bucket.
    bucket_shift: u32,
}

impl Network {
    /// Lays out parameters for inference.
    ///
    /// # Errors
    ///
    /// When they do not pass [`Parameters::check`].
    pub fn new(parameters: &Parameters) -> Result<Self, FormatError> {
        Ok(Self::lay_out(parameters, parameters.check()?))
    }

    /// As [`Self::new`], for parameters that have been checked.
    fn lay_out(parameters: &Parameters, (width, king_buckets): (Width, KingBuckets)) -> Self {
        Self {
            description: parameters.description.clone(),
            width,
            king_buckets,
            backend: Backend::detect(),
            feature_weights: lines(&parameters.feature_weights),
            feature_bias: lines(&parameters.feature_bias),
            output_weights: lines(&parameters.output_weights),
            output_bias: parameters.output_bias.clone(),
            head: parameters.head.as_ref().map(Head::new),
            score_scale: parameters.score_scale,
            bucket_shift: if parameters.shape.buckets == 1 { 6 } else { 2 },
        }
    }

    /// Reads a network file.
    ///
    /// # Errors
    ///
    /// When the file is not a network, is of a kind that is not supported, or is damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FormatError> {
        let parameters = format::decode(bytes)?;
        Ok(Self::lay_out(&parameters, parameters.shape.check()?))
    }

    /// Writes a network file.
    ///
    /// # Errors
    ///
    /// When the description is longer than [`format::MAX_DESCRIPTION`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        format::encode(&self.parameters())
    }

    /// The parameters as plain lists.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        Parameters {
            description: self.description.clone(),
            shape: self.shape(),
            score_scale: self.score_scale,
            feature_weights: values(&self.feature_weights),
            feature_bias: values(&self.feature_bias),
            output_weights: values(&self.output_weights),
            output_bias: self.output_bias.clone(),
            head: self.head.as_ref().map(Head::parameters),
        }
    }

    /// The sizes of the network's layers.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape {
            width: self.width.neurons(),
            king_buckets: self.king_buckets.count(),
            buckets: self.buckets(),
        }
    }

    /// Name and provenance, for people.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The width of the hidden layer.
    #[inline]
    #[must_use]
    pub const fn width(&self) -> Width {
        self.width
    }

    /// How the squares of a king are told apart.
    #[inline]
    #[must_use]
    pub const fn king_buckets(&self) -> KingBuckets {
        self.king_buckets
    }

    /// How many sets of output weights there are.
    #[must_use]
    pub const fn buckets(&self) -> usize {
        self.output_bias.len()
    }

    /// The set of output weights that is used for a position.
    #[inline]
    #[must_use]
    pub fn bucket(&self, position: &Position) -> usize {
        self.bucket_of_board(position.board())
    }

    /// As [`bucket`](Self::bucket); a bare board and one with more pieces than the rules allow take
    /// the first and the last.
    #[inline]
    pub(crate) fn bucket_of_board(&self, board: &Board) -> usize {
        let pieces = board.occupied().count().clamp(2, 32);
        ((pieces - 2) >> self.bucket_shift) as usize
    }

    /// The small network that adds to the score, if there is one.
    #[inline]
    pub(crate) fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// Centipawns for an output of 1.0.
    #[inline]
    pub(crate) const fn score_scale(&self) -> i32 {
        self.score_scale
    }

    /// The instructions that its loops use here, and whether the build had fixed them before the
    /// processor was asked.
    #[must_use]
    pub fn instructions(&self) -> (&'static str, bool) {
        self.backend.name()
    }

    #[inline]
    pub(crate) const fn backend(&self) -> Backend {
        self.backend
    }

    /// The weights of one input. `N` must be the width's number of lines here and below.
    #[inline]
    pub(crate) fn row<const N: usize>(&self, feature: Feature) -> &Row<N> {
        &rows(&self.feature_weights)[feature.index()]
    }

    /// The accumulator of an empty board.
    #[inline]
    pub(crate) fn feature_bias<const N: usize>(&self) -> &Row<N> {
        &rows(&self.feature_bias)[0]
    }

    /// The output weights for the side to move and for the other side.
    #[inline]
    pub(crate) fn output_weights<const N: usize>(&self, bucket: usize) -> [&Row<N>; 2] {
        let [own, other] = &rows::<N>(&self.output_weights).as_chunks().0[bucket];
        [own, other]
    }

    #[inline]
    pub(crate) fn output_bias(&self, bucket: usize) -> i32 {
        self.output_bias[bucket]
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("description", &self.description)
            .field("shape", &self.shape())
            .field("head", &self.head.is_some())
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

#[inline]
fn rows<const N: usize>(lines: &[Line]) -> &[Row<N>] {
    lines.as_chunks().0
}

fn lines(values: &[i16]) -> Vec<Line> {
    values.as_chunks::<LANES>().0.iter().map(|chunk| Line(*chunk)).collect()
}

fn values(lines: &[Line]) -> Vec<i16> {
    lines.iter().flat_map(|line| line.0).collect()
}
