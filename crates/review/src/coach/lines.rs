//! What a line comes to when the captures are over.

use chess::{Move, PieceType, Position, exchange_value};

/// Longest part of a line that is looked at: what comes later is no longer a consequence.
const HORIZON: usize = 9;
/// After so many moves without a capture the captures are over. What is taken later is another story: a
/// side that is winning gives a piece for a pawn that gets through.
const CALM: usize = 4;

/// A part of a line that wins something for the side that begins it.
pub(super) struct Exchange {
    pub(super) line: Vec<Move>,
    pub(super) gain: Gain,
    /// How many own moves after the first one neither take, check nor promote: then the other side has
    /// time for something else.
    pub(super) quiet: usize,
}

/// What was taken and promoted, by piece: pawn to queen; negative if the other side won it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Gain([i32; 5]);

/// A line with what it has won after so many moves, and where it is noisy.
struct Course {
    gains: Vec<Gain>,
    /// Of each move, whether it takes or promotes.
    takes: Vec<bool>,
    /// Of each move, whether it gives check.
    checks: Vec<bool>,
}

impl Course {
    fn of(position: &Position, moves: &[Move], before: Gain) -> Self {
        let us = position.side_to_move();
        let mut current = *position;
        let mut course = Self { gains: vec![before], takes: Vec::new(), checks: Vec::new() };
        for &mv in moves {
            if !current.is_legal(mv) {
                break;
            }
            let sign = if current.side_to_move() == us { 1 } else { -1 };
            let gain = course.gains[course.takes.len()].after(&current, mv, sign);
            course.gains.push(gain);
            course.takes.push(mv.is_noisy());
            current.make(mv);
            course.checks.push(current.is_check());
        }
        course
    }

    /// Whether nothing is taken right after so many moves: after an own move, or after the other side
    /// has taken back.
    fn is_stop(&self, end: usize) -> bool {
        let (is_own, takes) = (end % 2 == 1, self.takes[end - 1]);
        // Whoever is in check at the very end may still take something back.
        let is_answered = self.takes.get(end).map_or(!self.checks[end - 1], |next| !next);
        (is_own || takes) && is_answered
    }

    /// Whether what was won until there stays won as far as the line goes, or nothing is taken for long.
    fn is_lasting(&self, end: usize) -> bool {
        let gain = self.gains[end];
        let until = (end + CALM).min(self.takes.len());
        let is_calm = until == end + CALM && self.gains[end..=until].iter().all(|&one| one == gain);
        let stays = |later: usize| self.gains[later].pawns() >= gain.pawns();
        is_calm || (end + 1..=self.takes.len()).filter(|&later| self.is_stop(later)).all(stays)
    }
}

impl Exchange {
    /// The parts of a line after which its captures are over and something is won: those that win the
    /// most first, and short ones before long ones.
    pub(super) fn all(position: &Position, moves: &[Move]) -> Vec<Self> {
        Self::after(position, moves, Gain::default())
    }

    /// The parts of the answer to a move: what that move took has to be won back first.
    pub(super) fn of_answer(before: &Position, mv: Move, answer: &[Move]) -> Vec<Self> {
        let mut next = *before;
        next.make(mv);
        Self::after(&next, answer, Gain::default().after(before, mv, -1))
    }

    fn after(position: &Position, moves: &[Move], before: Gain) -> Vec<Self> {
        let course = Course::of(position, &moves[..moves.len().min(HORIZON + CALM)], before);
        let is_end = |end: &usize| {
            let gain = course.gains[*end];
            gain.pawns() > 0 && course.is_stop(*end) && course.is_lasting(*end)
        };
        let ends = (1..=course.takes.len().min(HORIZON)).filter(is_end);
        let mut all: Vec<Self> = ends
            .map(|end| {
                let is_quiet = |own: &usize| !course.takes[*own] && !course.checks[*own];
                let quiet = (2..end).step_by(2).filter(is_quiet).count();
                Self { line: moves[..end].to_vec(), gain: course.gains[end], quiet }
            })
            .collect();
        all.sort_by_key(|one| std::cmp::Reverse(one.gain.pawns()));
        all
    }
}

impl Gain {
    /// What a line wins for the side that begins it; nothing can be said if a move of it is not legal.
    pub(super) fn of(position: &Position, moves: &[Move]) -> Option<Self> {
        let course = Course::of(position, moves, Self::default());
        (course.takes.len() == moves.len()).then(|| course.gains[moves.len()])
    }

    /// With what a move takes and promotes to; `sign` is -1 for a move of the opponent.
    fn after(mut self, position: &Position, mv: Move, sign: i32) -> Self {
        if let Some(kind) = position.captured(mv) {
            self.add(kind, sign);
        }
        if let Some(kind) = mv.promotion() {
            self.add(kind, sign);
            self.add(PieceType::Pawn, -sign);
        }
        self
    }

    fn add(&mut self, kind: PieceType, count: i32) {
        if let Some(known) = self.0.get_mut(kind.index()) {
            *known += count;
        }
    }

    /// Its worth in pawns.
    pub(super) fn pawns(self) -> i32 {
        PieceType::ALL
            .into_iter()
            .take(5)
            .map(|kind| self.0[kind.index()] * exchange_value(kind) / 100)
            .sum()
    }

    /// What was won, as in "a knight" or "a rook for a bishop"; nothing if that cannot be said simply.
    pub(super) fn words(self) -> Option<String> {
        let names = |sign: i32| {
            let mut parts = Vec::new();
            for kind in PieceType::ALL.into_iter().take(5).rev() {
                let count = self.0[kind.index()] * sign;
                if count > 0 {
                    parts.push(counted(kind, count));
                }
            }
            parts
        };
        let [pawns, knights, bishops, rooks, queens] = self.0;
        let minors = knights + bishops;
        if rooks == 1 && minors == -1 && queens == 0 && pawns == 0 {
            return Some(String::from("the exchange"));
        }
        let (won, given) = (names(1), names(-1));
        match (won.len(), given.len()) {
            (1 | 2, 0) => Some(won.join(" and ")),
            (1 | 2, 1 | 2) => Some(format!("{} for {}", won.join(" and "), given.join(" and "))),
            _ => None,
        }
    }
}

fn counted(kind: PieceType, count: i32) -> String {
    let name = super::words::kind(kind);
    match count {
        1 => format!("a {name}"),
        2 => format!("two {name}s"),
        3 => format!("three {name}s"),
        _ => format!("{count} {name}s"),
    }
}
