//! One search that a page has asked for, as plain data.

use std::time::Duration;

use engine::{ClockTime, Game, Instant, Limits};

use crate::protocol::ClockState;

/// Time for a move at full strength when nobody has a clock.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// No clock is longer.
const MAX_TIME_MS: u64 = 24 * 60 * 60 * 1000;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To look at a position for as long as anybody watches.
    Analysis,
    /// To answer a move.
    Turn,
    /// To judge one position of many.
    Review,
    /// To record the nodes of a search.
    Trace,
}

/// What to search, and how.
#[derive(Clone, Debug)]
pub struct Task {
    /// What it is for.
    pub purpose: Purpose,
    /// The game up to the position.
    pub game: Game,
    /// When it ends.
    pub limits: Limits,
    /// How many best lines to find.
    pub lines: usize,
    /// The Elo to play at, if not full strength.
    pub elo: Option<u32>,
    /// Whether to count what the search does.
    pub hood: bool,
}

impl Task {
    fn new(purpose: Purpose, game: Game, limits: Limits) -> Self {
        Self { purpose, game, limits, lines: 1, elo: None, hood: false }
    }

    /// A search without end.
    #[must_use]
    pub fn analysis(game: Game, lines: usize, hood: bool) -> Self {
        Self { lines, hood, ..Self::new(Purpose::Analysis, game, Limits::default()) }
    }

    /// A search for the move to play. The clock runs from now on.
    #[must_use]
    pub fn turn(
        game: Game,
        elo: Option<u32>,
        clock: Option<ClockState>,
        move_time: Option<Duration>,
        hood: bool,
    ) -> Self {
        let mut limits = Limits { started: Some(Instant::now()), ..Limits::default() };
        let time = |ms: u64| Duration::from_millis(ms.min(MAX_TIME_MS));
        match clock {
            Some(ClockState { remaining_ms, increment_ms }) => {
                let (remaining, increment) = (time(remaining_ms), time(increment_ms));
                limits.clock = Some(ClockTime { remaining, increment });
            }
            None => limits.move_time = Some(move_time.unwrap_or(MOVE_TIME)),
        }
        Self { elo, hood, ..Self::new(Purpose::Turn, game, limits) }
    }

    /// A search of so many nodes.
    #[must_use]
    pub fn review(game: Game, nodes: u64) -> Self {
        Self::new(Purpose::Review, game, Limits::nodes(nodes))
    }

    /// A search whose nodes are recorded.
    #[must_use]
    pub fn trace(game: Game, depth: i32) -> Self {
        Self::new(Purpose::Trace, game, Limits::depth(depth))
    }

    /// Whether it may be interrupted and go on later. What is short is not: half of it would have
    /// to be done again.
    #[must_use]
    pub fn is_divisible(&self) -> bool {
        matches!(self.purpose, Purpose::Analysis | Purpose::Turn) && self.elo.is_none()
    }
}
