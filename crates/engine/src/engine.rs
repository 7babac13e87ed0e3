//! The engine as others see it: a position, settings, and a search that tells what it finds.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use memory::AllocationError;
use nnue::Network;

use crate::clock::Clock;
use crate::game::Game;
use crate::hash_file::{self, Digest, HashFileError};
use crate::limits::Limits;
use crate::pool::{Pool, Ran};
use crate::report::{Outcome, Progress, Report, Reporter};
use crate::score::{Bound, Score};
use crate::search::{Flags, RootMove, SearchJob, ThreadResult, Trail};
use crate::settings::SearchSettings;
use crate::strength::{self, Candidate, Level};
use crate::tablebase::Tablebases;
use crate::time::Instant;
use crate::tt::TranspositionTable;
use crate::{evaluator::Evaluator, vote};

/// The table's size until somebody asks for another.
pub const DEFAULT_HASH_MIB: usize = 16;

/// How often a search that counts tells what it has counted.
const LIVE_EVERY: Duration = Duration::from_millis(150);

/// Plies of the game whose scores tell evaluations apart.
const FINGERPRINT_PLIES: usize = 16;

/// Stops a search, or tells it that the expected move was played, from any thread.
#[derive(Clone)]
pub struct Control(Arc<Flags>);

impl Control {
    pub(crate) fn of(flags: &Arc<Flags>) -> Self {
        Self(Arc::clone(flags))
    }

    /// Makes ready for the next search. A stop that comes after this is not lost, even if the
    /// search has not begun yet.
    pub fn arm(&self, ponder: bool) {
        self.0.arm(ponder);
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.0.tell_to_stop();
    }

    /// The expected move was played: from now on the own clock runs.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}

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
    table: Arc<TranspositionTable>,
    flags: Arc<Flags>,
    settings: SearchSettings,
    network: Arc<Network>,
    tablebases: Option<Arc<Tablebases>>,
    game: Game,
    /// How many games were begun; what a limited player's luck depends on.
    games: u64,
}

impl Engine {
    /// An engine with one thread, a small table and the start position.
    ///
    /// # Panics
    /// If there is no memory even for the small table, or no thread.
    #[must_use]
    pub fn new() -> Self {
        let table = TranspositionTable::new(DEFAULT_HASH_MIB).expect("memory for a small table");
        Self {
            pool: Pool::new().expect("a thread to search"),
            table: Arc::new(table),
            flags: Arc::default(),
            settings: SearchSettings::default(),
            network: Arc::clone(nnue::embedded()),
            tablebases: None,
            game: Game::default(),
            games: 0,
        }
    }

