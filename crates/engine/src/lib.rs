//! Halcyon's search: transposition table, move picker, quiescence, extensions, pruning, clock and
//! threads behind one facade, [`Engine`]. It prints nothing; what it finds it hands to a
//! [`Reporter`].
//!
//! A position in, its best line out:
//!
//! ```
//! use engine::{Engine, Game, Limits, Silent, chess::Position};
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")?;
//! let mut engine = Engine::new();
//! engine.set_game(Game::new(position));
//! let outcome = engine.search(&Limits::nodes(2000), &mut Silent);
//! assert_eq!(position.to_san(outcome.lines[0].pv[0]), "Ra8#");
//! # Ok::<(), engine::chess::FenError>(())
//! ```
//!
//! [`Engine::control`] gives a handle that stops the search from any thread.

#![forbid(unsafe_code)]

pub mod params;
mod time;
mod score;
mod strength;
mod limits;
mod settings;
pub mod stats;
mod report;
mod time_manager;
mod game;
mod material;
pub mod wdl;
mod tt;
mod tree_scores;
mod hash_file;
mod history;
mod picker;
mod endgame;
mod evaluator;
mod tablebase;
mod search;
mod vote;
mod pool;
mod engine;
mod single_thread;
mod inspect;
pub mod bench;
#[cfg(test)]
mod testing;

/// The rules, for programs that depend on this crate alone.
pub use chess;
pub use engine::{Control, DEFAULT_HASH_MIB, Engine};
pub use evaluator::{scale_eval, unscale_eval};
pub use game::Game;
pub use hash_file::HashFileError;
pub use inspect::{Inspector, Leaf, Quiescence, QuiescencePerft, Traced};
pub use limits::{ClockTime, HARD_NODE_FACTOR, Limits};
pub use material::material;
pub use memory::AllocationError as HashError;
pub use nnue::{FormatError as NetworkError, Network, embedded as embedded_network};
pub use report::{Line, Outcome, Progress, Report, Reporter, Silent, Warning};
pub use score::{Bound, MAX_PLY, Score};
pub use settings::SearchSettings;
pub use single_thread::SingleThreadEngine;
pub use strength::{LEVELS, Level, MAX_ELO, MAX_SKILL, MIN_ELO};
pub use tablebase::{TableValue, TablebaseError, Tablebases, Verdict};
pub use time::Instant;
pub use tree_scores::TreeScore;
