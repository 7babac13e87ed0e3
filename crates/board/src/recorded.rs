//! A recorded search tree, kept here and unfolded on the page node by node.

use chess::{Castling, Move, Position};
use engine::Score;
use engine::stats::{Event, Step, TraceNode, Tree};

use crate::protocol::{Skipped, TreeNode};

/// Nodes that are kept of one recorded search.
pub(crate) const MAX_NODES: usize = 20_000;
/// No recorded search is deeper.
pub(crate) const MAX_DEPTH: i32 = 12;

/// A search tree and the position it belongs to.
pub(crate) struct Recorded {
    root: Position,
    tree: Tree,
    /// The children of each node.
    children: Vec<Vec<usize>>,
}

impl Recorded {
    pub(crate) fn new(root: Position, tree: Tree) -> Self {
        let mut children = vec![Vec::new(); tree.nodes.len()];
        for node in &tree.nodes {
            if let Some(list) = node.parent.and_then(|parent| children.get_mut(parent)) {
                list.push(node.id);
            }
        }
        Self { root, tree, children }
    }

    /// How many nodes are kept, and how many there was no room for.
    pub(crate) fn size(&self) -> (usize, u64) {
        (self.tree.nodes.len(), self.tree.omitted)
    }

    /// The nodes without a parent: the root, once for each window it was searched with.
    pub(crate) fn roots(&self) -> Vec<TreeNode> {
        let roots = self.tree.nodes.iter().filter(|node| node.parent.is_none());
        roots.map(|node| self.node(node, None, &self.root)).collect()
    }

    /// The children of a node.
    ///
    /// # Errors
    /// If there is no such node.
    pub(crate) fn children(&self, id: usize) -> Result<Vec<TreeNode>, String> {
        let node = self.tree.nodes.get(id).ok_or("there is no such node")?;
        let position = self.position(node);
        let nodes = self.children[id].iter().filter_map(|&child| self.tree.nodes.get(child));
        Ok(nodes
            .map(|child| {
                let mut after = position;
                advance(&mut after, child);
                self.node(child, Some(&position), &after)
            })
            .collect())
    }

    /// The position of a node: the steps from the root.
    fn position(&self, node: &TraceNode) -> Position {
        let mut way = vec![node];
        while let Some(parent) =
            way.last().and_then(|node| node.parent).and_then(|id| self.tree.nodes.get(id))
        {
            way.push(parent);
        }
        let mut position = self.root;
        for node in way.iter().rev() {
            advance(&mut position, node);
        }
        position
    }

    fn node(&self, node: &TraceNode, before: Option<&Position>, at: &Position) -> TreeNode {
        let san = |position: Option<&Position>, mv: Move| {
            position.filter(|position| position.is_legal(mv)).map(|position| position.to_san(mv))
        };
        let label = match node.step {
            Step::Root => Some(String::from("root")),
            Step::Move(mv) => san(before, mv),
            Step::Null => Some(String::from("null move")),
            Step::Again => Some(String::from("re-search")),
            Step::Without(mv) => san(before, mv).map(|san| format!("without {san}")),
        };
        let uci = match node.step {
            Step::Move(mv) => Some(mv.to_uci(Castling::KingTakesRook)),
            Step::Root | Step::Null | Step::Again | Step::Without(_) => None,
        };
        TreeNode {
            id: node.id,
            label: label.unwrap_or_else(|| String::from("?")),
            kind: node.kind.name(),
            fen: at.to_fen(),
            uci,
            depth: node.depth,
            alpha: bound(node.alpha),
            beta: bound(node.beta),
            static_score: node.static_score.map(Score::raw),
            result: node.result.map(Score::raw),
            end: node.end.map(Event::rule),
            skipped: node
                .skipped
                .iter()
                .map(|&(rule, mv)| Skipped { rule: rule.rule(), san: san(Some(at), mv) })
                .collect(),
            children: self.children[node.id].len(),
        }
    }
}

/// Makes the step that led to a node.
fn advance(position: &mut Position, node: &TraceNode) {
    match node.step {
        Step::Move(mv) if position.is_legal(mv) => {
            position.make(mv);
        }
        Step::Null => position.make_null(),
        Step::Move(_) | Step::Root | Step::Again | Step::Without(_) => {}
    }
}

/// A bound of a window; none if it is open there.
fn bound(score: Score) -> Option<i32> {
    (score.raw().abs() < Score::INFINITE.raw()).then(|| score.raw())
}
