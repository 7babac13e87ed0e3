//! Measures the evaluation: `cargo run --release --package engine --example bench_eval`.

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use chess::Position;
use engine::eval::evaluate;

/// Few enough to stay in the cache, as the position at hand does in a search.
const GAMES: usize = 20;
const PLIES: usize = 100;
/// Best of this many runs, as the machine may have other things to do.
const RUNS: usize = 400;

fn main() {
    let positions = random_positions();
    let mut best = f64::INFINITY;
    for _ in 0..RUNS {
        let start = Instant::now();
        let mut total = 0;
        for position in &positions {
            total += evaluate(black_box(position));
        }
        black_box(total);
        best = best.min(start.elapsed().as_nanos() as f64 / positions.len() as f64);
    }
    println!("{best:.1} ns per evaluation over {} positions", positions.len());
}

/// The positions of games of random moves from the start.
fn random_positions() -> Vec<Position> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut positions = Vec::new();
    for _ in 0..GAMES {
        let mut position = Position::startpos();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            position.make(moves[(state >> 33) as usize % moves.len()]);
            positions.push(position);
        }
    }
    positions
}
