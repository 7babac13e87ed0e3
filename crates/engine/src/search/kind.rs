//! Kinds of nodes as types, windows, and what a node is asked.

use crate::score::Score;

/// What kind of node it is, known when the program is compiled.
pub(crate) trait NodeKind {
    /// Whether it has an open window.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
}

/// The root: an open window, and only the moves that the search is asked about.
pub(crate) struct Root;
/// A node with an open window, below the root.
pub(crate) struct Pv;
/// A node with a zero window.
pub(crate) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// The scores that matter: above `alpha` and below `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: Score,
    pub(crate) beta: Score,
}

impl Window {
    /// Every score.
    pub(crate) fn full() -> Self {
        Self { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// Only whether the score is at least `beta`.
    pub(crate) fn below(beta: Score) -> Self {
        Self { alpha: beta - 1, beta }
    }

    /// How many scores lie between alpha and beta, and beta.
    pub(crate) fn width(self) -> i32 {
        self.beta - self.alpha
    }

    /// The same window as the opponent sees it.
    pub(crate) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The zero window just above alpha as the opponent sees it.
    pub(crate) fn zero_flipped(self) -> Self {
        Self { alpha: -(self.alpha + 1), beta: -self.alpha }
    }
}

/// What a node of the main search is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// Plies to search; at 0 and below quiescence takes over.
    pub(crate) depth: i32,
    /// Plies from the root.
    pub(crate) ply: usize,
    /// Whether a zero-window node is expected to reach beta.
    pub(crate) cut_node: bool,
    pub(crate) window: Window,
}

impl Node {
    /// A node one ply further from the root.
    #[inline(always)]
    pub(crate) fn child(&self, window: Window, depth: i32, cut_node: bool) -> Self {
        Self { depth, ply: self.ply + 1, cut_node, window }
    }
}

/// The search was asked to stop; nothing that it was doing counts.
#[derive(Debug)]
pub(crate) struct Stopped;

/// A score, unless the search was stopped on the way to it.
pub(crate) type Searched = Result<Score, Stopped>;
