//! Perft beside Stockfish's, in the same run.

use std::time::{Duration, Instant};

use chess::{Position, perft};

use crate::Failure;
use crate::shell::again_in_release;
use crate::uci::Engine;

const REPETITIONS: usize = 7;

const POSITIONS: [(&str, &str, u32); 2] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
];

/// The least that is accepted.
const GOAL: f64 = 1.5;

fn start_stockfish() -> Result<Engine, Failure> {
    let started =
        ["stockfish", "/usr/games/stockfish"].map(|program| Engine::start(program.as_ref()));
    let found = started.into_iter().find_map(Result::ok);
    found.ok_or_else(|| "stockfish is neither in PATH nor in /usr/games".into())
}

/// Time from the command to its answer, and the leaves.
fn their_perft(stockfish: &mut Engine, fen: &str, depth: u32) -> Result<(Duration, u64), Failure> {
    stockfish.send(&format!("position fen {fen}"))?;
    stockfish.ask("isready", "readyok")?;
    let start = Instant::now();
    let answer = stockfish.ask(&format!("go perft {depth}"), "Nodes searched")?;
    let time = start.elapsed();
    let leaves = answer.rsplit(' ').next().and_then(|word| word.trim().parse().ok());
    Ok((time, leaves.ok_or(format!("stockfish: {answer:?}"))?))
}

/// Alternates, so that both meet the same weather on a shared machine, and compares best times.
pub(crate) fn run() -> Result<(), Failure> {
    if let Some(result) = again_in_release("bench-perft") {
        return result;
    }
    let mut stockfish = start_stockfish()?;
    let mut lowest = f64::INFINITY;
    for (name, fen, depth) in POSITIONS {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let (mut ours, mut theirs, mut leaves) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..REPETITIONS {
            let (time, count) = their_perft(&mut stockfish, fen, depth)?;
            theirs = theirs.min(time);
            let start = Instant::now();
            leaves = perft(std::hint::black_box(&position), depth);
            ours = ours.min(start.elapsed());
            if leaves != count {
                return Err(format!("{name}: {leaves} leaves, but Stockfish counts {count}"));
            }
        }
        let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
        let speed = |time: Duration| leaves as f64 / time.as_secs_f64() / 1e6;
        println!(
            "{name}, depth {depth}: {:.0} M leaves/s, Stockfish {:.0}, ratio {ratio:.2}",
            speed(ours),
            speed(theirs)
        );
        lowest = lowest.min(ratio);
    }
    println!("best of {REPETITIONS} each; lowest ratio {lowest:.2}, goal {GOAL}");
    if lowest >= GOAL { Ok(()) } else { Err(format!("slower than {GOAL} times Stockfish")) }
}
