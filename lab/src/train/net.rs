//! The network in training: its shape and its parameters in floating point.

use chess::Square;
use nnue::{FEATURES, KingBuckets};

use crate::data::PackedPosition;
use crate::rng::Rng;

/// Width of a column block. One block of the feature weights (768 rows of 64 for each king bucket) stays
/// near the processor, and 64 columns stay in eight vector registers.
pub const BLOCK: usize = 64;

/// Largest number of pieces, hence of active features of one perspective.
pub const MAX_PIECES: usize = 32;

/// One row of a column block, aligned to a cache line. All parameters, gradients and moments are
/// stored as rows.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Row(pub [f32; BLOCK]);

impl Row {
    /// A row with nothing but zeros.
    pub const ZERO: Self = Self([0.0; BLOCK]);

    /// Adds another row to this one.
    #[inline]
    pub fn add(&mut self, other: &Self) {
        for i in 0..BLOCK {
            self.0[i] += other.0[i];
        }
    }
}

/// What fixes the size of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Neurons of the hidden layer for each perspective, a multiple of [`BLOCK`].
    pub hidden: usize,
    /// King buckets, each with feature weights of its own.
    pub king_buckets: KingBuckets,
    /// Output buckets, chosen by the number of pieces: 1 or 8.
    pub buckets: usize,
}

impl Shape {
    /// Checks the sizes.
    ///
    /// # Errors
    /// Says what is wrong with them.
    pub fn new(hidden: usize, king_buckets: usize, buckets: usize) -> Result<Self, String> {
        if hidden == 0 || !hidden.is_multiple_of(BLOCK) || hidden > 4096 {
            return Err(format!("hidden size {hidden} is not a multiple of {BLOCK} up to 4096"));
        }
        let king_buckets = KingBuckets::from_count(king_buckets)
            .ok_or_else(|| format!("{king_buckets} king buckets: only 1 or 4 are supported"))?;
        if !matches!(buckets, 1 | 8) {
            return Err(format!("{buckets} output buckets: only 1 or 8 are supported"));
        }
        Ok(Self { hidden, king_buckets, buckets })
    }

    /// How many column blocks the hidden layer has.
    #[inline]
    #[must_use]
    pub const fn blocks(self) -> usize {
        self.hidden / BLOCK
    }

    /// How many inputs one perspective has.
    #[inline]
    #[must_use]
    pub const fn inputs(self) -> usize {
        FEATURES * self.king_buckets.count()
    }

    /// The row, within a block, of an input as the network file counts them. Here the rows of the
    /// same piece in all king buckets are neighbours, so that they can learn from each other.
    #[inline]
    #[must_use]
    pub const fn row_of_input(self, input: usize) -> usize {
        input % FEATURES * self.king_buckets.count() + input / FEATURES
    }

    /// How many rows all parameters take.
    #[must_use]
    pub const fn rows(self) -> usize {
        self.output_bias() + 1
    }

    /// How many rows the optimiser keeps for what all king buckets share.
    #[must_use]
    pub const fn shared_rows(self) -> usize {
        if self.king_buckets.count() == 1 { 0 } else { self.blocks() * FEATURES }
    }

    /// First row of a block's feature weights, one row for each input.
    #[inline]
    #[must_use]
    pub const fn feature_weights(self, block: usize) -> usize {
        block * self.inputs()
    }

    /// The row of a block's biases.
    #[inline]
    #[must_use]
    pub const fn feature_bias(self, block: usize) -> usize {
        self.blocks() * self.inputs() + block
    }

    /// The row of a block's output weights; side 0 is the mover's.
    #[inline]
    #[must_use]
    pub const fn output_weights(self, bucket: usize, side: usize, block: usize) -> usize {
        self.blocks() * (self.inputs() + 1 + bucket * 2 + side) + block
    }

    /// The row that holds one output bias for each bucket.
    #[inline]
    #[must_use]
    pub const fn output_bias(self) -> usize {
        self.blocks() * (self.inputs() + 1 + self.buckets * 2)
    }

    /// The output bucket for a number of pieces.
    #[inline]
    #[must_use]
    pub const fn bucket(self, pieces: usize) -> usize {
        if self.buckets == 1 { 0 } else { (pieces - 2) / 4 }
    }
}

/// The parameters of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// The sizes of its layers.
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
        // All king buckets of a piece begin with the same weights.
        for king_buckets in rows[..biases].chunks_exact_mut(shape.king_buckets.count()) {
            fill(&mut king_buckets[..1], FEATURE_LIMIT);
            king_buckets.fill(king_buckets[0]);
        }
        fill(&mut rows[outputs..output_bias], output_limit);
        Self { shape, rows }
    }

    /// The output (a multiple of 400 centipawns) for one position, computed plainly.
    #[must_use]
    pub fn evaluate(&self, position: &PackedPosition) -> f32 {
        let features = ActiveFeatures::of(position, self.shape.king_buckets);
        let bucket = self.shape.bucket(features.count);
        let mut output = self.rows[self.shape.output_bias()].0[bucket];
        for (side, active) in features.sides().into_iter().enumerate() {
            for block in 0..self.shape.blocks() {
                let weights =
                    &self.rows[self.shape.feature_weights(block)..][..self.shape.inputs()];
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
    indices: [[u16; MAX_PIECES]; 2],
    /// How many there are, the same for both.
    pub count: usize,
}

impl ActiveFeatures {
    /// A position without active inputs.
    pub const NONE: Self = Self { indices: [[0; MAX_PIECES]; 2], count: 0 };

    /// The active inputs of a sound position, as rows of a block. Perspective 0 is the mover's.
    ///
    /// A feature is 384 for the other side's pieces, plus 64 times the kind, plus the square as the
    /// perspective sees it, files mirrored if its king stands on the files e to h. Its row is the
    /// feature times the number of king buckets, plus the king bucket of the perspective's king.
    #[inline]
    #[must_use]
    pub fn of(position: &PackedPosition, king_buckets: KingBuckets) -> Self {
        let mirror = |king: u8| if king & 4 == 0 { 0 } else { 7 };
        let (ours, theirs) = (mirror(position.king), mirror(position.other_king) ^ 56);
        let king_bucket = |king: u8| king_buckets.of(Square::from_index(usize::from(king))) as u16;
        let (our_zone, their_zone) = (king_bucket(position.king), king_bucket(position.other_king));
        let king_buckets = king_buckets.count() as u16;
        let count = position.piece_count().min(MAX_PIECES as u32) as usize;
        let mut features = Self { count, ..Self::NONE };
        let [indices, others] = &mut features.indices;
        for ((piece, index), other) in position.iter().zip(indices).zip(others) {
            let (code, square) = (u16::from(piece.0), u16::from(piece.1));
            let kind = (code & 7) * 64;
            let enemy = (code >> 3) * 384;
            *index = (enemy + kind + (square ^ ours)) * king_buckets + our_zone;
            *other = (384 - enemy + kind + (square ^ theirs)) * king_buckets + their_zone;
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
