//! From the search's inner score to what people read: normalised centipawns and the chances to
//! win, draw and lose.
//!
//! The chance to win from an inner score `x` is taken to be a logistic curve,
//! `1 / (1 + exp((half - x) / spread))`, and the chance to lose is the same curve for `-x`; what is
//! left is the chance to draw. `half` is the score from which every second game is won, so
//! `100 * x / half` is a score in which 100 means just that. Both depend on how much is left on the
//! board.
//!
//! The parameters are what `halcyon-lab wdl` fits to the engine's games against itself at 20,000 nodes
//! a move and more. Between weaker players a lead is worth less. `docs/wdl.md` has the fit.

use crate::material::material;
use crate::score::Score;
use chess::Position;

/// The curve's parameters, in inner score units.
struct Model {
    /// Won half of the time: a polynomial of the material divided by that of the start, constant
    /// term first.
    half: [f64; 3],
    /// How fast the chance grows around `half`, likewise.
    spread: [f64; 3],
    /// Material below the first or above the second counts as that.
    material: (u32, u32),
}

const MODEL: Model =
    Model { half: [167.8, -225.7, 123.8], spread: [24.7, 5.6, 8.3], material: (8, 78) };

/// The curve for what is left on the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    half: f64,
    spread: f64,
}

impl Curve {
    /// The curve of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        Self::with_material(material(position))
    }

    fn with_material(material: u32) -> Self {
        let (low, high) = MODEL.material;
        let x = f64::from(material.clamp(low, high)) / MATERIAL_AT_START;
        let value = |[a, b, c]: [f64; 3]| a + x * (b + x * c);
        Self { half: value(MODEL.half), spread: value(MODEL.spread) }
    }
}

/// Material on the board when a game begins.
const MATERIAL_AT_START: f64 = 78.0;

/// A tablebase win is shown as this much, less the plies to the table.
const TABLEBASE_CP: i32 = 20_000;
/// No other score is shown as more than this.
const MAX_CP: i32 = 19_700;

/// Chances in thousandths; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Chance to win, in thousandths.
    pub win: u32,
    /// Chance to draw, in thousandths.
    pub draw: u32,
    /// Chance to lose, in thousandths.
    pub loss: u32,
}

/// A score as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Centipawns, normalised so that 100 mean the same chances everywhere.
    Centipawns(i32),
    /// Moves to mate: negative when the side to move is mated, 0 when it is mate already.
    Mate(i32),
}

impl Curve {
    /// The score as it is shown.
    #[must_use]
    pub fn shown(self, score: Score) -> Shown {
        if let Some(plies) = score.mate_plies() {
            return Shown::Mate((plies + plies.signum()) / 2);
        }
        let raw = score.raw();
        if score.is_decisive() {
            let plies = Score::tablebase_win(0).raw() - raw.abs();
            return Shown::Centipawns((TABLEBASE_CP - plies) * raw.signum());
        }
        let normalised = (f64::from(raw) * 100.0 / self.half).round() as i32;
        Shown::Centipawns(normalised.clamp(-MAX_CP, MAX_CP))
    }

    /// The score that is shown as so many centipawns; for scores of other engines.
    #[must_use]
    pub fn score_of(self, centipawns: i32) -> Score {
        let centipawns = f64::from(centipawns.clamp(-MAX_CP, MAX_CP));
        Score::from_cp((centipawns * self.half / 100.0).round() as i32)
    }

    /// The chances that go with a score.
    #[must_use]
    pub fn wdl(self, score: Score) -> Wdl {
        if score.is_win() {
            return Wdl { win: 1000, draw: 0, loss: 0 };
        }
        if score.is_loss() {
            return Wdl { win: 0, draw: 0, loss: 1000 };
        }
        let chance = |raw: i32| {
            (1000.0 / (1.0 + ((self.half - f64::from(raw)) / self.spread).exp())).round() as u32
        };
        let (win, loss) = (chance(score.raw()), chance(-score.raw()));
        Wdl { win, draw: 1000_u32.saturating_sub(win + loss), loss }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for material in [0, 20, 40, 60, 78, 200] {
            let curve = Curve::with_material(material);
            for raw in (-30_000..=30_000).step_by(37) {
                let score = Score::from_cp(raw);
                let (here, there) = (curve.wdl(score), curve.wdl(-score));
                assert_eq!(here.win + here.draw + here.loss, 1000, "{material} {raw}");
                assert_eq!((here.win, here.draw, here.loss), (there.loss, there.draw, there.win));
            }
        }
    }

    #[test]
    fn a_hundred_means_every_second_game() {
        for material in 0..=78 {
            let curve = Curve::with_material(material);
            assert!(curve.half > 50.0 && curve.spread > 20.0, "{material}: {curve:?}");
            let half = Score::from_cp(curve.half.round() as i32);
            assert!(matches!(curve.shown(half), Shown::Centipawns(99..=101)), "{material}");
            assert!((495..=505).contains(&curve.wdl(half).win), "{material}");
        }
    }

    #[test]
    fn scores_of_others_are_turned_back() {
        let curve = Curve::of(&Position::startpos());
        for centipawns in (-5000..=5000).step_by(250) {
            let Shown::Centipawns(shown) = curve.shown(curve.score_of(centipawns)) else {
                panic!("{centipawns} is no mate");
            };
            assert!((shown - centipawns).abs() <= 1, "{centipawns} became {shown}");
        }
        assert!(!curve.score_of(i32::MAX).is_decisive());
    }

    #[test]
    fn mates_and_tables_stand_above_everything_else() {
        let curve = Curve::of(&Position::startpos());
        assert_eq!(curve.shown(Score::mate_in(1)), Shown::Mate(1));
        assert_eq!(curve.shown(Score::mate_in(4)), Shown::Mate(2));
        assert_eq!(curve.shown(Score::mated_in(4)), Shown::Mate(-2));
        assert_eq!(curve.shown(Score::mated_in(0)), Shown::Mate(0));
        assert_eq!(curve.shown(Score::tablebase_win(7)), Shown::Centipawns(19_993));
        assert_eq!(curve.shown(Score::tablebase_loss(7)), Shown::Centipawns(-19_993));
        let Shown::Centipawns(most) = curve.shown(Score::MAX_EVAL) else { panic!("not a mate") };
        assert!(most <= MAX_CP);
        assert_eq!(curve.wdl(Score::mate_in(9)).win, 1000);
        assert_eq!(curve.wdl(Score::tablebase_loss(9)).loss, 1000);
    }
}
