//! Names of openings: a small list of our own, by position, so that every order of moves finds
//! them.

use std::collections::HashMap;
use std::sync::LazyLock;

use chess::{Move, Position};

use crate::protocol::Opening;

/// Code, name and moves, separated by tabs.
const LIST: &str = include_str!("openings.tsv");

static NAMES: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    let entries = LIST.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (eco, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
        let mut position = Position::startpos();
        for text in moves.split(' ') {
            position.make(position.parse_san(text).ok()?);
        }
        Some((position.key(), Opening { eco, name }))
    });
    entries.collect()
});

/// The name of the last position of a game that has one.
pub(crate) fn name(start: &Position, moves: &[Move]) -> Option<Opening> {
    /// No name in the list comes later.
    const LAST_PLY: usize = 24;
    if *start != Position::startpos() {
        return None;
    }
    let mut position = *start;
    let mut found = None;
    for &mv in moves.iter().take(LAST_PLY) {
        position.make(mv);
        found = NAMES.get(&position.key()).or(found);
    }
    found.cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(moves: &str) -> Option<&'static str> {
        let mut position = Position::startpos();
        let mut list = Vec::new();
        for text in moves.split_whitespace() {
            let mv = position.parse_san(text).unwrap();
            list.push(mv);
            position.make(mv);
        }
        name(&Position::startpos(), &list).map(|opening| opening.name)
    }

    #[test]
    fn every_line_of_the_list_names_a_position_of_its_own() {
        assert_eq!(NAMES.len(), LIST.lines().count());
        for line in LIST.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [eco, name, moves] = fields[..] else { panic!("{line}") };
            assert!(eco.len() == 3 && eco.starts_with(['A', 'B', 'C', 'D', 'E']), "{line}");
            assert!(eco[1..].parse::<u32>().is_ok() && !name.is_empty(), "{line}");
            assert_eq!(named(moves), Some(name), "{line}");
        }
    }

    #[test]
    fn another_order_of_moves_finds_the_same_name() {
        assert_eq!(named("c4 e6 d4 d5"), Some("Queen's Gambit Declined"));
        assert_eq!(named("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 h5 h4"), Some("Ruy Lopez, Morphy Defence"));
        assert_eq!(named("a3"), None);
        let other = chess::chess960(0);
        assert_eq!(name(&other, &[other.parse_san("e4").unwrap()]), None);
    }
}
