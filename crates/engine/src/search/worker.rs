//! One thread of the search: what it owns, what it shares, and the steps every node needs.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use chess::{CheckInfo, Delta, KeyHistory, Move, Position};
use memory::AllocationError;

use super::job::SearchJob;
use super::kind::{Stopped, Window};
use super::pv::PvTable;
use super::root_move::RootMove;
use super::stack::{PickedMove, Stack};
use crate::evaluator::Evaluator;
use crate::history::{ContinuationKey, Correction, CorrectionContext, History, MoveContext};
use crate::params;
use crate::picker::{MoveStack, PickContext, Picker};
use crate::report::{Line, Report};
use crate::score::Score;
use crate::stats::{Event, Part, Recorder, StopReason, Tracer};
use crate::tt::tt_key_after;

/// What one thread owns and keeps from search to search.
pub(crate) struct ThreadData {
    pub(super) history: History,
    pub(super) correction: Correction,
    pub(super) stack: Stack,
    pub(super) pv: PvTable,
    pub(super) moves: MoveStack,
    pub(super) keys: KeyHistory,
    pub(super) evaluator: Evaluator,
    /// The score of the last search of this game, for White.
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
    pub(crate) record: R,
    pub(super) nodes: u64,
    pub(super) tb_hits: u64,
    /// Nodes until the next look at clock and flags.
    pub(super) until_check: u32,
    pub(super) seldepth: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// The line of a MultiPV search that is being searched.
    pub(super) pv_index: usize,
    pub(super) root_depth: i32,
    /// The width of the window that the root is searched with.
    pub(super) root_width: i32,
    pub(super) completed_depth: i32,
    /// Null moves are banned for plies below this while one is being verified.
    pub(super) null_move_from: usize,
    /// Nodes when the current quiescence search was entered.
    pub(super) quiescence_start: u64,
    /// Who is told how the search goes, if anybody listens.
    report_sink: Option<&'a mut ReportSink<'a>>,
    /// When a warning may be given again, counted from the beginning of the search.
    pub(super) next_warning: Duration,
    /// When the totals were last reported, counted from the beginning of the search.
    totals_reported: Duration,
}

/// Receives the reports of a search on the thread that makes them.
pub(crate) type ReportSink<'a> = dyn FnMut(Report) + 'a;

/// The totals of a search are reported at least this often.
const TOTALS_EVERY: Duration = Duration::from_secs(1);
/// A search shorter than this does not report which root move it is at.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);

/// Nodes between two looks at clock and flags.
const CHECK_INTERVAL: u32 = 1024;

impl<'a, R: Recorder> Worker<'a, R> {
    pub(crate) fn new(data: &'a mut ThreadData, job: &'a SearchJob, index: usize) -> Self {
        let root = job.game.position();
        data.stack.clear();
        data.moves.clear();
        if params::weight_low_ply() != 0 {
            data.history.clear_low_ply();
        }
        data.keys = job.game.history().clone();
        data.evaluator.reset(root, &job.network);
        Self {
            data,
            job,
            index,
            record: R::default(),
            nodes: 0,
            tb_hits: 0,
            until_check: 1,
            seldepth: 0,
            root_moves: RootMove::all(job),
            pv_index: 0,
            root_depth: 0,
            root_width: 1,
            completed_depth: 0,
            null_move_from: 0,
            quiescence_start: 0,
            report_sink: None,
            next_warning: Duration::ZERO,
            totals_reported: Duration::ZERO,
        }
    }

    /// Reports go there from now on.
    pub(crate) fn report_to(&mut self, sink: &'a mut ReportSink<'a>) {
        self.report_sink = Some(sink);
    }

    /// Makes a report, if anybody listens.
    pub(super) fn report(&mut self, make: impl FnOnce(&Self) -> Report) {
        if let Some(sink) = self.report_sink.take() {
            let report = make(self);
            if let Report::Line(_, progress) | Report::Totals(progress) = &report {
                self.totals_reported = progress.time;
            }
            sink(report);
            self.report_sink = Some(sink);
        }
    }

    /// Reports which root move is searched next, once the search has taken a while.
    pub(super) fn report_current_move(&mut self, mv: Move, number: i32) {
        let is_heard = self.is_main() && self.report_sink.is_some();
        if is_heard && self.job.time.elapsed() >= CURRENT_MOVE_AFTER {
            let (depth, number) = (self.root_depth, self.pv_index + number as usize);
            self.report(|_| Report::CurrentMove { depth, mv, number });
        }
    }

