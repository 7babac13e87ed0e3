//! What the tests of several modules need: positions, random numbers, files.
#![allow(clippy::print_stderr)]

use std::fs;
use std::path::{Path, PathBuf};

use chess::rng::Rng;
use chess::{Position, chess960};

use crate::game::Game;

/// A position that the test knows to be legal.
pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A game that starts at a position and goes on with these moves.
pub(crate) fn game(fen: &str, moves: &[&str]) -> Game {
    let mut game = Game::new(position(fen));
    for text in moves {
        let mv = game.position().parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(mv);
    }
    game
}

/// Positions that random play from the start seldom reaches.
const LATER: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "2kr3r/pp1n1ppp/1qp1b3/4p3/1b2P3/1NN1B3/PPP1QPPP/2KR3R w - - 4 12",
    "8/5k2/3p4/2pPp3/1pP1Pp2/pP3Pp1/P5P1/6K1 w - - 0 1",
    "q3k2q/8/8/8/8/8/8/Q3K2Q w - - 0 1",
];

/// This many positions of games of random moves from starts of every sort.
pub(crate) fn random_positions(count: usize, seed: u64) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut next = match rng.below(3) {
            0 => Position::startpos(),
            1 => chess960(rng.below(960) as u16),
            _ => position(rng.pick(&LATER)),
        };
        for _ in 0..rng.below(160) {
            let moves = next.legal_moves();
            if moves.is_empty() {
                break;
            }
            next.make(rng.pick(&moves));
            // Not every one: neighbours are much alike.
            if rng.below(4) == 0 && positions.len() < count {
                positions.push(next);
            }
        }
    }
    positions
}

/// A file of the repository's own test data.
pub(crate) fn own_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The positions of all files in a folder of the public collections that `HALCYON_DATA` names,
/// with the text of their lines.
pub(crate) fn shared_positions(folder: &str) -> Option<Vec<(Position, String)>> {
    let Some(data) = std::env::var_os("HALCYON_DATA").map(PathBuf::from) else {
        eprintln!("skipped: no data (HALCYON_DATA is not set)");
        return None;
    };
    let folder = data.join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("a folder can be read").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "epd"));
    paths.sort();
    let mut positions = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let position = Position::from_fen(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            positions.push((position, line.to_owned()));
        }
    }
    Some(positions)
}
