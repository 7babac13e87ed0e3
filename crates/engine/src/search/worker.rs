//! One thread of the search: what it owns, what it shares, and the steps every node needs.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use chess::{Delta, KeyHistory, Move, Position};
use memory::AllocationError;
use nnue::Network;

use super::flags::Flags;
use super::kind::Stopped;
use super::pv::PvTable;
use super::root::RootMove;
use super::stack::Stack;
use super::trail::Trail;
use crate::clock::Clock;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::history::{ContinuationKey, Correction, CorrectionContext, History};
use crate::limits::Limits;
use crate::picker::MoveStack;
use crate::report::Line;
use crate::score::{MAX_PLY, Score};
use crate::settings::SearchSettings;
use crate::stats::{Counters, Iteration, Recorder, Statistics, StopReason, Tracer};
use crate::tablebase::{RootVerdict, Tablebases};
use crate::tt::{TranspositionTable, clock_key};

/// What one thread owns and keeps from search to search.
pub(crate) struct ThreadData {
    pub(super) history: History,
    pub(super) correction: Correction,
    pub(super) stack: Stack,
    pub(super) pv: PvTable,
    pub(super) moves: MoveStack,
    pub(super) keys: KeyHistory,
    pub(super) evaluator: Evaluator,
    /// What the last search of this game came to, for White.
    pub(super) last_score: Option<Score>,
}

impl ThreadData {
    /// # Errors
    /// If there is not enough memory.
    pub(crate) fn new() -> Result<Self, AllocationError> {
        Ok(Self {
            history: History::new()?,
            correction: Correction::new()?,
            stack: Stack::new(),
            pv: PvTable::new(),
            moves: MoveStack::new(),
            keys: KeyHistory::with_capacity(1024),
            evaluator: Evaluator::new(nnue::embedded()),
            last_score: None,
        })
    }

    /// The best line of the last search.
    pub(crate) fn principal_variation(&self) -> Vec<Move> {
        self.pv.line(0).0.to_vec()
    }

    /// Forgets what earlier games taught.
    pub(crate) fn clear(&mut self) {
        self.history.clear();
        self.correction.clear();
        self.last_score = None;
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

    fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }
}

/// One search as all its threads see it.
pub(crate) struct SearchJob {
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    pub(crate) settings: SearchSettings,
    pub(crate) clock: Clock,
    pub(crate) table: Arc<TranspositionTable>,
    pub(crate) flags: Arc<Flags>,
    pub(crate) network: Arc<Network>,
    pub(crate) tablebases: Option<Arc<Tablebases>>,
    /// What the tables say about the root, and the moves they leave.
    pub(crate) root_verdict: Option<RootVerdict>,
    /// Where the threads are at work.
    pub(crate) trail: Trail,
    /// The iteration that the main thread is at.
    pub(crate) main_depth: AtomicI32,
    /// Nodes by thread.
    pub(crate) nodes: Vec<Counter>,
    /// Positions found in endgame tables, by thread.
    pub(crate) table_hits: Vec<Counter>,
    /// What each thread has counted, if counting is on.
    pub(crate) statistics: Vec<Mutex<Counters>>,
    /// How the search went so far.
    pub(crate) course: Mutex<Course>,
    /// What ended the search.
    pub(crate) stop_reason: OnceLock<StopReason>,
}

/// How a search went, as the main thread saw it.
#[derive(Default)]
pub(crate) struct Course {
    pub(crate) iterations: Vec<Iteration>,
    /// How long the last iteration wanted to think.
    pub(crate) wanted: Option<Duration>,
    pub(crate) correction_entries: usize,
}

impl SearchJob {
    /// A search on one thread, without endgame tables.
    pub(crate) fn alone(
        game: &Game,
        limits: &Limits,
        settings: &SearchSettings,
        table: &Arc<TranspositionTable>,
        flags: &Arc<Flags>,
    ) -> Self {
        Self {
            game: game.clone(),
            limits: limits.clone(),
            settings: settings.clone(),
            clock: Clock::new(limits, settings.move_overhead, game.position().fullmove()),
            table: Arc::clone(table),
            flags: Arc::clone(flags),
            network: Arc::clone(nnue::embedded()),
            tablebases: None,
            root_verdict: None,
            trail: Trail::default(),
            main_depth: Default::default(),
            nodes: vec![Default::default()],
            table_hits: vec![Default::default()],
            statistics: vec![Default::default()],
            course: Default::default(),
            stop_reason: Default::default(),
        }
    }

