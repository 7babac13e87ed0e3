//! Counting leaves so that it can be stopped.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use chess::{Move, Position};

/// Trees of this depth are counted without looking whether to stop.
const BLIND_DEPTH: u32 = 3;

/// What other threads may know and say about a count that is under way.
#[derive(Debug, Default)]
pub struct Watch {
    /// Leaves that were counted so far.
    pub leaves: AtomicU64,
    /// Root moves that are done.
    pub done: AtomicU64,
    /// Set to give up.
    pub stop: AtomicBool,
}

/// The count below each legal move, in the order of generation, told one by one; `false` if it
/// was stopped.
pub fn divide(
    position: &Position,
    depth: u32,
    watch: &Watch,
    mut tell: impl FnMut(Move, u64),
) -> bool {
    for &mv in &position.legal_moves() {
        let mut next = *position;
        next.make(mv);
        let Some(count) = count(&next, depth.saturating_sub(1), watch) else { return false };
        watch.done.fetch_add(1, Relaxed);
        tell(mv, count);
    }
    true
}

fn count(position: &Position, depth: u32, watch: &Watch) -> Option<u64> {
    if watch.stop.load(Relaxed) {
        return None;
    }
    if depth <= BLIND_DEPTH {
        let leaves = chess::perft(position, depth);
        watch.leaves.fetch_add(leaves, Relaxed);
        return Some(leaves);
    }
    let mut sum = 0;
    for &mv in &position.legal_moves() {
        let mut next = *position;
        next.make(mv);
        sum += count(&next, depth - 1, watch)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_counts_come_out() {
        let watch = Watch::default();
        let mut sum = 0;
        assert!(divide(&Position::startpos(), 5, &watch, |_, count| sum += count));
        assert_eq!((sum, watch.leaves.into_inner()), (4_865_609, 4_865_609));
        assert_eq!(watch.done.into_inner(), 20);
    }

    #[test]
    fn a_stop_ends_it() {
        let watch = Watch { stop: AtomicBool::new(true), ..Watch::default() };
        assert!(!divide(&Position::startpos(), 64, &watch, |_, _| unreachable!()));
    }
}
