//! How a file of records was made.

use serde::{Deserialize, Serialize};

/// What is done with each item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Every move is judged.
    #[default]
    Analyse,
    /// Mistakes are made into puzzles.
    Puzzles,
}

impl Task {
    fn is_analyse(&self) -> bool {
        *self == Self::Analyse
    }
}

/// How a file was made. Runs with the same header give the same records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The program and its version.
    pub program: String,
    /// What was done with each item.
    #[serde(default, skip_serializing_if = "Task::is_analyse")]
    pub task: Task,
    /// The engine that searched and its options, if it was another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// What was spent on a position.
    pub budget: String,
    /// Lines for each position.
    pub multipv: usize,
    /// Threads of one search.
    pub search_threads: usize,
    /// Table of one search in MiB.
    pub hash: usize,
    /// The network, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The book whose moves are not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// The folders of the tablebases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<String>,
    /// Which games were selected, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<String>,
    /// Longest variation that is written.
    pub line_plies: usize,
    /// The input files and their lengths.
    pub inputs: Vec<Input>,
    /// Which part of the input, if it was divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// The name as it was given.
    pub name: String,
    /// Its length in bytes; unknown for standard input.
    pub bytes: Option<u64>,
}

/// One of several parts of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// Whether an item, numbered from 1, belongs to it.
    #[must_use]
    pub fn has(self, item: u64) -> bool {
        item % self.count == self.index % self.count
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not of the form 2/8");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let shard = Self {
            index: index.parse().map_err(|_| wrong())?,
            count: count.parse().map_err(|_| wrong())?,
        };
        if (1..=shard.count).contains(&shard.index) { Ok(shard) } else { Err(wrong()) }
    }
}
