//! From the search's inner score to what people read: normalised centipawns and the chances to
//! win, draw and lose.
//!
//! The chance to win from an inner score `x` is taken to be a logistic curve,
//! `1 / (1 + exp((half - x) / spread))`, and the chance to lose is the same curve for `-x`; what is
//! left is the chance to draw. `half` is the score from which every second game is won, so
//! `100 * x / half` is a score in which 100 means just that. Both parameters are to be fitted to
//! the engine's own games; until then `half` keeps the inner centipawns as they are.

use engine::Score;

/// The two parameters of the curve, in inner score units.
struct Model {
    /// Won half of the time.
    half: f64,
    /// How fast the chance grows around `half`.
    spread: f64,
}

const MODEL: Model = Model { half: 100.0, spread: 45.0 };

/// A tablebase win is shown as this much, less the plies to the table.
const TABLEBASE_CP: i32 = 20_000;
/// No other score is shown as more than this.
const MAX_CP: i32 = 19_700;

/// Chances in thousandths; they add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// A score as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Normalised centipawns.
    Centipawns(i32),
    /// Moves to mate: negative when the side to move is mated, 0 when it is mate already.
    Mate(i32),
}

/// The score as it is shown.
#[must_use]
pub fn shown(score: Score) -> Shown {
    if let Some(plies) = score.mate_plies() {
        return Shown::Mate((plies + plies.signum()) / 2);
    }
    let raw = score.raw();
    if score.is_decisive() {
        let plies = Score::tablebase_win(0).raw() - raw.abs();
        return Shown::Centipawns((TABLEBASE_CP - plies) * raw.signum());
    }
    let normalised = (f64::from(raw) * 100.0 / MODEL.half).round() as i32;
    Shown::Centipawns(normalised.clamp(-MAX_CP, MAX_CP))
}

/// The chances that go with a score.
#[must_use]
pub fn wdl(score: Score) -> Wdl {
    if score.is_win() {
        return Wdl { win: 1000, draw: 0, loss: 0 };
    }
    if score.is_loss() {
        return Wdl { win: 0, draw: 0, loss: 1000 };
    }
    let chance = |raw: i32| {
        (1000.0 / (1.0 + ((MODEL.half - f64::from(raw)) / MODEL.spread).exp())).round() as u32
    };
    let (win, loss) = (chance(score.raw()), chance(-score.raw()));
    Wdl { win, draw: 1000_u32.saturating_sub(win + loss), loss }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_mirror() {
        for raw in (-30_000..=30_000).step_by(37) {
            let score = Score::from_cp(raw);
            let (here, there) = (wdl(score), wdl(-score));
            assert_eq!(here.win + here.draw + here.loss, 1000, "{raw}");
            assert_eq!((here.win, here.draw, here.loss), (there.loss, there.draw, there.win));
        }
    }

    #[test]
    fn a_hundred_means_every_second_game() {
        let half = Score::from_cp(MODEL.half as i32);
        assert_eq!(shown(half), Shown::Centipawns(100));
        assert_eq!(wdl(half).win, 500);
    }

    #[test]
    fn mates_and_tables_stand_above_everything_else() {
        assert_eq!(shown(Score::mate_in(1)), Shown::Mate(1));
        assert_eq!(shown(Score::mate_in(4)), Shown::Mate(2));
        assert_eq!(shown(Score::mated_in(4)), Shown::Mate(-2));
        assert_eq!(shown(Score::mated_in(0)), Shown::Mate(0));
        assert_eq!(shown(Score::tablebase_win(7)), Shown::Centipawns(19_993));
        assert_eq!(shown(Score::tablebase_loss(7)), Shown::Centipawns(-19_993));
        assert_eq!(shown(Score::MAX_EVAL), Shown::Centipawns(MAX_CP));
        assert_eq!(wdl(Score::mate_in(9)).win, 1000);
        assert_eq!(wdl(Score::tablebase_loss(9)).loss, 1000);
    }
}
