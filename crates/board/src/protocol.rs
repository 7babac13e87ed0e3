//! What the page and the server say to each other: JSON over a websocket. `docs/server.md` has it
//! for people.

use std::collections::BTreeMap;

use engine::stats::Statistics;
use review::{Judgement, SideReview};
use serde::{Deserialize, Serialize};

/// Changes when an older page would not understand the server any more.
pub const VERSION: u32 = 1;

/// Longest message that is read, in bytes.
pub const MAX_MESSAGE: usize = 1 << 20;
/// Longest game, in plies.
pub const MAX_PLIES: usize = 1200;
/// Longest text of a position, in bytes.
pub const MAX_FEN: usize = 200;
/// Most lines of an analysis.
pub const MAX_LINES: usize = 5;
/// Most games of a text that are listed.
pub const MAX_GAMES: usize = 500;

/// What the page asks. `id` comes back with the answers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// The facts of a position.
    Position {
        /// Comes back.
        id: u32,
        /// The position.
        at: Place,
    },
    /// A search without end.
    Analyse {
        /// Comes back.
        id: u32,
        /// The position.
        at: Place,
        /// How many best lines.
        lines: usize,
        /// Whether to count what the search does.
        #[serde(default)]
        hood: bool,
    },
    /// A search for the move to play.
    Turn {
        /// Comes back.
        id: u32,
        /// The position.
        at: Place,
        /// The strength to play at; full strength without it.
        #[serde(default)]
        elo: Option<u32>,
        /// The clock of the side to move.
        #[serde(default)]
        clock: Option<ClockState>,
        /// Without a clock: time for the move.
        #[serde(default)]
        move_time_ms: Option<u64>,
        /// Whether to count what the search does.
        #[serde(default)]
        hood: bool,
    },
    /// Lists the games of a text.
    Games {
        /// Comes back.
        id: u32,
        /// The text.
        pgn: String,
    },
    /// Reads a game.
    Game {
        /// Comes back.
        id: u32,
        /// The text.
        pgn: String,
        /// Which of its games, from 1.
        #[serde(default = "first")]
        number: u64,
    },
    /// Reviews a game.
    Review {
        /// Comes back.
        id: u32,
        /// The text; its first game is reviewed.
        pgn: String,
        /// Nodes for each position.
        nodes: u64,
    },
    /// Records the tree of a search.
    Trace {
        /// Comes back.
        id: u32,
        /// The position.
        at: Place,
        /// Plies to search.
        depth: i32,
    },
    /// Unfolds a node of the recorded tree.
    Unfold {
        /// Comes back.
        id: u32,
        /// The node.
        node: usize,
    },
    /// Ends the search: an analysis or review stops, a turn is played at once.
    Stop {},
}

/// The number of the first game of a text.
fn first() -> u64 {
    1
}

/// A start and the moves from it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Where the game began.
    #[serde(default)]
    pub start: Start,
    /// Moves as UCI text or in algebraic notation.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Where a game began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// The start of chess.
    #[default]
    Usual,
    /// The start position of Chess960 with this number.
    Chess960(u16),
    /// A position as FEN.
    Fen(String),
}

/// A clock as it stands when the search is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockState {
    /// Time left.
    pub remaining_ms: u64,
    /// Added after each move.
    pub increment_ms: u64,
}

/// What the server says.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// The first words.
    Hello {
        /// The version of the protocol.
        protocol: u32,
        /// The program and its version.
        engine: String,
        /// The weakest level.
        min_elo: u32,
        /// The strongest level below full strength.
        max_elo: u32,
    },
    /// The facts of a position.
    Position {
        /// Of the request.
        id: u32,
        /// The facts.
        #[serde(flatten)]
        facts: Box<Facts>,
    },
    /// How far a search is.
    Search {
        /// Of the request.
        id: u32,
        /// What it has found.
        #[serde(flatten)]
        view: Box<Search>,
    },
    /// The move to play.
    Best {
        /// Of the request.
        id: u32,
        /// The move; none if the game is over.
        best: Option<Step>,
        /// Whether the opening book knew it, so that nothing was searched.
        book: bool,
    },
    /// The games of a text.
    Games {
        /// Of the request.
        id: u32,
        /// The games that can be read, as they come.
        games: Vec<Heading>,
        /// How many more there are.
        left_out: u64,
    },
    /// A game that was read.
    Game {
        /// Of the request.
        id: u32,
        /// The game.
        #[serde(flatten)]
        paper: Box<Paper>,
    },
    /// How far a review is.
    Progress {
        /// Of the request.
        id: u32,
        /// Positions that are done.
        done: usize,
        /// All positions: one more than moves.
        total: usize,
        /// The position that was looked at: half-moves from the start of the game.
        ply: usize,
        /// Its score for White.
        score: Score,
        /// White's chances to win, to draw and to lose, in thousandths.
        wdl: [u32; 3],
    },
    /// A game that was reviewed.
    Reviewed {
        /// Of the request.
        id: u32,
        /// Move by move.
        plies: Vec<Judged>,
        /// White's side.
        white: SideReview,
        /// Black's side.
        black: SideReview,
        /// The annotated game.
        pgn: String,
        /// The same for the board.
        game: Box<Paper>,
    },
    /// A search tree was recorded.
    Traced {
        /// Of the request.
        id: u32,
        /// Nodes that can be unfolded.
        nodes: usize,
        /// Nodes that there was no room for.
        omitted: u64,
        /// The root, once for each window it was searched with.
        roots: Vec<TreeNode>,
    },
    /// What a node of the recorded tree has asked for.
    Unfolded {
        /// Of the request.
        id: u32,
        /// The nodes below it.
        children: Vec<TreeNode>,
    },
    /// Something could not be done.
    Error {
        /// Of the request, if it could be read.
        id: Option<u32>,
        /// What was wrong, for people.
        message: String,
    },
}

