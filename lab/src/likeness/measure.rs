//! What each player chooses where a person moved, and what the moves lose.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use batch::engines::Budget;
use chess::Move;
use engine::{Engine, Game, Limits, Score, Silent};

use super::people::Seen;
use crate::Error;
use crate::levels::Anchor;

/// Table of each engine in MiB.
const HASH_MIB: usize = 16;
/// What is won or lost beyond this many centipawns is not counted.
const HORIZON: i32 = 1000;

/// Who is compared with the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Player {
    Person,
    Level,
    Full,
    Anchor,
}

impl Player {
    pub(super) const ALL: [Self; 4] = [Self::Person, Self::Level, Self::Full, Self::Anchor];
}

/// How the players think.
#[derive(Clone, Debug)]
pub(super) struct Thinking {
    pub(super) elo: u32,
    /// Nodes of the whole engine, which also judges.
    pub(super) nodes: u64,
    /// The other engine's command and nodes.
    pub(super) anchor: Option<(String, u64)>,
    pub(super) threads: usize,
}

/// What was seen in one position, by player.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Choice {
    /// Whether the player chose what the person played.
    pub(super) matches: [bool; 4],
    /// What the player's move loses, in centipawns.
    pub(super) losses: [i32; 4],
}

/// The choices in all positions, in their order.
pub(super) fn choices(seen: &[Seen], thinking: &Thinking) -> Result<Vec<Choice>, Error> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Choice>>> = Mutex::new(vec![None; seen.len()]);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..thinking.threads.max(1) {
            scope.spawn(|| {
                let work = || -> Result<(), Error> {
                    let mut table = Table::new(thinking)?;
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(seen) = seen.get(index) else { return Ok(()) };
                        let choice = table.look(seen)?;
                        done.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(choice);
                    }
                };
                if let Err(error) = work() {
                    next.store(seen.len(), Ordering::Relaxed);
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            });
        }
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or_else(|| Ok(done.into_iter().flatten().collect()), Err)
}

/// The engines that look at a position.
struct Table<'a> {
    level: Engine,
    judge: Engine,
    anchor: Option<(Anchor, u64)>,
    thinking: &'a Thinking,
}

impl<'a> Table<'a> {
    fn new(thinking: &'a Thinking) -> Result<Self, Error> {
        let engine = || -> Result<Engine, Error> {
            let mut engine = Engine::new();
            engine.set_hash(HASH_MIB).map_err(|error| Error::Request(error.to_string()))?;
            Ok(engine)
        };
        let mut level = engine()?;
        level.settings_mut().limit_strength = true;
        level.settings_mut().elo = thinking.elo;
        let anchor = match &thinking.anchor {
            Some((command, nodes)) => Some((Anchor::start(command, HASH_MIB)?, *nodes)),
            None => None,
        };
        Ok(Self { level, judge: engine()?, anchor, thinking })
    }

    fn look(&mut self, Seen { game, mv }: &Seen) -> Result<Choice, Error> {
        self.level.new_game();
        self.level.set_game(game.clone());
        let level = self.level.search(&Limits::default(), &mut Silent).best_move.unwrap_or(*mv);
        self.judge.new_game();
        self.judge.set_game(game.clone());
        let outcome = self.judge.search(&Limits::nodes(self.thinking.nodes), &mut Silent);
        let (full, best) = (outcome.best_move.unwrap_or(*mv), outcome.score);
        let anchor = match &mut self.anchor {
            Some((anchor, nodes)) => {
                anchor.new_game(self.thinking.elo)?;
                anchor.think(game, Budget::Nodes(*nodes))?.0
            }
            None => full,
        };
        let moves = [*mv, level, full, anchor];
        let mut choice = Choice::default();
        for (index, other) in moves.into_iter().enumerate() {
            choice.matches[index] = other == *mv;
            let same = moves[..index].iter().position(|&earlier| earlier == other);
            choice.losses[index] = match same {
                _ if other == full => 0,
                Some(earlier) => choice.losses[earlier],
                None => self.loss(game, other, best),
            };
        }
        Ok(choice)
    }

    /// What a move loses against the best one.
    fn loss(&mut self, game: &Game, mv: Move, best: Score) -> i32 {
        let mut next = game.clone();
        next.play(mv);
        self.judge.set_game(next);
        let outcome = self.judge.search(&Limits::nodes(self.thinking.nodes), &mut Silent);
        let value = |score: Score| score.raw().clamp(-HORIZON, HORIZON);
        (value(best) + value(outcome.score)).max(0)
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;

    #[test]
    fn a_queen_given_away_is_a_large_loss() {
        let fen = "4k3/8/2p5/3q4/4P3/8/8/4K1N1 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let seen =
            |text: &str| Seen { game: Game::new(position), mv: position.parse_uci(text).unwrap() };
        let thinking = Thinking { elo: 2000, nodes: 2000, anchor: None, threads: 2 };
        let choices = choices(&[seen("e4d5"), seen("g1h3")], &thinking).unwrap();
        assert_eq!(choices[0].matches, [true; 4]);
        assert_eq!(choices[0].losses, [0; 4]);
        assert_eq!(choices[1].matches, [true, false, false, false]);
        assert!(choices[1].losses[0] > 300, "{choices:?}");
    }
}
