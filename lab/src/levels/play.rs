//! Games of levels against each other and against another engine.

use std::collections::HashMap;
use std::time::Duration;

use batch::engines::Budget;
use chess::{Color, Move, Outcome, Position};
use engine::{Engine, Game, Level, Limits, Silent};

use super::anchor::Anchor;
use super::journal::Player;
use crate::Error;

/// Table of each player in MiB.
const HASH_MIB: usize = 4;
/// Players from this strength on need not show that they can win what is won, and draw what is drawn.
const TRUSTED_FROM: u32 = 1400;
/// A side this far ahead in the eyes of both ...
const WIN_SCORE: i32 = 1200;
/// ... for this many plies has won.
const WIN_PLIES: usize = 8;
/// Scores no larger than this ...
const DRAW_SCORE: i32 = 10;
/// ... for this many plies ...
const DRAW_PLIES: usize = 12;
/// ... from this ply on make a draw.
const DRAW_FROM: usize = 80;
/// Longer games are drawn.
const MAX_PLIES: usize = 400;

/// The other engine and what it may spend.
#[derive(Clone, Debug, Default)]
pub(super) struct Anchors {
    /// Its command.
    pub(super) command: Option<String>,
    /// Nodes by strength, where they are given.
    pub(super) nodes: HashMap<u32, u64>,
    /// Milliseconds for a move where they are not.
    pub(super) movetime: u64,
}

impl Anchors {
    fn budget(&self, elo: u32) -> Budget {
        let time = Budget::Time(Duration::from_millis(self.movetime));
        self.nodes.get(&elo).map_or(time, |&nodes| Budget::Nodes(nodes))
    }
}

/// The players at one table.
pub(super) struct Table<'a> {
    levels: [Engine; 2],
    ladder: &'a [Level],
    anchors: &'a Anchors,
    anchor: Option<Anchor>,
}

impl<'a> Table<'a> {
    /// A table; the other engine is started when it is needed.
    pub(super) fn new(ladder: &'a [Level], anchors: &'a Anchors) -> Result<Self, Error> {
        let player = || -> Result<Engine, Error> {
            let mut engine = Engine::new();
            engine.set_hash(HASH_MIB).map_err(|error| Error::Request(error.to_string()))?;
            Ok(engine)
        };
        Ok(Self { levels: [player()?, player()?], ladder, anchors, anchor: None })
    }

    /// Plays two games; half points of the first player, who has White first.
    pub(super) fn pair(
        &mut self,
        opening: &Position,
        players: (Player, Player),
    ) -> Result<[u8; 2], Error> {
        let mut points = [1; 2];
        for (points, color) in points.iter_mut().zip(Color::ALL) {
            let winner = self.game(opening, players, color)?;
            *points = winner.map_or(1, |winner| if winner == color { 2 } else { 0 });
        }
        Ok(points)
    }

    fn game(
        &mut self,
        opening: &Position,
        players: (Player, Player),
        first_color: Color,
    ) -> Result<Option<Color>, Error> {
        for (index, player) in [players.0, players.1].into_iter().enumerate() {
            self.sit_down(index, player)?;
        }
        let trusted = players.0.elo().min(players.1.elo()) >= TRUSTED_FROM;
        let mut game = Game::new(*opening);
        let mut ahead: Option<(Color, usize)> = None;
        let mut drawish = 0;
        for ply in 0..MAX_PLIES {
            let position = game.position();
            match position.outcome() {
                Some(Outcome::Win(winner)) => return Ok(Some(winner)),
                Some(Outcome::Draw) => return Ok(None),
                None if position.is_fifty_move_draw() || game.history().is_threefold(position) => {
                    return Ok(None);
                }
                None => {}
            }
            let side = position.side_to_move();
            let index = usize::from(side != first_color);
            let player = [players.0, players.1][index];
            let Some((mv, score)) = self.think(index, player, &game)? else { break };
            let leader = if score > 0 { side } else { !side };
            ahead = match ahead {
                _ if score.abs() < WIN_SCORE => None,
                Some((color, plies)) if color == leader => Some((color, plies + 1)),
                _ => Some((leader, 1)),
            };
            drawish = if score.abs() <= DRAW_SCORE && ply >= DRAW_FROM { drawish + 1 } else { 0 };
            if let Some((winner, _)) = ahead.filter(|&(_, plies)| trusted && plies >= WIN_PLIES) {
                return Ok(Some(winner));
            }
            if trusted && drawish >= DRAW_PLIES {
                return Ok(None);
            }
            game.play(mv);
        }
        Ok(None)
    }

    /// Gets a player ready for a new game.
    fn sit_down(&mut self, index: usize, player: Player) -> Result<(), Error> {
        match player {
            Player::Level(elo) => {
                let engine = &mut self.levels[index];
                engine.settings_mut().limit_strength = true;
                engine.settings_mut().custom_level = Some(Level::on(self.ladder, elo));
                engine.new_game();
            }
            Player::Anchor(elo) => {
                let anchor = match &mut self.anchor {
                    Some(anchor) => anchor,
                    none => {
                        let command = self.anchors.command.as_deref().unwrap_or_default();
                        none.insert(Anchor::start(command, HASH_MIB)?)
                    }
                };
                anchor.new_game(elo)?;
            }
        }
        Ok(())
    }

    /// The move of a player and its score; none if there is no move.
    fn think(
        &mut self,
        index: usize,
        player: Player,
        game: &Game,
    ) -> Result<Option<(Move, i32)>, Error> {
        if let Player::Level(_) = player {
            let engine = &mut self.levels[index];
            engine.set_game(game.clone());
            let outcome = engine.search(&Limits::default(), &mut Silent);
            return Ok(outcome.best_move.map(|mv| (mv, outcome.score.raw())));
        }
        let budget = self.anchors.budget(player.elo());
        let Some(anchor) = &mut self.anchor else { return Ok(None) };
        anchor.think(game, budget).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weak_levels_play_whole_games_and_an_anchor_must_be_there() {
        let anchors = Anchors { movetime: 5, ..Anchors::default() };
        let mut table = Table::new(&engine::LEVELS, &anchors).unwrap();
        let players = (Player::Level(700), Player::Level(500));
        let points = table.pair(&Position::startpos(), players).unwrap();
        assert!(points.iter().all(|&points| points <= 2));
        let players = (Player::Level(700), Player::Anchor(1350));
        assert!(table.pair(&Position::startpos(), players).is_err());
    }
}
