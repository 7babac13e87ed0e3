//! Any bytes as a trace: refused with a reason, or printed line by line, none longer than its moves explain.

#![no_main]

use chess::Position;
use cli::trace;
use cli::tree::{self, Filter};
use libfuzzer_sys::fuzz_target;

/// Levels of a trace, two blanks each, and what a node has to say besides its own text.
const LONGEST: usize = 2 * 1024 + 512;

fuzz_target!(|bytes: &[u8]| {
    let trace = match trace::read(bytes) {
        Ok(trace) => trace,
        Err(reason) => return assert!(!reason.is_empty()),
    };
    let root = Position::from_fen(&trace.header.fen).unwrap_or(Position::startpos());
    let filter = Filter { max_ply: Some(8), ..Filter::default() };
    for filter in [Filter::default(), filter] {
        for line in tree::print(&root, &trace.nodes, &filter) {
            let longest = line.lines().map(str::len).max().unwrap_or(0);
            assert!(longest <= LONGEST + bytes.len(), "{longest}");
        }
    }
});
