//! How a search is stopped, and how it waits for it. `models` walks through every order in which the
//! threads can come to these lines.

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(loom)]
use loom::sync::{Condvar, Mutex};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex};

/// Whether to stop, and whether the move that a search ponders on was played.
#[derive(Default)]
pub(crate) struct Flags {
    pub(crate) stop: AtomicBool,
    /// The stop came from outside, not from a limit: nothing is waited for any more.
    stop_requested: AtomicBool,
    /// The expected move was played, or the search was stopped: it ponders no longer.
    ponder_over: AtomicBool,
    /// A pondering search has found out enough and waits for the ponder hit.
    pub(crate) enough: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Flags {
    /// Makes ready for a search: forgets every request made so far.
    pub(crate) fn arm(&self) {
        self.stop.store(false, Relaxed);
        self.stop_requested.store(false, Relaxed);
        self.enough.store(false, Relaxed);
        self.ponder_over.store(false, Relaxed);
    }

    /// Whether a search that began as pondering does not ponder any more.
    pub(crate) fn is_ponder_over(&self) -> bool {
        self.ponder_over.load(Relaxed)
    }

    /// Ends the search as soon as possible.
    pub(crate) fn request_stop(&self) {
        self.change(|flags| {
            flags.stop.store(true, Relaxed);
            flags.stop_requested.store(true, Relaxed);
            flags.ponder_over.store(true, Relaxed);
        });
    }

    /// The expected move was played.
    pub(crate) fn ponder_hit(&self) {
        self.change(|flags| flags.ponder_over.store(true, Relaxed));
    }

    /// The main thread is done: waits until the search may end, then stops the other threads.
    /// An endless search may end on request, one that ponders also when the move is played. Returns
    /// whether a stop was requested.
    pub(crate) fn finish(&self, endless: bool, ponder: bool) -> bool {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = || endless || ponder && !self.is_ponder_over();
        while !self.stop_requested.load(Relaxed) && waits() {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.stop.store(true, Relaxed);
        self.stop_requested.load(Relaxed)
    }

    /// Changes flags and wakes whoever waits for that. Without the lock a change could come
    /// between a look at the flags and the sleep that follows it.
    fn change(&self, change: impl FnOnce(&Self)) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        change(self);
        drop(guard);
        self.changed.notify_all();
    }
}
