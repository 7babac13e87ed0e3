//! Two games from one opening, with colours changed.

use std::time::Duration;

use chess::{Color, Outcome, Position};
use engine::{Game, Limits, SoloEngine};
use serde::{Deserialize, Serialize};

use super::variant::Variant;
use crate::Error;

/// What both players may spend on a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// Nodes.
    Nodes(u64),
    /// Milliseconds.
    Time(u64),
}

impl Thinking {
    fn limits(self) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::Time(milliseconds) => {
                Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
            }
        }
    }

    /// In words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("{nodes} nodes a move"),
            Self::Time(milliseconds) => format!("{milliseconds} ms a move"),
        }
    }
}

/// Table of each player in MiB.
const HASH_MIB: usize = 4;
/// A side this far ahead in the eyes of both ...
const WIN_SCORE: i32 = 1000;
/// ... for this many plies has won.
const WIN_PLIES: usize = 6;
/// Scores no larger than this ...
const DRAW_SCORE: i32 = 10;
/// ... for this many plies ...
const DRAW_PLIES: usize = 12;
/// ... from this ply on make a draw.
const DRAW_FROM: usize = 80;
/// Longer games are drawn.
const MAX_PLIES: usize = 400;

/// What the first player made of two games, the first with White: 0, 1 or 2 half points each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairResult {
    /// Half points.
    pub points: [u8; 2],
    /// Plies of both games.
    pub plies: usize,
}

/// Two players at one table.
pub struct Contest {
    engines: [SoloEngine; 2],
    variants: [Variant; 2],
    /// The variant whose parameters are set.
    present: Variant,
}

impl Contest {
    /// Two players with this network, or the embedded one.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(network: Option<&std::sync::Arc<engine::Network>>) -> Result<Self, Error> {
        let player = || -> Result<SoloEngine, Error> {
            let mut engine = SoloEngine::new(HASH_MIB)
                .map_err(|error| Error::Request(format!("no memory for the table: {error}")))?;
            if let Some(network) = network {
                engine.set_network(std::sync::Arc::clone(network));
            }
            Ok(engine)
        };
        Ok(Self {
            engines: [player()?, player()?],
            variants: Default::default(),
            present: Variant::default(),
        })
    }

    /// Plays the two games.
    pub fn play(
        &mut self,
        opening: &Position,
        thinking: Thinking,
        variants: [Variant; 2],
    ) -> PairResult {
        self.variants = variants;
        let limits = thinking.limits();
        let mut result = PairResult { points: [1; 2], plies: 0 };
        for (index, first_color) in Color::ALL.into_iter().enumerate() {
            let (winner, plies) = self.game(opening, &limits, first_color);
            result.plies += plies;
            result.points[index] = match winner {
                None => 1,
                Some(color) if color == first_color => 2,
                Some(_) => 0,
            };
        }
        result
    }

    /// One game: the winner and its length.
    fn game(
        &mut self,
        opening: &Position,
        limits: &Limits,
        first_color: Color,
    ) -> (Option<Color>, usize) {
        for engine in &mut self.engines {
            engine.new_game();
        }
        let mut game = Game::new(*opening);
        let mut ahead: Option<(Color, usize)> = None;
        let mut drawish = 0;
        for ply in 0..MAX_PLIES {
            let position = game.position();
            match position.outcome() {
                Some(Outcome::Win(winner)) => return (Some(winner), ply),
                Some(Outcome::Draw) => return (None, ply),
                None if position.is_fifty_move_draw() || game.history().is_threefold(position) => {
                    return (None, ply);
                }
                None => {}
            }
            let side = position.side_to_move();
            let player = usize::from(side != first_color);
            *self.engines[player].settings_mut() = self.variants[player].apply(&self.present);
            self.present.clone_from(&self.variants[player]);
            let Some((line, _)) = self.engines[player].search(&game, limits) else { break };
            let score = line.score.raw();
            let leader = if score > 0 { side } else { !side };
            ahead = match ahead {
                _ if score.abs() < WIN_SCORE => None,
                Some((color, plies)) if color == leader => Some((color, plies + 1)),
                _ => Some((leader, 1)),
            };
            drawish = if score.abs() <= DRAW_SCORE && ply >= DRAW_FROM { drawish + 1 } else { 0 };
            if let Some((winner, plies)) = ahead
                && plies >= WIN_PLIES
            {
                return (Some(winner), ply);
            }
            if drawish >= DRAW_PLIES {
                return (None, ply);
            }
            game.play(line.pv[0]);
        }
        (None, MAX_PLIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_players_share_a_pair_and_it_repeats_itself() {
        let mut contest = Contest::new(None).unwrap();
        let opening =
            Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
                .unwrap();
        let mut play = || {
            contest.play(&opening, Thinking::Nodes(200), [Variant::default(), Variant::default()])
        };
        let once = play();
        assert_eq!(once, play());
        assert_eq!(once.points[0] + once.points[1], 2, "both players are the same");
    }

    #[test]
    fn what_one_pair_switches_does_not_reach_the_next() {
        let opening = Position::startpos();
        let plain = [Variant::default(), Variant::default()];
        let play = |contest: &mut Contest, variants| {
            contest.play(&opening, Thinking::Nodes(300), variants)
        };
        let expected = play(&mut Contest::new(None).unwrap(), plain.clone());
        let mut contest = Contest::new(None).unwrap();
        for player in 0..2 {
            let mut variants = plain.clone();
            variants[player] = Variant::new(&[("UseQuiescence", 0)]);
            play(&mut contest, variants);
            assert_eq!(play(&mut contest, plain.clone()), expected);
        }
    }

    #[test]
    fn the_side_that_is_a_queen_up_wins_both_games() {
        let mut contest = Contest::new(None).unwrap();
        let opening = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1").unwrap();
        let variants = [Variant::default(), Variant::default()];
        let result = contest.play(&opening, Thinking::Nodes(500), variants);
        assert_eq!(result.points, [2, 0]);
    }
}
