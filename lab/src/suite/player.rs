//! Who solves tasks: this engine, or any other behind the same door.

use std::time::Duration;

use chess::{Move, Position};
use engine::{Engine, Game, Limits, Silent};

use crate::Error;

/// What may be spent on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Time.
    Time(Duration),
    /// Nodes.
    Nodes(u64),
    /// A depth.
    Depth(u32),
}

impl Budget {
    /// The budget in words.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Self::Time(time) => format!("{} ms a position", time.as_millis()),
            Self::Nodes(nodes) => format!("{nodes} nodes a position"),
            Self::Depth(depth) => format!("depth {depth}"),
        }
    }
}

/// A score as it is told to users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Centipawns for the side to move.
    Centipawns(i32),
    /// Moves to mate; not positive if the side to move is mated.
    Mate(i32),
}

impl std::fmt::Display for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Centipawns(score) => write!(f, "{:+.2}", f64::from(*score) / 100.0),
            Self::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// What a player made of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move; none if it gave none that is legal.
    pub best_move: Option<Move>,
    /// The score.
    pub score: Told,
    /// The line, as far as its moves are legal.
    pub line: Vec<Move>,
    /// Depth reached.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time it took.
    pub time: Duration,
}

/// Something that solves positions.
pub trait Player {
    /// What it calls itself.
    fn name(&self) -> &str;

    /// Looks at a position it has never seen. If a mate in `mate` moves is looked for, it may stop
    /// when it has one.
    ///
    /// # Errors
    /// If it does not answer.
    fn solve(
        &mut self,
        position: &Position,
        budget: Budget,
        mate: Option<u32>,
    ) -> Result<Answer, Error>;
}

/// This engine, in this process.
pub struct Halcyon {
    engine: Engine,
}

impl Halcyon {
    /// An engine with so many threads, a table of this size, and a network if there is one.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(
        threads: usize,
        hash_mebibytes: usize,
        network: Option<engine::Network>,
    ) -> Result<Self, Error> {
        let mut engine = Engine::new();
        engine.set_threads(threads);
        engine.set_hash(hash_mebibytes).map_err(|error| Error::Request(error.to_string()))?;
        engine.settings_mut().move_overhead = Duration::ZERO;
        if let Some(network) = network {
            engine.set_network(network.into());
        }
        Ok(Self { engine })
    }
}

impl Player for Halcyon {
    fn name(&self) -> &'static str {
        "Halcyon"
    }

    fn solve(
        &mut self,
        position: &Position,
        budget: Budget,
        mate: Option<u32>,
    ) -> Result<Answer, Error> {
        let mut limits = match budget {
            Budget::Time(time) => Limits { move_time: Some(time), ..Limits::default() },
            Budget::Nodes(nodes) => Limits::nodes(nodes),
            Budget::Depth(depth) => Limits::depth(depth.try_into().unwrap_or(i32::MAX)),
        };
        limits.mate = mate;
        self.engine.new_game();
        self.engine.set_game(Game::new(*position));
        let outcome = self.engine.search(&limits, &mut Silent);
        let line = outcome.lines.first();
        // Half a move is a whole one for the side that mates.
        let score = match outcome.score.mate_plies() {
            Some(plies) if plies > 0 => Told::Mate((plies + 1) / 2),
            Some(plies) => Told::Mate(plies / 2),
            None => Told::Centipawns(outcome.score.raw()),
        };
        Ok(Answer {
            best_move: outcome.best_move,
            score,
            line: line.map(|line| line.pv.clone()).unwrap_or_default(),
            depth: line.map_or(0, |line| line.depth),
            nodes: outcome.progress.nodes,
            time: outcome.progress.time,
        })
    }
}