    /// How many threads search.
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
        self.table.mebibytes()
    }

    /// Replaces the table by one of another size.
    ///
    /// # Errors
    /// If there is not enough memory; the old table stays.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), AllocationError> {
        let bytes = mebibytes.saturating_mul(1 << 20);
        let freed = (self.table.mebibytes() << 20) as u64;
        if memory::available().is_some_and(|available| bytes as u64 > available + freed) {
            return Err(AllocationError { bytes });
        }
        self.table = Arc::new(TranspositionTable::new(mebibytes)?);
        Ok(())
    }

    /// Forgets all positions.
    pub fn clear_hash(&mut self) {
        self.table.clear(self.threads());
    }

    /// Writes the table to a file, all of it or nothing.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save_hash(&self, path: &Path) -> Result<(), HashFileError> {
        hash_file::save(&self.table, self.fingerprint(), path)
    }

    /// Replaces the table by one from a file, with its size.
    ///
    /// # Errors
    /// If the file is not a table that this engine has written; the old table stays.
    pub fn load_hash(&mut self, path: &Path) -> Result<(), HashFileError> {
        self.table = Arc::new(hash_file::load(self.fingerprint(), path)?);
        Ok(())
    }

    /// Tells evaluations and position keys apart whose scores do not belong in one table.
    fn fingerprint(&self) -> u64 {
        let mut digest = Digest::new();
        let mut evaluator = Evaluator::new(&self.network);
        let mut position = chess::Position::startpos();
        // A few moves are enough to see any weight of the network at work.
        for _ in 0..FINGERPRINT_PLIES {
            evaluator.reset(&position, &self.network);
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
        &self.settings
    }

    /// The settings of the search, to change them.
    pub fn settings_mut(&mut self) -> &mut SearchSettings {
        &mut self.settings
    }

    /// The network that evaluates positions.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Lets this network evaluate positions. What the table knows from others is forgotten.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.network = network;
        self.new_game();
    }

    /// The endgame tables.
    #[must_use]
    pub fn tablebases(&self) -> Option<&Arc<Tablebases>> {
        self.tablebases.as_ref()
    }

    /// Lets the search ask these endgame tables, or none.
    pub fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.tablebases = tablebases;
    }

    /// Sets up a game.
    pub fn set_game(&mut self, game: Game) {
        self.game = game;
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// A handle that stops searches from elsewhere.
    #[must_use]
    pub fn control(&self) -> Control {
        Control::of(&self.flags)
    }

    /// The static score of the position for the side to move.
    #[must_use]
    pub fn evaluate(&self) -> Score {
        let mut evaluator = Evaluator::new(&self.network);
        evaluator.reset(self.game.position(), &self.network);
        evaluator.evaluate(self.game.position())
    }

    /// Searches the position within the limits. Blocks until the search is over; reports come on
    /// the calling thread. [`Control::arm`] must have been called before if the search is to be
    /// stopped or to ponder.
    pub fn search(&mut self, limits: &Limits, reporter: &mut dyn Reporter) -> Outcome {
        self.carry_out(self.job(limits), reporter)
    }

    fn carry_out(&mut self, job: SearchJob, reporter: &mut dyn Reporter) -> Outcome {
        let job = Arc::new(job);
        self.table.age();
        let (statistics, shown) = (self.settings.statistics, self.settings.multipv.max(1));
        let pause = if statistics { LIVE_EVERY } else { Duration::MAX };
        let (mut last_line, mut told) = (None, Instant::now());
        let Ran { results, failed: failed_threads } = self.pool.run(&job, pause, &mut |report| {
            // A limited player looks at more lines than were asked for.
            let hidden =
                |report: &Report| matches!(report, Report::Line(line, _) if line.multipv > shown);
            if let Some(report) = report.filter(|report| !hidden(report)) {
                if let Report::Line(line, _) = &report
                    && line.multipv == 1
                {
                    last_line = Some(line.clone());
                }
                reporter.report(&report);
            }
            if statistics && told.elapsed() >= LIVE_EVERY {
                told = Instant::now();
                reporter.report(&Report::Statistics(Box::new(job.total_statistics(true))));
            }
        });
        // A helper that was stopped in its first iteration knows nothing.
        let results: Vec<ThreadResult> =
            results.into_iter().filter(|result| result.depth > 0).collect();
        let outcome = Outcome { failed_threads, ..self.outcome(&job, &results) };
        if let Some(line) = outcome.lines.first()
            && last_line.as_ref() != Some(line)
        {
            for line in &outcome.lines {
                reporter.report(&Report::Line(line.clone(), outcome.progress));
            }
        }
        // A search that is never stopped leaves no stop behind for the next one.
        self.flags.arm(false);
        outcome
    }

    fn job(&self, limits: &Limits) -> SearchJob {
        let mut settings = self.settings.clone();
        let (mut limits, mut threads) = (limits.clone(), self.threads());
        let (mut tablebases, root) = (self.tablebases.clone(), self.game.position());
        if let Some(level) = settings.level() {
            settings.multipv = settings.multipv.max(level.candidates);
            limits.nodes = Some(limits.nodes.map_or(level.nodes, |nodes| nodes.min(level.nodes)));
            (threads, tablebases) = (1, None);
        }
        let root_verdict = tablebases
            .as_ref()
            .filter(|_| root.board().occupied().count() <= settings.syzygy_probe_limit)
            .and_then(|tables| tables.judge_root(root, settings.syzygy_fifty_move_rule));
        SearchJob {
            game: self.game.clone(),
            clock: Clock::new(&limits, settings.move_overhead, root.fullmove()),
            limits,
            settings,
            table: Arc::clone(&self.table),
            flags: Arc::clone(&self.flags),
            network: Arc::clone(&self.network),
            tablebases,
            root_verdict,
            trail: Trail::new(threads),
            main_depth: Default::default(),
            nodes: (0..threads).map(|_| Default::default()).collect(),
            table_hits: (0..threads).map(|_| Default::default()).collect(),
            statistics: (0..threads).map(|_| Default::default()).collect(),
            course: Default::default(),
            stop_reason: Default::default(),
        }
    }

    fn outcome(&self, job: &SearchJob, results: &[ThreadResult]) -> Outcome {
        let progress = Progress {
            nodes: job.total_nodes(),
            time: job.clock.elapsed(),
            hashfull: self.table.hashfull(),
            tablebase_hits: job.total_table_hits(),
        };
        let position = self.game.position();
        let chosen = if job.settings.multipv > 1 {
            0
        } else {
            vote::choose(results, job.limits.last_iteration())
        };
        let mut root_moves =
            results.get(chosen).map_or(Vec::new(), |result| result.root_moves.clone());
        if let Some(level) = self.settings.level() {
            let index = self.limited_choice(&level, &root_moves);
            if !root_moves.is_empty() {
                root_moves[..=index].rotate_right(1);
            }
        }
        let Some(best) = root_moves.first() else {
            let score = if position.is_check() { Score::mated_in(0) } else { Score::DRAW };
            return Outcome {
                best_move: None,
                ponder_move: None,
                lines: vec![],
                score,
                progress,
                statistics: None,
                failed_threads: 0,
            };
        };
        let count = self.settings.multipv.clamp(1, root_moves.len());
        let lines = (0..count).map(|index| root_moves[index].line(index + 1)).collect();
        Outcome {
            best_move: Some(best.mv),
            ponder_move: best.pv.get(1).copied().or_else(|| self.expected_answer(best.mv)),
            lines,
            score: best.line(1).score,
            progress,
            statistics: self.settings.statistics.then(|| job.total_statistics(false)),
            failed_threads: 0,
        }
    }

    /// Which root move a limited player plays.
    fn limited_choice(&self, level: &Level, root_moves: &[RootMove]) -> usize {
        let candidates: Vec<Candidate> = root_moves
            .iter()
            .take(level.candidates)
            .take_while(|root_move| root_move.bound == Bound::Exact)
            .map(|root_move| Candidate { score: root_move.score, noisy: !root_move.mv.is_quiet() })
            .collect();
        level.choose(&candidates, strength::seed(self.game.position(), self.games))
    }

    /// The table's answer to a move, if it is legal.
    fn expected_answer(&self, mv: chess::Move) -> Option<chess::Move> {
        let mut next = *self.game.position();
        next.make(mv);
        let key = crate::tt::table_key(&next);
        let answer = self.table.probe(key, 0, next.halfmove_clock())?.best_move?;
        next.is_legal(answer).then_some(answer)
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    use super::*;
    use crate::report::Silent;
    use crate::search::{ThreadData, Worker};
    use crate::stats::Off;

    #[test]
    fn a_thread_that_fails_costs_neither_the_search_nor_the_thread() {
        let mut engine = Engine::new();
        engine.set_threads(2).unwrap();
        let limits = Limits::depth(6);
        // A thread without a counter panics when it tells its nodes.
        for (counters, failed) in [(1, 1), (0, 2)] {
            let mut job = engine.job(&limits);
            job.table_hits.truncate(counters);
            let outcome = engine.carry_out(job, &mut Silent);
            assert_eq!(outcome.failed_threads, failed);
            assert_eq!(outcome.best_move.is_some(), counters > 0);
            let next = engine.search(&limits, &mut Silent);
            assert_eq!(next.failed_threads, 0);
            assert_eq!(next.lines[0].depth, 6);
            assert_eq!(engine.threads(), 2);
        }
    }

    #[test]
    fn a_helper_that_begins_late_and_deep_still_stops_at_once() {
        let mut engine = Engine::new();
        engine.set_threads(2).unwrap();
        let job = engine.job(&Limits { infinite: true, ..Limits::default() });
        job.main_depth.store(50, Relaxed);
        job.flags.tell_to_stop();
        let mut data = ThreadData::new().unwrap();
        let mut worker = Worker::<Off>::new(&mut data, &job, 1);
        worker.deepen(&mut |_| ());
        assert!(worker.nodes() <= 2048, "{}", worker.nodes());
    }

    #[test]
    fn a_failed_search_that_must_wait_still_waits() {
        let mut engine = Engine::new();
        let control = engine.control();
        control.arm(false);
        let mut job = engine.job(&Limits { infinite: true, ..Limits::default() });
        job.table_hits.clear();
        let told = Arc::new(AtomicBool::new(false));
        let telling = Arc::clone(&told);
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            telling.store(true, Relaxed);
            control.stop();
        });
        engine.carry_out(job, &mut Silent);
        assert!(told.load(Relaxed));
    }
}
