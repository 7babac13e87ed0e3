//! A middlegame and an endgame value carried in one word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::PHASE_MAX;

/// Two values in centipawns, packed so that one addition adds both: the endgame value in the upper
/// half of the word, the middlegame value in the lower half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered(i32);

impl Tapered {
    /// Worth nothing at any time.
    pub const ZERO: Self = Self(0);

    /// A value from its two ends.
    #[must_use]
    pub const fn new(middlegame: i16, endgame: i16) -> Self {
        Self(((endgame as i32) << 16) + middlegame as i32)
    }

    /// What it is worth with all pieces on the board.
    #[inline]
    #[must_use]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// What it is worth with few pieces left.
    #[inline]
    #[must_use]
    pub const fn endgame(self) -> i32 {
        // A negative lower half has borrowed one from the upper half: give it back.
        (self.0 + 0x8000) >> 16
    }

    /// The sum, for tables that are built by the compiler.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// The value between its two ends that belongs to a phase of the game.
    #[inline]
    #[must_use]
    pub const fn at(self, phase: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (PHASE_MAX - phase)) / PHASE_MAX
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = self.plus(other);
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0 * count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_survive_arithmetic_with_any_signs() {
        for (middlegame, endgame) in [(0, 0), (5, -7), (-5, 7), (-300, -1), (300, 1), (-1, 0)] {
            let value = Tapered::new(middlegame, endgame);
            let sum = value * 3 - Tapered::new(10, -10) + -Tapered::new(-4, 4);
            assert_eq!(sum.middlegame(), i32::from(middlegame) * 3 - 10 + 4);
            assert_eq!(sum.endgame(), i32::from(endgame) * 3 + 10 - 4);
        }
    }

    #[test]
    fn the_phase_leads_from_one_end_to_the_other() {
        let value = Tapered::new(-240, 480);
        assert_eq!(value.at(PHASE_MAX), -240);
        assert_eq!(value.at(0), 480);
        assert_eq!(value.at(PHASE_MAX / 2), 120);
        assert_eq!((-value).at(7), -value.at(7));
    }
}
