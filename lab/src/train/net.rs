//! The network in training: its shape and its parameters in floating point.

use crate::data::PackedPosition;
use crate::rng::Rng;

/// Inputs of one perspective: two sides, six kinds of men, 64 squares.
pub const FEATURES: usize = 768;

/// Width of a column block. One block of the feature weights (768 rows of 64) stays in the
/// second-level cache, and 64 columns stay in eight vector registers.
pub const BLOCK: usize = 64;

/// Largest number of men, hence of active features of one perspective.
pub const MAX_MEN: usize = 32;

/// One row of a column block, aligned to a cache line. All parameters, gradients and moments are
/// stored as rows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; BLOCK]);

impl Row {
    /// All zero.
    pub const ZERO: Self = Self([0.0; BLOCK]);
}

/// What fixes the size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Neurons of the hidden layer for each perspective, a multiple of [`BLOCK`].
    pub hidden: usize,
    /// Output buckets, chosen by the number of men: 1 or 8.
    pub buckets: usize,
}

impl Shape {
    /// Checks the sizes.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn new(hidden: usize, buckets: usize) -> Result<Self, String> {
        if hidden == 0 || !hidden.is_multiple_of(BLOCK) || hidden > 4096 {
            return Err(format!("hidden size {hidden} is not a multiple of {BLOCK} up to 4096"));
        }
        if !matches!(buckets, 1 | 8) {
            return Err(format!("{buckets} output buckets: only 1 or 8 are supported"));
        }
        Ok(Self { hidden, buckets })
    }

    /// How many column blocks the hidden layer has.
    #[inline]
    #[must_use]
    pub const fn blocks(self) -> usize {
        self.hidden / BLOCK
    }

    /// How many rows all parameters take.
    #[must_use]
    pub const fn rows(self) -> usize {
        self.output_bias() + 1
    }

    /// First row of a block's feature weights, one row for each feature.
    #[inline]
    #[must_use]
    pub const fn feature_weights(self, block: usize) -> usize {
        block * FEATURES
    }

    /// The row of a block's biases.
    #[inline]
    #[must_use]
    pub const fn feature_bias(self, block: usize) -> usize {
        self.blocks() * FEATURES + block
    }

    /// The row of a block's output weights; side 0 is the mover's.
    #[inline]
    #[must_use]
    pub const fn output_weights(self, bucket: usize, side: usize, block: usize) -> usize {
        self.blocks() * (FEATURES + 1 + bucket * 2 + side) + block
    }

    /// The row that holds one output bias for each bucket.
    #[inline]
    #[must_use]
    pub const fn output_bias(self) -> usize {
        self.blocks() * (FEATURES + 1 + self.buckets * 2)
    }

    /// The output bucket for a number of men.
    #[inline]
    #[must_use]
    pub const fn bucket(self, men: usize) -> usize {
        if self.buckets == 1 { 0 } else { (men - 2) / 4 }
    }
}

/// The parameters of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// The sizes.
    pub shape: Shape,
    /// All parameters; [`Shape`] says which row is what.
    pub rows: Vec<Row>,
}

impl Net {
    /// A network with random weights and zero biases.
    #[must_use]
    pub fn random(shape: Shape, seed: u64) -> Self {
        // About 20 of the 768 inputs are active, so the hidden sums have a deviation near 0.25:
        // inside the activation's sloping part.
        const FEATURE_LIMIT: f32 = 0.1;
        let output_limit = 1.0 / (2.0 * shape.hidden as f32).sqrt();
        let mut rng = Rng::new(seed);
        let mut rows = vec![Row::ZERO; shape.rows()];
        let biases = shape.feature_bias(0);
        let outputs = shape.output_weights(0, 0, 0);
        let output_bias = shape.output_bias();
        let mut fill = |rows: &mut [Row], limit| {
            for weight in rows.iter_mut().flat_map(|row| &mut row.0) {
                *weight = rng.symmetric(limit);
            }
        };
        fill(&mut rows[..biases], FEATURE_LIMIT);
        fill(&mut rows[outputs..output_bias], output_limit);
        Self { shape, rows }
    }

    /// The output (a multiple of 400 centipawns) for one position, computed plainly.
    #[must_use]
    pub fn evaluate(&self, position: &PackedPosition) -> f32 {
        let features = ActiveFeatures::of(position);
        let bucket = self.shape.bucket(features.count);
        let mut output = self.rows[self.shape.output_bias()].0[bucket];
        for (side, active) in features.sides().into_iter().enumerate() {
            for block in 0..self.shape.blocks() {
                let weights = &self.rows[self.shape.feature_weights(block)..][..FEATURES];
                let mut sums = self.rows[self.shape.feature_bias(block)].0;
                for &feature in active {
                    for (sum, weight) in sums.iter_mut().zip(weights[usize::from(feature)].0) {
                        *sum += weight;
                    }
                }
                let outputs = &self.rows[self.shape.output_weights(bucket, side, block)].0;
                for (sum, weight) in sums.iter().zip(outputs) {
                    let clamped = sum.clamp(0.0, 1.0);
                    output += clamped * clamped * weight;
                }
            }
        }
        output
    }
}

/// The active inputs of a position for both perspectives.
#[derive(Clone, Copy, Debug)]
pub struct ActiveFeatures {
    indices: [[u16; MAX_MEN]; 2],
    /// How many there are, the same for both.
    pub count: usize,
}

impl ActiveFeatures {
    /// No active input.
    pub const NONE: Self = Self { indices: [[0; MAX_MEN]; 2], count: 0 };

    /// The active inputs of a sound position. Perspective 0 is the mover's.
    ///
    /// An index is 384 for the other side's men, plus 64 times the kind, plus the square as the
    /// perspective sees it, files mirrored if its king stands on the files e to h.
    #[inline]
    #[must_use]
    pub fn of(position: &PackedPosition) -> Self {
        let mirror = |king: u8| if king & 4 == 0 { 0 } else { 7 };
        let (ours, theirs) = (mirror(position.king), mirror(position.other_king) ^ 56);
        let count = position.men_count().min(MAX_MEN as u32) as usize;
        let mut features = Self { count, ..Self::NONE };
        let [indices, others] = &mut features.indices;
        for ((man, index), other) in position.iter().zip(indices).zip(others) {
            let (code, square) = (u16::from(man.0), u16::from(man.1));
            let kind = (code & 7) * 64;
            let enemy = (code >> 3) * 384;
            *index = enemy + kind + (square ^ ours);
            *other = 384 - enemy + kind + (square ^ theirs);
        }
        features
    }

    /// The indices of the mover's perspective, then of the other's.
    #[inline]
    #[must_use]
    pub fn sides(&self) -> [&[u16]; 2] {
        [&self.indices[0][..self.count], &self.indices[1][..self.count]]
    }
}
