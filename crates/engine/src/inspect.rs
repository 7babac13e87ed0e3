//! Looking inside the search: quiescence on its own, and the tree of a search node by node.
//!
//! Everything here begins with an empty table and empty histories, so that the same question always
//! gets the same answer.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use chess::{Move, Position};
use memory::AllocationError;

use crate::engine::{Control, Engine};
use crate::game::Game;
use crate::limits::Limits;
use crate::pool::with_large_stack;
use crate::report::Line;
use crate::score::Score;
use crate::search::{Flags, Pv, SearchContext, ThreadData, Window, Worker};
use crate::settings::SearchSettings;
use crate::stats::{Counters, Event, Off, Recorder, Tracer, Tree};
use crate::strength::MAX_SKILL;

/// The table of an inspection.
const HASH_MIB: usize = 16;
/// How many of the largest leaves are kept.
const LARGEST: usize = 10;

/// The result of quiescence on a position.
#[derive(Clone, Debug)]
pub struct Quiescence {
    /// The static score for the side to move.
    pub static_score: Score,
    /// The score of quiescence for the side to move.
    pub score: Score,
    /// The best line that quiescence found.
    pub line: Vec<Move>,
    /// The position at the end of the line.
    pub leaf: Position,
    /// Nodes, the first included.
    pub nodes: u64,
    /// How often each event happened.
    pub counters: Counters,
    /// The nodes, if they were asked for.
    pub tree: Tree,
}

/// A leaf of the move tree and how much quiescence it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The moves that lead to it.
    pub line: Vec<Move>,
    /// The position that quiescence began at.
    pub position: Position,
    /// Nodes of quiescence, the leaf included.
    pub nodes: u64,
}

/// What the leaves of the move tree took in quiescence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuiescencePerft {
    /// Number of leaves of the move tree.
    pub leaves: u64,
    /// Nodes of quiescence, the leaves included.
    pub nodes: u64,
    /// How many leaves went so many plies deep.
    pub depths: Vec<u64>,
    /// The leaves with the most nodes, largest first.
    pub largest: Vec<Leaf>,
}

/// The tree of a search.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The best line; none without a legal move.
    pub line: Option<Line>,
    /// Nodes of all iterations.
    pub nodes: u64,
    /// The nodes of the last iteration.
    pub tree: Tree,
}

/// Looks inside the search of one position.
pub struct Inspector {
    data: ThreadData,
    context: SearchContext,
    game: Game,
}

impl Inspector {
    /// Looks at the engine's position with its settings and its network.
    ///
    /// # Errors
    /// If there is no memory for a table and statistics.
    pub fn new(engine: &Engine) -> Result<Self, AllocationError> {
        let settings = SearchSettings {
            multipv: 1,
            limit_strength: false,
            skill_level: MAX_SKILL,
            ..engine.settings().clone()
        };
        let network = Arc::clone(engine.network());
        let context = SearchContext { settings, network, ..SearchContext::new(HASH_MIB)? };
        Ok(Self { data: ThreadData::new()?, context, game: engine.game().clone() })
    }

    /// A handle that ends what takes long.
    #[must_use]
    pub fn control(&self) -> Control {
        Control::of(&self.context.flags)
    }

