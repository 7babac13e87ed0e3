//! A game so far: where it stands and how it came there.

use chess::{KeyHistory, Move, Position};

/// A position with the positions before it.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    history: KeyHistory,
    /// The position after the last capture or pawn move, or the start.
    base: Position,
    /// The moves since then.
    since: Vec<Move>,
    last: Option<Move>,
}

impl Game {
    /// A game that starts here.
    #[must_use]
    pub fn new(start: Position) -> Self {
        Self {
            position: start,
            history: KeyHistory::default(),
            base: start,
            since: Vec::new(),
            last: None,
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        self.history.push(&self.position);
        self.position.make(mv);
        self.last = Some(mv);
        if self.position.halfmove_clock() == 0 {
            self.base = self.position;
            self.since.clear();
        } else {
            self.since.push(mv);
        }
    }

    /// The position after the last move.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The last move, if one was played.
    #[must_use]
    pub fn last_move(&self) -> Option<Move> {
        self.last
    }

    /// The keys of the positions before.
    #[must_use]
    pub fn history(&self) -> &KeyHistory {
        &self.history
    }

    /// The position after the last capture or pawn move, or the start, and the moves since then: all
    /// that a draw by repetition can depend on, for engines that are told positions as text.
    #[must_use]
    pub fn reversible_part(&self) -> (&Position, &[Move]) {
        (&self.base, &self.since)
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reversible_part_leads_to_the_position() {
        let mut game = Game::default();
        for (san, left) in [("Nf3", 1), ("Nf6", 2), ("e4", 0), ("Nxe4", 0), ("Rg1", 1), ("Rg8", 2)]
        {
            game.play(game.position().parse_san(san).unwrap());
            let (base, since) = game.reversible_part();
            let mut position = *base;
            for &mv in since {
                position.make(mv);
            }
            assert_eq!(position, *game.position(), "{san}");
            assert_eq!(since.len(), left, "{san}");
        }
    }
}
