//! Where the threads of a search are at work, so that they do not all do the same work.
//!
//! A thread marks the nodes near the root while it searches them. One that comes to a node where
//! another thread is at work reduces its moves more: the other one's results will be in the table.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Nodes of deeper plies are too many and too soon over to be worth a mark.
const MARKED_PLIES: usize = 20;

const MARKS: usize = 1024;

/// The low bits of a mark say which thread made it, the others are those of the key.
const THREAD_BITS: u64 = 0x3ff;

/// The marks of all threads; a thread that searches alone needs none.
#[derive(Default)]
pub(crate) struct Breadcrumbs(Vec<AtomicU64>);

impl Breadcrumbs {
    pub(crate) fn new(threads: usize) -> Self {
        let marks = if threads > 1 { MARKS } else { 0 };
        Self((0..marks).map(|_| AtomicU64::new(0)).collect())
    }

    /// Marks a node until what it returns is dropped.
    #[inline]
    pub(super) fn enter(&self, key: u64, ply: usize, thread: usize) -> Mark<'_> {
        if self.0.is_empty() || ply >= MARKED_PLIES {
            return Mark { slot: None, concurrent: false };
        }
        self.mark(key, thread)
    }

    fn mark(&self, key: u64, thread: usize) -> Mark<'_> {
        let slot = &self.0[key as usize % MARKS];
        let mine = key & !THREAD_BITS | (thread as u64 + 1) & THREAD_BITS;
        match slot.compare_exchange(0, mine, Relaxed, Relaxed) {
            Ok(_) => Mark { slot: Some(slot), concurrent: false },
            Err(other) => {
                let same_node = (other ^ mine) & !THREAD_BITS == 0;
                Mark { slot: None, concurrent: same_node && other != mine }
            }
        }
    }
}

/// A thread's presence at a node.
pub(super) struct Mark<'a> {
    slot: Option<&'a AtomicU64>,
    /// Another thread was here before.
    pub(super) concurrent: bool,
}

impl Drop for Mark<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: u64 = 0x1234_5678_9abc_def0;

    #[test]
    fn a_node_is_crowded_while_another_thread_is_there() {
        let trail = Breadcrumbs::new(2);
        let first = trail.enter(KEY, 3, 0);
        assert!(!first.concurrent);
        assert!(trail.enter(KEY, 3, 1).concurrent);
        assert!(!trail.enter(KEY, 3, 0).concurrent, "one's own mark");
        assert!(!trail.enter(KEY ^ 1 << 40, 3, 1).concurrent, "another node in the same place");
        drop(first);
        assert!(!trail.enter(KEY, 3, 1).concurrent);
    }

    #[test]
    fn a_thread_alone_and_deep_nodes_leave_no_marks() {
        let alone = Breadcrumbs::new(1);
        let _mark = alone.enter(KEY, 0, 0);
        assert!(!alone.enter(KEY, 0, 1).concurrent);
        let trail = Breadcrumbs::new(2);
        let _mark = trail.enter(KEY, MARKED_PLIES, 0);
        assert!(!trail.enter(KEY, MARKED_PLIES, 1).concurrent);
    }
}
