//! A search as all its threads see it, and how one is made.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use memory::AllocationError;
use nnue::Network;

use super::breadcrumbs::Breadcrumbs;
use super::flags::Flags;
use crate::game::Game;
use crate::limits::Limits;
use crate::report::Progress;
use crate::settings::SearchSettings;
use crate::stats::{Counters, Iteration, Statistics, StopReason};
use crate::tablebase::{RootVerdict, Tablebases};
use crate::time_manager::TimeManager;
use crate::tt::TranspositionTable;

/// What stays from one search to the next, whoever runs them: the one place where searches are
/// made.
pub(crate) struct SearchContext {
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) flags: Arc<Flags>,
    pub(crate) settings: SearchSettings,
    pub(crate) network: Arc<Network>,
    pub(crate) tablebases: Option<Arc<Tablebases>>,
}

impl SearchContext {
    /// An empty table of this size, default settings, the embedded network, no tablebases.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new(hash_mebibytes: usize) -> Result<Self, AllocationError> {
        Ok(Self {
            tt: Arc::new(TranspositionTable::new(hash_mebibytes)?),
            flags: Arc::default(),
            settings: SearchSettings::default(),
            network: Arc::clone(nnue::embedded()),
            tablebases: None,
        })
    }

    /// The search of a game's position on so many threads. Below full strength the level narrows
    /// the limits, and searches on one thread and without tablebases.
    pub(crate) fn job(&self, game: &Game, limits: &Limits, threads: usize) -> SearchJob {
        let (mut settings, mut limits, mut threads) =
            (self.settings.clone(), limits.clone(), threads);
        let (mut tablebases, root) = (self.tablebases.clone(), game.position());
        if let Some(level) = settings.level().map(|level| level.in_position(game.position())) {
            settings.multipv = settings.multipv.max(level.candidates);
            limits.nodes = Some(limits.nodes.map_or(level.nodes, |nodes| nodes.min(level.nodes)));
            (threads, tablebases) = (1, None);
        }
        let root_verdict = tablebases
            .as_ref()
            .filter(|_| root.board().occupied().count() <= settings.syzygy_probe_limit)
            .and_then(|tables| tables.judge_root(root, settings.syzygy_fifty_move_rule));
        SearchJob {
            game: game.clone(),
            time: TimeManager::new(&limits, settings.move_overhead, root.fullmove()),
            limits,
            settings,
            tt: Arc::clone(&self.tt),
            flags: Arc::clone(&self.flags),
            network: Arc::clone(&self.network),
            tablebases,
            root_verdict,
            breadcrumbs: Breadcrumbs::new(threads),
            main_depth: Default::default(),
            nodes: (0..threads).map(|_| Default::default()).collect(),
            tb_hits: (0..threads).map(|_| Default::default()).collect(),
            statistics: (0..threads).map(|_| Default::default()).collect(),
            log: Default::default(),
            stop_reason: Default::default(),
            reports: true,
        }
    }
}

/// A counter on a cache line of its own, written by one thread and read by others.
#[derive(Default)]
#[repr(align(64))]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    pub(super) fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }
}

/// One search as all its threads see it.
pub(crate) struct SearchJob {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    pub(crate) settings: SearchSettings,
    pub(crate) time: TimeManager,
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) flags: Arc<Flags>,
    pub(crate) network: Arc<Network>,
    pub(crate) tablebases: Option<Arc<Tablebases>>,
    /// What the tablebases say about the root, and the moves they leave.
    pub(crate) root_verdict: Option<RootVerdict>,
    /// Where the threads are at work.
    pub(crate) breadcrumbs: Breadcrumbs,
    /// The iteration that the main thread is at.
    pub(crate) main_depth: AtomicI32,
    /// Nodes by thread.
    pub(crate) nodes: Vec<Counter>,
    /// Positions found in tablebases, by thread.
    pub(crate) tb_hits: Vec<Counter>,
    /// What each thread has counted, if counting is on.
    pub(crate) statistics: Vec<Mutex<Counters>>,
    /// How the search went so far.
    pub(crate) log: Mutex<SearchLog>,
    /// What ended the search.
    pub(crate) stop_reason: OnceLock<StopReason>,
    /// Whether anyone listens to reports.
    pub(crate) reports: bool,
}

/// How a search went, as the main thread saw it.
#[derive(Default)]
pub(crate) struct SearchLog {
    pub(crate) iterations: Vec<Iteration>,
    /// How long the last iteration wanted to think.
    pub(crate) wanted: Option<Duration>,
    pub(crate) correction_entries: usize,
}

impl SearchJob {
    /// Whether the opponent's clock is the one that runs.
    pub(crate) fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.flags.is_ponder_over()
    }

    /// Totals of all threads, as far as they have published them.
    pub(crate) fn progress(&self) -> Progress {
        Progress {
            nodes: self.total_nodes(),
            time: self.time.elapsed(),
            hashfull: self.tt.hashfull(),
            tb_hits: self.total_tb_hits(),
        }
    }

    /// Nodes of all threads, as far as they have published them.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(Counter::get).sum()
    }

    /// Positions that all threads found in tablebases, as far as they have published them, and those
    /// that the root was judged by.
    pub(crate) fn total_tb_hits(&self) -> u64 {
        let root = self.root_verdict.as_ref().map_or(0, |verdict| verdict.probes);
        root + self.tb_hits.iter().map(Counter::get).sum::<u64>()
    }

    /// What is known about the search, as far as the threads have published it.
    pub(crate) fn total_statistics(&self, running: bool) -> Statistics {
        let mut counters = Counters::default();
        for thread in &self.statistics {
            counters.merge(&thread.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let log = self.log();
        Statistics {
            running,
            time: self.time.elapsed(),
            threads: self.statistics.len(),
            counters,
            iterations: log.iterations.clone(),
            plan: self.time.plan(log.wanted),
            stop: self.stop_reason.get().copied(),
            correction_entries: log.correction_entries,
        }
    }

    pub(crate) fn log(&self) -> MutexGuard<'_, SearchLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what ended the search. What ended it first, counts.
    pub(crate) fn note_stop(&self, reason: StopReason) {
        let _ = self.stop_reason.set(reason);
    }

    /// The main thread is done: a search that may end only on request waits for it, whatever limit
    /// it has reached; then all threads stop.
    pub(crate) fn finish(&self) {
        if self.flags.finish(self.limits.infinite, self.limits.ponder) {
            self.note_stop(StopReason::Requested);
        }
    }
}
