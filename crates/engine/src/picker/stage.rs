//! The stack of generated moves, and the stages of a picker.

use chess::{Move, Sink};

use crate::stats::Event;

/// A move with its score in the order of picking.
#[derive(Clone, Copy)]
pub(super) struct ScoredMove {
    pub(super) mv: Move,
    pub(super) score: i32,
}

/// The stack of all moves that the nodes of the current line have generated.
#[derive(Default)]
pub(crate) struct MoveStack {
    pub(super) moves: Vec<ScoredMove>,
}

impl MoveStack {
    pub(crate) fn new() -> Self {
        Self { moves: Vec::with_capacity(16 * 1024) }
    }

    /// Forgets what an interrupted search has left.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
    }
}

impl Sink for MoveStack {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.moves.push(ScoredMove { mv, score: 0 });
    }
}

/// Where a picker is on its path. The order of the main path:
/// TT move, good captures, killers, countermove, good quiets, bad captures, bad quiets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    FirstKiller,
    SecondKiller,
    Countermove,
    GenerateQuiets,
    GoodQuiets,
    BadNoisy,
    BadQuiets,
    GenerateEvasions,
    Evasions,
    GenerateProbCut,
    ProbCut,
    GenerateQuiescence,
    QuiescenceNoisy,
    GenerateChecks,
    QuietChecks,
    Done,
}

impl Stage {
    /// The count that a cutoff by a move of this stage goes to.
    pub(crate) fn cutoff(self) -> Event {
        match self {
            Self::TtMove => Event::CutTtMove,
            Self::FirstKiller | Self::SecondKiller => Event::CutKiller,
            Self::Countermove => Event::CutCountermove,
            Self::GoodQuiets => Event::CutGoodQuiet,
            Self::BadNoisy => Event::CutBadNoisy,
            Self::BadQuiets => Event::CutBadQuiet,
            Self::Evasions => Event::CutEvasion,
            _ => Event::CutGoodNoisy,
        }
    }
}
