//! The messages between the page and whoever serves it: one JSON object each. `docs/server.md`
//! describes them for people, and `crates/server/page/src/protocol.ts` is generated from them: the
//! test at the end of this file fails when the two differ.

use std::collections::BTreeMap;

use engine::stats::Statistics;
use review::{Judgement, SideReview};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

/// Changes when an older page would not understand the server any more.
pub const VERSION: u32 = 2;

/// Longest message that is read, in bytes.
pub const MAX_MESSAGE: usize = 1 << 20;
/// Longest game, in plies.
pub const MAX_PLIES: usize = 1200;
/// Largest number of moves of a game, variations included.
pub const MAX_MOVES: usize = 10_000;
/// Longest text of a position, in bytes.
pub const MAX_FEN: usize = 200;
/// Largest number of lines in an analysis.
pub const MAX_LINES: usize = 5;
/// Largest number of games of one text that are listed.
pub const MAX_GAMES: usize = 500;

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
    },
    /// Records the tree of a search.
    Trace {
        /// Comes back with the answer.
        id: u32,
        /// The game up to the position.
        at: GameState,
        /// How many plies to search.
        depth: i32,
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

/// What the server sends.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Answer {
    /// The first message of a connection.
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
        /// From the request.
        id: u32,
        /// What the page must know of the position.
        #[serde(flatten)]
        facts: Box<Facts>,
    },
    /// The progress of a search.
    Search {
        /// From the request.
        id: u32,
        /// What it has found so far.
        #[serde(flatten)]
        view: Box<Search>,
    },
    /// The move to play.
    Best {
        /// From the request.
        id: u32,
        /// The move; none if the game is over.
        best: Option<Step>,
        /// Whether it came from the opening book, so that nothing was searched.
        book: bool,
    },
    /// The games of a text.
    Games {
        /// From the request.
        id: u32,
        /// The games that can be read, in their order.
        games: Vec<GameSummary>,
        /// How many more there are.
        left_out: u64,
    },
    /// A game that was read.
    Game {
        /// From the request.
        id: u32,
        /// The game with its variations.
        #[serde(flatten)]
        game: Box<PgnGame>,
    },
    /// The progress of a review: one position is done.
    Progress {
        /// From the request.
        id: u32,
        /// Positions that are done.
        done: usize,
        /// All positions: one more than moves.
        total: usize,
        /// The position: half-moves from the start of the game.
        ply: usize,
        /// Its score for White.
        score: Score,
        /// White's chances to win, to draw and to lose, in thousandths.
        wdl: [u32; 3],
        /// How deep it was searched.
        depth: i32,
    },
    /// A game that was reviewed.
    Reviewed {
        /// From the request.
        id: u32,
        /// One entry for each move of the main line.
        plies: Vec<JudgedMove>,
        /// How well White played.
        #[cfg_attr(test, ts(as = "tests::SideReview"))]
        white: SideReview,
        /// How well Black played.
        #[cfg_attr(test, ts(as = "tests::SideReview"))]
        black: SideReview,
    },
    /// A search tree that was recorded.
    Traced {
        /// From the request.
        id: u32,
        /// Nodes that can be unfolded.
        nodes: usize,
        /// Nodes that there was no room for.
        omitted: u64,
        /// The root, once for each window it was searched with.
        roots: Vec<TreeNode>,
    },
    /// The children of a node of the recorded tree.
    Unfolded {
        /// From the request.
        id: u32,
        /// The nodes below it.
        children: Vec<TreeNode>,
    },
    /// A request that could not be carried out.
    Error {
        /// From the request, if it could be read.
        id: Option<u32>,
        /// What was wrong, for people.
        message: String,
    },
}

/// What a list of games shows of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameSummary {
    /// Its number in the text, counted from 1.
    pub number: u64,
    /// Who played White; empty if unknown.
    pub white: String,
    /// Who played Black; empty if unknown.
    pub black: String,
    /// Where it was played; empty if unknown.
    pub event: String,
    /// The date as PGN writes it; empty if unknown.
    pub date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[cfg_attr(test, ts(type = "'1-0' | '0-1' | '1/2-1/2' | '*'"))]
    pub result: &'static str,
    /// How many half-moves it has.
    pub plies: usize,
}

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PgnGame {
    /// Where it began, as FEN.
    pub start_fen: String,
    /// The number of the Chess960 position it began with, if it is not that of chess.
    pub chess960: Option<u16>,
    /// Its tags by name.
    pub headers: BTreeMap<String, String>,
    /// The comment before the first move.
    pub comment: String,
    /// Its moves with all variations, each after the one before it.
    pub moves: Vec<PgnMove>,
    /// What was wrong with the text.
    pub problems: Vec<String>,
}

