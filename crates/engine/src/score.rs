//! What a position is worth, as a type of its own.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// No line is longer than this, main search and quiescence together.
pub const MAX_PLY: usize = 240;

/// A score in centipawns from the view of the side to move, or a win or loss in so many plies.
///
/// From the ends inwards: mates by distance from the root, tablebase wins by distance to the
/// table, everything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const TABLEBASE: i32 = 31_000;
/// By so much the search moves a draw up or down, so that equal lines do not hide each other.
pub(crate) const DRAW_JITTER: i32 = 1;

impl Score {
    /// The score of a drawn game.
    pub const DRAW: Self = Self(0);
    /// Above every score a search returns.
    pub const INFINITE: Self = Self(MATE + 1);
    /// The best score that is neither a mate nor a tablebase win.
    pub const MAX_EVAL: Self = Self(TABLEBASE - MAX_PLY as i32 - 1);

    /// A score in centipawns, kept below the proven wins and above the proven losses.
    #[inline]
    #[must_use]
    pub fn from_cp(centipawns: i32) -> Self {
        Self(centipawns.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// Whether a search `ply` plies from the root can come to this: nobody is mated before.
    #[must_use]
    pub(crate) const fn is_possible(self, ply: usize) -> bool {
        self.0.abs() <= MATE - ply as i32
    }

    /// The side to move is mated `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// The side to move mates `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// The tables promise a win, `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn tablebase_win(ply: usize) -> Self {
        Self(TABLEBASE - ply as i32)
    }

    /// The tables promise a loss, `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn tablebase_loss(ply: usize) -> Self {
        Self(ply as i32 - TABLEBASE)
    }

    /// The bare number: centipawns for scores that are not decisive.
    #[inline]
    #[must_use]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// A bare number as it was given out by [`raw`](Self::raw).
    #[inline]
    #[must_use]
    pub const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }

    /// Whether it is a proven win: a mate or a tablebase win.
    #[inline]
    #[must_use]
    pub fn is_win(self) -> bool {
        self > Self::MAX_EVAL
    }

    /// Whether it is a proven loss.
    #[inline]
    #[must_use]
    pub fn is_loss(self) -> bool {
        self < -Self::MAX_EVAL
    }

    /// Whether it is a proven win or loss.
    #[inline]
    #[must_use]
    pub fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Whether it is a draw, give or take what the search adds to tell equal draws apart.
    #[must_use]
    pub(crate) const fn is_near_draw(self) -> bool {
        self.0.abs() <= DRAW_JITTER
    }

    /// Plies to mate, if it is a mate: positive when the side to move mates.
    #[must_use]
    pub fn mate_plies(self) -> Option<i32> {
        let plies = MATE - self.0.abs();
        (plies <= MAX_PLY as i32).then_some(if self.0 > 0 { plies } else { -plies })
    }

    /// As it is kept in the table: wins and losses counted from the node, not from the root.
    #[inline]
    #[must_use]
    pub fn to_node(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// As it was kept in the table, counted from the root again. A mate that the fifty-move rule
    /// may prevent, seen from a position with this half-move clock, is no longer proven and
    /// becomes the best unproven score.
    #[inline]
    #[must_use]
    pub fn from_node(self, ply: usize, halfmove_clock: u16) -> Self {
        if !self.is_decisive() {
            return self;
        }
        let distance = match MATE - self.0.abs() {
            plies if plies <= MAX_PLY as i32 => plies,
            _ => TABLEBASE - self.0.abs(),
        };
        let unproven = distance + i32::from(halfmove_clock) > 100;
        match (self.is_win(), unproven) {
            (true, true) => Self::MAX_EVAL,
            (true, false) => Self(self.0 - ply as i32),
            (false, true) => -Self::MAX_EVAL,
            (false, false) => Self(self.0 + ply as i32),
        }
    }

    /// A part of the way from this score to another: `weight` of 1024 parts. Only for scores that
    /// are not decisive.
    #[inline]
    #[must_use]
    pub fn blend(self, other: Self, weight: i32) -> Self {
        Self((self.0 * (1024 - weight) + other.0 * weight) / 1024)
    }

    /// A score for White as this side sees it, and the other way round.
    #[must_use]
    pub(crate) fn seen_by(self, side: chess::Color) -> Self {
        match side {
            chess::Color::White => self,
            chess::Color::Black => -self,
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Adds a margin in centipawns.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

/// Subtracts a margin in centipawns.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

/// The difference of two scores in centipawns.
impl Sub for Score {
    type Output = i32;

    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            Some(plies) => write!(f, "mate {}", (plies + plies.signum()) / 2),
            None => write!(f, "cp {}", self.0),
        }
    }
}

/// What is known about a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// It is at most this.
    Upper = 1,
    /// It is at least this.
    Lower = 2,
    /// It is exactly this.
    Exact = 3,
}

impl Bound {
    /// Whether the true score may be lower: the score is an upper bound or exact.
    #[inline]
    #[must_use]
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }

    /// Whether the true score may be higher: the score is a lower bound or exact.
    #[inline]
    #[must_use]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Whether a score with this bound decides a node against `limit`: at least `limit` for a
    /// lower bound, below it for an upper bound.
    #[inline]
    #[must_use]
    pub fn decides(self, score: Score, limit: Score) -> bool {
        if score >= limit { self.is_lower() } else { self.is_upper() }
    }

    /// Whether a score with this bound shows that `estimate` was wrong: the true score lies on
    /// the same side of the estimate as the score.
    #[inline]
    #[must_use]
    pub fn decides_against(self, score: Score, estimate: Score) -> bool {
        if score > estimate { self.is_lower() } else { self.is_upper() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_with_their_sign() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::from_cp(-12).to_string(), "cp -12");
    }

    #[test]
    fn table_scores_move_with_the_node() {
        let mate = Score::mate_in(7);
        assert_eq!(mate.to_node(3).from_node(5, 0), Score::mate_in(9));
        let mated = Score::mated_in(8);
        assert_eq!(mated.to_node(2).from_node(0, 0), Score::mated_in(6));
        let won = Score::tablebase_win(4);
        assert_eq!(won.to_node(4).from_node(1, 0), Score::tablebase_win(1));
        assert_eq!(Score::from_cp(50).to_node(9).from_node(1, 99), Score::from_cp(50));
    }

    #[test]
    fn a_mate_beyond_the_fifty_move_rule_is_not_proven() {
        let mate = Score::mate_in(30).to_node(0);
        assert!(mate.from_node(0, 70).is_win());
        assert_eq!(mate.from_node(0, 71), Score::MAX_EVAL);
        assert_eq!((-mate).from_node(0, 71), -Score::MAX_EVAL);
    }

    #[test]
    fn no_evaluation_looks_like_a_proven_win() {
        assert!(!Score::from_cp(i32::MAX / 2).is_decisive());
        assert!(!Score::from_cp(i32::MIN / 2).is_decisive());
        assert!(Score::tablebase_win(MAX_PLY).is_win());
        assert!(Score::mate_in(MAX_PLY) > Score::tablebase_win(0));
    }
}
