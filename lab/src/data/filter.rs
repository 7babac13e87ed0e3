//! Which positions of a game are worth training on.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use chess::Position;

use super::game::{Game, ScoredMove, ply_of};
use super::packed::{PackedPosition, learned_score};
use crate::rng::{hash_bytes, mix};

/// Which positions to keep. A position in check, or whose best move takes or promotes, has a score
/// that its placement alone does not tell, so both are left out unless asked for.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct PositionFilter {
    /// Keep positions from this ply of chess on
    #[arg(long, default_value_t = 16)]
    pub min_ply: usize,
    /// Keep positions whose score is below this many centipawns
    #[arg(long, default_value_t = 2500)]
    pub max_score: u16,
    /// Keep positions with at least this many pieces
    #[arg(long, default_value_t = 4)]
    pub min_pieces: u32,
    /// Keep positions in check too
    #[arg(long)]
    pub keep_checks: bool,
    /// Keep positions whose best move takes or promotes too
    #[arg(long)]
    pub keep_noisy: bool,
    /// Keep only the first of equal positions; takes about 20 bytes of memory a position
    #[arg(long)]
    pub unique: bool,
}

impl Default for PositionFilter {
    fn default() -> Self {
        Self {
            min_ply: 16,
            max_score: 2500,
            min_pieces: 4,
            keep_checks: false,
            keep_noisy: false,
            unique: false,
        }
    }
}

impl PositionFilter {
    /// Every position of a game.
    pub const EVERYTHING: Self = Self {
        min_ply: 0,
        max_score: u16::MAX,
        min_pieces: 0,
        keep_checks: true,
        keep_noisy: true,
        unique: false,
    };

    /// Whether to keep a position in which this move was found best. Does not look at `unique`.
    #[must_use]
    pub fn keeps(&self, position: &Position, best: ScoredMove) -> bool {
        best.white_score.unsigned_abs() < self.max_score
            && (self.keep_noisy || best.mv.is_quiet())
            && (self.keep_checks || !position.is_check())
            && ply_of(position) >= self.min_ply
            && position.board().occupied().count() >= self.min_pieces
    }
}

/// Takes the wanted positions out of games.
#[derive(Clone, Debug, Default)]
pub struct Extractor {
    filter: PositionFilter,
    seen: HashSet<u64, BuildHasherDefault<AlreadyHashed>>,
}

impl Extractor {
    /// An extractor that has not seen a position.
    #[must_use]
    pub fn new(filter: PositionFilter) -> Self {
        Self { filter, seen: HashSet::default() }
    }

    /// Calls `keep` with the wanted positions of a game in order.
    pub fn extract(&mut self, game: &Game, mut keep: impl FnMut(PackedPosition)) {
        game.replay(|position, scored| {
            if !self.filter.keeps(position, scored) {
                return;
            }
            let score = learned_score(position, scored.white_score);
            let packed = PackedPosition::new(position, score, game.result as u8);
            if !self.filter.unique || self.seen.insert(packed.placement_hash()) {
                keep(packed);
            }
        });
    }
}

/// Passes on a key that is a hash already.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 ^= hash_bytes(bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Whether a game with this [identity](Game::identity) belongs to the `percent` held out.
#[must_use]
pub fn is_held_out(identity: u64, percent: f64) -> bool {
    is_in_share(mix(identity), percent)
}

/// Whether a hash falls in the first `percent` of all hashes.
#[must_use]
pub(super) fn is_in_share(hash: u64, percent: f64) -> bool {
    hash as f64 / u64::MAX as f64 * 100.0 < percent
}
