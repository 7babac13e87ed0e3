//! Who solves tasks: this engine, or any other behind the same door.

use std::time::Duration;

use chess::{Move, Position};
use engine::wdl::{Curve, Shown};
use engine::{Engine, Game, Silent};

use crate::Error;
use crate::engines::{Budget, EngineConfig};

/// A score as users see it.
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
    /// The score for the side to move.
    pub score: Told,
    /// The line, as far as its moves are legal.
    pub line: Vec<Move>,
    /// The last depth that was reported.
    pub depth: i32,
    /// Nodes that were searched for it.
    pub nodes: u64,
    /// Time until the answer came.
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
    /// An engine as it is asked for.
    ///
    /// # Errors
    /// If there is no memory for the table, or the network cannot be read.
    pub fn new(config: &EngineConfig) -> Result<Self, Error> {
        Ok(Self { engine: config.engine()? })
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
        let mut limits = budget.limits();
        limits.mate = mate;
        self.engine.new_game();
        self.engine.set_game(Game::new(*position));
        let outcome = self.engine.search(&limits, &mut Silent);
        let line = outcome.lines.first();
        let score = match Curve::of(position).shown(outcome.score) {
            Shown::Centipawns(centipawns) => Told::Centipawns(centipawns),
            Shown::Mate(moves) => Told::Mate(moves),
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
