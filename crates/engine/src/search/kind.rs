//! Kinds of nodes and windows, as types.

use crate::score::Score;

/// What kind of node it is, known when the program is compiled.
pub(crate) trait NodeKind {
    /// The kind of the first child and of every child that is searched with the full window.
    type Child: NodeKind;
    /// Whether it has an open window.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A node with an open window.
pub(crate) struct Pv;
/// A node with a zero window.
pub(crate) struct Zero;

impl NodeKind for Root {
    type Child = Pv;
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    type Child = Self;
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for Zero {
    type Child = Self;
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

    /// The same window as the opponent sees it.
    pub(crate) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// The zero window just above alpha as the opponent sees it.
    pub(crate) fn zero_flipped(self) -> Self {
        Self { alpha: -(self.alpha + 1), beta: -self.alpha }
    }
}

/// The search was told to stop; nothing that it was doing counts.
#[derive(Debug)]
pub(crate) struct Stopped;

/// A score, unless the search was stopped on the way to it.
pub(crate) type Searched = Result<Score, Stopped>;