    /// Reports the totals, if nothing else has done so for a while.
    fn report_totals(&mut self) {
        let is_heard = self.is_main() && self.report_sink.is_some();
        if is_heard && self.job.time.elapsed() >= self.totals_reported + TOTALS_EVERY {
            self.report(|worker| Report::Totals(worker.job.progress()));
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
            for limit in [job.limits.nodes, job.time.last_node()].into_iter().flatten() {
                let left = limit.saturating_sub(total).max(1);
                self.until_check = self.until_check.min(left.try_into().unwrap_or(u32::MAX));
            }
            let spent = job.time.is_over(total) || flags.enough.load(Relaxed);
            if spent && !job.is_pondering() {
                flags.stop.store(true, Relaxed);
                self.job.note_stop(StopReason::TimeIsUp);
            }
            self.report_totals();
        }
        // A helper that begins late joins the main thread at any depth: it must not insist.
        let may_stop = self.completed_depth > 0 || !self.is_main();
        if flags.stop.load(Relaxed) && may_stop { Err(Stopped) } else { Ok(()) }
    }

    pub(super) fn publish_nodes(&self) {
        self.job.nodes[self.index].set(self.nodes);
        self.job.tb_hits[self.index].set(self.tb_hits);
        if let Some(counters) = self.record.counters()
            && let Ok(mut live) = self.job.statistics[self.index].lock()
        {
            live.clone_from(counters);
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.job.flags.stop.load(Relaxed)
    }

    /// Plays a move that a node at its ply has picked as its `number`th, so that the answers can
    /// teach the histories about it.
    #[inline]
    pub(super) fn make_picked(
        &mut self,
        context: &MoveContext<'_>,
        mv: Move,
        number: i32,
    ) -> Position {
        let child = self.make(context.position, mv, context.ply);
        let capture_row = mv.is_noisy().then(|| context.capture_row(mv));
        let threat_index = context.threat_index(mv);
        let picked = PickedMove { number, threat_index, capture_row };
        self.data.stack.at(context.ply).picked = Some(picked);
        child
    }

    /// Plays a move at `ply` that teaches nothing.
    #[inline]
    pub(crate) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        self.job.tt.prefetch(tt_key_after(position, mv));
        let entry = self.data.stack.at(ply);
        entry.mv = Some(mv);
        entry.picked = None;
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
        entry.picked = None;
        entry.continuation = None;
        self.data.keys.push(position);
        let mut child = *position;
        child.make_null();
        self.job.tt.prefetch(crate::tt::tt_key(&child));
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
        let [last, before, fourth, _] = self.continuations(ply);
        CorrectionContext { last, before, fourth }
    }

    /// Nodes so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The evaluation of a position that is searched with a window, without corrections.
    pub(crate) fn static_score(&mut self, position: &Position, window: Window) -> Score {
        let started = self.record.start(Part::Evaluation);
        let score = self.data.evaluator.evaluate_near(position, (window.alpha, window.beta));
        self.record.stop(Part::Evaluation, started);
        score
    }

    /// The next move of a node.
    #[inline(always)]
    pub(super) fn next_move(
        &mut self,
        picker: &mut Picker,
        context: MoveContext<'_>,
        checks: &CheckInfo,
    ) -> Option<Move> {
        let started = self.record.start(Part::MovePicking);
        let pick = PickContext { context, history: &self.data.history, checks };
        let mv = picker.next(&mut self.data.moves, &pick);
        self.record.stop(Part::MovePicking, started);
        mv
    }

    /// The best line so far.
    pub(crate) fn best_line(&self) -> Option<Line> {
        self.root_moves.first().map(|best| best.line(1))
    }

    /// What was recorded; recording starts again from nothing.
    pub(crate) fn take_record(&mut self) -> R {
        std::mem::take(&mut self.record)
    }

    /// What this thread came to.
    pub(crate) fn into_result(self) -> ThreadResult {
        self.publish_nodes();
        if R::ON && self.is_main() {
            self.job.log().correction_entries = self.data.correction.entries();
        }
        let side = self.job.game.position().side_to_move();
        let best = self.root_moves.first().map(|best| best.score);
        self.data.last_score =
            best.filter(|&score| score > -Score::INFINITE).map(|score| score.seen_by(side));
        ThreadResult { root_moves: self.root_moves, depth: self.completed_depth }
    }
}

impl Worker<'_, Tracer> {
    /// Writes nodes down from this iteration on, up to a limit, and lets these rules prune nothing.
    pub(crate) fn trace_from(&mut self, depth: i32, limit: usize, off: &[Event]) {
        self.record = Tracer::new(depth, limit, off);
    }
}
