//! The search on the calling thread, without a pool: for making training games by the thousand.

use std::sync::Arc;

use memory::AllocationError;
use nnue::Network;

use crate::game::Game;
use crate::limits::Limits;
use crate::report::Line;
use crate::search::{Flags, SearchJob, ThreadData, Worker};
use crate::settings::SearchSettings;
use crate::stats::Off;
use crate::tt::TranspositionTable;

/// An engine of one thread: the caller's.
pub struct SoloEngine {
    data: ThreadData,
    table: Arc<TranspositionTable>,
    flags: Arc<Flags>,
    settings: SearchSettings,
    network: Arc<Network>,
}

impl SoloEngine {
    /// An engine with a table of this size.
    ///
    /// # Errors
    /// If there is no memory for the table and statistics.
    pub fn new(hash_mebibytes: usize) -> Result<Self, AllocationError> {
        Ok(Self {
            data: ThreadData::new()?,
            table: Arc::new(TranspositionTable::new(hash_mebibytes)?),
            flags: Arc::default(),
            settings: SearchSettings::default(),
            network: Arc::clone(nnue::embedded()),
        })
    }

    /// Lets this network evaluate positions.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
    }

    /// The settings of the search, to change them.
    pub fn settings_mut(&mut self) -> &mut SearchSettings {
        &mut self.settings
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {
        self.table.clear(1);
        self.data.clear();
    }

    /// The best line within the limits and the nodes it took; `None` without a legal move.
    pub fn search(&mut self, game: &Game, limits: &Limits) -> Option<(Line, u64)> {
        self.flags.arm(false);
        self.table.age();
        let mut job = SearchJob::alone(game, limits, &self.settings, &self.table, &self.flags);
        job.network = Arc::clone(&self.network);
        let mut worker = Worker::<Off>::new(&mut self.data, &job, 0);
        worker.deepen(&mut |_| {});
        let result = worker.into_result();
        Some((result.root_moves.first()?.line(1), job.total_nodes()))
    }
}