    /// Quiescence with a full window, with up to `traced` of its nodes, and no deeper than `plies`
    /// if that is given.
    pub fn quiesce(&mut self, traced: usize, plies: Option<usize>) -> Quiescence {
        let position = *self.game.position();
        let usual = self.context.settings.qsearch_max_ply;
        self.context.settings.qsearch_max_ply = plies.unwrap_or(usual);
        let (score, nodes, (counters, tree), static_score) =
            self.work(&Limits::default(), |worker: &mut Worker<'_, Tracer>| {
                let static_score = worker.static_score(&position, Window::full());
                worker.trace_from(0, traced, &[]);
                // Without limits nothing stops it; if something did, the static score would hold.
                let score = worker.quiesce::<Pv>(&position, Window::full(), 0);
                let parts = worker.take_record().into_parts();
                (score.unwrap_or(static_score), worker.nodes(), parts, static_score)
            });
        self.context.settings.qsearch_max_ply = usual;
        let line = self.data.principal_variation();
        let mut leaf = position;
        for &mv in &line {
            leaf.make(mv);
        }
        Quiescence { static_score, score, line, leaf, nodes, counters, tree }
    }

    /// A search to a depth: the best line and the nodes.
    pub fn search(&mut self, depth: i32) -> Option<(Line, u64)> {
        self.work(&Limits::depth(depth), |worker: &mut Worker<'_, Off>| {
            worker.iterative_deepening();
            Some((worker.best_line()?, worker.nodes()))
        })
    }

    /// A search to a depth with up to `limit` nodes of its last iteration.
    pub fn trace(&mut self, depth: i32, limit: usize) -> Traced {
        self.trace_without(depth, limit, &[])
    }

    /// As [`Self::trace`], but the rules `off` prune nothing.
    pub fn trace_without(&mut self, depth: i32, limit: usize, off: &[Event]) -> Traced {
        self.work(&Limits::depth(depth), |worker: &mut Worker<'_, Tracer>| {
            worker.trace_from(depth, limit, off);
            worker.iterative_deepening();
            let (_, tree) = worker.take_record().into_parts();
            Traced { line: worker.best_line(), nodes: worker.nodes(), tree }
        })
    }

    /// Sends every leaf of the move tree to quiescence; `None` if it was stopped.
    pub fn perft(&mut self, depth: u32) -> Option<QuiescencePerft> {
        let position = *self.game.position();
        let flags = Arc::clone(&self.context.flags);
        self.work(&Limits::default(), |worker: &mut Worker<'_, Counters>| {
            let mut walk =
                Walk { worker, flags: &flags, line: Vec::new(), found: Default::default() };
            walk.visit(&position, depth)?;
            Some(walk.found)
        })
    }

    /// Does something on a thread with room for the deepest line, with empty histories.
    fn work<R: Recorder, T: Send>(
        &mut self,
        limits: &Limits,
        task: impl FnOnce(&mut Worker<'_, R>) -> T + Send,
    ) -> T {
        self.context.tt.clear(1);
        self.data.clear();
        let job = self.context.job(&self.game, limits, 1);
        let data = &mut self.data;
        with_large_stack(|| task(&mut Worker::new(data, &job, 0)))
    }
}

/// A walk through the move tree.
struct Walk<'a, 'b> {
    worker: &'a mut Worker<'b, Counters>,
    flags: &'a Flags,
    line: Vec<Move>,
    found: QuiescencePerft,
}

impl Walk<'_, '_> {
    fn visit(&mut self, position: &Position, depth: u32) -> Option<()> {
        if self.flags.stop.load(Relaxed) {
            return None;
        }
        let ply = self.line.len();
        if depth == 0 {
            let before = self.worker.nodes();
            self.worker.quiesce::<Pv>(position, Window::full(), ply).ok()?;
            let deepest = self.worker.take_record().deepest_quiescence();
            self.note(position, self.worker.nodes() - before, deepest);
            return Some(());
        }
        for &mv in &position.legal_moves() {
            let child = self.worker.make(position, mv, ply);
            self.line.push(mv);
            let done = self.visit(&child, depth - 1);
            self.line.pop();
            self.worker.unmake();
            done?;
        }
        Some(())
    }

    fn note(&mut self, position: &Position, nodes: u64, deepest: usize) {
        let found = &mut self.found;
        found.leaves += 1;
        found.nodes += nodes;
        if found.depths.len() <= deepest {
            found.depths.resize(deepest + 1, 0);
        }
        found.depths[deepest] += 1;
        // Equal leaves stay in the order in which they were found.
        let place = found.largest.partition_point(|leaf| Reverse(leaf.nodes) <= Reverse(nodes));
        if place < LARGEST {
            let leaf = Leaf { line: self.line.clone(), position: *position, nodes };
            found.largest.insert(place, leaf);
            found.largest.truncate(LARGEST);
        }
    }
}
