//! What the server sends.

use review::SideReview;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

#[cfg(test)]
use super::tests;
use super::{
    BookMove, Facts, GameSummary, JudgedMove, Lesson, Line, MoveReport, PeerReview, PgnGame,
    Resources, Score, Search, Step, TreeNode,
};

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
        /// The weakest level that can be asked for.
        min_elo: u32,
        /// The strongest level below full strength.
        max_elo: u32,
        /// What a search uses unless a page asks for something else.
        usual: Resources,
        /// What a page may ask for.
        most: Resources,
        /// Whether there is an opening book.
        book: bool,
    },
    /// The facts of a position.
    Position {
        /// The `id` of the request that this answers.
        id: u32,
        /// What the page must know of the position.
        #[serde(flatten)]
        facts: Box<Facts>,
    },
    /// The progress of a search.
    Search {
        /// The `id` of the request that this answers.
        id: u32,
        /// What it has found so far.
        #[serde(flatten)]
        view: Box<Search>,
    },
    /// The move to play.
    Best {
        /// The `id` of the request that this answers.
        id: u32,
        /// The move; none if the game is over.
        best: Option<Step>,
        /// Whether it came from the opening book, so that nothing was searched.
        book: bool,
    },
    /// The moves of the opening book.
    Book {
        /// The `id` of the request that this answers.
        id: u32,
        /// The moves, the heaviest first.
        moves: Vec<BookMove>,
        /// The key of the position in Polyglot's books: sixteen hexadecimal digits.
        key: String,
    },
    /// The games of a text.
    Games {
        /// The `id` of the request that this answers.
        id: u32,
        /// The games that can be read, in their order.
        games: Vec<GameSummary>,
        /// How many more there are.
        left_out: u64,
    },
    /// A game that was read.
    Game {
        /// The `id` of the request that this answers.
        id: u32,
        /// The game with its variations.
        #[serde(flatten)]
        game: Box<PgnGame>,
    },
    /// The progress of a review: one position is done.
    Progress {
        /// The `id` of the request that this answers.
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
    /// The progress of a review: all positions are done, its mistakes are being explained.
    Explaining {
        /// The `id` of the request that this answers.
        id: u32,
        /// Moves that are explained.
        done: usize,
        /// All moves to explain.
        total: usize,
    },
    /// The progress of a review: players are being compared with the levels of their ratings.
    Comparing {
        /// The `id` of the request that this answers.
        id: u32,
        /// Positions that are done.
        done: usize,
        /// All positions to compare.
        total: usize,
    },
    /// Why a move is bad, or that it is not.
    Explained {
        /// The `id` of the request that this answers.
        id: u32,
        /// What the move teaches, with its proof.
        lesson: Box<Lesson>,
    },
    /// A game that was reviewed.
    Reviewed {
        /// The `id` of the request that this answers.
        id: u32,
        /// One entry for each move of the main line.
        plies: Vec<JudgedMove>,
        /// How well White played.
        #[cfg_attr(test, ts(as = "tests::SideReview"))]
        white: SideReview,
        /// How well Black played.
        #[cfg_attr(test, ts(as = "tests::SideReview"))]
        black: SideReview,
        /// White beside the level of the same rating; none without a rating, or if not asked for.
        white_peer: Option<PeerReview>,
        /// Black beside the level of the same rating.
        black_peer: Option<PeerReview>,
    },
    /// A search tree that was recorded.
    Traced {
        /// The `id` of the request that this answers.
        id: u32,
        /// Nodes that can be unfolded.
        nodes: usize,
        /// Nodes that there was no room for.
        omitted: u64,
        /// The root, once for each window it was searched with.
        roots: Vec<TreeNode>,
        /// The best line; none without a legal move.
        best: Option<Line>,
        /// Nodes that were searched in all iterations.
        searched: u64,
    },
    /// What became of a move in the recorded tree.
    LeftOut {
        /// The `id` of the request that this answers.
        id: u32,
        /// What the tree has about the move.
        #[serde(flatten)]
        report: Box<MoveReport>,
    },
    /// The children of a node of the recorded tree.
    Unfolded {
        /// The `id` of the request that this answers.
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
