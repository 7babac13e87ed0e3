//! Measures inference: `cargo run --release --package halcyon-chess-nnue --example bench_inference`.
//!
//! For every width, in nanoseconds: one move and its score, the score alone, by difference the
//! update of both accumulators, and a score from nothing.

#![allow(clippy::print_stdout)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use chess::Position;
use common::{Rng, full, random_game, random_network};
use nnue::{AccumulatorStack, Width};

/// Best of this many runs, as the machine may have other things to do.
const RUNS: usize = 15;

fn main() {
    println!("    H  move+score     score    update   scratch   (ns)");
    for width in Width::ALL {
        let network = Arc::new(random_network(1, full(width.neurons())));
        let mut accumulators = AccumulatorStack::new(Arc::clone(&network));
        let mut random = Rng::new(2);
        let start = Position::startpos();
        let games: Vec<_> = (0..40).map(|_| random_game(&start, &mut random, 100)).collect();
        let positions = games.iter().map(Vec::len).sum();

        let both = best(positions, || {
            let mut total = 0;
            for game in &games {
                accumulators.reset(&start);
                total += accumulators.evaluate(&start);
                for step in game {
                    accumulators.push(step.delta);
                    total += accumulators.evaluate(&step.position);
                }
            }
            total
        });
        let position = games[0].last().map_or(start, |step| step.position);
        accumulators.reset(&position);
        let score =
            best(10_000, || (0..10_000).map(|_| accumulators.evaluate(black_box(&position))).sum());
        let scratch = best(positions, || {
            games.iter().flatten().map(|step| network.evaluate_scratch(&step.position)).sum()
        });
        let update = both - score;
        let neurons = width.neurons();
        println!("{neurons:5}  {both:10.1}{score:10.1}{update:10.1}{scratch:10.1}");
    }
}

/// Nanoseconds for one of `count` things that `work` does.
fn best(count: usize, mut work: impl FnMut() -> i32) -> f64 {
    let run = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e9 / count as f64
    };
    std::iter::repeat_with(run).take(RUNS).fold(f64::INFINITY, f64::min)
}
