//! What a technique does to the tree, and to what the engine solves.

use std::sync::Arc;

use chess::Position;
use engine::{Engine, Game, Limits, Network, Silent, bench};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::match_play::Variant;
use batch::suite::{Task, Wanted};

/// Nodes that a position may take at most: without its pruning the search never ends.
const NODE_CAP: u64 = 2_000_000;

/// What one variant did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Measured {
    /// Nodes to the depth on all bench positions.
    pub(super) nodes: u64,
    /// Positions that took more nodes than are counted.
    pub(super) capped: usize,
    /// Positions of the suite that were solved.
    pub(super) solved: usize,
}

/// What to measure.
pub(super) struct Yardstick<'a> {
    pub(super) depth: i32,
    pub(super) suite: &'a [Task],
    pub(super) suite_nodes: u64,
    pub(super) network: Option<Arc<Network>>,
}

impl Yardstick<'_> {
    /// Measures a variant. The defaults are back afterwards.
    pub(super) fn measure(&self, variant: &Variant) -> Result<Measured, Error> {
        let mut engine = Engine::new();
        if let Some(network) = &self.network {
            engine.set_network(Arc::clone(network));
        }
        *engine.settings_mut() = variant.apply(&Variant::default());
        let mut measured = Measured::default();
        for fen in bench::POSITIONS {
            let position = Position::from_fen(fen)
                .map_err(|error| Error::Request(format!("{fen}: {error}")))?;
            let limits = Limits { nodes: Some(NODE_CAP), ..Limits::depth(self.depth) };
            let outcome = search(&mut engine, &position, &limits);
            measured.nodes += outcome.progress.nodes;
            measured.capped += usize::from(outcome.progress.nodes >= NODE_CAP);
        }
        for task in self.suite {
            let outcome = search(&mut engine, &task.position, &Limits::nodes(self.suite_nodes));
            let right = outcome.best_move.is_some_and(|mv| match &task.wanted {
                Wanted::Best(moves) => moves.contains(&mv),
                Wanted::Avoid(moves) => !moves.contains(&mv),
                Wanted::Mate(_) => outcome.score.mate_plies().is_some_and(|plies| plies > 0),
                // A score asks for no move.
                Wanted::Score(_) => false,
            });
            measured.solved += usize::from(right);
        }
        *engine.settings_mut() = Variant::default().apply(variant);
        Ok(measured)
    }
}

fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> engine::Outcome {
    engine.new_game();
    engine.set_game(Game::new(*position));
    engine.search(limits, &mut Silent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiescence_is_most_of_the_tree_and_finds_what_hangs() {
        let task = Task::parse("4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5;", 1).unwrap().unwrap();
        let yardstick = Yardstick { depth: 3, suite: &[task], suite_nodes: 500, network: None };
        let plain = yardstick.measure(&Variant::default()).unwrap();
        let without = yardstick.measure(&Variant::new(&[("UseQuiescence", 0)])).unwrap();
        assert_eq!((plain.solved, plain.capped), (1, 0));
        assert_ne!(plain.nodes, without.nodes);
        assert_eq!(plain, yardstick.measure(&Variant::default()).unwrap());
    }
}
