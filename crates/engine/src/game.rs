//! A game so far: where it stands and how it came there.

use chess::{KeyHistory, Move, Position};

/// A position with the positions before it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    history: KeyHistory,
}

impl Game {
    /// A game that starts here.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self { position: start, history: KeyHistory::default() }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.history.push(&self.position);
        self.position.make(mv);
    }

    /// The position after the last move.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The keys of the positions before.
    #[must_use]
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}
