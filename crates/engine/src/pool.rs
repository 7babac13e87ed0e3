//! Who carries out a search: threads that are made once and sleep between searches or, where there
//! are no threads, the caller.

use crate::report::Report;
use crate::search::{SearchJob, ThreadData, ThreadResult, Worker};
use crate::stats::{Counters, Off, Recorder};

#[cfg(not(target_family = "wasm"))]
mod threads;
#[cfg(not(target_family = "wasm"))]
pub(crate) use threads::{Pool, with_room};

#[cfg(target_family = "wasm")]
mod caller;
#[cfg(target_family = "wasm")]
pub(crate) use caller::{Pool, with_room};

/// What a search came to on all its threads.
pub(crate) struct Ran {
    /// What each thread came to, the main thread first.
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
    tell: &mut dyn FnMut(Report),
) -> ThreadResult {
    if job.settings.statistics {
        search_recording::<Counters>(data, job, index, tell)
    } else {
        search_recording::<Off>(data, job, index, tell)
    }
}

fn search_recording<R: Recorder>(
    data: &mut ThreadData,
    job: &SearchJob,
    index: usize,
    tell: &mut dyn FnMut(Report),
) -> ThreadResult {
    let mut worker = Worker::<R>::new(data, job, index);
    worker.deepen(&mut |report| tell(report()));
    worker.into_result()
}
