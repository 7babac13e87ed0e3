//! How a search is told to stop, and how it waits to be told. `models` walks through every order in
//! which the threads can come to these lines.

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(loom)]
use loom::sync::{Condvar, Mutex};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex};

/// Whether to stop, and whether the opponent's clock is the one that runs.
#[derive(Default)]
pub(crate) struct Flags {
    pub(crate) stop: AtomicBool,
    /// The stop came from outside, not from a limit: nothing is waited for any more.
    told: AtomicBool,
    pub(crate) ponder: AtomicBool,
    /// A pondering search has found out enough and waits for the ponder hit.
    pub(crate) enough: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl Flags {
    /// Makes ready for a search.
    pub(crate) fn arm(&self, ponder: bool) {
        self.stop.store(false, Relaxed);
        self.told.store(false, Relaxed);
        self.enough.store(false, Relaxed);
        self.ponder.store(ponder, Relaxed);
    }

    /// Ends the search as soon as possible.
    pub(crate) fn tell_to_stop(&self) {
        self.change(|flags| {
            flags.stop.store(true, Relaxed);
            flags.told.store(true, Relaxed);
            flags.ponder.store(false, Relaxed);
        });
    }

    /// The expected move was played.
    pub(crate) fn ponder_hit(&self) {
        self.change(|flags| flags.ponder.store(false, Relaxed));
    }

    /// The main thread is done: waits until the search may end, then stops the other threads.
    /// An endless search may end when it is told to, one that ponders also when the move is
    /// played. Returns whether it was told.
    pub(crate) fn finish(&self, endless: bool) -> bool {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.told.load(Relaxed) && (endless || self.ponder.load(Relaxed)) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.stop.store(true, Relaxed);
        self.told.load(Relaxed)
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
