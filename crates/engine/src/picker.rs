//! Hands out the moves of a node one at a time, best first, and generates as late as it can.
//!
//! Moves live in one stack that all nodes of a thread share: a node's moves lie above those of
//! the nodes that lead to it, so nothing is allocated and nothing is cleared.

use chess::{CheckInfo, Color, Move, PieceType, Position, Sink, exchange_value};

use crate::history::{History, MoveContext, QuietRows};
use crate::params;
use crate::stats::Event;

#[cfg(test)]
mod tests;

/// A move with what it is hoped to be worth.
#[derive(Clone, Copy)]
pub(crate) struct ScoredMove {
    mv: Move,
    score: i32,
}

/// The stack of all moves that the nodes of the current line have generated.
#[derive(Default)]
pub(crate) struct MoveStack {
    moves: Vec<ScoredMove>,
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
/// table move, good captures, killers, countermove, good quiets, bad captures, bad quiets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    TableMove,
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
    GenerateProbcut,
    Probcut,
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
            Self::TableMove => Event::CutTableMove,
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

/// What a picker may look at when it moves on.
pub(crate) struct Sources<'a> {
    pub(crate) context: MoveContext<'a>,
    pub(crate) history: &'a History,
    pub(crate) checks: &'a CheckInfo,
}

/// The state of picking at one node.
pub(crate) struct Picker {
    stage: Stage,
    /// The stage from which the last move came.
    source: Stage,
    table_move: Option<Move>,
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
    depth: i32,
    /// Least exchange value of a ProbCut capture.
    threshold: i32,
    skip_quiets: bool,
    /// Turns the board for Black, so that equal captures come in the same order for both sides.
    mirror: u16,
    /// Quiescence: also quiet checks, or only recaptures on this square.
    mode: QuiescenceMode,
}

/// The bits of a move that say which ranks it leads from and to.
const RANKS: u16 = 0b1110_0011_1000;

/// Which moves quiescence wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QuiescenceMode {
    /// Captures, promotions and quiet moves that give check.
    WithChecks,
    /// Captures and promotions.
    Noisy,
    /// Captures on this square.
    Recaptures(chess::Square),
}

impl Picker {
    fn with(
        stack: &MoveStack,
        position: &Position,
        stage: Stage,
        table_move: Option<Move>,
    ) -> Self {
        let base = stack.moves.len();
        let mirror = match position.side_to_move() {
            Color::White => 0,
            Color::Black => RANKS,
        };
        Self {
            stage,
            source: stage,
            table_move,
            refutations: [None; 3],
            base,
            cursor: base,
            end: base,
            bad_end: base,
            quiets: base,
            depth: 0,
            threshold: 0,
            skip_quiets: false,
            mirror,
            mode: QuiescenceMode::Noisy,
        }
    }

    /// For a node of the main search. The table move must be legal.
    pub(crate) fn main(
        stack: &MoveStack,
        position: &Position,
        table_move: Option<Move>,
        refutations: [Option<Move>; 3],
        depth: i32,
    ) -> Self {
        let stage = match table_move {
            Some(_) => Stage::TableMove,
            None if position.is_check() => Stage::GenerateEvasions,
            None => Stage::GenerateNoisy,
        };
        Self { refutations, depth, ..Self::with(stack, position, stage, table_move) }
    }

    /// For the ProbCut test: captures whose exchange is worth at least `threshold`.
    pub(crate) fn probcut(
        stack: &MoveStack,
        position: &Position,
        table_move: Option<Move>,
        threshold: i32,
    ) -> Self {
        let table_move = table_move.filter(|&mv| mv.is_noisy() && position.see_ge(mv, threshold));
        let stage = if table_move.is_some() { Stage::TableMove } else { Stage::GenerateProbcut };
        Self { threshold, depth: i32::MIN, ..Self::with(stack, position, stage, table_move) }
    }

