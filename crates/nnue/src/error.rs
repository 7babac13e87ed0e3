//! Why a network is refused.

use std::error::Error;
use std::fmt;

/// Why a network file, or a set of parameters, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// The file ends before its header does.
    TooShort {
        /// Bytes that the file has.
        found: usize,
    },
    /// The file does not begin as a network file does.
    WrongMagic,
    /// The file is of another version of the format.
    UnsupportedVersion(u32),
    /// The inputs, layers or activation are not those this program computes.
    UnsupportedArchitecture(u32),
    /// No inference is compiled for a hidden layer of this width.
    UnsupportedWidth(usize),
    /// Only 1 and 4 sets of feature weights are supported.
    UnsupportedKingBuckets(usize),
    /// Only 1 and 8 sets of output weights are supported.
    UnsupportedBuckets(usize),
    /// The weights were scaled to integers by other factors.
    UnsupportedScales {
        /// Scale of the accumulators.
        input: u16,
        /// Scale of the output weights.
        output: u16,
        /// Centipawns for one unit of output.
        score: u32,
    },
    /// The file is shorter or longer than its header says.
    WrongSize {
        /// Bytes according to the header.
        expected: u64,
        /// Bytes that the file has.
        found: usize,
    },
    /// The content is not what was written.
    WrongChecksum {
        /// According to the header.
        expected: u64,
        /// Of the content found.
        found: u64,
    },
    /// The description is longer than the format allows.
    DescriptionTooLong {
        /// Bytes that the description has.
        found: usize,
    },
    /// The description is not UTF-8.
    DescriptionNotText,
    /// A list of parameters has the wrong length.
    WrongCount {
        /// What the list holds.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The feature weights of a neuron are so large that its accumulator could overflow.
    AccumulatorOverflow {
        /// The number of the neuron, from 0.
        neuron: usize,
    },
    /// The output weights of a bucket are so large that their sum could overflow.
    OutputOverflow {
        /// The number of the bucket, from 0.
        bucket: usize,
    },
    /// The weights of the head are so large that its sums could overflow.
    HeadOverflow,
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort { found } => {
                write!(f, "the file has only {found} bytes, too few for a network's header")
            }
            Self::WrongMagic => write!(f, "this is not a network file"),
            Self::UnsupportedVersion(version) => {
                write!(f, "version {version} of the network format is not supported")
            }
            Self::UnsupportedArchitecture(code) => {
                write!(f, "network architecture {code:#x} is not supported")
            }
            Self::UnsupportedWidth(width) => {
                write!(f, "a hidden layer of {width} neurons is not supported")
            }
            Self::UnsupportedKingBuckets(king_buckets) => {
                write!(f, "{king_buckets} king buckets are not supported")
            }
            Self::UnsupportedBuckets(buckets) => {
                write!(f, "{buckets} output buckets are not supported")
            }
            Self::UnsupportedScales { input, output, score } => {
                write!(f, "weight scales {input}, {output}, {score} are not supported")
            }
            Self::WrongSize { expected, found } => {
                write!(f, "the file has {found} bytes where its header promises {expected}")
            }
            Self::WrongChecksum { expected, found } => {
                write!(f, "the file is damaged: checksum {found:016x} instead of {expected:016x}")
            }
            Self::DescriptionTooLong { found } => {
                write!(f, "the description of {found} bytes is too long")
            }
            Self::DescriptionNotText => write!(f, "the description is not UTF-8 text"),
            Self::WrongCount { what, expected, found } => {
                write!(f, "{found} {what} where there must be {expected}")
            }
            Self::AccumulatorOverflow { neuron } => {
                write!(f, "the weights of neuron {neuron} are so large that its sum can overflow")
            }
            Self::OutputOverflow { bucket } => {
                write!(f, "the output weights of bucket {bucket} are so large that they overflow")
            }
            Self::HeadOverflow => {
                write!(f, "the weights of the head are so large that they overflow")
            }
        }
    }
}

impl Error for FormatError {}

/// Refuses a list of parameters that has the wrong length.
pub(crate) fn check_count(
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), FormatError> {
    if found == expected { Ok(()) } else { Err(FormatError::WrongCount { what, expected, found }) }
}
