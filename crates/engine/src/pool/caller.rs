//! The search on the thread of the caller, the only one there is. It must have a limit: nobody
//! could stop it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::{PoolResult, search};
use crate::report::Report;
use crate::search::{SearchJob, ThreadData};

/// The caller.
pub(crate) struct Pool {
    data: Box<ThreadData>,
}

impl Pool {
    pub(crate) fn new() -> io::Result<Self> {
        let data = ThreadData::new().map_err(|_| io::ErrorKind::OutOfMemory)?;
        Ok(Self { data: Box::new(data) })
    }

    pub(crate) fn len(&self) -> usize {
        1
    }

    /// There is no other thread to be had.
    pub(crate) fn resize(&mut self, count: usize) -> io::Result<()> {
        if count > 1 { Err(io::ErrorKind::Unsupported.into()) } else { Ok(()) }
    }

    pub(crate) fn clear(&mut self) {
        self.data.clear();
    }

    pub(crate) fn run(
        &mut self,
        job: &Arc<SearchJob>,
        _: Duration,
        on_report: &mut dyn FnMut(Option<Report>),
    ) -> PoolResult {
        let result = search(&mut self.data, job, 0, &mut |report| on_report(Some(report)));
        job.finish();
        PoolResult { results: vec![result], failed: 0 }
    }
}

/// Does something here: the stack of the module has room.
pub(crate) fn with_large_stack<T: Send>(task: impl FnOnce() -> T + Send) -> T {
    task()
}
