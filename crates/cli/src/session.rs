//! What lasts from one command to the next.

use chess::Position;
use engine::Engine;

use crate::game::Played;
use crate::info::Display;
use crate::output::Output;

/// The engine, the game on the board and how answers are written.
pub struct Session {
    /// The engine. It always knows the game of `played`.
    pub engine: Engine,
    /// How moves and scores are written.
    pub display: Display,
    /// Whether the GUI wants to hear more.
    pub debug: bool,
    /// Where answers go.
    pub output: Output,
    played: Played,
}

impl Session {
    /// A session at the start of a game.
    #[must_use]
    pub fn new(output: Output) -> Self {
        Self {
            engine: Engine::new(),
            display: Display::default(),
            debug: false,
            output,
            played: Played::default(),
        }
    }

    /// The game on the board.
    #[must_use]
    pub fn played(&self) -> &Played {
        &self.played
    }

    /// The position on the board.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.played.position()
    }

    /// Puts another game on the board.
    pub fn set_played(&mut self, played: Played) {
        self.engine.set_game(played.game());
        self.played = played;
    }

    /// Begins with a new engine where the old one cannot be trusted any more. Its options are
    /// those of the beginning.
    pub fn replace_engine(&mut self) {
        self.engine = Engine::new();
        self.engine.set_game(self.played.game());
    }
}
