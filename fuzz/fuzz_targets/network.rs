//! Any bytes as a network: refused with the reason, or it evaluates and is written alike. Bytes that
//! begin with `@` change the real network at a place instead.

#![no_main]

use std::sync::{Arc, LazyLock};

use chess::Position;
use libfuzzer_sys::fuzz_target;
use nnue::{AccumulatorStack, EVALUATION_LIMIT, Network};

static REAL: LazyLock<Vec<u8>> = LazyLock::new(|| nnue::embedded().to_bytes().unwrap());

fn check(bytes: &[u8]) {
    match Network::from_bytes(bytes) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(network) => {
            assert_eq!(network.to_bytes().unwrap(), bytes);
            let (start, mut stack) =
                (Position::startpos(), AccumulatorStack::new(Arc::new(network)));
            stack.reset(&start);
            assert!(stack.evaluate(&start).abs() <= EVALUATION_LIMIT);
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let [b'@', a, b, c, length, change @ ..] = bytes else { return };
    let at = u32::from_le_bytes([*a, *b, *c, 0]) as usize % REAL.len();
    let mut changed = REAL.clone();
    for (byte, with) in changed[at..].iter_mut().zip(change) {
        *byte ^= with;
    }
    changed.truncate(REAL.len() - usize::from(*length) % 64);
    check(&changed);
});
