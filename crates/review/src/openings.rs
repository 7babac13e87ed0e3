//! The names of openings, by position, so that every order of moves finds them. The list is that of
//! <https://github.com/lichess-org/chess-openings>, which is in the public domain (CC0 1.0).

use std::collections::HashMap;
use std::sync::LazyLock;

use chess::{Move, Position};

/// An opening that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings, from A00 to E99.
    pub eco: &'static str,
    /// Its name, the variation behind a colon.
    pub name: String,
}

/// Each line is a code, a name and moves, separated by tabs. What it shares with the line before it is
/// left out: `5<tab>Gambit` is a name that begins with the first five letters of the one before.
const LIST: &str = include_str!("openings.tsv");

static NAMES: LazyLock<HashMap<u64, Opening>> = LazyLock::new(|| {
    let mut name = String::new();
    // The start position and the positions after each move of the last line.
    let mut positions = vec![Position::startpos()];
    let entries = LIST.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let eco = fields.next()?;
        let (shared, rest) = (fields.next()?.parse().ok()?, fields.next()?);
        name = name.chars().take(shared).chain(rest.chars()).collect();
        positions.truncate(1 + fields.next()?.parse::<usize>().ok()?);
        for text in fields.next()?.split_whitespace() {
            let mut position = *positions.last()?;
            position.make(position.parse_san(text).ok()?);
            positions.push(position);
        }
        Some((positions.last()?.key(), Opening { eco, name: name.clone() }))
    });
    entries.collect()
});

/// The opening of a game: the name of its last position that has one.
#[must_use]
pub fn opening(start: &Position, moves: &[Move]) -> Option<Opening> {
    /// No name in the list comes later.
    const LAST_PLY: usize = 36;
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

    fn named(moves: &str) -> Option<String> {
        let mut position = Position::startpos();
        let mut list = Vec::new();
        for text in moves.split_whitespace() {
            let mv = position.parse_san(text).unwrap();
            list.push(mv);
            position.make(mv);
        }
        opening(&Position::startpos(), &list)
            .map(|opening| format!("{} {}", opening.eco, opening.name))
    }

    #[test]
    fn every_line_of_the_list_names_a_position_of_its_own() {
        assert_eq!((NAMES.len(), LIST.lines().count()), (3807, 3807));
        for opening in NAMES.values() {
            let Opening { eco, name } = opening;
            assert!(eco.len() == 3 && eco.starts_with(['A', 'B', 'C', 'D', 'E']), "{opening:?}");
            assert!(eco[1..].parse::<u32>().is_ok() && !name.is_empty(), "{opening:?}");
        }
    }

    #[test]
    fn another_order_of_moves_finds_the_same_name() {
        let declined = Some("D30 Queen's Gambit Declined".to_owned());
        assert_eq!(named("d4 d5 c4 e6"), declined);
        assert_eq!(named("c4 e6 d4 d5"), declined);
        let morphy = Some("C70 Ruy Lopez: Morphy Defense".to_owned());
        assert_eq!(named("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 h5 h4"), morphy);
        assert_eq!(
            named("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"),
            Some("B90 Sicilian Defense: Najdorf Variation".into())
        );
        assert_eq!(named(""), None);
        let other = chess::chess960(0);
        assert_eq!(opening(&other, &[other.parse_san("e4").unwrap()]), None);
    }
}
