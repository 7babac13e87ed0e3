//! Work that can be stopped, and lines that wait to be carried out.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use engine::Control;

use crate::command::{Command, Parsed};
use crate::job_queue::{JobQueue, Stoppable, Ticket};
use crate::openings::OpeningsStop;
use crate::perft::Watch;
use crate::speed::SpeedStop;
use crate::stats_view::Latest;

impl Stoppable for Control {
    fn stop(&self) {
        Self::stop(self);
    }

    fn ponder_hit(&self) {
        Self::ponder_hit(self);
    }
}

impl Stoppable for Arc<Watch> {
    fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}

impl Stoppable for SpeedStop {
    fn stop(&self) {
        Self::stop(self);
    }
}

impl Stoppable for OpeningsStop {
    fn stop(&self) {
        Self::stop(self);
    }
}

/// The work that can be stopped, by kind: a search ends with the session, other work is finished.
#[derive(Default)]
pub struct Jobs {
    /// Searches: `isready` does not wait for them.
    pub searches: JobQueue,
    /// Everything else that takes long.
    pub background: JobQueue,
    /// What the last search has counted, or the one that runs.
    pub latest: Latest,
}

impl Jobs {
    /// Where a command belongs that takes long.
    #[must_use]
    pub fn of(&self, command: &Command) -> Option<&JobQueue> {
        match command {
            Command::Go(_) => Some(&self.searches),
            Command::Perft(_)
            | Command::Bench(_)
            | Command::SpeedTest(_)
            | Command::Openings(_)
            | Command::QuiescencePerft(_)
            | Command::Trace(_) => Some(&self.background),
            _ => None,
        }
    }
}

/// A line that waits to be carried out.
pub struct Job {
    /// The line as it was understood.
    pub parsed: Parsed,
    /// When it came in: the clock of a search runs from here.
    pub received: Instant,
    /// Its number, if it takes long.
    pub ticket: Option<Ticket>,
}
