//! The transposition table: what the search already knows about positions.
//!
//! All threads share it without locks. A cluster is four atomic words: three entries and their
//! three key tags. A tag is sixteen bits of the key mixed with the entry, so that an entry and a
//! tag of different writers do not fit together and are taken for a miss.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

use chess::{Move, PieceType, Position};
use memory::{AllocationError, ZeroedArray, prefetch};

use crate::params;
use crate::score::{Bound, Score};

/// What a search found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// How deep it searched; 0 and -1 for quiescence with and without checks.
    pub(crate) depth: i32,
    /// The score, as seen from the root.
    pub(crate) score: Score,
    /// What is known about the score; `None` if only the evaluation was worth storing.
    pub(crate) bound: Option<Bound>,
    /// The best move, if one raised alpha.
    pub(crate) best_move: Option<Move>,
    /// The evaluation without corrections; `None` in check.
    pub(crate) eval: Option<i32>,
    /// Whether the position was ever in a principal variation.
    pub(crate) pv: bool,
}

const ENTRIES: usize = 3;
const GENERATIONS: u8 = 32;
/// Depths from here on can be stored.
const DEPTH_OFFSET: i32 = 2;
const NO_EVAL: i16 = i16::MIN;

type Cluster = [AtomicU64; ENTRIES + 1];

/// The table.
pub(crate) struct TranspositionTable {
    clusters: ZeroedArray<Cluster>,
    generation: AtomicU8,
}

/// An entry as it lies in memory: move, score, evaluation (16 bits each), depth (8), bound (2),
/// pv (1), generation (5). Zero is an empty slot.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed(u64);

impl Packed {
    fn new(entry: &Entry, ply: usize, generation: u8) -> Self {
        let mv = entry.best_move.map_or(0, Move::bits);
        let score = entry.score.to_node(ply).raw() as i16;
        let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16);
        let depth = (entry.depth + DEPTH_OFFSET).clamp(1, 255) as u8;
        let bound = entry.bound.map_or(0, |bound| bound as u8);
        Self(
            u64::from(mv)
                | u64::from(score as u16) << 16
                | u64::from(eval as u16) << 32
                | u64::from(depth) << 48
                | u64::from(bound) << 56
                | u64::from(entry.pv) << 58
                | u64::from(generation) << 59,
        )
    }

    fn unpack(self, ply: usize, halfmove_clock: u16) -> Entry {
        let score = Score::from_raw(i32::from((self.0 >> 16) as i16));
        let eval = (self.0 >> 32) as i16;
        Entry {
            depth: self.depth(),
            score: score.from_node(ply, halfmove_clock),
            bound: self.bound(),
            best_move: Move::from_bits(self.0 as u16),
            eval: (eval != NO_EVAL).then(|| i32::from(eval)),
            pv: self.0 >> 58 & 1 != 0,
        }
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8) - DEPTH_OFFSET
    }

    fn bound(self) -> Option<Bound> {
        match self.0 >> 56 & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }

    fn generation(self) -> u8 {
        (self.0 >> 59) as u8
    }

    /// Whether score and evaluation lie where scores and evaluations can lie.
    fn is_sound(self) -> bool {
        let score = i32::from((self.0 >> 16) as i16).abs();
        let eval = (self.0 >> 32) as i16;
        score < Score::INFINITE.raw()
            && (eval == NO_EVAL || i32::from(eval).abs() <= Score::MAX_EVAL.raw())
    }

    /// The tag that belongs to this entry under this key.
    fn tag(self, key: u64) -> u16 {
        let folded = self.0 ^ self.0 >> 32;
        key as u16 ^ (folded ^ folded >> 16) as u16
    }
}

/// The key under which a position is stored: positions close to the fifty-move draw are worth
/// something else, so the upper half-move clocks have keys of their own, eight plies each.
#[inline]
#[must_use]
pub(crate) fn tt_key(position: &Position) -> u64 {
    position.key() ^ clock_key(position.halfmove_clock())
}

/// The [`tt_key`] after a move, exact but for castling rights and en passant.
#[inline(always)]
#[must_use]
pub(crate) fn tt_key_after(position: &Position, mv: Move) -> u64 {
    let resets = mv.is_capture() || position.moved(mv).kind() == PieceType::Pawn;
    let clock = if resets { 0 } else { position.halfmove_clock().saturating_add(1) };
    position.key_after(mv) ^ clock_key(clock)
}

