//! What lasts from one command to the next.

use chess::Position;
use engine::Engine;

use crate::command::Detail;
use crate::game::Played;
use crate::info::Display;
use crate::output::Output;
use crate::text::CommandError;

/// The engine, the game on the board and how answers are written.
pub struct Session {
    /// The engine. It always knows the game of `played`.
    pub engine: Engine,
    /// How moves and scores are written.
    pub display: Display,
    /// Whether the GUI wants to hear more.
    debug: bool,
    /// Whether searches are counted.
    statistics: bool,
    /// How much `qsearch` shows.
    pub quiescence_debug: Detail,
    /// Where answers are written.
    pub output: Output,
    played: Played,
    /// Why the last `position` was refused: until one is accepted nothing is searched.
    refused: Option<CommandError>,
    /// The last problem with a tablebase that was reported.
    told: Option<String>,
}

impl Session {
    /// A session at the start of a game.
    #[must_use]
    pub fn new(output: Output) -> Self {
        Self {
            engine: Engine::new(),
            display: Display::default(),
            debug: false,
            statistics: false,
            quiescence_debug: Detail::default(),
            output,
            played: Played::default(),
            refused: None,
            told: None,
        }
    }

    /// Whether the GUI wants to hear more.
    #[must_use]
    pub fn debug(&self) -> bool {
        self.debug
    }

    /// Tells the GUI more from now on, or no longer. That needs counting.
    pub fn set_debug(&mut self, on: bool) {
        self.debug = on;
        self.update_counting();
    }

    /// Counts what searches do from now on, or no longer.
    pub fn set_statistics(&mut self, on: bool) {
        self.statistics = on;
        self.update_counting();
    }

    fn update_counting(&mut self) {
        self.engine.settings_mut().statistics = self.statistics || self.debug;
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
        self.refused = None;
    }

    /// Notes that a position was refused. A search of the one before it would mislead whoever asks.
    pub fn refuse(&mut self, error: &CommandError) {
        self.refused = Some(error.clone());
    }

    /// Why the last `position` was refused, if it was.
    #[must_use]
    pub fn refused(&self) -> Option<&CommandError> {
        self.refused.as_ref()
    }

    /// Reports a tablebase that could not be read, once.
    pub fn report_broken_table(&mut self) {
        let Some(tables) = self.engine.tablebases() else { return };
        let Some(problem) = tables.take_problem() else { return };
        if self.told.as_ref() != Some(&problem) {
            let wrong = format!("a tablebase cannot be read ({problem})");
            self.output.error(&CommandError::new(wrong, "playing on without it"));
            self.told = Some(problem);
        }
    }

    /// Begins with a new engine where the old one cannot be trusted any more. Its options are
    /// those of the beginning.
    pub fn replace_engine(&mut self) {
        self.engine = Engine::new();
        self.engine.set_game(self.played.game());
        self.update_counting();
    }
}
