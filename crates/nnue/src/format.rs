//! The network file.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | `HALCNNUE` |
//! | 8 | 4 | [`VERSION`] |
//! | 12 | 4 | [`ARCHITECTURE`] |
//! | 16 | 4 | `H`, neurons of the hidden layer |
//! | 20 | 4 | `B`, output buckets |
//! | 24 | 2, 2, 4 | the scales of the integers: 1020, 512, and centipawns for an output of 1 |
//! | 32 | 8 | FNV-1a checksum of everything that follows |
//! | 40 | 4 | length of the description |
//! | 44 | | the description, UTF-8 |
//! | | | feature weights `[Z][768][H]` i16, where `Z` is 4 with king buckets, else 1 |
//! | | | feature bias `[H]` i16 |
//! | | | output weights `[B][2H]` i16 |
//! | | | output bias `[B]` i32 |
//! | | | with a head: its weights `[192][16]` i16, bias `[16]` i32, output weights `[16]` i16, output bias i32 |

use crate::activity::HEAD_INPUTS;
use crate::head::{HEAD_NEURONS, HeadParameters};
use crate::{FormatError, INPUT_SCALE, OUTPUT_SCALE, Parameters, SCORE_SCALES, Shape};

/// What every network file begins with.
pub const MAGIC: [u8; 8] = *b"HALCNNUE";
/// The version of the format that is read and written.
pub const VERSION: u32 = 2;
/// One bit for each property that changes the meaning of the weights: inputs mirrored by the king's
/// file (1), two perspectives (2), squared clipped activation (4). All networks have these.
pub const ARCHITECTURE: u32 = 1 | 2 | 4;
/// The bit of networks with four [king buckets](crate::KingBuckets) of the king.
pub const FOUR_KING_BUCKETS: u32 = 8;
/// The bit of networks with a [head](crate::HeadParameters).
pub const HEAD: u32 = 16;
/// The longest description, in bytes.
pub const MAX_DESCRIPTION: usize = 4096;

const CHECKSUM_OFFSET: usize = 32;
const CHECKED_FROM: usize = CHECKSUM_OFFSET + 8;
const HEADER: usize = CHECKED_FROM + 4;

