//! Scores corrected by what the game showed afterwards.
//!
//! A search of a few hundred nodes is often wrong, and the scores of the next moves know it. The
//! result of the game knows too, but all positions of a game share it, so it teaches little where
//! games are few. Between the two lies what reinforcement learning calls TD(lambda): a position's
//! value is its own score mixed with the value of the position after it, which is mixed with the
//! one after that, down to the result.

use std::borrow::Cow;

use super::game::Game;

/// The largest score that comes out, so that a won game's last positions stay finite.
const LIMIT: f64 = 30_000.0;

/// How much scores learn from what came after them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TdLambda {
    /// The share of the next position's value in a position's value, from 0 to below 1.
    pub share: f64,
    /// Centipawns that make the odds e to 1: values are mixed as expected points.
    pub scale: f64,
}

impl TdLambda {
    /// The game with its scores replaced.
    #[must_use]
    pub fn corrected(self, game: &Game) -> Cow<'_, Game> {
        if self.share == 0.0 {
            return Cow::Borrowed(game);
        }
        let mut game = game.clone();
        let mut value = f64::from(game.result as u8) / 2.0;
        for scored in game.moves.iter_mut().rev() {
            let own = 1.0 / (1.0 + (-f64::from(scored.white_score) / self.scale).exp());
            value = (1.0 - self.share) * own + self.share * value;
            let score = self.scale * (value / (1.0 - value)).ln();
            scored.white_score = score.clamp(-LIMIT, LIMIT).round() as i16;
        }
        Cow::Owned(game)
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;
    use crate::data::{GameResult, ScoredMove};

    fn game(result: GameResult, scores: &[i16]) -> Game {
        let mut position = Position::startpos();
        let moves = scores.iter().map(|&white_score| {
            let mv = position.legal_moves()[0];
            position.make(mv);
            ScoredMove { mv, white_score }
        });
        Game { start: Position::startpos(), result, moves: moves.collect() }
    }

    fn seen(share: f64, result: GameResult, scores: &[i16]) -> Vec<i16> {
        let game = game(result, scores);
        let corrected = TdLambda { share, scale: 200.0 }.corrected(&game);
        corrected.moves.iter().map(|scored| scored.white_score).collect()
    }

    #[test]
    fn without_a_share_nothing_changes() {
        assert_eq!(seen(0.0, GameResult::WhiteWins, &[10, -700, 2000]), [10, -700, 2000]);
    }

    #[test]
    fn a_level_drawn_game_stays_level() {
        assert_eq!(seen(0.8, GameResult::Draw, &[0, 0, 0]), [0, 0, 0]);
    }

    #[test]
    fn each_score_moves_toward_what_follows_and_the_last_toward_the_result() {
        // Expected points from the end: (0.5 + 1) / 2, then (0.5 + 0.75) / 2; ln 3 and ln (5/3).
        assert_eq!(seen(0.5, GameResult::WhiteWins, &[0, 0]), [102, 220]);
        assert_eq!(seen(0.5, GameResult::BlackWins, &[0, 0]), [-102, -220]);
    }

    #[test]
    fn a_game_that_was_never_in_doubt_keeps_finite_scores() {
        let scores = seen(0.9, GameResult::WhiteWins, &[i16::MAX; 40]);
        assert!(scores.iter().all(|&score| score > 2500));
    }
}
