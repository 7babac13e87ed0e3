//! One search that a page has asked for, as plain data.

use std::time::Duration;

use chess::Move;
use engine::stats::Event;
use engine::{ClockTime, Game, Instant, Limits};
use review::PositionAnalysis;

use crate::protocol::{ClockState, Resources};

/// Time for a move at full strength without a clock.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// The longest time that a clock may have.
const MAX_TIME_MS: u64 = 24 * 60 * 60 * 1000;

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To analyse a position until it is stopped.
    Analysis,
    /// To find the engine's move in a game.
    PlayMove,
    /// To judge one position of a game.
    Review,
    /// To record the nodes of a search.
    Trace,
    /// To say why a move is bad.
    Explain,
    /// To see what a strength level chooses.
    Peer,
}

/// A move to explain.
#[derive(Clone, Debug)]
pub struct Question {
    /// The move, legal in the last position of the game.
    pub mv: Move,
    /// What a review has found before and after it.
    pub known: Option<Box<(PositionAnalysis, PositionAnalysis)>>,
}

/// What to search, and how.
#[derive(Clone, Debug)]
pub struct Task {
    /// Why the page has asked for it.
    pub purpose: Purpose,
    /// The game up to the position.
    pub game: Game,
    /// The limits that end it.
    pub limits: Limits,
    /// How many best lines to find.
    pub lines: usize,
    /// The Elo to play at, if not full strength.
    pub elo: Option<u32>,
    /// Whether to count what the search does.
    pub statistics: bool,
    /// The move to explain, if that is the purpose.
    pub question: Option<Question>,
    /// Rules that may prune nothing in a recorded search.
    pub without: Vec<Event>,
    /// The threads and the table that the page has asked for.
    pub resources: Option<Resources>,
}

impl Task {
    fn new(purpose: Purpose, game: Game, limits: Limits) -> Self {
        let (elo, question, resources) = (None, None, None);
        let without = Vec::new();
        Self {
            purpose,
            game,
            limits,
            lines: 1,
            elo,
            statistics: false,
            question,
            without,
            resources,
        }
    }

    /// A search without end that finds this many lines.
    #[must_use]
    pub fn analysis(game: Game, lines: usize, statistics: bool) -> Self {
        Self { lines, statistics, ..Self::new(Purpose::Analysis, game, Limits::default()) }
    }

    /// A search for the move to play. The clock runs from now on.
    #[must_use]
    pub fn play_move(
        game: Game,
        elo: Option<u32>,
        clock: Option<ClockState>,
        move_time: Option<Duration>,
        statistics: bool,
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
        Self { elo, statistics, ..Self::new(Purpose::PlayMove, game, limits) }
    }

    /// A search of one position for a review, with this many nodes.
    #[must_use]
    pub fn review(game: Game, nodes: u64) -> Self {
        Self::new(Purpose::Review, game, Limits::nodes(nodes))
    }

    /// A search whose nodes are recorded, and in which these rules prune nothing.
    #[must_use]
    pub fn trace(game: Game, depth: i32, without: Vec<Event>) -> Self {
        Self { without, ..Self::new(Purpose::Trace, game, Limits::depth(depth)) }
    }

    /// The searches that explain a move, with this many nodes each.
    #[must_use]
    pub fn explain(game: Game, question: Question, nodes: u64) -> Self {
        let task = Self::new(Purpose::Explain, game, Limits::nodes(nodes));
        Self { question: Some(question), ..task }
    }

    /// The choice of a strength level, the same each time.
    #[must_use]
    pub fn peer(game: Game, elo: u32) -> Self {
        Self { elo: Some(elo), ..Self::new(Purpose::Peer, game, Limits::default()) }
    }

    /// With the threads and the table that the page has asked for.
    #[must_use]
    pub fn with(self, resources: Option<Resources>) -> Self {
        Self { resources, ..self }
    }

    /// Whether it may be interrupted and go on later. Short searches may not: they would have to
    /// start again from scratch.
    #[must_use]
    pub fn is_divisible(&self) -> bool {
        matches!(self.purpose, Purpose::Analysis | Purpose::PlayMove) && self.elo.is_none()
    }
}