/// Writes a network as a file.
///
/// # Errors
///
/// When the parameters do not pass [`Parameters::check`] or the description is too long.
pub fn encode(parameters: &Parameters) -> Result<Vec<u8>, FormatError> {
    parameters.check()?;
    let description = parameters.description.as_bytes();
    if description.len() > MAX_DESCRIPTION {
        return Err(FormatError::DescriptionTooLong { found: description.len() });
    }

    let shape = parameters.shape;
    let payload = payload_size(shape, parameters.head.is_some());
    let architecture = ARCHITECTURE
        | if shape.king_buckets == 4 { FOUR_KING_BUCKETS } else { 0 }
        | if parameters.head.is_some() { HEAD } else { 0 };
    let mut bytes = Vec::with_capacity(HEADER + description.len() + payload);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(architecture.to_le_bytes());
    bytes.extend((shape.width as u32).to_le_bytes());
    bytes.extend((shape.buckets as u32).to_le_bytes());
    bytes.extend((INPUT_SCALE as u16).to_le_bytes());
    bytes.extend((OUTPUT_SCALE as u16).to_le_bytes());
    bytes.extend((parameters.score_scale as u32).to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description);
    for list in [&parameters.feature_weights, &parameters.feature_bias, &parameters.output_weights]
    {
        bytes.extend(list.iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes.extend(parameters.output_bias.iter().flat_map(|value| value.to_le_bytes()));
    if let Some(head) = &parameters.head {
        bytes.extend(head.weights.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend(head.bias.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend(head.output_weights.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend(head.output_bias.to_le_bytes());
    }

    let checksum = checksum(&bytes[CHECKED_FROM..]);
    bytes[CHECKSUM_OFFSET..CHECKED_FROM].copy_from_slice(&checksum.to_le_bytes());
    Ok(bytes)
}

/// Reads a network file.
///
/// # Errors
///
/// When the file is not a network, is of a kind this program does not support, or is damaged.
pub fn decode(bytes: &[u8]) -> Result<Parameters, FormatError> {
    let mut reader = Reader { rest: bytes, found: bytes.len() };
    if reader.take()? != MAGIC {
        return Err(FormatError::WrongMagic);
    }
    let version = reader.u32()?;
    if version != VERSION {
        return Err(FormatError::UnsupportedVersion(version));
    }
    let architecture = reader.u32()?;
    if architecture & !(FOUR_KING_BUCKETS | HEAD) != ARCHITECTURE {
        return Err(FormatError::UnsupportedArchitecture(architecture));
    }
    let has_head = architecture & HEAD != 0;
    let king_buckets = if architecture & FOUR_KING_BUCKETS == 0 { 1 } else { 4 };
    let shape =
        Shape { width: reader.u32()? as usize, king_buckets, buckets: reader.u32()? as usize };
    let (input, output) = (reader.u16()?, reader.u16()?);
    let score = reader.u32()?;
    let score_scale = i32::try_from(score).ok().filter(|scale| SCORE_SCALES.contains(scale));
    let Some(score_scale) = score_scale
        .filter(|_| [i32::from(input), i32::from(output)] == [INPUT_SCALE, OUTPUT_SCALE])
    else {
        return Err(FormatError::UnsupportedScales { input, output, score });
    };
    let expected_checksum = u64::from_le_bytes(reader.take()?);
    let description_length = reader.u32()?;

    // The shape is checked before its size is believed: a damaged header cannot ask for much.
    shape.check()?;
    let expected =
        HEADER as u64 + u64::from(description_length) + payload_size(shape, has_head) as u64;
    if expected != bytes.len() as u64 {
        return Err(FormatError::WrongSize { expected, found: bytes.len() });
    }
    let found_checksum = checksum(&bytes[CHECKED_FROM..]);
    if found_checksum != expected_checksum {
        let (expected, found) = (expected_checksum, found_checksum);
        return Err(FormatError::WrongChecksum { expected, found });
    }

    let description = reader.bytes(description_length as usize)?;
    if description.len() > MAX_DESCRIPTION {
        return Err(FormatError::DescriptionTooLong { found: description.len() });
    }
    let mut parameters = Parameters::zero(shape);
    parameters.score_scale = score_scale;
    parameters.description =
        str::from_utf8(description).map_err(|_| FormatError::DescriptionNotText)?.to_owned();
    reader.fill(&mut parameters.feature_weights, i16::from_le_bytes)?;
    reader.fill(&mut parameters.feature_bias, i16::from_le_bytes)?;
    reader.fill(&mut parameters.output_weights, i16::from_le_bytes)?;
    reader.fill(&mut parameters.output_bias, i32::from_le_bytes)?;
    if has_head {
        let mut head = HeadParameters::zero();
        reader.fill(&mut head.weights, i16::from_le_bytes)?;
        reader.fill(&mut head.bias, i32::from_le_bytes)?;
        reader.fill(&mut head.output_weights, i16::from_le_bytes)?;
        head.output_bias = i32::from_le_bytes(reader.take()?);
        parameters.head = Some(head);
    }
    parameters.check()?;
    Ok(parameters)
}

/// The bytes of all weights of a network of this shape.
const fn payload_size(shape: Shape, has_head: bool) -> usize {
    let short = shape.feature_weights() + shape.width + shape.output_weights();
    let head =
        (HEAD_INPUTS + 1) * HEAD_NEURONS * size_of::<i16>() + (HEAD_NEURONS + 1) * size_of::<i32>();
    let body = short * size_of::<i16>() + shape.buckets * size_of::<i32>();
    if has_head { body + head } else { body }
}

/// The 64-bit FNV-1a hash: enough to notice damage, and nothing more is asked of it.
fn checksum(bytes: &[u8]) -> u64 {
    const OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    bytes.iter().fold(OFFSET, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// Takes a file apart from the front.
struct Reader<'a> {
    rest: &'a [u8],
    /// The size of the whole file, for the error.
    found: usize,
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], FormatError> {
        let too_short = FormatError::TooShort { found: self.found };
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(too_short)?;
        self.rest = rest;
        Ok(taken)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormatError> {
        let (taken, rest) =
            self.rest.split_first_chunk().ok_or(FormatError::TooShort { found: self.found })?;
        self.rest = rest;
        Ok(*taken)
    }

    fn u16(&mut self) -> Result<u16, FormatError> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, FormatError> {
        self.take().map(u32::from_le_bytes)
    }

    fn fill<T, const N: usize>(
        &mut self,
        list: &mut [T],
        from_bytes: fn([u8; N]) -> T,
    ) -> Result<(), FormatError> {
        let bytes = self.bytes(list.len() * N)?;
        for (value, bytes) in list.iter_mut().zip(bytes.as_chunks().0) {
            *value = from_bytes(*bytes);
        }
        Ok(())
    }
}
