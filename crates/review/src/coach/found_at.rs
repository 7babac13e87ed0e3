//! Who finds the missed move: the weakest strength level that does.
//!
//! Only of a move that mates or wins something: where many moves are good, a player who chooses
//! another one has missed nothing.

use super::{Claim, Clause};
use crate::levels::{LevelChoice, level_choices};

/// Adds to a clause about a missed move which level finds it. Nothing is added if none does.
pub(super) fn add(clause: &mut Clause, nodes: u64) {
    let Some(&missed) = clause.line.first() else { return };
    if !matches!(clause.claim, Claim::Misses { .. }) {
        return;
    }
    let Some(elo) = level_choices(&clause.game, nodes, |mv| mv == missed).finds else { return };
    clause.text.push_str(&format!(" A player of about {elo} finds it."));
    clause.found_at = Some(elo);
}

/// Whether the level that a clause names finds its move.
pub(super) fn holds(clause: &Clause) -> bool {
    let (Some(elo), Some(&missed)) = (clause.found_at, clause.line.first()) else { return true };
    LevelChoice::of(&clause.game, elo, |mv| mv == missed).finds
}
