//! The engines that run the searches.

use std::sync::Arc;
use std::time::Duration;

use engine::stats::Tree;
use engine::{Control, Engine, Inspector, Limits, Outcome, Progress, Report, Tablebases};
use review::{Analyst, Lesson, LevelPlayer, lesson};

use crate::protocol::Resources;
use crate::recorded::MAX_NODES;
use crate::task::{Purpose, Task};

/// The transposition table of the engine that plays below full strength: it must not profit from
/// the searches of others.
const WEAK_HASH_MIB: usize = 1;
/// That of the coach, which forgets everything before each move it explains.
const COACH_HASH_MIB: usize = 8;

/// The engines of one thread.
pub struct Engines {
    strong: Engine,
    weak: Engine,
    /// Records the nodes of a search.
    inspector: Option<Inspector>,
    /// Explains moves; made when it is needed for the first time.
    coach: Option<Coach>,
}

struct Coach {
    analyst: Analyst,
    control: Control,
}

impl Coach {
    fn new(tablebases: Option<Arc<Tablebases>>) -> Self {
        let mut engine = Engine::new();
        let _ = engine.set_hash(COACH_HASH_MIB);
        engine.set_tablebases(tablebases);
        let control = engine.control();
        Self { analyst: Analyst::new(engine, Limits::default()), control }
    }
}

/// Gives an engine other threads and another table. What the system refuses stays as it was.
fn resize(engine: &mut Engine, threads: usize, hash_mebibytes: usize) {
    if engine.threads() != threads {
        let _ = engine.set_threads(threads);
    }
    if engine.hash() != hash_mebibytes {
        let _ = engine.set_hash(hash_mebibytes);
    }
}

/// The result of a search.
pub struct Found {
    /// The result that every search has.
    pub outcome: Outcome,
    /// Its nodes, if they were recorded.
    pub tree: Option<Tree>,
    /// What was to be explained.
    pub lesson: Option<Box<Lesson>>,
}

impl Found {
    /// The result of something that is not one search.
    fn other(nodes: u64) -> Self {
        let outcome = Outcome {
            best_move: None,
            ponder_move: None,
            lines: Vec::new(),
            score: engine::Score::DRAW,
            progress: Progress { nodes, ..Progress::default() },
            statistics: None,
            failed_threads: 0,
        };
        Self { outcome, tree: None, lesson: None }
    }
}

impl Engines {
    /// Engines with a transposition table of this size and this many threads.
    #[must_use]
    pub fn new(hash_mebibytes: usize, threads: usize) -> Self {
        let (mut strong, mut weak) = (Engine::new(), Engine::new());
        // Where there is no memory for a large table, the small one it has must do; so must the
        // threads that the system gives.
        resize(&mut strong, threads, hash_mebibytes);
        let _ = weak.set_hash(WEAK_HASH_MIB);
        Self { strong, weak, inspector: None, coach: None }
    }

    /// Lets searches at full strength, and the coach, ask these tablebases. Levels below full
    /// strength do without: the tables would play better than the level may.
    #[must_use]
    pub fn with_tablebases(mut self, tablebases: Option<Arc<Tablebases>>) -> Self {
        self.strong.set_tablebases(tablebases);
        self.coach = None;
        self
    }

    /// Threads and MiB of table of the engine at full strength.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.strong.threads(), self.strong.hash())
    }

    /// Prepares the engine for a task and returns the handle that stops it.
    pub fn prepare(&mut self, task: &Task) -> Control {
        let engine = self.of(task);
        if let Some(Resources { threads, hash }) = task.resources.filter(|_| task.elo.is_none()) {
            resize(engine, threads, hash);
        }
        engine.set_game(task.game.clone());
        let settings = engine.settings_mut();
        settings.multipv = task.lines;
        settings.statistics = task.statistics;
        settings.limit_strength = task.elo.is_some();
        settings.elo = task.elo.unwrap_or(settings.elo);
        if task.elo.is_some() {
            engine.new_game();
        }
        let mut control = engine.control();
        if task.purpose == Purpose::Trace {
            // Without memory for its table there is nothing to record.
            self.inspector = Inspector::new(engine).ok();
            control = self.inspector.as_ref().map_or(control, Inspector::control);
        }
        if task.purpose == Purpose::Explain {
            let tablebases = self.strong.tablebases().cloned();
            control = self.coach.get_or_insert_with(|| Coach::new(tablebases)).control.clone();
        }
        control.arm();
        control
    }

    fn of(&mut self, task: &Task) -> &mut Engine {
        if task.elo.is_some() { &mut self.weak } else { &mut self.strong }
    }

    /// The limits of a task, cut to one time slice.
    #[must_use]
    pub fn slice_of(&self, task: &Task, time: Duration) -> Limits {
        let time = time + self.strong.settings().move_overhead;
        Limits { move_time: Some(time), ..task.limits.clone() }
    }

    /// Runs a task that was prepared, within these limits.
    pub fn search(
        &mut self,
        task: &Task,
        limits: &Limits,
        on_report: &mut dyn FnMut(&Report),
    ) -> Found {
        if let Some(mut inspector) = self.inspector.take() {
            let traced =
                inspector.trace_without(limits.depth.unwrap_or(1), MAX_NODES, &task.without);
            let mut found = Found::other(traced.nodes);
            found.outcome.lines.extend(traced.line);
            return Found { tree: Some(traced.tree), ..found };
        }
        if let (Some(question), Some(coach)) = (&task.question, &mut self.coach) {
            coach.analyst.set_limits(limits.clone());
            let known = question.known.as_deref().map(|(before, after)| (before, after));
            let lesson = lesson(&mut coach.analyst, &task.game, question.mv, known);
            return Found { lesson: Some(Box::new(lesson)), ..Found::other(0) };
        }
        if let (Purpose::Peer, Some(elo)) = (task.purpose, task.elo) {
            let mut found = Found::other(0);
            // A new player each time, so that no choice depends on those before.
            found.outcome.best_move = LevelPlayer::new().play(&task.game, elo);
            return found;
        }
        let outcome = self.of(task).search(limits, &mut |report: &Report| on_report(report));
        Found { outcome, tree: None, lesson: None }
    }
}
