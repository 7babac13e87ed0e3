//! The engine as others see it: a position, settings, and a search that reports what it finds.

mod control;
mod outcome;
#[cfg(test)]
mod tests;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use memory::AllocationError;
use nnue::Network;

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::hash_file::{self, Digest, HashFileError};
use crate::limits::Limits;
use crate::pool::{Pool, PoolResult};
use crate::report::{Outcome, Report, Reporter};
use crate::score::Score;
use crate::search::{SearchContext, SearchJob, ThreadResult};
use crate::settings::SearchSettings;
use crate::tablebase::Tablebases;
use crate::time::Instant;
use crate::tt::TranspositionTable;
pub use control::Control;

/// The size of the transposition table until another is set.
pub const DEFAULT_HASH_MIB: usize = 16;

/// How often a search that counts reports what it has counted.
const LIVE_EVERY: Duration = Duration::from_millis(150);

/// Plies of the game whose scores tell evaluations apart.
const FINGERPRINT_PLIES: usize = 16;

/// A chess engine.
///
/// ```
/// use engine::{Engine, Limits, Silent};
/// let mut engine = Engine::new();
/// let outcome = engine.search(&Limits::depth(4), &mut Silent);
/// assert!(outcome.best_move.is_some());
/// ```
pub struct Engine {
    pool: Pool,
    context: SearchContext,
    game: Game,
    /// How many games were begun; the random choices of a limited player depend on it.
    games: u64,
}

impl Engine {
    /// An engine with one thread, a small table and the start position.
    ///
    /// # Panics
    /// If there is no memory even for the small table, or no thread.
    #[must_use]
    pub fn new() -> Self {
        Self {
            pool: Pool::new().expect("a thread to search"),
            context: SearchContext::new(DEFAULT_HASH_MIB).expect("memory for a small table"),
            game: Game::default(),
            games: 0,
        }
    }

    /// The number of search threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Searches with this many threads from now on.
    ///
    /// # Errors
    /// If the system does not give as many; then there are as many as before.
    pub fn set_threads(&mut self, count: usize) -> io::Result<()> {
        self.pool.resize(count)
    }

    /// The size of the table in MiB.
    #[must_use]
    pub fn hash(&self) -> usize {
        self.context.tt.mebibytes()
    }

    /// Replaces the table by one of another size.
    ///
    /// # Errors
    /// If there is not enough memory; the old table stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), AllocationError> {
        let bytes = mebibytes.saturating_mul(1 << 20);
        let freed = (self.context.tt.mebibytes() << 20) as u64;
        if memory::available().is_some_and(|available| bytes as u64 > available + freed) {
            return Err(AllocationError { bytes });
        }
        self.context.tt = Arc::new(TranspositionTable::new(mebibytes)?);
        Ok(())
    }

    /// Empties the transposition table.
    pub fn clear_hash(&mut self) {
        self.context.tt.clear(self.threads());
    }

    /// Writes the table to a file, all of it or nothing.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_hash(&self, path: &Path) -> Result<(), HashFileError> {
        hash_file::save(&self.context.tt, self.fingerprint(), path)
    }

    /// Replaces the table by one of its size from a file.
    ///
    /// # Errors
    /// If the file is not a table of this size that this engine has written; the old table stays.
    pub fn load_hash(&mut self, path: &Path) -> Result<(), HashFileError> {
        self.context.tt = Arc::new(hash_file::load(self.fingerprint(), self.hash(), path)?);
        Ok(())
    }

    /// Tells evaluations and position keys apart whose scores do not belong in one table.
    fn fingerprint(&self) -> u64 {
        let mut digest = Digest::new();
        let mut evaluator = Evaluator::new(&self.context.network);
        let mut position = chess::Position::startpos();
        // A few moves are enough to see any weight of the network at work.
        for _ in 0..FINGERPRINT_PLIES {
            evaluator.reset(&position, &self.context.network);
            digest.add(position.key());
            digest.add(i64::from(evaluator.evaluate(&position).raw()) as u64);
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(moves.len() / 2) else { break };
            position.make(mv);
        }
        digest.value()
    }

    /// Forgets everything that earlier games taught.
    pub fn new_game(&mut self) {
        self.clear_hash();
        self.pool.clear();
        self.games += 1;
    }

    /// The settings of the search.
    #[must_use]
    pub fn settings(&self) -> &SearchSettings {
        &self.context.settings
    }

    /// The settings of the search, to change them.
    pub fn settings_mut(&mut self) -> &mut SearchSettings {
        &mut self.context.settings
    }

    /// The network that evaluates positions.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.context.network
    }

    /// Lets this network evaluate positions. What the table knows from others is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.context.network = network;
        self.new_game();
    }

    /// The tablebases that the search asks, if any.
    #[must_use]
    pub fn tablebases(&self) -> Option<&Arc<Tablebases>> {
        self.context.tablebases.as_ref()
    }

    /// Lets the search ask these tablebases, or none.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.context.tablebases = tablebases;
    }

    /// Sets up a game.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// The game whose last position is searched.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// A handle that stops searches from elsewhere.
    #[must_use]
    pub fn control(&self) -> Control {
        Control::of(&self.context.flags)
    }

    /// The static score of the position for the side to move.
    #[must_use]
    pub fn evaluate(&self) -> Score {
        let mut evaluator = Evaluator::new(&self.context.network);
        evaluator.reset(self.game.position(), &self.context.network);
        evaluator.evaluate(self.game.position())
    }

    /// Searches the position within the limits. Blocks until the search is over; reports come on
    /// the calling thread. [`Control::arm`] must have been called before if the search is to be
    /// stopped.
    pub fn search(&mut self, limits: &Limits, reporter: &mut dyn Reporter) -> Outcome {
        self.run(self.context.job(&self.game, limits, self.threads()), reporter)
    }

    fn run(&mut self, mut job: SearchJob, reporter: &mut dyn Reporter) -> Outcome {
        job.reports = reporter.listens();
        let job = Arc::new(job);
        self.context.tt.age();
        let (statistics, shown) =
            (self.context.settings.statistics, self.context.settings.multipv.max(1));
        let pause = if statistics { LIVE_EVERY } else { Duration::MAX };
        let (mut last, mut shown_at) = (None, Instant::now());
        let PoolResult { results, failed: failed_threads } = self.pool.run(&job, pause, &mut |report| {
            // A limited player looks at more lines than were asked for.
            let hidden =
                |report: &Report| matches!(report, Report::Line(line, _) if line.multipv > shown);
            if let Some(report) = report.filter(|report| !hidden(report)) {
                if let Report::Line(line, progress) = &report
                    && line.multipv == 1
                {
                    last = Some((line.clone(), progress.nodes));
                }
                reporter.report(&report);
            }
            if statistics && shown_at.elapsed() >= LIVE_EVERY {
                shown_at = Instant::now();
                reporter.report(&Report::Statistics(Box::new(job.total_statistics(true))));
            }
        });
        // A helper that was stopped in its first iteration knows nothing.
        let results: Vec<ThreadResult> =
            results.into_iter().filter(|result| result.depth > 0).collect();
        let outcome = Outcome { failed_threads, ..self.outcome(&job, &results) };
        // The last report agrees with the outcome and has all nodes.
        if let Some(line) = outcome.lines.first()
            && last != Some((line.clone(), outcome.progress.nodes))
        {
            for line in &outcome.lines {
                reporter.report(&Report::Line(line.clone(), outcome.progress));
            }
        }
        // A search that is never stopped leaves no stop behind for the next one.
        self.context.flags.arm();
        outcome
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}
