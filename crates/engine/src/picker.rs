//! Hands out the moves of a node one at a time, best first, and generates as late as it can.
//!
//! Moves live in one stack that all nodes of a thread share: a node's moves lie above those of
//! the nodes that lead to it, so nothing is allocated and nothing is cleared.

mod score;
mod stage;
#[cfg(test)]
mod tests;

use chess::{CheckInfo, Color, Move, Position};

use crate::history::{History, MoveContext};
use crate::params;
use score::{noisy_score, partial_sort, quiet_score};
use stage::ScoredMove;
pub(crate) use stage::{MoveStack, Stage};

/// What a picker may look at when it moves on.
pub(crate) struct PickContext<'a> {
    pub(crate) context: MoveContext<'a>,
    pub(crate) history: &'a History,
    pub(crate) checks: &'a CheckInfo,
}

/// The state of picking at one node.
pub(crate) struct Picker {
    stage: Stage,
    /// The stage from which the last move came.
    source: Stage,
    tt_move: Option<Move>,
    /// Killers and countermove, in the order of their stages.
    refutations: [Option<Move>; 3],
    base: usize,
    /// Next move to look at.
    cursor: usize,
    /// End of the moves generated so far.
    end: usize,
    /// End of the bad captures, which are kept at the front.
    bad_end: usize,
    /// First of the quiets.
    quiets: usize,
    kind: Kind,
    skip_quiets: bool,
    /// Turns the board for Black, so that equal captures come in the same order for both sides.
    mirror: u16,
}

/// What the moves are picked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A node of the main search.
    Main { depth: i32 },
    /// ProbCut: captures whose exchange is worth at least `threshold`.
    ProbCut { threshold: i32 },
    /// A node of quiescence.
    Quiescence { mode: QuiescenceMode },
}

/// The bits of a move that say which ranks it leads from and to.
const RANKS: u16 = 0b1110_0011_1000;

/// Which moves quiescence wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuiescenceMode {
    /// Captures, promotions and quiet moves that give check.
    WithChecks,
    /// Captures and promotions, and nothing else.
    Noisy,
    /// Captures on this square.
    Recaptures(chess::Square),
}

impl QuiescenceMode {
    fn square(self) -> Option<chess::Square> {
        if let Self::Recaptures(square) = self { Some(square) } else { None }
    }
}

impl Kind {
    /// The stage after the TT move.
    fn first_stage(self, position: &Position) -> Stage {
        match self {
            Self::ProbCut { .. } => Stage::GenerateProbCut,
            _ if position.is_check() => Stage::GenerateEvasions,
            Self::Main { .. } => Stage::GenerateNoisy,
            Self::Quiescence { .. } => Stage::GenerateQuiescence,
        }
    }
}

impl Picker {
    fn new(kind: Kind, stack: &MoveStack, position: &Position, tt_move: Option<Move>) -> Self {
        let stage = match (tt_move, kind) {
            (Some(_), _) => Stage::TtMove,
            (None, kind) => kind.first_stage(position),
        };
        debug_assert!(tt_move.is_none_or(|mv| position.is_legal(mv)), "{tt_move:?}");
        let base = stack.moves.len();
        let mirror = match position.side_to_move() {
            Color::White => 0,
            Color::Black => RANKS,
        };
        Self {
            stage,
            source: stage,
            tt_move,
            refutations: [None; 3],
            base,
            cursor: base,
            end: base,
            bad_end: base,
            quiets: base,
            kind,
            skip_quiets: false,
            mirror,
        }
    }

    /// For a node of the main search. The TT move must be legal.
    pub(crate) fn main(
        stack: &MoveStack,
        position: &Position,
        tt_move: Option<Move>,
        refutations: [Option<Move>; 3],
        depth: i32,
    ) -> Self {
        Self { refutations, ..Self::new(Kind::Main { depth }, stack, position, tt_move) }
    }

    /// For the ProbCut test: captures whose exchange is worth at least `threshold`.
    pub(crate) fn probcut(
        stack: &MoveStack,
        position: &Position,
        tt_move: Option<Move>,
        threshold: i32,
    ) -> Self {
        let tt_move = tt_move.filter(|&mv| mv.is_noisy() && position.see_ge(mv, threshold));
        Self::new(Kind::ProbCut { threshold }, stack, position, tt_move)
    }

