//! The facts that the pruning of whole nodes depends on.

use super::kind::Node;
use crate::score::Score;

/// What is known about a node before its moves are looked at. Not for nodes in check.
#[derive(Clone, Copy)]
pub(crate) struct NodeFacts {
    pub(crate) node: Node,
    /// The best estimate of the score: the corrected evaluation, or a TT score.
    pub(crate) eval: Score,
    /// The corrected evaluation.
    pub(crate) static_eval: Score,
    /// Whether the side to move stands better than two plies before.
    pub(crate) improving: bool,
    /// Whether the opponent stands worse than before their last move.
    pub(crate) opponent_worsening: bool,
    pub(crate) tt_pv: bool,
}

impl NodeFacts {
    /// How far the estimate is above beta; negative below it.
    pub(crate) fn surplus(&self) -> i32 {
        self.eval - self.node.window.beta
    }
}

#[cfg(test)]
impl NodeFacts {
    /// A shallow node that stands nine pawns above beta, which is zero.
    pub(crate) fn example() -> Self {
        use super::kind::Window;
        let window = Window::below(Score::from_cp(0));
        Self {
            node: Node { depth: 3, ply: 1, cut_node: true, window },
            eval: Score::from_cp(900),
            static_eval: Score::from_cp(900),
            improving: false,
            opponent_worsening: false,
            tt_pv: false,
        }
    }

    pub(crate) fn with_eval(self, eval: Score) -> Self {
        Self { eval, ..self }
    }

    pub(crate) fn with_depth(self, depth: i32) -> Self {
        Self { node: Node { depth, ..self.node }, ..self }
    }

    pub(crate) fn with_beta(self, beta: Score) -> Self {
        use super::kind::Window;
        Self { node: Node { window: Window::below(beta), ..self.node }, ..self }
    }
}
