//! Another engine as a player of suites.

use std::time::Instant;

use chess::Position;

use super::player::{Answer, Player, Told};
use crate::Error;
use crate::engines::Budget;
use crate::uci_engine::{Shown, UciEngine, UciInfo};

impl From<Shown> for Told {
    fn from(score: Shown) -> Self {
        match score {
            Shown::Centipawns(centipawns) => Self::Centipawns(centipawns),
            Shown::Mate(moves) => Self::Mate(moves),
        }
    }
}

impl Player for UciEngine {
    fn name(&self) -> &str {
        Self::name(self)
    }

    fn solve(
        &mut self,
        position: &Position,
        budget: Budget,
        mate: Option<u32>,
    ) -> Result<Answer, Error> {
        self.new_game()?;
        self.tell(&format!("position fen {}", position.to_fen()))?;
        let begun = Instant::now();
        let mut info = UciInfo::default();
        let best = self.search("", budget, |line| {
            info.read(line);
            let found = info.best().map(|line| line.score);
            let is_enough =
                |moves: i32| moves > 0 && mate.is_some_and(|wanted| moves.unsigned_abs() <= wanted);
            matches!(found, Some(Shown::Mate(moves)) if is_enough(moves))
        })?;
        let time = begun.elapsed();
        let line = info.best();
        Ok(Answer {
            best_move: position.parse_uci(&best).ok(),
            score: line.map_or(Told::Centipawns(0), |line| line.score.into()),
            line: line.map(|line| line.legal_moves(position)).unwrap_or_default(),
            depth: line.map_or(0, |line| line.depth),
            nodes: info.nodes,
            time,
        })
    }
}