    /// For a node of quiescence; in check all evasions, whatever the mode.
    pub(crate) fn quiescence(
        stack: &MoveStack,
        position: &Position,
        table_move: Option<Move>,
        mode: QuiescenceMode,
    ) -> Self {
        let in_check = position.is_check();
        let fits = |mv: &Move| {
            in_check
                || match mode {
                    QuiescenceMode::WithChecks | QuiescenceMode::Noisy => mv.is_noisy(),
                    QuiescenceMode::Recaptures(square) => mv.is_capture() && mv.to() == square,
                }
        };
        let table_move = table_move.filter(fits);
        let stage = match table_move {
            Some(_) => Stage::TableMove,
            None if in_check => Stage::GenerateEvasions,
            None => Stage::GenerateQuiescence,
        };
        Self { mode, ..Self::with(stack, position, stage, table_move) }
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
    pub(crate) fn next(&mut self, stack: &mut MoveStack, sources: &Sources<'_>) -> Option<Move> {
        let position = sources.context.position;
        loop {
            self.source = self.stage;
            match self.stage {
                Stage::TableMove => {
                    self.stage = self.after_table_move(position);
                    return self.table_move;
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(stack, sources);
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
                    self.stage = Stage::FirstKiller;
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
                        self.generate_quiets(stack, sources);
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
                    self.generate_evasions(stack, sources);
                    self.stage = Stage::Evasions;
                }
                Stage::GenerateProbcut => {
                    self.generate_noisy(stack, sources);
                    self.stage = Stage::Probcut;
                }
                Stage::Probcut => {
                    while let Some(picked) = self.pick_best(stack) {
                        if position.see_ge(picked.mv, self.threshold) {
                            return Some(picked.mv);
                        }
                    }
                    return None;
                }
                Stage::GenerateQuiescence => {
                    self.generate_noisy(stack, sources);
                    self.stage = Stage::QuiescenceNoisy;
                }
                Stage::QuiescenceNoisy => {
                    if let Some(picked) = self.pick_best(stack) {
                        return Some(picked.mv);
                    }
                    self.stage = match self.mode {
                        QuiescenceMode::WithChecks => Stage::GenerateChecks,
                        _ => Stage::Done,
                    };
                }
                Stage::GenerateChecks => {
                    position.generate_quiet_checks(sources.checks, stack);
                    self.admit(stack, |mv| sources.history.quiet(&sources.context, mv));
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

    fn after_table_move(&self, position: &Position) -> Stage {
        if self.depth == i32::MIN {
            Stage::GenerateProbcut
        } else if position.is_check() {
            Stage::GenerateEvasions
        } else if self.depth > 0 {
            Stage::GenerateNoisy
        } else {
            Stage::GenerateQuiescence
        }
    }

    /// A killer or countermove, if it is legal here, quiet, and was not handed out before.
    fn refutation(&self, index: usize, position: &Position) -> Option<Move> {
        let mv = self.refutations[index]?;
        let repeated = Some(mv) == self.table_move || self.refutations[..index].contains(&Some(mv));
        (!self.skip_quiets && !repeated && mv.is_quiet() && position.is_legal(mv)).then_some(mv)
    }

    /// Takes in the moves generated since `end`: drops the table move, scores the rest.
    fn admit(&mut self, stack: &mut MoveStack, score: impl Fn(Move) -> i32) {
        let mut kept = self.end;
        for index in self.end..stack.moves.len() {
            let mv = stack.moves[index].mv;
            if Some(mv) != self.table_move {
                stack.moves[kept] = ScoredMove { mv, score: score(mv) };
                kept += 1;
            }
        }
        stack.moves.truncate(kept);
        self.end = kept;
    }

    fn generate_noisy(&mut self, stack: &mut MoveStack, sources: &Sources<'_>) {
        let position = sources.context.position;
        position.generate_noisy(stack);
        if let QuiescenceMode::Recaptures(square) = self.mode {
            let mut kept = self.end;
            for index in self.end..stack.moves.len() {
                let scored = stack.moves[index];
                if scored.mv.is_capture() && scored.mv.to() == square {
                    stack.moves[kept] = scored;
                    kept += 1;
                }
            }
            stack.moves.truncate(kept);
        }
        // Without scores, equal moves keep the order of their bits.
        let sorts = self.depth != 0 || params::qs_capture_order() != 0;
        self.admit(stack, |mv| if sorts { noisy_score(sources, mv) } else { 0 });
    }

    fn generate_quiets(&mut self, stack: &mut MoveStack, sources: &Sources<'_>) {
        let context = &sources.context;
        context.position.generate_quiets(stack);
        let refutations = self.refutations;
        if refutations.iter().any(Option::is_some) {
            // Those that were illegal here are not among the generated ones, so nothing is lost.
            let mut kept = self.end;
            for index in self.end..stack.moves.len() {
                let scored = stack.moves[index];
                if !refutations.contains(&Some(scored.mv)) {
                    stack.moves[kept] = scored;
                    kept += 1;
                }
            }
            stack.moves.truncate(kept);
        }
        let rows = sources.history.quiet_rows(context);
        self.admit(stack, |mv| quiet_score(sources, &rows, mv));
        partial_sort(&mut stack.moves[self.quiets..], -params::quiet_sort_margin() * self.depth);
    }

    fn generate_evasions(&mut self, stack: &mut MoveStack, sources: &Sources<'_>) {
        sources.context.position.generate_evasions(stack);
        let rows = sources.history.quiet_rows(&sources.context);
        self.admit(stack, |mv| {
            if mv.is_noisy() { noisy_score(sources, mv) + (1 << 24) } else { rows.score(mv) }
        });
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

/// Captures and promotions by what they win and how well they did. Underpromotions, which are
/// rarely wanted, come last.
fn noisy_score(sources: &Sources<'_>, mv: Move) -> i32 {
    let victim = sources.context.position.captured(mv).map_or(0, exchange_value);
    let promotion = match mv.promotion() {
        None => 0,
        Some(PieceType::Queen) => exchange_value(PieceType::Queen),
        Some(_) => -2 * exchange_value(PieceType::Queen),
    };
    params::capture_victim_weight() * (victim + promotion)
        + sources.history.capture(&sources.context, mv)
}

/// Quiet moves by how well they did, whether they flee from or walk into a lesser man, and
/// whether they give a sound check.
fn quiet_score(sources: &Sources<'_>, rows: &QuietRows<'_>, mv: Move) -> i32 {
    let context = &sources.context;
    let kind = context.position.moved(mv).kind();
    let mut score = rows.score(mv);
    let danger = context.threats.lesser(kind);
    if danger.any() {
        let worth = params::escape_bonus() * exchange_value(kind);
        score += worth * i32::from(danger.has(mv.from()));
        score -= worth * i32::from(danger.has(mv.to()));
    }
    if sources.checks.squares[kind.index()].has(mv.to())
        && context.position.see_ge(mv, params::check_see_threshold())
    {
        score += params::check_bonus();
    }
    score
}

/// Sorts the moves that score at least `limit` to the front, best first; the rest stays as it is.
fn partial_sort(moves: &mut [ScoredMove], limit: i32) {
    let mut sorted = 0;
    for index in 0..moves.len() {
        let scored = moves[index];
        if scored.score < limit {
            continue;
        }
        moves[index] = moves[sorted];
        let mut slot = sorted;
        while slot > 0 && moves[slot - 1].score < scored.score {
            moves[slot] = moves[slot - 1];
            slot -= 1;
        }
        moves[slot] = scored;
        sorted += 1;
    }
}
