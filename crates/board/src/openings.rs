//! Names of openings, as the page is told them.

use chess::{Move, Position};

use crate::protocol::Opening;

/// The name of the last position of a game that has one.
pub(crate) fn name(start: &Position, moves: &[Move]) -> Option<Opening> {
    let review::Opening { eco, name } = review::opening(start, moves)?;
    Some(Opening { eco, name })
}
