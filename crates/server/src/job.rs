//! One search that a page has asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use engine::{ClockTime, Game, Limits};

use crate::protocol::ClockState;
use crate::view::Feed;

/// Time for a move at full strength when nobody has a clock.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// No clock is longer.
const MAX_TIME_MS: u64 = 24 * 60 * 60 * 1000;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To look at a position for as long as anybody watches.
    Analysis,
    /// To answer a move.
    Turn,
    /// To judge one position of many.
    Review,
    /// To record the nodes of a search.
    Trace,
}

/// A search that waits for its turn, or has it.
pub(crate) struct Job {
    pub(crate) purpose: Purpose,
    pub(crate) game: Game,
    pub(crate) limits: Limits,
    /// How many best lines to find.
    pub(crate) lines: usize,
    /// The Elo to play at, if not full strength.
    pub(crate) elo: Option<u32>,
    /// Whether to count what the search does.
    pub(crate) hood: bool,
    /// Where its findings go.
    pub(crate) feed: Arc<Feed>,
    stopped: AtomicBool,
}

impl Job {
    fn new(purpose: Purpose, game: Game, limits: Limits) -> Self {
        let feed = Arc::new(Feed::new(game.position()));
        let (lines, elo, hood, stopped) = (1, None, false, AtomicBool::new(false));
        Self { purpose, game, limits, lines, elo, hood, feed, stopped }
    }

    /// A search without end.
    pub(crate) fn analysis(game: Game, lines: usize, hood: bool) -> Self {
        Self { lines, hood, ..Self::new(Purpose::Analysis, game, Limits::default()) }
    }

    /// A search for the move to play. The clock runs from now on.
    pub(crate) fn turn(
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
    pub(crate) fn review(game: Game, nodes: u64) -> Self {
        Self::new(Purpose::Review, game, Limits::nodes(nodes))
    }

    /// A search whose nodes are recorded.
    pub(crate) fn trace(game: Game, depth: i32) -> Self {
        Self::new(Purpose::Trace, game, Limits::depth(depth))
    }

    /// Whether it may be interrupted and go on later. What is short is not: half of it would have
    /// to be done again.
    pub(crate) fn is_divisible(&self) -> bool {
        matches!(self.purpose, Purpose::Analysis | Purpose::Turn) && self.elo.is_none()
    }

    /// Marks it as no longer wanted.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// The limits of its next turn on the engine. A turn of the game that is called off before it
    /// began still needs a move.
    pub(crate) fn limits(&self) -> Limits {
        if self.is_stopped() { Limits::depth(1) } else { self.limits.clone() }
    }
}
