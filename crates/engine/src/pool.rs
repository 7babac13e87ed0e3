//! Who runs a search: threads that are made once and sleep between searches or, where there are no
//! threads, the caller.

use crate::report::Report;
use crate::search::{SearchJob, ThreadData, ThreadResult, Worker};
use crate::stats::{Counters, Off, Recorder};

#[cfg(not(target_family = "wasm"))]
mod threads;
#[cfg(not(target_family = "wasm"))]
pub(crate) use threads::{Pool, with_large_stack};

#[cfg(target_family = "wasm")]
mod caller;
#[cfg(target_family = "wasm")]
pub(crate) use caller::{Pool, with_large_stack};

/// The result of a search on all its threads.
pub(crate) struct PoolResult {
    /// The result of each thread, the main thread first.
    pub(crate) results: Vec<ThreadResult>,
    /// How many threads hit a bug. They have forgotten everything and are ready for the next
    /// search.
    pub(crate) failed: usize,
}

/// Searches as thread `index`, counting or not as the job wants it.
fn search(
    data: &mut ThreadData,
    job: &SearchJob,
    index: usize,
    on_report: &mut dyn FnMut(Report),
) -> ThreadResult {
    if job.settings.statistics {
        search_recording::<Counters>(data, job, index, on_report)
    } else {
        search_recording::<Off>(data, job, index, on_report)
    }
}

fn search_recording<R: Recorder>(
    data: &mut ThreadData,
    job: &SearchJob,
    index: usize,
    on_report: &mut dyn FnMut(Report),
) -> ThreadResult {
    let mut worker = Worker::<R>::new(data, job, index);
    if job.reports {
        worker.report_to(on_report);
    }
    worker.iterative_deepening();
    worker.into_result()
}
