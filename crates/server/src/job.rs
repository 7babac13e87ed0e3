//! One search that a page has asked for, on its way through the pool.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use board::Task;
use engine::Limits;

use crate::feed::Feed;

/// A search that waits for an engine, or has one.
pub(crate) struct Job {
    task: Box<Task>,
    /// Where its results go.
    pub(crate) feed: Arc<Feed>,
    stopped: AtomicBool,
}

impl Deref for Job {
    type Target = Task;

    fn deref(&self) -> &Task {
        &self.task
    }
}

impl Job {
    pub(crate) fn new(task: Box<Task>) -> Self {
        let feed = Arc::new(Feed::new(task.game.position()));
        Self { task, feed, stopped: AtomicBool::new(false) }
    }

    /// Marks it as no longer wanted.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// The limits of its next time slice. A move to play is needed even if the search was stopped
    /// before it began.
    pub(crate) fn limits(&self) -> Limits {
        if self.is_stopped() { Limits::depth(1) } else { self.limits.clone() }
    }
}