/// A move of a game that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PgnMove {
    /// The index of the move before it in the list; none for the first moves.
    pub parent: Option<usize>,
    /// The move and the position after it.
    #[serde(flatten)]
    pub step: Step,
    /// Glyphs by number, such as 1 for `!`.
    pub nags: Vec<u8>,
    /// The comment before the move, at the beginning of a variation.
    pub comment_before: String,
    /// The comment after the move.
    pub comment: String,
}

/// How good a move was.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct JudgedMove {
    /// The chance to win that it gave away, from 0 to 1.
    pub loss: f64,
    /// From 0 to 100.
    pub accuracy: f64,
    /// What it is called, if it gave something away.
    #[cfg_attr(test, ts(as = "Option<tests::Judgement>"))]
    pub judgement: Option<Judgement>,
    /// The best line instead of it, the best move first; empty if the game was over.
    pub best: Vec<Step>,
    /// The score after it; none if the game is over.
    pub score: Option<Score>,
    /// White's chances after it.
    pub wdl: [u32; 3],
    /// How deep the position after it was searched.
    pub depth: i32,
}

/// A node of a recorded search. Scores are those of the engine, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct TreeNode {
    /// Its number, to unfold it by.
    pub id: usize,
    /// How the search came to it: a move, `null move`, `re-search` or `without` a move.
    pub label: String,
    /// The kind of node, such as `pv` or `quiescence`.
    pub kind: &'static str,
    /// The position of the node.
    pub fen: String,
    /// The move that led to it as UCI text; none at a root or after a null move.
    pub uci: Option<String>,
    /// Plies to search; negative in quiescence.
    pub depth: i32,
    /// Scores at or below this did not matter.
    pub alpha: Option<i32>,
    /// A score at or above this was enough.
    pub beta: Option<i32>,
    /// The static score, if it was computed.
    pub static_score: Option<i32>,
    /// The score; none if the search was stopped inside.
    pub result: Option<i32>,
    /// The rule that ended it; none if all its moves were searched.
    pub end: Option<String>,
    /// The moves that were pruned here.
    pub skipped: Vec<Skipped>,
    /// How many children it has.
    pub children: usize,
}

/// A move that was pruned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Skipped {
    /// The rule that pruned it.
    pub rule: String,
    /// The move in algebraic notation, if it is legal.
    pub san: Option<String>,
}

/// A move on the way from one position to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Step {
    /// As UCI text; castling is king takes rook.
    pub uci: String,
    /// The move in algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
}

/// What the page must know of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Facts {
    /// The position as FEN.
    pub fen: String,
    /// Where the game began.
    pub start_fen: String,
    /// Who is to move: `white` or `black`.
    pub turn: Side,
    /// Whether the king is in check.
    pub check: bool,
    /// From where to where the pieces can move. A king that can castle goes onto its rook, and in
    /// standard chess to its new square as well.
    pub dests: BTreeMap<String, Vec<String>>,
    /// The last move of the game.
    pub last: Option<Step>,
    /// How the game has ended.
    pub outcome: Option<Ending>,
    /// The name of the opening.
    pub opening: Option<Opening>,
}

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    #[cfg_attr(test, ts(type = "'1-0' | '0-1' | '1/2-1/2'"))]
    pub result: &'static str,
    /// The reason in words.
    pub reason: &'static str,
}

/// The name of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// Its name in English.
    pub name: String,
}

/// What a search is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[cfg_attr(test, ts(rename = "SearchState"))]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It waits for its share of the engine.
    Waiting,
    /// It has an engine.
    Running,
    /// It has found all it can.
    Done,
    /// It was stopped on request.
    Stopped,
    /// It was stopped because its page has asked for nothing in a long time.
    Idle,
}

/// A search as the page shows it. Scores are from White's view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Search {
    /// What it is doing.
    pub state: State,
    /// The last finished iteration.
    pub depth: i32,
    /// The deepest ply that was searched.
    pub seldepth: usize,
    /// Nodes searched so far.
    pub nodes: u64,
    /// Nodes per second.
    pub nps: u64,
    /// Time spent searching, without waiting.
    pub time_ms: u64,
    /// Thousandths of the transposition table that are in use.
    pub hashfull: u32,
    /// Positions found in tablebases.
    pub tablebase_hits: u64,
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// What it has counted, if it counts.
    #[cfg_attr(test, ts(as = "Option<tests::Statistics>"))]
    pub statistics: Option<Box<Statistics>>,
}

/// One line of an analysis.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Line {
    /// The iteration that found it.
    pub depth: i32,
    /// The score for White.
    pub score: Score,
    /// White's chances to win, to draw and to lose, in thousandths.
    pub wdl: [u32; 3],
    /// Its moves with the positions after them.
    pub moves: Vec<Step>,
    /// How many of the moves the main search found; the rest is quiescence.
    pub main_plies: usize,
}

