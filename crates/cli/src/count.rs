//! `perft` on the command line: with threads, a table and, if it takes long, a line that tells how
//! far it is.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use chess::{Castling, HashedPerft, Move, Position};

use crate::info::per_second;
use crate::output::Output;
use crate::perft::{self, Watch};

/// Nobody wants to be told about less.
const PROGRESS_AFTER: Duration = Duration::from_secs(2);
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// What `perft` is to count.
pub struct CountRequest {
    /// The position at the root.
    pub position: Position,
    /// Plies to look ahead.
    pub depth: u32,
    /// Whether to show the count below each move.
    pub divide: bool,
    /// Threads to count with.
    pub threads: u32,
    /// MiB for a table of counts.
    pub hash: Option<u32>,
}

/// Counts and writes the result.
pub fn run(request: &CountRequest, output: &Output) {
    let started = Instant::now();
    let watch = &Watch::default();
    let counts = thread::scope(|scope| {
        let (done, waiting) = channel::<()>();
        let roots = request.position.legal_moves().len();
        if io::stderr().is_terminal() {
            scope.spawn(move || show_progress(watch, roots, started, &waiting));
        }
        let counts = count(request, watch);
        drop(done);
        counts
    });
    let time = started.elapsed();
    let sum: u64 = if request.depth == 0 { 1 } else { counts.iter().map(|(_, count)| count).sum() };
    if request.divide && request.depth > 0 {
        for (mv, count) in counts {
            output.line(&format!("{}: {count}", mv.to_uci(Castling::KingMove)));
        }
    }
    let speed = per_second(sum, time);
    output.line(&format!("{sum} leaves in {:.3} s, {speed} per second", time.as_secs_f64()));
}

fn count(request: &CountRequest, watch: &Watch) -> Vec<(Move, u64)> {
    let CountRequest { position, depth, threads, hash, .. } = request;
    if *threads == 1 && hash.is_none() {
        let mut counts = Vec::new();
        perft::divide(position, *depth, watch, |mv, count| counts.push((mv, count)));
        return counts;
    }
    let counter = HashedPerft::new(hash.unwrap_or(1) as usize, *threads as usize);
    counter.divide(position, *depth, |_, leaves| {
        watch.leaves.fetch_add(leaves, Relaxed);
        watch.done.fetch_add(1, Relaxed);
    })
}

/// Writes one line over and over until the other end of `waiting` is dropped.
fn show_progress(watch: &Watch, roots: usize, started: Instant, waiting: &Receiver<()>) {
    let mut pause = PROGRESS_AFTER;
    let mut shown = false;
    while waiting.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = PROGRESS_EVERY;
        shown = true;
        let leaves = watch.leaves.load(Relaxed);
        let done = watch.done.load(Relaxed);
        let speed = per_second(leaves, started.elapsed());
        let line = format!("{done} of {roots} moves, {leaves} leaves, {speed} per second");
        // What is not seen is not missed.
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
    }
    if shown {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(threads: u32, hash: Option<u32>) -> u64 {
        let position = Position::startpos();
        let request = CountRequest { position, depth: 4, divide: false, threads, hash };
        count(&request, &Watch::default()).iter().map(|(_, count)| count).sum()
    }

    #[test]
    fn threads_and_tables_do_not_change_the_count() {
        assert_eq!(sum(1, None), 197_281);
        assert_eq!(sum(2, None), 197_281);
        assert_eq!(sum(2, Some(1)), 197_281);
    }
}
