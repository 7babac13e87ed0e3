//! How soon a search answers after a stop, while other threads keep the processors busy.
//!
//! `cargo run --release -p halcyon-chess-engine --example stop_latency -- [stops] [threads] [busy threads]`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use chess::Position;
use engine::{Engine, Game, Limits, Silent, bench};

/// The bound that 99 of 100 stops must keep.
const BOUND: Duration = Duration::from_millis(20);

/// The time from the stop to the best move, for each of `stops` searches.
fn measure(stops: usize, threads: usize) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut engine = Engine::new();
    engine.set_threads(threads).unwrap();
    let control = engine.control();
    let (orders, inbox) = channel::<Position>();
    let (done, outcomes) = channel();
    thread::spawn(move || {
        for position in inbox {
            engine.set_game(Game::new(position));
            let limits = Limits { infinite: true, ..Limits::default() };
            let outcome = engine.search(&limits, &mut Silent);
            if done.send((Instant::now(), outcome.best_move)).is_err() {
                break;
            }
        }
    });
    let mut times = Vec::with_capacity(stops);
    for index in 0..stops {
        control.arm();
        orders.send(Position::from_fen(bench::POSITIONS[index % bench::POSITIONS.len()])?)?;
        // From stops that come before the first node to those in the midst of it.
        thread::sleep(Duration::from_micros((index as u64 * 7919) % 30_000));
        let stopped = Instant::now();
        control.stop();
        let (answered, best_move) = outcomes.recv()?;
        if best_move.is_none() {
            return Err("a search gave no move".into());
        }
        times.push(answered.saturating_duration_since(stopped));
    }
    times.sort_unstable();
    Ok(times)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| -> Result<usize, Box<dyn Error>> {
        Ok(arguments.next().map_or(Ok(default), |text| text.parse())?)
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let (stops, threads, busy) = (number(500)?.max(1), number(2)?, number(processors)?);
    let over = AtomicBool::new(false);
    let times = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| {
                let mut value = 1_u64;
                while !over.load(Relaxed) {
                    value = black_box(value.wrapping_mul(0x9E37_79B9_7F4A_7C15));
                }
            });
        }
        let times = measure(stops, threads).map_err(|error| error.to_string());
        over.store(true, Relaxed);
        times
    })?;
    let at = |hundredths: usize| times[((times.len() - 1) * hundredths).div_ceil(100)];
    println!(
        "{stops} stops, {threads} threads, {busy} busy ones beside them: \
         half within {:.2?}, 99 % within {:.2?}, all within {:.2?}",
        at(50),
        at(99),
        at(100)
    );
    if at(99) > BOUND {
        return Err(format!("99 % are not within {BOUND:?}").into());
    }
    Ok(())
}
