//! `bench` and `speedtest`: how much is searched, and how fast.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use chess::Position;
use engine::bench::{self, Bench};
use engine::{Control, DEFAULT_HASH_MIB, Engine, Game, Limits, MAX_PLY, Network, Silent};

use crate::command::{BenchRequest, SpeedRequest};
use crate::info::per_second;
use crate::output::Output;

const MAX_DEPTH: u32 = MAX_PLY as u32;

/// No machine has more, and a slip of the finger shall not ask for more.
const MAX_THREADS: u32 = 1024;

const SPEEDTEST_SECONDS: u32 = 30;
const SPEEDTEST_HASH_PER_THREAD: u32 = 64;

/// Positions of one game from the opening to the ending: the table stays warm between them, as in
/// play.
const SPEEDTEST_GAME: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 2 7",
    "r1bq1rk1/1pp2ppp/p1np1n2/2b1p3/B3P3/2PP1N1P/PP3PP1/RNBQR1K1 b - - 0 10",
    "r2q1rk1/1pp2ppp/p1npbn2/4p3/4P3/1bPP1N1P/PP1N1PP1/R1BQR1K1 w - - 0 13",
    "r4rk1/1ppq1ppp/p1np1n2/4p3/3PP3/1QP2N1P/PP1N1PP1/R1B1R1K1 b - - 0 16",
    "4rrk1/1ppq1pp1/p1n2n1p/8/3PP3/1QN2N1P/PP3PP1/R1B1R1K1 w - - 2 20",
    "4r1k1/1pp2pp1/p1n4p/3q4/3P4/2B2N1P/PPQ2PP1/4R1K1 b - - 4 25",
    "6k1/1pp2pp1/p6p/8/2nP4/2B2N1P/PP3PP1/6K1 w - - 0 30",
    "8/1pp2pk1/p5pp/3n4/3P4/5N1P/PP2KPP1/8 b - - 3 37",
];

/// A `bench` that is ready to run.
pub struct BenchRun {
    bench: Bench,
    stop: SpeedStop,
}

impl BenchRun {
    /// Makes an engine with this network ready.
    ///
    /// # Errors
    /// If there is not enough memory, or not so many threads.
    pub fn new(request: BenchRequest, network: &Arc<Network>) -> Result<Self, String> {
        let depth = request.depth.map_or(bench::DEFAULT_DEPTH, |depth| depth.min(MAX_DEPTH) as i32);
        let threads = request.threads.unwrap_or(1).min(MAX_THREADS);
        let hash = request.hash.unwrap_or(DEFAULT_HASH_MIB as u32);
        let engine = engine(threads, hash, network)?;
        let stop = SpeedStop::of(&engine);
        Ok(Self { bench: Bench { engine, depth }, stop })
    }

    /// A handle that ends the test from another thread.
    #[must_use]
    pub fn stopper(&self) -> SpeedStop {
        self.stop.clone()
    }

    /// Searches all positions and writes what it came to.
    pub fn run(self, output: &Output) {
        let result = self.bench.run(|fen, nodes| {
            if self.stop.is_told() {
                return ControlFlow::Break(());
            }
            output.line(&format!("{nodes:>10} nodes  {fen}"));
            ControlFlow::Continue(())
        });
        match result {
            Some(result) => output.line(&format!("{} nodes {} nps", result.nodes, result.nps())),
            None => output.note("bench stopped"),
        }
    }
}

fn engine(threads: u32, hash: u32, network: &Arc<Network>) -> Result<Engine, String> {
    let mut engine = Engine::new();
    engine.set_network(Arc::clone(network));
    let given = engine.set_threads(threads as usize);
    given.map_err(|error| format!("{threads} threads: {}", error.kind()))?;
    engine.set_hash(hash as usize).map_err(|error| error.to_string())?;
    Ok(engine)
}

/// Ends a `bench` or a speed test from another thread.
#[derive(Clone)]
pub struct SpeedStop {
    control: Control,
    /// A stop between two searches is not forgotten.
    stopped: Arc<AtomicBool>,
}

impl SpeedStop {
    fn of(engine: &Engine) -> Self {
        Self { control: engine.control(), stopped: Arc::default() }
    }

    fn is_told(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Ends the test as soon as possible.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
        self.control.stop();
    }
}

/// A measurement of speed with an engine of its own.
pub struct SpeedTest {
    engine: Engine,
    threads: u32,
    hash: u32,
    seconds: u32,
    stop: SpeedStop,
}

impl SpeedTest {
    /// Makes an engine with this network ready.
    ///
    /// # Errors
    /// If there is not enough memory, or not so many threads.
    pub fn new(request: SpeedRequest, network: &Arc<Network>) -> Result<Self, String> {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let threads = request.threads.unwrap_or(cores).min(MAX_THREADS);
        let hash = request.hash.unwrap_or(threads * SPEEDTEST_HASH_PER_THREAD);
        let engine = engine(threads, hash, network)?;
        let stop = SpeedStop::of(&engine);
        let seconds = request.seconds.unwrap_or(SPEEDTEST_SECONDS);
        Ok(Self { engine, threads, hash, seconds, stop })
    }

    /// A handle that ends the test from another thread.
    #[must_use]
    pub fn stopper(&self) -> SpeedStop {
        self.stop.clone()
    }

    /// Searches one position after the other and writes the sum.
    pub fn run(mut self, output: &Output) {
        let share = Duration::from_secs(u64::from(self.seconds)) / SPEEDTEST_GAME.len() as u32;
        let (mut nodes, mut hashfull, begun) = (0, 0, Instant::now());
        for (index, fen) in SPEEDTEST_GAME.iter().enumerate() {
            let Ok(position) = Position::from_fen(fen) else { continue };
            self.engine.set_game(Game::new(position));
            self.stop.control.arm();
            if self.stop.is_told() {
                break;
            }
            let limits = Limits { move_time: Some(share), ..Limits::default() };
            let outcome = self.engine.search(&limits, &mut Silent);
            nodes += outcome.progress.nodes;
            hashfull = outcome.progress.hashfull;
            let speed = per_second(nodes, begun.elapsed());
            output.note(&format!("speedtest {}/{} {speed} nps", index + 1, SPEEDTEST_GAME.len()));
        }
        let Self { threads, hash, .. } = self;
        output.line(&format!(
            "{threads} threads, {hash} MiB ({hashfull} of 1000 in use), {:.1} s",
            begun.elapsed().as_secs_f64()
        ));
        output.line(&format!("{nodes} nodes {} nps", per_second(nodes, begun.elapsed())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_of_the_speed_test_is_legal() {
        for fen in SPEEDTEST_GAME {
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }
}
