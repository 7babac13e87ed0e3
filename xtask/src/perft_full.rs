//! Every known perft count to full depth.

use std::io::{IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chess::HashedPerft;

use crate::Failure;
use crate::perft_file::{Job, all_jobs};
use crate::shell::again_in_release;

const MEGABYTES_PER_THREAD: usize = 256;

/// What the threads share.
struct Progress {
    next: AtomicUsize,
    done: AtomicUsize,
    leaves: AtomicU64,
    wrong: Mutex<Vec<String>>,
}

/// Counts with a table of positions already counted, so that wrong keys show as well.
pub(crate) fn run() -> Result<(), Failure> {
    if let Some(result) = again_in_release("perft-full") {
        return result;
    }
    let mut jobs = all_jobs()?;
    // The longest first, so that the threads finish together.
    jobs.sort_by_key(|job| std::cmp::Reverse(job.leaves));
    let total: u64 = jobs.iter().map(|job| job.leaves).sum();
    let progress = Progress {
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        leaves: AtomicU64::new(0),
        wrong: Mutex::new(Vec::new()),
    };
    let start = Instant::now();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| work(&jobs, &progress));
        }
        while progress.done.load(Relaxed) < jobs.len() {
            show(&progress, jobs.len(), total, start);
            thread::sleep(Duration::from_millis(500));
        }
    });
    let wrong = progress.wrong.into_inner().map_err(|_| "a thread panicked")?;
    println!(
        "\r{} of {} counts right, {:.1} G leaves, {:.0} s{:20}",
        jobs.len() - wrong.len(),
        jobs.len(),
        total as f64 / 1e9,
        start.elapsed().as_secs_f64(),
        ""
    );
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn work(jobs: &[Job], progress: &Progress) {
    let counter = HashedPerft::new(MEGABYTES_PER_THREAD, 1);
    while let Some(job) = jobs.get(progress.next.fetch_add(1, Relaxed)) {
        let counts = counter.divide(&job.position, job.depth, |_, count| {
            progress.leaves.fetch_add(count, Relaxed);
        });
        let found: u64 = counts.iter().map(|(_, count)| count).sum();
        if found != job.leaves {
            let Job { file, position, depth, leaves } = job;
            let line = format!("{file}: {position:?} depth {depth}: {found}, not {leaves}");
            progress.wrong.lock().unwrap_or_else(PoisonError::into_inner).push(line);
        }
        progress.done.fetch_add(1, Relaxed);
    }
}

fn show(progress: &Progress, jobs: usize, total: u64, start: Instant) {
    if !stdout().is_terminal() {
        return;
    }
    let share = progress.leaves.load(Relaxed) as f64 / total as f64;
    print!(
        "\r{:5.1} % of the leaves, {} of {jobs} counts, {:.0} s",
        100.0 * share,
        progress.done.load(Relaxed),
        start.elapsed().as_secs_f64()
    );
    // A terminal that went away is no reason to stop counting.
    let _ = stdout().flush();
}
