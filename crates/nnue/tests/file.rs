//! The network file: what is written is read, and damage is refused with its reason.

mod common;

use common::{full, random_network, random_parameters, random_parameters_with_head};
use nnue::format::{MAX_DESCRIPTION, decode, encode};
use nnue::{FormatError, Network, Parameters, Shape, Width};

fn sample() -> Vec<u8> {
    encode(&random_parameters(1, full(64))).expect("the parameters are in range")
}

/// The file with one number of its header replaced.
fn with_header(offset: usize, value: &[u8]) -> Result<Parameters, FormatError> {
    let mut bytes = sample();
    bytes[offset..offset + value.len()].copy_from_slice(value);
    decode(&bytes)
}

/// The file with some bytes replaced and the checksum made to fit.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let Err(FormatError::WrongChecksum { found, .. }) = decode(&bytes) else {
        panic!("the checksum fits already");
    };
    bytes[32..40].copy_from_slice(&found.to_le_bytes());
    bytes
}

#[test]
fn every_shape_survives_the_round_trip() {
    for width in Width::ALL {
        let plain = Shape::plain(width.neurons());
        for shape in [plain, Shape { buckets: 8, ..plain }, Shape { king_buckets: 4, ..plain }] {
            let parameters = random_parameters(2, shape);
            let bytes = encode(&parameters).expect("the parameters are in range");
            assert_eq!(decode(&bytes).as_ref(), Ok(&parameters));
            let network = Network::from_bytes(&bytes).expect("the file is sound");
            assert_eq!(network.to_bytes(), Ok(bytes));
            assert_eq!(network.parameters(), parameters);
            assert_eq!((network.width(), network.shape()), (width, shape));
            assert_eq!(network.description(), "random 2");
        }
    }
}

#[test]
fn a_head_survives_the_round_trip_and_a_damaged_one_is_refused() {
    let parameters = random_parameters_with_head(3, full(64));
    let bytes = encode(&parameters).expect("the parameters are in range");
    assert_eq!(bytes[12], 7 + 8 + 16);
    assert_eq!(decode(&bytes).as_ref(), Ok(&parameters));
    let network = Network::from_bytes(&bytes).expect("the file is sound");
    assert_eq!(network.parameters(), parameters);
    assert_eq!(network.to_bytes().as_ref(), Ok(&bytes));

    let headless = encode(&random_parameters(3, full(64))).expect("the parameters are in range");
    assert_eq!(bytes.len() - headless.len(), 2 * (192 * 16 + 16) + 4 * 17);
    // The bit says that there is a head: without the bit, or without the head, the size is wrong.
    for (mut file, bit) in [(bytes.clone(), 15), (headless, 31)] {
        file[12] = bit;
        assert!(matches!(decode(&file), Err(FormatError::WrongSize { .. })));
    }
    // Output weights that overflow.
    let mut steep = bytes;
    let from = steep.len() - 4 - 32;
    steep[from..from + 32].copy_from_slice(&[0xFF, 0x7F].repeat(16));
    assert_eq!(decode(&resealed(steep)), Err(FormatError::HeadOverflow));
}

