//! The messages between the page and whoever serves it: one JSON object each. `docs/server.md`
//! describes them for people, and `crates/server/page/src/protocol.ts` is generated from them: the
//! test of this module fails when the two differ.

mod position;
mod search;
mod game;
mod tree;
mod lesson;
mod request;
mod answer;
#[cfg(test)]
mod tests;

pub use answer::Answer;
pub use game::{GameSummary, JudgedMove, PeerReview, PgnGame, PgnMove};
pub use lesson::{Clause, Difficulty, Lesson, LevelChoice, Levels, MotifName};
pub use position::{BookMove, Ending, Facts, Opening, Side, Step};
pub use request::{ClockState, GameState, Request, Resources, Start};
pub use search::{Line, Score, Search, State};
pub use tree::{LeftOutAt, MoveReport, Skipped, TreeNode};

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
/// Moves that a book of the page may have in a position.
pub const MAX_BOOK_MOVES: usize = 256;
