//! The search on the calling thread, without a pool: for making training games by the thousand.

use std::sync::Arc;

use memory::AllocationError;
use nnue::Network;

use crate::game::Game;
use crate::limits::Limits;
use crate::report::Line;
use crate::search::{SearchContext, ThreadData, Worker};
use crate::settings::SearchSettings;
use crate::stats::{EvalSample, Off, Recorder};
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
        let (found, Off) = self.search_recorded(game, limits, Off);
        found
    }

    /// The best line, and at most `wanted` of the positions that the search has evaluated, each
    /// evaluation with the same chance; the seed fixes which.
    pub fn search_sampled(
        &mut self,
        game: &Game,
        limits: &Limits,
        (wanted, seed): (usize, u64),
    ) -> Option<(Line, Vec<chess::Position>)> {
        let (found, sample) = self.search_recorded(game, limits, EvalSample::new(wanted, seed));
        found.map(|(line, _)| (line, sample.into_positions()))
    }

    fn search_recorded<R: Recorder>(
        &mut self,
        game: &Game,
        limits: &Limits,
        recorder: R,
    ) -> (Option<(Line, u64)>, R) {
        self.context.flags.arm();
        self.context.tt.age();
        let job = self.context.job(game, limits, 1);
        let mut worker = Worker::new(&mut self.data, &job, 0);
        worker.record = recorder;
        worker.iterative_deepening();
        let recorder = std::mem::take(&mut worker.record);
        let result = worker.into_result();
        let best = result.root_moves.first().map(|best| (best.line(1), job.total_nodes()));
        (best, recorder)
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
