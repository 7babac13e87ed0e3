//! What is known about each item, as it goes into JSON lines: the master copy from which every other
//! output is made.

mod header;
mod line;
mod game;
mod puzzle;
mod position;

use serde::{Deserialize, Serialize};

pub use game::{ClauseKind, ClauseRecord, GameRecord, OpeningRecord, PlyRecord};
pub(crate) use game::{PASS, ply_records, rounded_side};
pub use header::{Header, Input, Shard, Task};
pub(crate) use line::line_records;
pub use line::{FaultRecord, LineRecord};
pub use position::PositionRecord;
pub(crate) use puzzle::source_tags;
pub use puzzle::{PuzzleRecord, PuzzlesRecord};

/// No line of the file has so many bytes.
pub(crate) const MAX_RECORD: u64 = 1 << 28;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// How everything was made; the first line.
    Header(Box<Header>),
    /// A game with every move judged.
    Game(Box<GameRecord>),
    /// A position with its best lines.
    Position(Box<PositionRecord>),
    /// The puzzles of a game.
    Puzzles(Box<PuzzlesRecord>),
    /// The last line of a run that was not interrupted.
    End {
        /// Items in the input, those of other shards among them.
        items: u64,
    },
}

impl Record {
    /// The number of the item, if it is one.
    #[must_use]
    pub fn item(&self) -> Option<u64> {
        match self {
            Self::Game(game) => Some(game.item),
            Self::Position(position) => Some(position.item),
            Self::Puzzles(game) => Some(game.item),
            Self::Header(_) | Self::End { .. } => None,
        }
    }
}