    /// Nodes of all threads, as far as they have told.
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(Counter::get).sum()
    }

    /// Positions that all threads found in endgame tables, as far as they have told, and those
    /// that the root was judged by.
    pub(crate) fn total_table_hits(&self) -> u64 {
        let root = self.root_verdict.as_ref().map_or(0, |verdict| verdict.probes);
        root + self.table_hits.iter().map(Counter::get).sum::<u64>()
    }

    /// What is known about the search, as far as the threads have told.
    pub(crate) fn total_statistics(&self, running: bool) -> Statistics {
        let mut counters = Counters::default();
        for thread in &self.statistics {
            counters.merge(&thread.lock().unwrap_or_else(PoisonError::into_inner));
        }
        let course = self.course();
        Statistics {
            running,
            time: self.clock.elapsed(),
            counters,
            iterations: course.iterations.clone(),
            plan: self.clock.plan(course.wanted),
            stop: self.stop_reason.get().copied(),
            correction_entries: course.correction_entries,
        }
    }

    pub(crate) fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what ended the search. What ended it first, counts.
    pub(crate) fn note_stop(&self, reason: StopReason) {
        let _ = self.stop_reason.set(reason);
    }

    /// The main thread is done: a search that must wait to be told waits, whatever limit it has
    /// reached; then all threads stop.
    pub(crate) fn finish(&self) {
        if self.flags.finish(self.limits.infinite) {
            self.note_stop(StopReason::Told);
        }
    }
}

/// What one thread came to.
#[derive(Clone, Debug)]
pub(crate) struct ThreadResult {
    /// Root moves, best first.
    pub(crate) root_moves: Vec<RootMove>,
    /// The last iteration that was completed.
    pub(crate) depth: i32,
}

/// One thread at work on a search.
pub(crate) struct Worker<'a, R: Recorder> {
    pub(super) data: &'a mut ThreadData,
    pub(super) job: &'a SearchJob,
    pub(super) index: usize,
    pub(super) record: R,
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
    /// Nodes until the next look at clock and flags.
    pub(super) until_check: u32,
    pub(super) seldepth: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// The line of a MultiPV search that is being searched.
    pub(super) pv_index: usize,
    pub(super) root_depth: i32,
    pub(super) completed_depth: i32,
    /// Null moves are banned for plies below this while one is being verified.
    pub(super) null_move_from: usize,
    /// Nodes when the current quiescence search was entered.
    pub(super) quiescence_start: u64,
}

/// Nodes between two looks at clock and flags.
const CHECK_INTERVAL: u32 = 1024;

impl<'a, R: Recorder> Worker<'a, R> {
    pub(crate) fn new(data: &'a mut ThreadData, job: &'a SearchJob, index: usize) -> Self {
        let root = job.game.position();
        data.stack.clear();
        data.moves.clear();
        data.keys = job.game.history().clone();
        data.evaluator.reset(root, &job.network);
        Self {
            data,
            job,
            index,
            record: R::default(),
            nodes: 0,
            table_hits: 0,
            until_check: 1,
            seldepth: 0,
            root_moves: RootMove::all(job),
            pv_index: 0,
            root_depth: 0,
            completed_depth: 0,
            null_move_from: 0,
            quiescence_start: 0,
        }
    }

    pub(super) fn is_main(&self) -> bool {
        self.index == 0
    }

    /// Stops the search if it must; the main thread always finishes the first iteration.
    #[inline]
    pub(super) fn check_limits(&mut self) -> Result<(), Stopped> {
        self.until_check -= 1;
        if self.until_check > 0 {
            return Ok(());
        }
        self.check_limits_now()
    }

    #[cold]
    fn check_limits_now(&mut self) -> Result<(), Stopped> {
        self.publish_nodes();
        self.until_check = CHECK_INTERVAL;
        let flags = &self.job.flags;
        if self.is_main() {
            let (job, total) = (self.job, self.job.total_nodes());
            if job.limits.nodes.is_some_and(|limit| total >= limit) {
                flags.stop.store(true, Relaxed);
                job.note_stop(StopReason::Nodes);
            }
            // Come back exactly when a single thread reaches the limit.
            for limit in [job.limits.nodes, job.clock.last_node()].into_iter().flatten() {
                let left = limit.saturating_sub(total).max(1);
                self.until_check = self.until_check.min(left.try_into().unwrap_or(u32::MAX));
            }
            let spent = job.clock.is_over(total) || flags.enough.load(Relaxed);
            if spent && !flags.ponder.load(Relaxed) {
                flags.stop.store(true, Relaxed);
                self.job.note_stop(StopReason::TimeIsUp);
            }
        }
        // A helper that begins late joins the main thread at any depth: it must not insist.
        let may_stop = self.completed_depth > 0 || !self.is_main();
        if flags.stop.load(Relaxed) && may_stop { Err(Stopped) } else { Ok(()) }
    }

