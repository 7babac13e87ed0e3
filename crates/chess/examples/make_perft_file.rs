//! Writes `data/perft.epd`: well-known positions with their published counts, and positions of
//! random play with counts that `shakmaty` confirms.
//! `cargo run --release --package halcyon-chess-rules --example make_perft_file > data/perft.epd`

#![allow(clippy::print_stdout)]

#[path = "../tests/rules/oracle.rs"]
#[allow(dead_code)]
mod oracle;
#[path = "../tests/rules/play.rs"]
#[allow(dead_code)]
mod play;

use chess::{Position, perft};
use play::{Rng, Start};

/// The file is the same for the same seed.
const SEED: u64 = 2024;

/// The deepest count of a random position has at most this many leaves.
const LEAVES: u64 = 500_000;

/// From the Chess Programming Wiki, "Perft Results" and "Chess960 Perft Results".
#[rustfmt::skip]
const PUBLISHED: [(&str, &[u64]); 14] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197281, 4865609, 119060324]),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", &[48, 2039, 97862, 4085603, 193690690]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43238, 674624, 11030083, 178633661]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467, 422333, 15833292]),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", &[6, 264, 9467, 422333, 15833292]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62379, 2103487, 89941194]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", &[46, 2079, 89890, 3894594, 164075551]),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", &[24, 496, 9483, 182838, 3605103, 71179139]),
    ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", &[21, 528, 12189, 326672, 8146062]),
    ("2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", &[21, 807, 18002, 667366, 16253601]),
    ("b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", &[20, 479, 10471, 273318, 6417013]),
    ("qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9", &[22, 593, 13440, 382958, 9183776]),
    ("1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9", &[28, 1120, 31058, 1171749, 34030312]),
    ("qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9", &[29, 899, 26578, 824055, 24851983]),
];

fn line(fen: &str, counts: &[u64]) -> String {
    let counts = counts.iter().enumerate().map(|(i, count)| format!(" ;D{} {count}", i + 1));
    fen.to_string() + &counts.collect::<String>()
}

/// A position of a random game that is not over.
fn reached(start: Start, rng: &mut Rng) -> Position {
    loop {
        let plies = 4 + rng.below(100);
        let mut last = start.position(rng);
        play::game(last, plies, rng, |position, _| last = *position);
        if last.outcome().is_none() {
            return last;
        }
    }
}

/// The counts of a position as deep as they are affordable, each confirmed.
fn counts(position: &Position) -> Vec<u64> {
    let oracle = oracle::translate(position);
    let mut counts = Vec::new();
    for depth in 1..=6 {
        let count = perft(position, depth);
        if count > LEAVES && depth > 1 {
            break;
        }
        assert_eq!(count, shakmaty::perft(&oracle, depth), "{position:?} depth {depth}");
        counts.push(count);
    }
    counts
}

fn main() {
    println!(
        "# Leaves of the move tree by depth. Made by crates/chess/examples/make_perft_file.rs."
    );
    println!("# Well-known positions with their published counts.");
    for (fen, counts) in PUBLISHED {
        println!("{}", line(fen, counts));
    }
    let mut rng = Rng::new(SEED);
    let kinds = [
        (Start::Standard, 120),
        (Start::Later, 80),
        (Start::Chess960, 120),
        (Start::DoubleChess960, 120),
    ];
    for (start, number) in kinds {
        println!("# Random play, {start:?}.");
        for _ in 0..number {
            let position = reached(start, &mut rng);
            println!("{}", line(&position.to_shredder_fen(), &counts(&position)));
        }
    }
}