/// What is said above a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// Its number in the text, from 1.
    pub number: u64,
    /// Who played White; empty if nobody knows.
    pub white: String,
    /// Who played Black.
    pub black: String,
    /// Where it was played.
    pub event: String,
    /// When, as PGN writes it.
    pub date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// How many half-moves it has.
    pub plies: usize,
}

/// A game as it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Paper {
    /// Where it began.
    pub start_fen: String,
    /// The number of the Chess960 position it began with, if it is not that of chess.
    pub chess960: Option<u16>,
    /// Its tags.
    pub headers: BTreeMap<String, String>,
    /// Its moves with all variations, each after the one before it.
    pub moves: Vec<PaperMove>,
    /// What was wrong with the text.
    pub problems: Vec<String>,
}

/// A move of a game that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PaperMove {
    /// The place of the move before it in the list; none for the first moves.
    pub parent: Option<usize>,
    /// The move.
    #[serde(flatten)]
    pub step: Step,
    /// Glyphs by number.
    pub nags: Vec<u8>,
    /// What is said about it.
    pub comment: String,
}

/// How good a move was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// The chance to win that it gave away, from 0 to 1.
    pub loss: f64,
    /// From 0 to 100.
    pub accuracy: f64,
    /// What it is called.
    pub judgement: Option<Judgement>,
    /// The best move instead of it.
    pub best: Option<String>,
    /// The score after it; none if the game is over.
    pub score: Option<Score>,
    /// White's chances after it.
    pub wdl: [u32; 3],
    /// How deep the engine looked after it.
    pub depth: i32,
}

/// A node of a recorded search. Scores are those of the engine, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TreeNode {
    /// Its number.
    pub id: usize,
    /// How it was come to: a move, `pass`, `again` or `without` a move.
    pub label: String,
    /// What kind of node it is.
    pub kind: &'static str,
    /// Plies to search; negative in quiescence.
    pub depth: i32,
    /// Scores at or below this did not matter.
    pub alpha: Option<i32>,
    /// A score at or above this was enough.
    pub beta: Option<i32>,
    /// The static score.
    pub static_score: Option<i32>,
    /// The score; none if the search was stopped inside.
    pub result: Option<i32>,
    /// The rule that ended it; none if all its moves were searched.
    pub end: Option<String>,
    /// The moves that were left out.
    pub skipped: Vec<Skipped>,
    /// How many nodes it has asked for.
    pub children: usize,
}

/// A move that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The rule.
    pub rule: String,
    /// The move.
    pub san: Option<String>,
}

/// A move on the way from one position to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// As UCI text; castling is king takes rook.
    pub uci: String,
    /// In algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
}

/// What the page must know of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The position.
    pub fen: String,
    /// Where the game began.
    pub start_fen: String,
    /// Who is to move: `white` or `black`.
    pub turn: &'static str,
    /// Whether the king is in check.
    pub check: bool,
    /// From where to where the men can move. A king that can castle goes onto its rook, and in
    /// usual chess to its new square as well.
    pub dests: BTreeMap<String, Vec<String>>,
    /// The last move.
    pub last: Option<Step>,
    /// How the game has ended.
    pub outcome: Option<Ending>,
    /// The name of the opening.
    pub opening: Option<Opening>,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// In words.
    pub reason: &'static str,
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// Where a search stands among those of other pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It waits for its share of the engine.
    Waiting,
    /// It runs.
    Running,
    /// It has found all it can.
    Done,
    /// It was stopped.
    Stopped,
    /// It was stopped because nobody has done anything for long.
    Idle,
}

/// A search as the page shows it. Scores are from White's view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Search {
    /// Where it stands.
    pub state: State,
    /// The last finished iteration.
    pub depth: i32,
    /// Deepest ply seen.
    pub seldepth: usize,
    /// Nodes so far.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Time spent searching, without waiting.
    pub time_ms: u64,
    /// Thousandths of the table that are in use.
    pub hashfull: u32,
    /// Tablebase hits.
    pub tablebase_hits: u64,
    /// The best lines.
    pub lines: Vec<Line>,
    /// What it has counted, if it counts.
    pub hood: Option<Box<Statistics>>,
}

/// One line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Iteration it belongs to.
    pub depth: i32,
    /// The score for White.
    pub score: Score,
    /// White's chances to win, to draw and to lose, in thousandths.
    pub wdl: [u32; 3],
    /// The moves.
    pub moves: Vec<Step>,
    /// How many of the moves the main search found; the rest is quiescence.
    pub main_plies: usize,
}

/// A score for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Normalised centipawns.
    Cp(i32),
    /// Moves to mate; negative when White is mated.
    Mate(i32),
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
