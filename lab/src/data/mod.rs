//! Games and training positions: their formats, and the tools to look after them.
//!
//! Games are kept whole, in `viriformat`, with every score: so that they can be filtered, labelled
//! and split again later. Training uses [`PackedPosition`]s made from them.

mod packed;
mod game;
mod filter;
mod td_lambda;
mod writer;
mod reader;
mod dataset;
mod shuffle;
mod edit;
mod verify;
mod stats;
mod scale;
mod describe;
pub mod cli;

pub use cli::{bytes_bar, print_damage};
pub use dataset::{Dataset, Loaded, Loading, read_packed};
pub use describe::{describe_game, describe_position};
pub use edit::{Edited, GameFilter, copy_games, drop_duplicates, interleave};
pub use filter::{Extractor, PositionFilter, is_held_out};
pub use game::{Game, GameError, GameResult, MAX_GAME_SIZE, ScoredMove, ply_of};
pub use packed::{PACKED_SIZE, PackedPosition, is_packed_file, learned_score};
pub use reader::{Damage, FileReport, GameFile, GameReader, StoredGame, open_games, read_games};
pub use scale::{Bin, Criterion, Fit, ScoreTable};
pub use shuffle::Shuffle;
pub use stats::{Histogram, Stats};
pub use td_lambda::TdLambda;
pub use verify::{Adjudication, Oddity, examine};
pub use writer::{Output, write_file};
