//! Openings that nobody has chosen: for training games, which must not all begin alike.

use chess::Position;

use crate::rng::Rng;
use crate::{Game, Limits, SoloEngine};

/// Nodes at which a look is cut off, in multiples of those it should take.
const HARD_FACTOR: u64 = 8;

/// So many random moves from `start`; `None` if the game ends on the way.
pub fn wander(start: Position, plies: usize, rng: &mut Rng) -> Option<Position> {
    let mut position = start;
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        position.make(moves[rng.below(moves.len())]);
    }
    position.outcome().is_none().then_some(position)
}

/// Whether neither side is further ahead than `limit` centipawns, after about so many nodes.
pub fn is_balanced(engine: &mut SoloEngine, start: &Position, nodes: u64, limit: i32) -> bool {
    let found = engine.search(&Game::new(*start), &about(nodes));
    found.is_some_and(|(line, _)| line.score.raw().abs() <= limit)
}

/// Limits of a search that takes about so many nodes and ends with a finished iteration.
#[must_use]
pub fn about(nodes: u64) -> Limits {
    Limits { soft_nodes: Some(nodes), nodes: Some(nodes * HARD_FACTOR), ..Limits::default() }
}