/// A score for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// Centipawns, normalised so that 100 wins half of the engine's games.
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

#[cfg(test)]
pub(crate) mod tests {
    use std::path::Path;

    use ts_rs::Config;

    use super::*;

    // Types of other crates, as the page sees them. That they are read from what the other crates
    // write is tested below.

    /// What the page reads of the counts of a search.
    #[derive(TS, Deserialize)]
    #[expect(dead_code, reason = "only its shape is needed")]
    pub(crate) struct Statistics {
        running: bool,
        time_ms: u64,
        nodes_by_kind: BTreeMap<String, u64>,
        transposition_table: BTreeMap<String, u64>,
        cutoffs_by_stage: BTreeMap<String, u64>,
        pruning_of_nodes: BTreeMap<String, u64>,
        pruning_of_moves: BTreeMap<String, u64>,
        first_move_share: f64,
        iterations: Vec<Iteration>,
        clock: TimePlan,
        stop: Option<String>,
    }

    #[derive(TS, Deserialize)]
    #[expect(dead_code, reason = "only its shape is needed")]
    pub(crate) struct Iteration {
        depth: i32,
        nodes: u64,
        time_ms: u64,
        branching: Option<f64>,
    }

    #[derive(TS, Deserialize)]
    #[expect(dead_code, reason = "only its shape is needed")]
    pub(crate) struct TimePlan {
        soft_ms: Option<u64>,
        wanted_ms: Option<u64>,
        hard_ms: Option<u64>,
    }

    /// How well a side played.
    #[derive(TS, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its shape is needed")]
    pub(crate) struct SideReview {
        moves: u32,
        accuracy: Option<f64>,
        average_loss: f64,
        average_centipawn_loss: f64,
        inaccuracies: u32,
        mistakes: u32,
        blunders: u32,
    }

    #[derive(TS, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Judgement {
        Inaccuracy,
        Mistake,
        Blunder,
    }

    /// The text of `protocol.ts`.
    fn generated() -> String {
        let config = Config::new().with_large_int("number");
        let declarations = [
            Start::decl(&config),
            GameState::decl(&config),
            ClockState::decl(&config),
            Request::decl(&config),
            Side::decl(&config),
            Step::decl(&config),
            Ending::decl(&config),
            Opening::decl(&config),
            Facts::decl(&config),
            Score::decl(&config),
            Line::decl(&config),
            State::decl(&config),
            Iteration::decl(&config),
            TimePlan::decl(&config),
            Statistics::decl(&config),
            Search::decl(&config),
            GameSummary::decl(&config),
            PgnMove::decl(&config),
            PgnGame::decl(&config),
            Judgement::decl(&config),
            JudgedMove::decl(&config),
            SideReview::decl(&config),
            Skipped::decl(&config),
            TreeNode::decl(&config),
            Answer::decl(&config),
        ];
        let mut text = format!(
            "// Generated from crates/board/src/protocol.rs by its test, which fails when this file \
             differs:\n// HALCYON_WRITE=1 cargo test -p board protocol\n\nexport const PROTOCOL = \
             {VERSION};\n"
        );
        for declaration in declarations {
            text.push_str("\nexport ");
            text.push_str(&tidy(&declaration));
            text.push('\n');
        }
        text
    }

    /// Puts each field and its comment on lines of their own, and each variant as well.
    fn tidy(declaration: &str) -> String {
        declaration
            .replace(" | { \"type\"", "\n  | { \"type\"")
            .replace("\n/**\n * ", "\n  /** ")
            .replace("\n */\n", " */\n  ")
            .replace("\n * ", " ")
            .replace(" \n", "\n")
            .replace(", }", ",\n}")
    }

    #[test]
    fn the_types_of_the_page_are_generated() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/page/src/protocol.ts");
        let text = generated();
        if std::env::var_os("HALCYON_WRITE").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap();
        assert!(written == text, "protocol.ts is stale: HALCYON_WRITE=1 cargo test -p board");
    }

    #[test]
    fn types_of_other_crates_are_as_the_page_sees_them() {
        let mut engine = engine::Engine::new();
        engine.settings_mut().statistics = true;
        let outcome = engine.search(&engine::Limits::depth(2), &mut engine::Silent);
        let text = serde_json::to_string(&outcome.statistics.unwrap()).unwrap();
        serde_json::from_str::<Statistics>(&text).unwrap();
        let side = review::SideReview::default();
        let text = serde_json::to_string(&side).unwrap();
        serde_json::from_str::<SideReview>(&text).unwrap();
        use review::Judgement as Real;
        for judgement in [Real::Inaccuracy, Real::Mistake, Real::Blunder] {
            let text = serde_json::to_string(&judgement).unwrap();
            serde_json::from_str::<Judgement>(&text).unwrap();
        }
    }
}
