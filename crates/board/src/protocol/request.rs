//! What the page asks.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// What the page asks. The `id` comes back with every answer to the request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Asks for the facts of a position.
    Position {
        /// Comes back with the answer.
        id: u32,
        /// The game up to the position.
        at: GameState,
    },
    /// Starts a search without end.
    Analyse {
        /// Comes back with the answers.
        id: u32,
        /// The game up to the position.
        at: GameState,
        /// How many best lines to find.
        lines: usize,
        /// Whether to count what the search does.
        #[serde(default)]
        statistics: bool,
        /// Whether to search as if the side to move had passed: what does the opponent threaten?
        #[serde(default)]
        threat: bool,
        /// Threads and table of the search; as they are without it.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        resources: Option<Resources>,
    },
    /// Starts a search for the move to play.
    PlayMove {
        /// Comes back with the answers.
        id: u32,
        /// The game up to the position.
        at: GameState,
        /// The strength to play at; full strength without it.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        elo: Option<u32>,
        /// The clock of the side to move.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        clock: Option<ClockState>,
        /// Time for the move where there is no clock.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        move_time_ms: Option<u64>,
        /// Whether to count what the search does.
        #[serde(default)]
        statistics: bool,
        /// Threads and table of the search; as they are without it.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        resources: Option<Resources>,
    },
    /// Asks for the moves of the opening book in a position.
    Book {
        /// Comes back with the answer.
        id: u32,
        /// The game up to the position.
        at: GameState,
        /// What a book that the page has opened knows here: moves and weights as Polyglot writes
        /// them. They are read instead of the server's book.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        records: Option<Vec<[u16; 2]>>,
    },
    /// Lists the games of a text.
    Games {
        /// Comes back with the answer.
        id: u32,
        /// PGN, or moves as UCI text.
        pgn: String,
    },
    /// Reads one game of a text.
    Game {
        /// Comes back with the answer.
        id: u32,
        /// PGN, or moves as UCI text.
        pgn: String,
        /// Which of its games, counted from 1.
        #[serde(default = "first")]
        number: u64,
    },
    /// Starts the review of a game.
    Review {
        /// Comes back with the answers.
        id: u32,
        /// PGN; its first game is reviewed.
        pgn: String,
        /// Nodes for each position.
        nodes: u64,
        /// Whether to say why each inaccuracy, mistake and blunder was one.
        #[serde(default)]
        explain: bool,
        /// Whether to compare players that have a rating with the engine's level of that rating.
        #[serde(default)]
        peers: bool,
        /// Threads and table of the search; as they are without it.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        resources: Option<Resources>,
    },
    /// Asks why a legal move is bad, or whether it is.
    Explain {
        /// Comes back with the answer.
        id: u32,
        /// The game up to the position before the move.
        at: GameState,
        /// The move, as UCI text or in algebraic notation.
        mv: String,
        /// Nodes for each search.
        nodes: u64,
    },
    /// Records the tree of a search.
    Trace {
        /// Comes back with the answer.
        id: u32,
        /// The game up to the position.
        at: GameState,
        /// How many plies to search.
        depth: i32,
        /// Rules that may prune nothing, by name.
        #[serde(default)]
        without: Vec<String>,
    },
    /// Asks where in the recorded tree a move was left out, and by which rule.
    WhyNot {
        /// Comes back with the answer.
        id: u32,
        /// The move, as UCI text or in algebraic notation.
        mv: String,
    },
    /// Asks for the children of a node of the recorded tree.
    Unfold {
        /// Comes back with the answer.
        id: u32,
        /// The number of the node.
        node: usize,
    },
    /// Ends a search: an analysis or review stops, a move to play is played at once. Nothing happens
    /// if another search has begun meanwhile.
    Stop {
        /// The `id` of the request that started the search.
        id: u32,
    },
}

/// The number of the first game of a text.
fn first() -> u64 {
    1
}

/// What a search may use. Wishes beyond the bounds of the server are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct Resources {
    /// Threads that search at once.
    pub threads: usize,
    /// The transposition table, in MiB.
    pub hash: usize,
}

/// A start position and the moves from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct GameState {
    /// Where the game began.
    #[serde(default)]
    pub start: Start,
    /// Moves as UCI text or in algebraic notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Where a game began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// The start position of chess.
    #[default]
    Usual,
    /// The start position of Chess960 with this number.
    Chess960(u16),
    /// A position as FEN.
    Fen(String),
}

/// A clock at the moment when the search is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(TS))]
#[serde(deny_unknown_fields)]
pub struct ClockState {
    /// Time left, in milliseconds.
    pub remaining_ms: u64,
    /// Added after each move, in milliseconds.
    pub increment_ms: u64,
}

impl Request {
    /// Reads a request, or says what is wrong with it and to which one the answer belongs.
    ///
    /// # Errors
    /// If it is not JSON or not a request.
    pub fn parse(text: &str) -> Result<Self, (Option<u32>, String)> {
        serde_json::from_str(text).map_err(|error| {
            let id = serde_json::from_str::<serde_json::Value>(text)
                .ok()
                .and_then(|value| value.get("id")?.as_u64()?.try_into().ok());
            (id, format!("the server did not understand the page: {error}"))
        })
    }
}
