//! **Opening moves** for levels below full strength: sensible, and not the same in every game. A small
//! book of main lines that people play; where several lines lead on, one is drawn. Weaker levels know
//! fewer moves.

use chess::rng::Rng;
use chess::{Move, Position};

/// The lines, from the start position.
const LINES: [&str; 36] = [
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6",
    "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Be7",
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6",
    "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4",
    "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6",
    "e4 e5 Nf3 Nc6 Nc3 Nf6 Bb5 Bb4",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4",
    "e4 e5 Nf3 d6 d4 exd4 Nxd4 Nf6",
    "e4 e5 Nc3 Nf6 Bc4 Nc6 d3 Bb4",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6",
    "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6",
    "e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6",
    "e4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7",
    "e4 c5 c3 Nf6 e5 Nd5 d4 cxd4",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7",
    "e4 e6 d4 d5 e5 c5 c3 Nc6",
    "e4 e6 d4 d5 exd5 exd5 Nf3 Nf6",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5",
    "e4 c6 d4 d5 e5 Bf5 Nf3 e6",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6",
    "e4 d6 d4 Nf6 Nc3 g6 Nf3 Bg7",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4",
    "d4 d5 c4 dxc4 Nf3 Nf6 e3 e6",
    "d4 d5 Nf3 Nf6 Bf4 e6 e3 c5",
    "d4 d5 Nf3 Nf6 e3 e6 Bd3 c5",
    "d4 d5 Bf4 Nf6 e3 c5 c3 Nc6",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O",
    "d4 Nf6 c4 e6 Nf3 b6 g3 Bb7",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6",
    "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5",
    "d4 Nf6 Nf3 g6 Bf4 Bg7 e3 O-O",
    "d4 f5 g3 Nf6 Bg2 e6 Nf3 Be7",
    "c4 e5 Nc3 Nf6 g3 d5 cxd5 Nxd5",
    "c4 c5 Nf3 Nf6 Nc3 Nc6 g3 d5",
    "Nf3 d5 g3 Nf6 Bg2 e6 O-O Be7",
];

/// Up to which move a level knows the book.
fn known_moves(elo: u32) -> u16 {
    match elo {
        0..1000 => 2,
        1000..1600 => 3,
        _ => 4,
    }
}

/// Whether a player of this strength knows the position from the book.
pub(super) fn is_known(position: &Position, elo: u32) -> bool {
    book_moves(position, elo).next().is_some()
}

/// A move of the book for a player of this strength, if there is one.
pub(super) fn opening_move(position: &Position, elo: u32, luck: &mut Rng) -> Option<Move> {
    let moves: Vec<Move> = book_moves(position, elo).collect();
    (!moves.is_empty()).then(|| luck.pick(&moves))
}

/// The moves of all lines that such a player knows, as often as they are played.
fn book_moves(position: &Position, elo: u32) -> impl Iterator<Item = Move> {
    let lines = if position.fullmove() <= known_moves(elo) { &LINES[..] } else { &[] };
    lines.iter().filter_map(|line| next_move(line, position))
}

/// The move of a line in this position, if the line comes to it.
fn next_move(line: &str, position: &Position) -> Option<Move> {
    let mut at = Position::startpos();
    for san in line.split_whitespace() {
        let mv = at.parse_san(san).ok()?;
        if at.key() == position.key() {
            return Some(mv);
        }
        at.make(mv);
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_line_is_legal_and_every_first_move_is_played() {
        let mut first = HashSet::new();
        for line in LINES {
            let mut position = Position::startpos();
            for (ply, san) in line.split_whitespace().enumerate() {
                let mv = position.parse_san(san).unwrap_or_else(|_| panic!("{san} in {line}"));
                assert!(ply < 8, "{line}");
                position.make(mv);
            }
            first.insert(line.split_whitespace().next().unwrap());
        }
        let played: HashSet<Move> = (0..2000)
            .filter_map(|game| opening_move(&Position::startpos(), 1500, &mut Rng::new(game)))
            .collect();
        assert_eq!(played.len(), first.len());
    }

    #[test]
    fn the_book_ends_sooner_for_weaker_players_and_off_its_lines() {
        let mut position = Position::startpos();
        for san in ["e4", "e5", "Nf3", "Nc6"] {
            position.make(position.parse_san(san).unwrap());
        }
        let known = |elo| opening_move(&position, elo, &mut Rng::new(1)).is_some();
        assert!(!known(800) && known(1200) && known(2400));
        position.make(position.parse_san("Ng1").unwrap());
        assert_eq!(opening_move(&position, 2400, &mut Rng::new(1)), None);
        // The same moves in another order are the same position.
        let mut other = Position::startpos();
        for san in ["Nf3", "Nc6", "e4", "e5"] {
            other.make(other.parse_san(san).unwrap());
        }
        assert!(opening_move(&other, 1600, &mut Rng::new(1)).is_some());
    }
}