/// The part of the TT key that comes from the half-move clock.
#[inline]
#[must_use]
fn clock_key(halfmove_clock: u16) -> u64 {
    if halfmove_clock < 14 {
        return 0;
    }
    u64::from((halfmove_clock - 14) / 8 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl TranspositionTable {
    /// A table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the system does not give the memory.
    pub(crate) fn new(mebibytes: usize) -> Result<Self, AllocationError> {
        let bytes = mebibytes.max(1).saturating_mul(1 << 20);
        let clusters = ZeroedArray::new(bytes / size_of::<Cluster>())?;
        Ok(Self { clusters, generation: AtomicU8::new(0) })
    }

    /// Its size in MiB.
    #[must_use]
    pub(crate) fn mebibytes(&self) -> usize {
        (self.clusters.len() * size_of::<Cluster>()) >> 20
    }

    /// Forgets everything, with `threads` threads at work.
    pub(crate) fn clear(&self, threads: usize) {
        self.generation.store(0, Relaxed);
        let zero = |clusters: &[Cluster]| {
            for word in clusters.iter().flatten() {
                word.store(0, Relaxed);
            }
        };
        if threads <= 1 {
            return zero(&self.clusters);
        }
        let part = self.clusters.len().div_ceil(threads);
        thread::scope(|scope| {
            for clusters in self.clusters.chunks(part) {
                scope.spawn(move || zero(clusters));
            }
        });
    }

    /// Begins a new search: what earlier ones stored is now older.
    pub(crate) fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// All words of the table, for keeping it elsewhere.
    pub(crate) fn words(&self) -> impl Iterator<Item = &AtomicU64> {
        self.clusters.iter().flatten()
    }

    pub(crate) fn generation(&self) -> u8 {
        self.generation.load(Relaxed)
    }

    /// The generation of a table that was kept elsewhere.
    pub(crate) fn set_generation(&self, generation: u8) {
        self.generation.store(generation % GENERATIONS, Relaxed);
    }

    /// Whether every entry is one that a search can have stored.
    pub(crate) fn is_sound(&self) -> bool {
        let entries = self.clusters.iter().flat_map(|cluster| &cluster[..ENTRIES]);
        entries.map(|word| Packed(word.load(Relaxed))).all(Packed::is_sound)
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Brings the place of a key near.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known under this key, with scores counted from a root `ply` plies above.
    #[inline]
    #[must_use]
    pub(crate) fn probe(&self, key: u64, ply: usize, halfmove_clock: u16) -> Option<Entry> {
        if params::use_tt() == 0 {
            return None;
        }
        let cluster = self.cluster(key);
        let tags = cluster[ENTRIES].load(Relaxed);
        for (slot, word) in cluster[..ENTRIES].iter().enumerate() {
            let packed = Packed(word.load(Relaxed));
            if packed.0 != 0 && packed.tag(key) == tag_at(tags, slot) {
                return Some(packed.unpack(ply, halfmove_clock));
            }
        }
        None
    }

    /// Stores what a search at `ply` plies from the root found out.
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        debug_assert!(entry.bound.is_none() || entry.score.is_possible(ply), "{entry:?}");
        let cluster = self.cluster(key);
        let generation = self.generation.load(Relaxed);
        let tags = cluster[ENTRIES].load(Relaxed);
        let mut victim = (0, i32::MAX);
        for (slot, word) in cluster[..ENTRIES].iter().enumerate() {
            let packed = Packed(word.load(Relaxed));
            if packed.0 != 0 && packed.tag(key) == tag_at(tags, slot) {
                if !worth_replacing(&entry, packed, generation) {
                    // The older score is worth more; the newer move is not lost with its score.
                    if let Some(mv) = entry.best_move {
                        let kept = Packed(packed.0 & !0xFFFF | u64::from(mv.bits()));
                        write(cluster, slot, tags, key, kept);
                    }
                    return;
                }
                // A search without a best move does not forget the one found before.
                entry.best_move = entry.best_move.or_else(|| Move::from_bits(packed.0 as u16));
                victim = (slot, i32::MIN);
                break;
            }
            let worth = self.worth(packed);
            if worth < victim.1 {
                victim = (slot, worth);
            }
        }
        let (slot, _) = victim;
        write(cluster, slot, tags, key, Packed::new(&entry, ply, generation));
    }

    /// How much an entry is worth keeping: deep and young.
    fn worth(&self, packed: Packed) -> i32 {
        if packed.0 == 0 {
            return i32::MIN;
        }
        packed.depth() - 4 * i32::from(age_of(packed, self.generation.load(Relaxed)))
    }

    /// Thousandths of the table filled by the present search, from a sample.
    #[must_use]
    pub(crate) fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(1000)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster[..ENTRIES])
            .map(|word| Packed(word.load(Relaxed)))
            .filter(|packed| packed.0 != 0 && packed.generation() == generation)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

/// Puts an entry and its tag into a slot.
fn write(cluster: &Cluster, slot: usize, tags: u64, key: u64, packed: Packed) {
    cluster[slot].store(packed.0, Relaxed);
    let shift = 16 * slot;
    let tag = u64::from(packed.tag(key)) << shift;
    cluster[ENTRIES].store(tags & !(0xFFFF << shift) | tag, Relaxed);
}

fn tag_at(tags: u64, slot: usize) -> u16 {
    (tags >> (16 * slot)) as u16
}

fn age_of(packed: Packed, generation: u8) -> u8 {
    (GENERATIONS + generation - packed.generation()) % GENERATIONS
}

/// Whether a new entry should take the place of an old one of the same position.
fn worth_replacing(new: &Entry, old: Packed, generation: u8) -> bool {
    new.bound == Some(Bound::Exact)
        || old.bound().is_none()
        || new.depth + 4 + 2 * i32::from(new.pv) > old.depth()
        || age_of(old, generation) != 0
}

#[cfg(test)]
mod tests;