    /// For a node of quiescence; in check all evasions, whatever the mode.
    pub(crate) fn quiescence(
        stack: &MoveStack,
        position: &Position,
        tt_move: Option<Move>,
        mode: QuiescenceMode,
    ) -> Self {
        let in_check = position.is_check();
        let fits = |mv: &Move| {
            in_check
                || match mode {
                    QuiescenceMode::WithChecks | QuiescenceMode::Noisy => {
                        mv.is_noisy() || params::qs_tt_quiets() != 0
                    }
                    QuiescenceMode::Recaptures(square) => mv.is_capture() && mv.to() == square,
                }
        };
        Self::new(Kind::Quiescence { mode }, stack, position, tt_move.filter(fits))
    }

    /// The stage from which the last move came.
    pub(crate) fn source(&self) -> Stage {
        self.source
    }

    /// Leaves out all quiet moves that are still to come.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// Gives the place on the stack back. Every picker ends with this.
    pub(crate) fn finish(&self, stack: &mut MoveStack) {
        stack.moves.truncate(self.base);
    }

    /// The next move.
    pub(crate) fn next(&mut self, stack: &mut MoveStack, pick: &PickContext<'_>) -> Option<Move> {
        let position = pick.context.position;
        loop {
            self.source = self.stage;
            match self.stage {
                Stage::TtMove => {
                    self.stage = self.kind.first_stage(position);
                    return self.tt_move;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(stack, pick);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(picked) = self.pick_best(stack) {
                        let margin = -picked.score / params::good_capture_divisor();
                        if position.see_ge(picked.mv, margin) {
                            return Some(picked.mv);
                        }
                        // The slots at the front have all been handed out.
                        stack.moves[self.bad_end] = picked;
                        self.bad_end += 1;
                    }
                    // Off by default, so there is mostly nothing to visit.
                    let refutes = self.refutations != [None; 3];
                    self.stage = if refutes { Stage::FirstKiller } else { Stage::GenerateQuiets };
                }
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(mv) = self.refutation(0, position) {
                        return Some(mv);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::Countermove;
                    if let Some(mv) = self.refutation(1, position) {
                        return Some(mv);
                    }
                }
                Stage::Countermove => {
                    self.stage = Stage::GenerateQuiets;
                    if let Some(mv) = self.refutation(2, position) {
                        return Some(mv);
                    }
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::GoodQuiets;
                    self.quiets = self.end;
                    if !self.skip_quiets {
                        self.generate_quiets(stack, pick);
                    }
                    self.cursor = self.quiets;
                }
                Stage::GoodQuiets => {
                    if let Some(mv) =
                        self.next_quiet(stack, |score| score > params::good_quiet_threshold())
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::BadNoisy;
                    self.cursor = self.base;
                }
                Stage::BadNoisy => {
                    if self.cursor < self.bad_end {
                        self.cursor += 1;
                        return Some(stack.moves[self.cursor - 1].mv);
                    }
                    self.stage = Stage::BadQuiets;
                    self.cursor = self.quiets;
                }
                Stage::BadQuiets => {
                    return self.next_quiet(stack, |score| score <= params::good_quiet_threshold());
                }
                Stage::GenerateEvasions => {
                    self.generate_evasions(stack, pick);
                    self.stage = Stage::Evasions;
                }
                Stage::GenerateProbCut => {
                    self.generate_noisy(stack, pick);
                    self.stage = Stage::ProbCut;
                }
                Stage::ProbCut => {
                    let Kind::ProbCut { threshold } = self.kind else { return None };
                    while let Some(picked) = self.pick_best(stack) {
                        if position.see_ge(picked.mv, threshold) {
                            return Some(picked.mv);
                        }
                    }
                    return None;
                }
                Stage::GenerateQuiescence => {
                    self.generate_noisy(stack, pick);
                    self.stage = Stage::QuiescenceNoisy;
                }
                Stage::QuiescenceNoisy => {
                    if let Some(picked) = self.pick_best(stack) {
                        return Some(picked.mv);
                    }
                    self.stage = match self.kind {
                        Kind::Quiescence { mode: QuiescenceMode::WithChecks } => {
                            Stage::GenerateChecks
                        }
                        _ => Stage::Done,
                    };
                }
                Stage::GenerateChecks => {
                    position.generate_quiet_checks(pick.checks, stack);
                    self.admit(stack, |_| true, |mv| pick.history.quiet(&pick.context, mv));
                    self.stage = Stage::QuietChecks;
                }
                Stage::Evasions | Stage::QuietChecks => {
                    while let Some(picked) = self.pick_best(stack) {
                        let evasion = self.stage == Stage::Evasions;
                        if evasion && self.skip_quiets && picked.mv.is_quiet() {
                            continue;
                        }
                        return Some(picked.mv);
                    }
                    return None;
                }
                Stage::Done => return None,
            }
        }
    }

