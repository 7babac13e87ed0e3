//! Halcyon's search: transposition table, move picker, quiescence, extensions, pruning, clock and
//! threads behind one facade, [`Engine`]. It prints nothing; what it finds it hands to a
//! [`Reporter`].

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

pub use engine::{Control, DEFAULT_HASH_MIB, Engine};
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
