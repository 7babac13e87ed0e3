//! Two games from one opening, with colours changed.

use std::num::NonZeroU64;
use std::str::FromStr;
use std::time::Duration;

use chess::{Color, Outcome, Position};
use engine::{ClockTime, Game, Limits, SingleThreadEngine};
use serde::{Deserialize, Serialize};

use super::variant::Variant;
use crate::Error;

/// What both players may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// Nodes for each move.
    Nodes(u64),
    /// Milliseconds for each move.
    Time(u64),
    /// A clock for the game that runs by nodes.
    Clock(NodeClock),
}

/// A clock that runs by nodes: what a player does with his time can be measured on a busy machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeClock {
    /// Nodes for the whole game.
    pub nodes: u64,
    /// Nodes added after each move.
    pub increment: u64,
}

/// Nodes that make a second of such a clock: few, so that what the engine keeps back for the way
/// between clock and engine hardly matters.
const CLOCK_RATE: NonZeroU64 = NonZeroU64::new(50_000).unwrap();

impl NodeClock {
    fn time(nodes: u64) -> Duration {
        Duration::from_secs_f64(nodes as f64 / CLOCK_RATE.get() as f64)
    }

    fn limits(self) -> Limits {
        Limits {
            clock: Some(ClockTime {
                remaining: Self::time(self.nodes),
                increment: Self::time(self.increment),
            }),
            nodes_per_second: Some(CLOCK_RATE),
            ..Limits::default()
        }
    }

    /// The clock after a move; none if the flag has fallen.
    fn after(self, used: u64) -> Option<Self> {
        let left = self.nodes.checked_sub(used)?;
        Some(Self { nodes: left + self.increment, ..self })
    }
}

impl FromStr for NodeClock {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|&nodes: &u64| nodes <= 1 << 40);
        let (nodes, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (number(nodes), number(increment)) {
            (Some(nodes), Some(increment)) if nodes > 0 => Ok(Self { nodes, increment }),
            _ => Err("nodes for the game and for each move are wanted, as in 500000+5000".into()),
        }
    }
}

impl Thinking {
    /// What a player has for his next move.
    fn limits(self) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::Time(milliseconds) => {
                Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
            }
            Self::Clock(clock) => clock.limits(),
        }
    }

    /// What he has after a move of so many nodes; nothing if his time is up.
    fn after(self, used: u64) -> Option<Self> {
        match self {
            Self::Clock(clock) => clock.after(used).map(Self::Clock),
            same => Some(same),
        }
    }

    /// Says in words how the game ended.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("{nodes} nodes a move"),
            Self::Time(milliseconds) => format!("{milliseconds} ms a move"),
            Self::Clock(NodeClock { nodes, increment }) => {
                format!("{nodes} nodes a game and {increment} more a move")
            }
        }
    }

    /// As arguments of a command.
    #[must_use]
    pub fn arguments(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("--nodes {nodes}"),
            Self::Time(milliseconds) => format!("--movetime {milliseconds}"),
            Self::Clock(NodeClock { nodes, increment }) => format!("--clock {nodes}+{increment}"),
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
    /// Half points of the first player in each game.
    pub points: [u8; 2],
    /// Plies of both games.
    pub plies: usize,
}

/// Two players at one table.
pub struct Match {
    engines: [SingleThreadEngine; 2],
    variants: [Variant; 2],
    /// The variant whose parameters are set.
    present: Variant,
}

impl Match {
    /// Two players with this network, or the embedded one.
    ///
    /// # Errors
    /// If there is no memory for the tables.
    pub fn new(network: Option<&std::sync::Arc<engine::Network>>) -> Result<Self, Error> {
        let player = || -> Result<SingleThreadEngine, Error> {
            let mut engine = SingleThreadEngine::new(HASH_MIB)
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
        let mut result = PairResult { points: [1; 2], plies: 0 };
        for (index, first_color) in Color::ALL.into_iter().enumerate() {
            let (winner, plies) = self.game(opening, thinking, first_color);
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
        thinking: Thinking,
        first_color: Color,
    ) -> (Option<Color>, usize) {
        for engine in &mut self.engines {
            engine.new_game();
        }
        let mut game = Game::new(*opening);
        let mut left = [thinking; 2];
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
            let limits = left[player].limits();
            let Some((line, nodes)) = self.engines[player].search(&game, &limits) else { break };
            let Some(after) = left[player].after(nodes) else { return (Some(!side), ply) };
            left[player] = after;
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
        let mut game_match = Match::new(None).unwrap();
        let opening =
            Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
                .unwrap();
        let mut play = || {
            game_match.play(
                &opening,
                Thinking::Nodes(200),
                [Variant::default(), Variant::default()],
            )
        };
        let once = play();
        assert_eq!(once, play());
        assert_eq!(once.points[0] + once.points[1], 2, "both players are the same");
    }

    #[test]
    fn games_by_a_clock_of_nodes_repeat_themselves_and_end_in_time() {
        let clock: NodeClock = "40000+100".parse().unwrap();
        let mut game_match = Match::new(None).unwrap();
        let mut play = || {
            let variants = [Variant::default(), Variant::default()];
            game_match.play(&Position::startpos(), Thinking::Clock(clock), variants)
        };
        let once = play();
        assert!(once.plies > 60, "nobody's flag falls early: {once:?}");
        assert_eq!((once, once.points[0] + once.points[1]), (play(), 2));
    }

    #[test]
    fn a_clock_of_nodes_is_read_runs_down_and_falls() {
        let clock: NodeClock = "500000+5000".parse().unwrap();
        assert_eq!(clock.after(100_000).unwrap(), "405000+5000".parse().unwrap());
        assert!(clock.after(500_001).is_none());
        assert_eq!("700".parse(), Ok(NodeClock { nodes: 700, increment: 0 }));
        for wrong in ["", "0", "x", "5+", "+5", "-1+1", "99999999999999999999"] {
            assert!(wrong.parse::<NodeClock>().is_err(), "{wrong}");
        }
        assert_eq!(Thinking::Clock(clock).arguments(), "--clock 500000+5000");
    }

    #[test]
    fn what_one_pair_switches_does_not_reach_the_next() {
        let opening = Position::startpos();
        let plain = [Variant::default(), Variant::default()];
        let play = |game_match: &mut Match, variants| {
            game_match.play(&opening, Thinking::Nodes(300), variants)
        };
        let expected = play(&mut Match::new(None).unwrap(), plain.clone());
        let mut game_match = Match::new(None).unwrap();
        for player in 0..2 {
            let mut variants = plain.clone();
            variants[player] = Variant::new(&[("UseQuiescence", 0)]);
            play(&mut game_match, variants);
            assert_eq!(play(&mut game_match, plain.clone()), expected);
        }
    }

    #[test]
    fn the_side_that_is_a_queen_up_wins_both_games() {
        let mut game_match = Match::new(None).unwrap();
        let opening = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1").unwrap();
        let variants = [Variant::default(), Variant::default()];
        let result = game_match.play(&opening, Thinking::Nodes(500), variants);
        assert_eq!(result.points, [2, 0]);
    }
}
