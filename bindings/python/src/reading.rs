//! The games of a PGN text, one after the other.

use std::io;

use ::review::{GameTree, Splitter, read};

/// A game of a text.
pub(crate) struct ReadGame {
    /// Its number in the text, from 1.
    pub(crate) number: usize,
    pub(crate) tree: GameTree,
    /// What was wrong with it, by line.
    pub(crate) faults: Vec<String>,
}

/// Reads the games of a text. Those in which nothing can be read are left out, but counted.
pub(crate) struct Games<'a> {
    splitter: Splitter<&'a [u8]>,
    number: usize,
}

impl<'a> Games<'a> {
    pub(crate) fn new(pgn: &'a str) -> Self {
        Self { splitter: Splitter::new(pgn.as_bytes()), number: 0 }
    }
}

impl Iterator for Games<'_> {
    type Item = io::Result<ReadGame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let raw = match self.splitter.next_game() {
                Ok(raw) => raw?,
                Err(error) => return Some(Err(error)),
            };
            self.number += 1;
            let (Some(tree), faults) = read(&raw) else { continue };
            let faults = faults.iter().map(|fault| format!("line {}: {}", fault.line, fault.kind));
            return Some(Ok(ReadGame { number: self.number, tree, faults: faults.collect() }));
        }
    }
}
