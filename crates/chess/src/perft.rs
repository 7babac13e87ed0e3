//! Counting the leaves of the move tree: the test of every move generator.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::{Move, Position};

/// How many move sequences of `depth` plies there are. The last ply is counted without being
/// played.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal_moves()),
        _ => position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let mut next = *position;
                next.make(mv);
                perft(&next, depth - 1)
            })
            .sum(),
    }
}

/// The count below each legal move.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let below = |&mv: &Move| {
        let mut next = *position;
        next.make(mv);
        (mv, perft(&next, depth.saturating_sub(1)))
    };
    position.legal_moves().iter().map(below).collect()
}

/// Perft with several threads that share a table of counts already found.
pub struct HashedPerft {
    /// Pairs of (key and depth mixed with the count, count); a torn pair does not match.
    slots: Vec<[AtomicU64; 2]>,
    threads: usize,
}

impl HashedPerft {
    /// A counter with a table of about `megabytes` MiB for `threads` threads.
    #[must_use]
    pub fn new(megabytes: usize, threads: usize) -> Self {
        let count = (megabytes.max(1) << 20) / size_of::<[AtomicU64; 2]>();
        let slots = (0..count).map(|_| [AtomicU64::new(0), AtomicU64::new(0)]).collect();
        Self { slots, threads: threads.max(1) }
    }

    /// The count below each legal move. `progress` is told of each as soon as it is known.
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
        progress: impl Fn(Move, u64) + Sync,
    ) -> Vec<(Move, u64)> {
        let moves = position.legal_moves();
        let counts: Vec<AtomicU64> = moves.iter().map(|_| AtomicU64::new(0)).collect();
        let next_index = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    loop {
                        let index = next_index.fetch_add(1, Relaxed);
                        let Some(&mv) = moves.get(index) else { break };
                        let mut next = *position;
                        next.make(mv);
                        let count = self.count(&next, depth.saturating_sub(1));
                        counts[index].store(count, Relaxed);
                        progress(mv, count);
                    }
                });
            }
        });
        moves.iter().zip(&counts).map(|(&mv, count)| (mv, count.load(Relaxed))).collect()
    }

    fn count(&self, position: &Position, depth: u32) -> u64 {
        if depth < 2 {
            return perft(position, depth);
        }
        let key = position.key() ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &self.slots[((u128::from(key) * self.slots.len() as u128) >> 64) as usize];
        let count = slot[1].load(Relaxed);
        if count != 0 && slot[0].load(Relaxed) ^ count == key {
            return count;
        }
        let count = position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let mut next = *position;
                next.make(mv);
                self.count(&next, depth - 1)
            })
            .sum();
        slot[0].store(key ^ count, Relaxed);
        slot[1].store(count, Relaxed);
        count
    }
}
