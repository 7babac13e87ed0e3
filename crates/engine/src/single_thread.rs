//! The search on the calling thread, without a pool: for making training games by the thousand.

use std::sync::Arc;

use memory::AllocationError;
use nnue::Network;

use crate::game::Game;
use crate::limits::Limits;
use crate::report::Line;
use crate::search::{SearchContext, ThreadData, Worker};
use crate::settings::SearchSettings;
use crate::stats::Off;
use crate::tree_scores::{TreeScore, tree_scores};

/// An engine of one thread: the caller's.
pub struct SingleThreadEngine {
    data: ThreadData,
    context: SearchContext,
}

impl SingleThreadEngine {
    /// An engine with a transposition table of this size.
    ///
    /// # Errors
    /// If there is no memory for the table and statistics.
    pub fn new(hash_mebibytes: usize) -> Result<Self, AllocationError> {
        Ok(Self { data: ThreadData::new()?, context: SearchContext::new(hash_mebibytes)? })
    }

    /// Lets this network evaluate positions.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.context.network = network;
    }

    /// The settings of the search, to change them.
    pub fn settings_mut(&mut self) -> &mut SearchSettings {
        &mut self.context.settings
    }

    /// Forgets everything that earlier searches have stored and learned.
    pub fn new_game(&mut self) {
        self.context.tt.clear(1);
        self.data.clear();
    }

    /// The best line within the limits and the nodes it took; `None` without a legal move.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Option<(Line, u64)> {
        self.context.flags.arm();
        self.context.tt.age();
        let job = self.context.job(game, limits, 1);
        let mut worker = Worker::<Off>::new(&mut self.data, &job, 0);
        worker.iterative_deepening();
        let result = worker.into_result();
        Some((result.root_moves.first()?.line(1), job.total_nodes()))
    }

    /// What the last searches found out about the positions of the tree below `root` that they
    /// searched at least `min_depth` plies deep.
    #[must_use]
    pub fn tree_scores(&self, root: &chess::Position, min_depth: i32) -> Vec<TreeScore> {
        tree_scores(&self.context.tt, root, min_depth)
    }

    /// Whether neither side is further ahead than `limit` centipawns, after about so many nodes.
    pub fn is_balanced(&mut self, start: &chess::Position, nodes: u64, limit: i32) -> bool {
        let found = self.search(&Game::new(*start), &Limits::soft_nodes(nodes));
        found.is_some_and(|(line, _)| line.score.raw().abs() <= limit)
    }
}
