//! A recorded search tree, kept here and unfolded on the page node by node.

use chess::{Castling, Move, Position};
use engine::Score;
use engine::stats::{Event, Step, TraceNode, Tree};

use crate::protocol::{self, LeftOutAt, MoveReport, Skipped, TreeNode};
use crate::rules::{parse_move, quote, step};

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
        let mut position = self.root;
        for node in self.ancestors(node) {
            advance(&mut position, node);
        }
        position
    }

    /// Finds out what became of a move: where it was searched, and where it was left out.
    ///
    /// # Errors
    /// If it is legal at no node of the tree.
    pub(crate) fn why_not(&self, text: &str) -> Result<MoveReport, String> {
        let mut positions: Vec<Position> = Vec::with_capacity(self.tree.nodes.len());
        let mut report = MoveReport { searched: 0, pruned: 0, nearest: None };
        let mut nearest: Option<(bool, usize, &TraceNode, Move, Option<Event>)> = None;
        let mut is_legal = false;
        for node in &self.tree.nodes {
            let mut position = node.parent.map_or(self.root, |parent| positions[parent]);
            advance(&mut position, node);
            positions.push(position);
            let Some(mv) = parse_move(&position, text) else { continue };
            is_legal = true;
            match self.fate(node, mv) {
                Fate::Searched => report.searched += 1,
                Fate::Pruned(rule) => {
                    report.pruned += 1;
                    // A node that a rule ended says more than one that a good move ended.
                    let key = (false, node.ply);
                    if nearest.is_none_or(|(other, ply, ..)| key < (other, ply)) {
                        nearest = Some((false, node.ply, node, mv, Some(rule)));
                    }
                }
                Fate::Cut => {
                    if nearest.is_none_or(|(other, ply, ..)| (true, node.ply) < (other, ply)) {
                        nearest = Some((true, node.ply, node, mv, None));
                    }
                }
                Fate::Elsewhere => {}
            }
        }
        if !is_legal {
            return Err(format!("{} is not legal at any recorded node", quote(text)));
        }
        report.nearest = nearest.map(|(.., node, mv, rule)| LeftOutAt {
            node: self.node(node, None, &positions[node.id]),
            way: self.way(node),
            steps: self.steps(node),
            san: positions[node.id].to_san(mv),
            rule: rule.map(Event::rule),
            switchable: rule.is_some_and(Event::is_switchable),
        });
        Ok(report)
    }

    /// What became of a legal move at a node.
    fn fate(&self, node: &TraceNode, mv: Move) -> Fate {
        let children = self.children[node.id].iter().filter_map(|&id| self.tree.nodes.get(id));
        if children.clone().any(|child| child.step == Step::Move(mv)) {
            return Fate::Searched;
        }
        // The same position is searched again inside it: that node tells.
        if children.clone().any(|child| child.step == Step::Again) || node.step == Step::Without(mv)
        {
            return Fate::Elsewhere;
        }
        if let Some(&(rule, _)) = node.skipped.iter().find(|(_, skipped)| *skipped == mv) {
            return Fate::Pruned(rule);
        }
        // These leave out all quiet moves that follow.
        let rest = |rule: &Event| {
            matches!(rule, Event::LateMovePrune | Event::FutilityPrune | Event::EvasionSkip)
        };
        if let Some(rule) = node.skipped.iter().map(|&(rule, _)| rule).find(rest)
            && mv.is_quiet()
        {
            return Fate::Pruned(rule);
        }
        match node.end {
            Some(rule) if rule.is_switchable() => Fate::Pruned(rule),
            _ => Fate::Cut,
        }
    }

    /// The nodes from the root to a node, both included.
    fn ancestors<'a>(&'a self, node: &'a TraceNode) -> Vec<&'a TraceNode> {
        let mut way = vec![node];
        while let Some(parent) =
            way.last().and_then(|node| node.parent).and_then(|id| self.tree.nodes.get(id))
        {
            way.push(parent);
        }
        way.reverse();
        way
    }

    /// How the search came to a node, in words.
    fn way(&self, node: &TraceNode) -> Vec<String> {
        let mut position = self.root;
        let mut words = Vec::new();
        for node in self.ancestors(node).into_iter().skip(1) {
            let before = position;
            advance(&mut position, node);
            words.push(self.node(node, Some(&before), &position).label);
        }
        words
    }

    /// The moves to a node; none if there is a null move among them.
    fn steps(&self, node: &TraceNode) -> Option<Vec<protocol::Step>> {
        let mut position = self.root;
        let mut steps = Vec::new();
        for node in self.ancestors(node) {
            match node.step {
                Step::Move(mv) if position.is_legal(mv) => steps.push(step(&mut position, mv)),
                Step::Move(_) | Step::Null => return None,
                Step::Root | Step::Again | Step::Without(_) => {}
            }
        }
        Some(steps)
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

/// What became of a move at a node.
enum Fate {
    /// It was searched.
    Searched,
    /// A rule left it out.
    Pruned(Event),
    /// The node ended before it came to it: another move was good enough, or the table knew.
    Cut,
    /// Another node with the same position tells.
    Elsewhere,
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

#[cfg(test)]
mod tests {
    use engine::{Engine, Game, Inspector};

    use super::*;

    fn recorded(fen: &str, depth: i32, off: &[Event]) -> Recorded {
        let position = Position::from_fen(fen).expect("a legal position");
        let mut engine = Engine::new();
        engine.set_game(Game::new(position));
        let mut inspector = Inspector::new(&engine).expect("memory");
        Recorded::new(position, inspector.trace_without(depth, MAX_NODES, off).tree)
    }

    #[test]
    fn a_move_that_was_left_out_is_found_with_its_rule() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let tree = recorded(fen, 6, &[]);
        let report = tree.why_not("a6").expect("legal somewhere");
        let nearest = report.nearest.expect("it is left out somewhere");
        assert!(report.pruned > 0 && nearest.switchable, "{nearest:?}");
        assert_eq!(nearest.san, "a6");
        let steps = nearest.steps.expect("moves only");
        assert_eq!(steps.len(), nearest.way.len());
        assert_eq!(steps.last().map(|step| &step.fen), Some(&nearest.node.fen));
        // Without the rule it is not left out by it.
        let rule = Event::ALL.iter().find(|event| Some(event.rule()) == nearest.rule).unwrap();
        let again = recorded(fen, 6, &[*rule]).why_not("a6").expect("legal somewhere");
        assert_ne!(again.nearest.and_then(|found| found.rule), nearest.rule);
        assert!(tree.why_not("Ka5").is_err());
        // The root leaves nothing out, and Black has no such move.
        let root_only = recorded("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1, &[]);
        let report = root_only.why_not("e4").expect("legal");
        assert_eq!((report.searched, report.nearest.map(|found| found.node.id)), (1, None));
    }
}