    pub(super) fn publish_nodes(&self) {
        self.job.nodes[self.index].set(self.nodes);
        self.job.table_hits[self.index].set(self.table_hits);
        if let Some(counters) = self.record.counters()
            && let Ok(mut live) = self.job.statistics[self.index].lock()
        {
            live.clone_from(counters);
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.job.flags.stop.load(Relaxed)
    }

    /// Plays a move at `ply`.
    #[inline]
    pub(crate) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let key = position.key_after(mv) ^ clock_key(position.halfmove_clock() + 1);
        self.job.table.prefetch(key);
        let entry = self.data.stack.at(ply);
        entry.mv = Some(mv);
        entry.continuation = Some(ContinuationKey::of_move(position, mv));
        self.data.keys.push(position);
        let mut child = *position;
        let delta = child.make(mv);
        self.data.correction.prefetch(&child, self.correction_context(ply + 1));
        self.data.evaluator.push(delta);
        child
    }

    /// Passes at `ply`.
    pub(super) fn make_null(&mut self, position: &Position, ply: usize) -> Position {
        let entry = self.data.stack.at(ply);
        entry.mv = None;
        entry.continuation = None;
        self.data.keys.push(position);
        let mut child = *position;
        child.make_null();
        self.job.table.prefetch(crate::tt::table_key(&child));
        self.data.evaluator.push(Delta::Nothing);
        child
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.data.keys.pop();
        self.data.evaluator.pop();
    }

    /// The rows of the continuation table that belong to the moves before `ply`.
    #[inline]
    pub(super) fn continuations(&self, ply: usize) -> [Option<ContinuationKey>; 4] {
        [1, 2, 4, 6].map(|back| {
            if back > ply { None } else { self.data.stack.back(ply, back).continuation }
        })
    }

    pub(super) fn correction_context(&self, ply: usize) -> CorrectionContext {
        let [last, before, ..] = self.continuations(ply);
        CorrectionContext { last, before }
    }

    /// Whether the position is drawn as far as the search is concerned.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position, ply: usize) -> bool {
        position.is_fifty_move_draw()
            || self.data.keys.is_repetition(position, ply)
            || position.board().is_insufficient_material()
    }

    /// A draw, a little above or below zero so that equal lines do not hide each other.
    #[inline]
    pub(super) fn draw_score(&self) -> Score {
        Score::DRAW + (1 - (self.nodes & 2) as i32)
    }

    /// The score at the ply ceiling.
    pub(super) fn ceiling_score(&mut self, position: &Position) -> Score {
        if position.is_check() { Score::DRAW } else { self.data.evaluator.evaluate(position) }
    }

    pub(super) fn at_ceiling(ply: usize) -> bool {
        ply >= MAX_PLY - 1
    }

    /// Nodes so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The evaluation of a position, without corrections.
    pub(crate) fn static_score(&mut self, position: &Position) -> Score {
        self.data.evaluator.evaluate(position)
    }

    /// The best line so far.
    pub(crate) fn best_line(&self) -> Option<Line> {
        self.root_moves.first().map(|best| best.line(1))
    }

    /// What was recorded; recording begins anew.
    pub(crate) fn take_record(&mut self) -> R {
        std::mem::take(&mut self.record)
    }

    /// What this thread came to.
    pub(crate) fn into_result(self) -> ThreadResult {
        self.publish_nodes();
        if R::ON && self.is_main() {
            self.job.course().correction_entries = self.data.correction.entries();
        }
        let side = self.job.game.position().side_to_move();
        let best = self.root_moves.first().map(|best| best.score);
        self.data.last_score =
            best.filter(|&score| score > -Score::INFINITE).map(|score| score.seen_by(side));
        ThreadResult { root_moves: self.root_moves, depth: self.completed_depth }
    }
}

impl Worker<'_, Tracer> {
    /// Writes nodes down from this iteration on, up to a limit.
    pub(crate) fn trace_from(&mut self, depth: i32, limit: usize) {
        self.record = Tracer::new(depth, limit);
    }
}
