//! What a position is worth, from White's side of the board.

use std::fmt;

use chess::{Color, Outcome, Position};
use engine::Score;
use engine::wdl::{Curve, Shown};
use serde::{Deserialize, Serialize};

use crate::tree::GameResult;

/// A score as it is shown, from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eval {
    /// Centipawns; 100 means that the engine wins half of its games from here.
    Cp(i32),
    /// Moves to mate, negative if Black mates.
    Mate(i32),
    /// The game has ended on the board.
    Over(GameResult),
}

/// How fast the chance to win grows with the score: from human games, measured by Lichess.
const STEEPNESS: f64 = 0.003_682_08;
/// Beyond this many centipawns more is not better.
const CP_CEILING: i32 = 1000;

impl Eval {
    /// The score of a search in a position.
    #[must_use]
    pub fn new(position: &Position, score: Score) -> Self {
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        match Curve::of(position).shown(score) {
            Shown::Centipawns(cp) => Self::Cp(sign * cp),
            Shown::Mate(moves) => Self::Mate(sign * moves),
        }
    }

    /// What a position is worth in which the game is over.
    #[must_use]
    pub fn of_end(position: &Position) -> Option<Self> {
        Some(Self::Over(match position.outcome()? {
            Outcome::Win(Color::White) => GameResult::White,
            Outcome::Win(Color::Black) => GameResult::Black,
            Outcome::Draw => GameResult::Draw,
        }))
    }

    /// What White may expect between people, from 0 to 1.
    #[must_use]
    pub fn white_chance(self) -> f64 {
        match self {
            // Scores beyond the ceiling are as good as won, but not mate.
            Self::Cp(cp) => {
                let cp = f64::from(cp.clamp(-CP_CEILING, CP_CEILING));
                1.0 / (1.0 + (-STEEPNESS * cp).exp())
            }
            Self::Mate(moves) => f64::from(u8::from(moves > 0)),
            Self::Over(GameResult::White) => 1.0,
            Self::Over(GameResult::Black) => 0.0,
            Self::Over(GameResult::Draw | GameResult::Unknown) => 0.5,
        }
    }

    /// What a side may expect between people, from 0 to 1.
    #[must_use]
    pub fn chance(self, color: Color) -> f64 {
        let white = self.white_chance();
        if color == Color::White { white } else { 1.0 - white }
    }

    /// Whether a side mates by force.
    #[must_use]
    pub fn mates(self, color: Color) -> bool {
        matches!(self, Self::Mate(_)) && self.chance(color) == 1.0
    }

    /// Centipawns for a side, within a ceiling that mates have, too.
    #[must_use]
    pub fn centipawns(self, color: Color) -> i32 {
        let white = match self {
            Self::Cp(cp) => cp.clamp(-CP_CEILING, CP_CEILING),
            Self::Mate(moves) => CP_CEILING * moves.signum(),
            Self::Over(GameResult::White) => CP_CEILING,
            Self::Over(GameResult::Black) => -CP_CEILING,
            Self::Over(GameResult::Draw | GameResult::Unknown) => 0,
        };
        if color == Color::White { white } else { -white }
    }
}

/// As in `[%eval 0.25]` and `[%eval #-3]`.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cp(cp) => write!(f, "{:.2}", f64::from(*cp) / 100.0),
            Self::Mate(moves) => write!(f, "#{moves}"),
            Self::Over(result) => result.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chance_is_even_at_zero_grows_and_mirrors() {
        assert_eq!(Eval::Cp(0).white_chance(), 0.5);
        for cp in -999..1000 {
            let (low, high) = (Eval::Cp(cp).white_chance(), Eval::Cp(cp + 1).white_chance());
            assert!(low < high, "{cp}");
            assert!((Eval::Cp(-cp).white_chance() + low - 1.0).abs() < 1e-12);
        }
        // As published: a pawn is 59 %, three are 75 %.
        assert!((Eval::Cp(100).white_chance() - 0.591).abs() < 0.001);
        assert!((Eval::Cp(300).white_chance() - 0.751).abs() < 0.001);
        assert_eq!(Eval::Mate(-1).chance(Color::Black), 1.0);
        assert!(Eval::Mate(-1).mates(Color::Black) && !Eval::Mate(-1).mates(Color::White));
        assert!(!Eval::Cp(-9000).mates(Color::Black));
    }

    #[test]
    fn scores_are_turned_to_white() {
        let black = Position::from_fen("4k3/8/8/8/8/8/7q/4K3 b - - 0 1").unwrap();
        assert_eq!(Eval::new(&black, Score::mate_in(3)), Eval::Mate(-2));
        assert!(matches!(Eval::new(&black, Score::from_cp(100)), Eval::Cp(..0)));
        let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(Eval::of_end(&mated), Some(Eval::Over(GameResult::White)));
        assert_eq!(Eval::of_end(&black), None);
    }

    #[test]
    fn text_is_what_viewers_read() {
        assert_eq!(Eval::Cp(-5).to_string(), "-0.05");
        assert_eq!(Eval::Cp(1234).to_string(), "12.34");
        assert_eq!(Eval::Mate(-3).to_string(), "#-3");
    }
}
