//! How long a process stood in the queue for a processor, as Linux counts it.

use std::fs;
use std::time::Duration;

/// The second number of a `schedstat`: nanoseconds ready to run and not running.
fn waited(path: &str) -> Duration {
    let text = fs::read_to_string(path).unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Of the thread that asks.
pub(crate) fn waited_here() -> Duration {
    waited("/proc/thread-self/schedstat")
}

/// Of all threads of a process together, as far as they are alive.
pub(crate) fn waited_by(process: u32) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{process}/task"));
    let paths = tasks.into_iter().flatten().flatten().map(|task| task.path().join("schedstat"));
    paths.map(|path| waited(&path.to_string_lossy())).sum()
}