    /// A killer or countermove, if it is legal here, quiet, and was not handed out before.
    fn refutation(&self, index: usize, position: &Position) -> Option<Move> {
        let mv = self.refutations[index]?;
        let repeated = Some(mv) == self.tt_move || self.refutations[..index].contains(&Some(mv));
        (!self.skip_quiets && !repeated && mv.is_quiet() && position.is_legal(mv)).then_some(mv)
    }

    /// Takes in the moves generated since `end`: drops the TT move and those that are not wanted,
    /// and scores the rest.
    #[inline(always)]
    fn admit(
        &mut self,
        stack: &mut MoveStack,
        wanted: impl Fn(Move) -> bool,
        score: impl Fn(Move) -> i32,
    ) {
        let mut kept = self.end;
        for index in self.end..stack.moves.len() {
            let mv = stack.moves[index].mv;
            if Some(mv) != self.tt_move && wanted(mv) {
                stack.moves[kept] = ScoredMove { mv, score: score(mv) };
                kept += 1;
            }
        }
        stack.moves.truncate(kept);
        self.end = kept;
    }

    fn generate_noisy(&mut self, stack: &mut MoveStack, pick: &PickContext<'_>) {
        pick.context.position.generate_noisy(stack);
        let (recaptures, sorts) = match self.kind {
            Kind::Quiescence { mode } => (mode.square(), params::qs_capture_order() != 0),
            _ => (None, true),
        };
        let wanted = |mv: Move| recaptures.is_none_or(|to| mv.is_capture() && mv.to() == to);
        // Without scores, equal moves keep the order of their bits.
        self.admit(stack, wanted, |mv| if sorts { noisy_score(pick, mv) } else { 0 });
    }

    fn generate_quiets(&mut self, stack: &mut MoveStack, pick: &PickContext<'_>) {
        let context = &pick.context;
        context.position.generate_quiets(stack);
        let rows = pick.history.quiet_rows(context);
        // Those that were illegal here are not among the generated ones, so nothing is lost.
        let refutations = self.refutations;
        let handed_out = refutations.iter().any(Option::is_some);
        let wanted = |mv: Move| !handed_out || !refutations.contains(&Some(mv));
        self.admit(stack, wanted, |mv| quiet_score(pick, &rows, mv));
        let depth = if let Kind::Main { depth } = self.kind { depth } else { 0 };
        partial_sort(&mut stack.moves[self.quiets..], -params::quiet_sort_margin() * depth);
    }

    fn generate_evasions(&mut self, stack: &mut MoveStack, pick: &PickContext<'_>) {
        pick.context.position.generate_evasions(stack);
        let rows = pick.history.quiet_rows(&pick.context);
        let score = |mv: Move| {
            if mv.is_noisy() { noisy_score(pick, mv) + (1 << 24) } else { rows.score(mv) }
        };
        self.admit(stack, |_| true, score);
    }

    fn next_quiet(&mut self, stack: &MoveStack, wanted: impl Fn(i32) -> bool) -> Option<Move> {
        if self.skip_quiets {
            return None;
        }
        while self.cursor < self.end {
            let scored = stack.moves[self.cursor];
            self.cursor += 1;
            if wanted(scored.score) {
                return Some(scored.mv);
            }
        }
        None
    }

    /// Brings the best of the rest to the cursor and takes it.
    fn pick_best(&mut self, stack: &mut MoveStack) -> Option<ScoredMove> {
        let rest = stack.moves.get_mut(self.cursor..self.end)?;
        let (mut best, mut best_score) = (0, rest.first()?.score);
        for (index, scored) in rest.iter().enumerate().skip(1) {
            let earlier =
                |best: ScoredMove| scored.mv.bits() ^ self.mirror < best.mv.bits() ^ self.mirror;
            if scored.score > best_score || scored.score == best_score && earlier(rest[best]) {
                (best, best_score) = (index, scored.score);
            }
        }
        rest.swap(0, best);
        self.cursor += 1;
        Some(rest[0])
    }
}
