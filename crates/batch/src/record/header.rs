//! How a file of records was made.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::engines::MAX_MULTIPV;

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
    #[serde(deserialize_with = "multipv")]
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

/// Lines as a run can have them: a changed file must not ask for columns without end.
fn multipv<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    let lines = usize::deserialize(deserializer)?;
    if (1..=MAX_MULTIPV).contains(&lines) {
        Ok(lines)
    } else {
        Err(D::Error::custom(format!("multipv is {lines}, not from 1 to {MAX_MULTIPV}")))
    }
}

/// One of several parts of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Part")]
pub struct Shard {
    /// Which one, from 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

/// A shard as a file has it.
#[derive(Deserialize)]
struct Part {
    index: u64,
    count: u64,
}

impl TryFrom<Part> for Shard {
    type Error = String;

    fn try_from(part: Part) -> Result<Self, String> {
        format!("{}/{}", part.index, part.count).parse()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_header_cannot_ask_for_what_no_run_has() {
        let text = |multipv: &str, index: &str| {
            format!(
                r#"{{"program":"x","budget":"x","multipv":{multipv},"search_threads":1,"hash":1,
                "line_plies":1,"inputs":[],"shard":{{"index":{index},"count":2}}}}"#
            )
        };
        let read = |text: String| serde_json::from_str::<Header>(&text);
        assert_eq!(read(text("256", "2")).unwrap().shard, Some(Shard { index: 2, count: 2 }));
        for (multipv, index) in
            [("0", "1"), ("257", "1"), ("99999999999", "1"), ("1", "0"), ("1", "3")]
        {
            assert!(read(text(multipv, index)).is_err(), "{multipv} {index}");
        }
    }
}