#[test]
fn the_layout_is_as_documented() {
    let mut parameters = Parameters::zero(Shape::plain(64));
    parameters.description = String::from("net");
    parameters.feature_weights[0] = 0x0102;
    parameters.output_bias[0] = -2;
    let bytes = encode(&parameters).expect("the parameters are in range");
    assert_eq!(bytes.len(), 44 + 3 + 2 * (768 * 64 + 64 + 128) + 4);
    assert_eq!(&bytes[..8], b"HALCNNUE");
    assert_eq!(bytes[8..24], [2, 0, 0, 0, 7, 0, 0, 0, 64, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(bytes[24..32], [0xFC, 3, 0, 2, 0x90, 1, 0, 0]);
    assert_eq!(bytes[40..49], *b"\x03\0\0\0net\x02\x01");
    assert_eq!(bytes[bytes.len() - 4..], [0xFE, 0xFF, 0xFF, 0xFF]);

    let bucketed = encode(&Parameters::zero(Shape { king_buckets: 4, ..Shape::plain(64) }));
    let bucketed = bucketed.expect("the parameters are in range");
    assert_eq!(bucketed.len(), 44 + 2 * (4 * 768 * 64 + 64 + 128) + 4);
    assert_eq!(bucketed[12..16], [15, 0, 0, 0]);
}

#[test]
fn a_file_that_ends_anywhere_too_early_is_refused() {
    let bytes = sample();
    for length in 0..44 {
        assert_eq!(decode(&bytes[..length]), Err(FormatError::TooShort { found: length }));
    }
    for length in [44, 45, 60, 1000, bytes.len() - 1] {
        let expected = bytes.len() as u64;
        assert_eq!(
            decode(&bytes[..length]),
            Err(FormatError::WrongSize { expected, found: length })
        );
    }
}

#[test]
fn a_file_with_something_after_its_end_is_refused() {
    let mut bytes = sample();
    let expected = bytes.len() as u64;
    bytes.push(0);
    assert_eq!(decode(&bytes), Err(FormatError::WrongSize { expected, found: bytes.len() }));
}

#[test]
fn every_field_of_the_header_is_checked() {
    assert_eq!(with_header(0, b"X"), Err(FormatError::WrongMagic));
    assert_eq!(with_header(8, &[1]), Err(FormatError::UnsupportedVersion(1)));
    assert_eq!(with_header(12, &[3]), Err(FormatError::UnsupportedArchitecture(3)));
    assert_eq!(with_header(16, &[80]), Err(FormatError::UnsupportedWidth(80)));
    assert_eq!(with_header(20, &[4]), Err(FormatError::UnsupportedBuckets(4)));
    assert_eq!(
        with_header(24, &[255, 0]),
        Err(FormatError::UnsupportedScales { input: 255, output: 512, score: 400 })
    );
    assert_eq!(
        with_header(26, &[64, 0]),
        Err(FormatError::UnsupportedScales { input: 1020, output: 64, score: 400 })
    );
    assert_eq!(
        with_header(28, &[0, 32]),
        Err(FormatError::UnsupportedScales { input: 1020, output: 512, score: 8192 })
    );
    assert_eq!(with_header(28, &[0, 1]).map(|parameters| parameters.score_scale), Ok(256));
    assert!(matches!(with_header(32, &[1, 2]), Err(FormatError::WrongChecksum { .. })));
    assert!(matches!(with_header(40, &[255; 4]), Err(FormatError::WrongSize { .. })));
    assert!(matches!(with_header(16, &[255; 4]), Err(FormatError::UnsupportedWidth(_))));
    assert!(matches!(with_header(16, &[128]), Err(FormatError::WrongSize { .. })));
}

#[test]
fn one_flipped_bit_anywhere_in_the_weights_is_noticed() {
    let bytes = sample();
    for position in (44..bytes.len()).step_by(997) {
        let mut damaged = bytes.clone();
        damaged[position] ^= 1 << (position % 8);
        assert!(matches!(decode(&damaged), Err(FormatError::WrongChecksum { .. })));
    }
}

#[test]
fn a_description_that_is_not_text_is_refused() {
    let mut bytes = sample();
    bytes[44] = 0xFF;
    assert_eq!(decode(&resealed(bytes)), Err(FormatError::DescriptionNotText));
}

#[test]
fn a_description_that_is_too_long_is_refused() {
    let mut parameters = Parameters::zero(Shape::plain(64));
    parameters.description = "x".repeat(MAX_DESCRIPTION);
    let bytes = encode(&parameters).expect("the description just fits");
    assert_eq!(decode(&bytes).as_ref(), Ok(&parameters));

    parameters.description.push('x');
    let refusal = FormatError::DescriptionTooLong { found: MAX_DESCRIPTION + 1 };
    assert_eq!(encode(&parameters), Err(refusal.clone()));
    let mut longer = bytes;
    longer.insert(44, b'x');
    longer[40..44].copy_from_slice(&(MAX_DESCRIPTION as u32 + 1).to_le_bytes());
    assert_eq!(decode(&resealed(longer)), Err(refusal));
}

#[test]
fn a_sound_file_with_weights_that_overflow_is_refused() {
    let mut bytes = sample();
    let last_output_weights = bytes.len() - 8 * 4 - 2 * 9;
    for weight in bytes[last_output_weights..][..18].as_chunks_mut().0 {
        *weight = i16::MAX.to_le_bytes();
    }
    assert_eq!(decode(&resealed(bytes)), Err(FormatError::OutputOverflow { bucket: 7 }));
}

#[test]
fn refusals_are_explained_in_words() {
    let error = Network::from_bytes(b"not a net at all").expect_err("this is not a network");
    assert_eq!(error.to_string(), "this is not a network file");
    assert!(format!("{:?}", random_network(1, Shape::plain(64))).contains("width: 64"));
}
