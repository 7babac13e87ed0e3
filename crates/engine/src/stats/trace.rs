//! Writing down the nodes of a search one by one.

use chess::Move;

use super::counters::{Counters, Recorder, Visit};
use super::event::Event;
use crate::score::Score;

/// A node of a search and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceNode {
    /// Its number in the order in which the search came to the nodes, from 0.
    pub id: usize,
    /// The node that asked for it; none at the root.
    pub parent: Option<usize>,
    /// Plies from the root. A node as deep as its parent looks at the same position again.
    pub ply: usize,
    /// How it was come to.
    pub step: Step,
    /// What kind of node it is: one of the events that count nodes.
    pub kind: Event,
    /// Plies to search; in quiescence, minus the plies below the main search.
    pub depth: i32,
    /// Scores at or below this did not matter.
    pub alpha: Score,
    /// A score at or above this was enough.
    pub beta: Score,
    /// The static score, if one was asked for.
    pub static_score: Option<Score>,
    /// The score; none if the search was stopped inside.
    pub result: Option<Score>,
    /// The rule that ended it; none if its moves were searched and none of them cut.
    pub end: Option<Event>,
    /// The moves that were left out, each with the rule.
    pub skipped: Vec<(Event, Move)>,
}

/// How a node was come to from the node that asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is the root.
    Root,
    /// A legal move led to the node.
    Move(Move),
    /// A null move led to the node.
    Null,
    /// It is the same position, searched in another way.
    Again,
    /// It is the same position without this move.
    Without(Move),
}

/// The nodes of a search, as far as there was room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The nodes, in the order in which the search came to them.
    pub nodes: Vec<TraceNode>,
    /// Nodes that there was no room for.
    pub omitted: u64,
}

/// A place on the way from the root to the present node.
struct Frame {
    /// The node, if there was room for it.
    node: Option<usize>,
    ply: usize,
    kind: Event,
    /// Whether the quiescence that this leaf is handed to is at work.
    handed_over: bool,
}

/// Writes nodes down from one iteration on, up to a limit, and counts.
#[derive(Default)]
pub(crate) struct Tracer {
    counters: Counters,
    frames: Vec<Frame>,
    tree: Tree,
    from_depth: i32,
    limit: usize,
    /// Rules that may not prune.
    off: Vec<Event>,
}

impl Tracer {
    pub(crate) fn new(from_depth: i32, limit: usize, off: &[Event]) -> Self {
        Self { from_depth, limit, off: off.to_vec(), ..Self::default() }
    }

    pub(crate) fn into_parts(self) -> (Counters, Tree) {
        (self.counters, self.tree)
    }

    fn present(&mut self) -> Option<&mut TraceNode> {
        let index = self.frames.last()?.node?;
        self.tree.nodes.get_mut(index)
    }

    fn step(&self, visit: &Visit) -> Step {
        match (self.frames.last(), visit.excluded, visit.mv) {
            (None, ..) => Step::Root,
            (Some(parent), excluded, _) if parent.ply == visit.ply => {
                excluded.map_or(Step::Again, Step::Without)
            }
            (Some(_), _, Some(mv)) => Step::Move(mv),
            (Some(_), _, None) => Step::Null,
        }
    }
}

impl Recorder for Tracer {
    const ON: bool = true;
    const TRACE: bool = true;

    fn count(&mut self, event: Event) {
        self.counters.count(event);
        if event.ends_node()
            && let Some(node) = self.present()
        {
            node.end = Some(event);
        }
    }

    fn allows(&self, rule: Event) -> bool {
        !self.off.contains(&rule)
    }

    fn skip(&mut self, rule: Event, mv: Move) {
        self.counters.count(rule);
        if let Some(node) = self.present() {
            node.skipped.push((rule, mv));
        }
    }

    fn evaluated(&mut self, score: Score, correction: i32) {
        self.counters.evaluated(score, correction);
        if let Some(node) = self.present() {
            node.static_score = Some(score);
        }
    }

    fn cutoff(&mut self, move_number: i32) {
        self.counters.cutoff(move_number);
    }

    fn quiescence_ply(&mut self, below: usize) {
        self.counters.quiescence_ply(below);
    }

    fn enter(&mut self, visit: Visit) {
        // The main search hands a leaf to quiescence: one node, entered twice.
        if visit.kind == Event::QuiescenceNode
            && visit.depth == 0
            && let Some(frame) = self.frames.last_mut()
            && (frame.ply, frame.kind) == (visit.ply, Event::QuiescenceNode)
        {
            frame.handed_over = true;
            return;
        }
        let step = self.step(&visit);
        let room = visit.root_depth >= self.from_depth && self.tree.nodes.len() < self.limit;
        let parent = self.frames.last().map(|frame| frame.node);
        // A node whose parent there was no room for would hang in the air.
        let node = (room && parent != Some(None)).then_some(self.tree.nodes.len());
        if let Some(id) = node {
            self.tree.nodes.push(TraceNode {
                id,
                parent: parent.flatten(),
                ply: visit.ply,
                step,
                kind: visit.kind,
                depth: visit.depth,
                alpha: visit.alpha,
                beta: visit.beta,
                static_score: None,
                result: None,
                end: None,
                skipped: Vec::new(),
            });
        } else if visit.root_depth >= self.from_depth {
            self.tree.omitted += 1;
        }
        self.frames.push(Frame { node, ply: visit.ply, kind: visit.kind, handed_over: false });
    }

    fn leave(&mut self, result: Option<Score>) {
        if let Some(frame) = self.frames.last_mut()
            && frame.handed_over
        {
            frame.handed_over = false;
            return;
        }
        if let Some(node) = self.present() {
            node.result = result;
        }
        self.frames.pop();
    }

    fn counters(&self) -> Option<&Counters> {
        Some(&self.counters)
    }
}
