//! The search on the test's own thread, with everything in reach.

mod depth;
mod extensions;
mod histories;
mod lines;
mod mate;
mod pruning;
mod quiescence;
mod reference;
mod switches;
mod tt;
mod trace;

use chess::Move;

use super::job::{SearchContext, SearchJob};
use super::kind::{Node, NodeKind, Pv, Searched, Window};
use super::worker::{ThreadData, Worker};
use crate::game::Game;
use crate::limits::Limits;
use crate::report::{Line, Report};
use crate::score::Score;
use crate::stats::{Counters, Event, Recorder};

/// The techniques that guess, each turned off: what is left searches every move to its full depth.
const BARE: [(&str, i32); 23] = [
    ("correction_pawns", 0),
    ("correction_non_pawns", 0),
    ("correction_minors", 0),
    ("correction_continuation", 0),
    ("rfp_max_depth", 0),
    ("razor_max_depth", 0),
    ("nmp_min_depth", 250),
    ("probcut_min_depth", 250),
    ("iir_min_depth", 250),
    ("hindsight_deeper_reduction", 32_768),
    ("hindsight_shallower_reduction", 32_768),
    ("lmp_base", 250),
    ("futility_max_depth", 0),
    ("capture_futility_max_depth", 0),
    ("history_pruning_max_depth", 0),
    ("see_pruning_max_depth", 0),
    ("singular_min_depth", 250),
    ("lmr_min_depth", 250),
    ("lmr_first_move", 32_768),
    ("qs_futility", 0),
    ("qs_late_moves", 250),
    ("qs_see_threshold", -32_000),
    ("qs_skip_evasions", 0),
];

/// One search thread that lies open.
struct Bench {
    data: ThreadData,
    context: SearchContext,
}

impl<R: Recorder> Worker<'_, R> {
    /// A node of the main search at depth, ply and, perhaps, an expected cut node.
    fn search_at<N: NodeKind>(
        &mut self,
        position: &chess::Position,
        window: Window,
        (depth, ply, cut_node): (i32, usize, bool),
    ) -> Searched {
        self.search::<N>(position, Node { depth, ply, cut_node, window })
    }
}

/// What a quiescence search from the root came to.
struct Quiesced {
    score: Score,
    /// Nodes below the root.
    nodes: u64,
    seldepth: usize,
    events: Counters,
    pv: Vec<Move>,
}

/// What a search came to.
struct Found {
    line: Line,
    /// Every line that was reported on the way.
    reported: Vec<Line>,
    nodes: u64,
    events: Counters,
}

impl Bench {
    fn new() -> Self {
        Self {
            data: ThreadData::new().unwrap(),
            context: SearchContext::new(1).expect("memory for a small table"),
        }
    }

    fn job(&self, game: &Game, limits: &Limits) -> SearchJob {
        self.context.job(game, limits, 1)
    }

    /// Quiescence with a full window and an empty table.
    fn quiesce(&mut self, game: &Game) -> Quiesced {
        self.context.tt.clear(1);
        self.quiesce_within(game, Window::full())
    }

    /// Quiescence with what the table already knows.
    fn quiesce_within(&mut self, game: &Game, window: Window) -> Quiesced {
        let job = self.job(game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut self.data, &job, 0);
        let score = worker.quiesce::<Pv>(game.position(), window, 0).expect("no limit is set");
        let (nodes, seldepth) = (worker.nodes - 1, worker.seldepth);
        let events = worker.record.clone();
        Quiesced { score, nodes, seldepth, events, pv: self.data.pv.line(0).0.to_vec() }
    }

    /// One node of the main search, to a depth, with what is already known.
    fn search_within(&mut self, game: &Game, window: Window, depth: i32) -> Score {
        let job = self.job(game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut self.data, &job, 0);
        worker.root_depth = depth;
        worker.search_at::<Pv>(game.position(), window, (depth, 0, false)).expect("no limit is set")
    }

    /// A search that remembers nothing of earlier ones.
    fn search(&mut self, game: &Game, limits: &Limits) -> Found {
        self.context.tt.clear(1);
        self.data.clear();
        self.search_on(game, limits)
    }

    /// A search that goes on with what earlier ones learned.
    fn search_on(&mut self, game: &Game, limits: &Limits) -> Found {
        self.context.flags.arm();
        let job = self.job(game, limits);
        let mut reported = Vec::new();
        let mut sink = |report| {
            if let Report::Line(line, _) = report {
                reported.push(line);
            }
        };
        let mut worker = Worker::<Counters>::new(&mut self.data, &job, 0);
        worker.report_to(&mut sink);
        worker.iterative_deepening();
        let events = worker.record.clone();
        let result = worker.into_result();
        let line = result.root_moves.first().expect("the root has a legal move").line(1);
        Found { line, reported, nodes: job.total_nodes(), events }
    }
}
