//! A piece of text, repeated: reading four times as much takes about four times as long.

#![no_main]

use std::time::{Duration, Instant};

use libfuzzer_sys::fuzz_target;
use review::{Splitter, read, write_pgn};

/// The shorter text.
const SIZE: usize = 1 << 16;
/// How many times as long the longer one is.
const FACTOR: u32 = 4;
/// Faster than this is fast enough, whatever the ratio.
const FAST: Duration = Duration::from_millis(150);

fn time(text: &[u8]) -> Duration {
    let begun = Instant::now();
    let mut games = Splitter::new(text);
    while let Ok(Some(raw)) = games.next_game() {
        let (tree, faults) = read(&raw);
        assert!(faults.len() <= 21);
        drop(tree.map(|tree| write_pgn(&tree)));
    }
    begun.elapsed()
}

fuzz_target!(|piece: &[u8]| {
    if piece.is_empty() {
        return;
    }
    let short: Vec<u8> = piece.iter().copied().cycle().take(SIZE).collect();
    let long = short.repeat(FACTOR as usize);
    let best = |text: &[u8]| (0..3).map(|_| time(text)).min().unwrap_or_default();
    if time(&long) < FAST {
        return;
    }
    let (once, longer) = (best(&short), best(&long));
    assert!(longer < once * FACTOR * 3, "{once:?} for {SIZE} bytes, {longer:?} for {FACTOR} times");
});
