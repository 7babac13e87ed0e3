//! Perft beside Stockfish's, in the same run.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use chess::{Position, perft};

use crate::Failure;
use crate::shell::again_in_release;

const REPETITIONS: usize = 7;

const POSITIONS: [(&str, &str, u32); 2] = [
    ("start position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5),
];

/// The least that is accepted.
const GOAL: f64 = 1.5;

/// A running Stockfish.
struct Stockfish {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Stockfish {
    fn start() -> Result<Self, Failure> {
        let mut spawned = ["stockfish", "/usr/games/stockfish"].into_iter().filter_map(|program| {
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()
        });
        let mut child = spawned.next().ok_or("stockfish is neither in PATH nor in /usr/games")?;
        let input = child.stdin.take().ok_or("stockfish has no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("stockfish has no output")?);
        let mut stockfish = Self { child, input, output };
        stockfish.ask("uci", "uciok")?;
        stockfish.ask("isready", "readyok")?;
        Ok(stockfish)
    }

    fn send(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.input, "{line}").map_err(|error| format!("stockfish: {error}"))
    }

    /// Sends a line and returns the first answer that begins as given.
    fn ask(&mut self, line: &str, beginning: &str) -> Result<String, Failure> {
        self.send(line)?;
        loop {
            let mut answer = String::new();
            match self.output.read_line(&mut answer) {
                Ok(0) | Err(_) => return Err(format!("stockfish stopped at {line:?}")),
                Ok(_) if answer.starts_with(beginning) => return Ok(answer),
                Ok(_) => {}
            }
        }
    }

    /// Time from the command to its answer, and the leaves.
    fn perft(&mut self, fen: &str, depth: u32) -> Result<(Duration, u64), Failure> {
        self.send(&format!("position fen {fen}"))?;
        self.ask("isready", "readyok")?;
        let start = Instant::now();
        let answer = self.ask(&format!("go perft {depth}"), "Nodes searched")?;
        let time = start.elapsed();
        let leaves = answer.rsplit(' ').next().and_then(|word| word.trim().parse().ok());
        Ok((time, leaves.ok_or(format!("stockfish: {answer:?}"))?))
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // It may have stopped already; then there is nothing left to end.
        let _ = self.send("quit");
        let _ = self.child.wait();
    }
}

/// Alternates, so that both meet the same weather on a shared machine, and compares best times.
pub(crate) fn run() -> Result<(), Failure> {
    if let Some(result) = again_in_release("bench-perft") {
        return result;
    }
    let mut stockfish = Stockfish::start()?;
    let mut lowest = f64::INFINITY;
    for (name, fen, depth) in POSITIONS {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let (mut ours, mut theirs, mut leaves) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..REPETITIONS {
            let (time, count) = stockfish.perft(fen, depth)?;
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
