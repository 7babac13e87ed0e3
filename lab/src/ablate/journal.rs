//! What was measured so far, as lines of JSON: a run that is interrupted goes on where it was.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::measure::Measured;
use crate::Error;
use crate::match_play::{Tally, Thinking};

/// What all lines of a journal have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RunSettings {
    /// The version of the program, with a fingerprint of the search.
    pub(super) version: String,
    pub(super) thinking: Thinking,
    pub(super) book: u64,
    pub(super) depth: i32,
    pub(super) suite: String,
    pub(super) suite_size: usize,
    pub(super) suite_nodes: u64,
}

/// A line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Entry {
    RunSettings(RunSettings),
    /// A technique was measured; the empty name is the engine as it is.
    Measured {
        technique: String,
        measured: Measured,
    },
    /// A pair was played.
    Pair {
        technique: String,
        number: usize,
        points: [u8; 2],
    },
}

/// A journal that is open for more.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    pub(super) measured: HashMap<String, Measured>,
    tallies: HashMap<String, Tally>,
    played: HashMap<String, Vec<bool>>,
}

impl Journal {
    /// Opens a journal, or begins one. A torn line at its end is cut off.
    pub(super) fn open(path: &Path, settings: &RunSettings) -> Result<Self, Error> {
        let text = if path.exists() {
            fs::read_to_string(path).map_err(Error::file(path))?
        } else {
            String::new()
        };
        let mut whole = text.len();
        if let Some(torn) = text.rsplit('\n').next().filter(|rest| !rest.is_empty()) {
            whole -= torn.len();
        }
        let file =
            OpenOptions::new().create(true).append(true).open(path).map_err(Error::file(path))?;
        file.set_len(whole as u64).map_err(Error::file(path))?;
        let mut journal = Self {
            path: path.to_path_buf(),
            file,
            measured: HashMap::new(),
            tallies: HashMap::new(),
            played: HashMap::new(),
        };
        for (index, line) in text[..whole].lines().enumerate() {
            let entry: Entry = serde_json::from_str(line)
                .map_err(|error| Error::content(path, format!("line {}: {error}", index + 1)))?;
            match entry {
                Entry::RunSettings(found) if found == *settings => {}
                Entry::RunSettings(_) => {
                    let reason = "it belongs to a run with other settings or another version; \
                                  name another folder with --out";
                    return Err(Error::content(path, reason));
                }
                other => journal.note(&other),
            }
        }
        if whole == 0 {
            journal.write(&Entry::RunSettings(settings.clone()))?;
        }
        Ok(journal)
    }

    /// Adds a line.
    pub(super) fn add(&mut self, entry: &Entry) -> Result<(), Error> {
        self.write(entry)?;
        self.note(entry);
        Ok(())
    }

    fn write(&mut self, entry: &Entry) -> Result<(), Error> {
        let line = serde_json::to_string(entry)
            .map_err(|error| Error::content(&self.path, error.to_string()))?;
        // One write a line: a run that is killed tears at most the last.
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(Error::file(&self.path))
    }

    fn note(&mut self, entry: &Entry) {
        match entry {
            Entry::RunSettings(_) => {}
            Entry::Measured { technique, measured } => {
                self.measured.insert(technique.clone(), *measured);
            }
            Entry::Pair { technique, number, points } => {
                let played = self.played.entry(technique.clone()).or_default();
                if played.len() <= *number {
                    played.resize(number + 1, false);
                }
                if !std::mem::replace(&mut played[*number], true) {
                    self.tallies.entry(technique.clone()).or_default().add(*points);
                }
            }
        }
    }

    /// The result of a technique's match so far.
    pub(super) fn tally(&self, technique: &str) -> Tally {
        self.tallies.get(technique).copied().unwrap_or_default()
    }

    /// Whether a pair was played.
    pub(super) fn has_pair(&self, technique: &str, number: usize) -> bool {
        self.played.get(technique).and_then(|played| played.get(number)).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_journal_goes_on_and_one_of_another_run_is_refused() {
        let path = std::env::temp_dir().join(format!("halcyon-journal-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let settings = RunSettings {
            version: String::from("1"),
            thinking: Thinking::Nodes(100),
            book: 5,
            depth: 3,
            suite: String::new(),
            suite_size: 0,
            suite_nodes: 0,
        };
        let pair = |number| Entry::Pair { technique: "lmr".into(), number, points: [2, 1] };
        let mut journal = Journal::open(&path, &settings).unwrap();
        for number in [0, 2, 2] {
            journal.add(&pair(number)).unwrap();
        }
        let measured = Measured { nodes: 7, ..Measured::default() };
        journal.add(&Entry::Measured { technique: "lmr".into(), measured }).unwrap();
        assert_eq!(journal.tally("lmr").count(), 2);
        drop(journal);
        let length = fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 4).unwrap();
        let journal = Journal::open(&path, &settings).unwrap();
        assert!(journal.has_pair("lmr", 2) && !journal.has_pair("lmr", 1));
        assert_eq!(journal.tally("lmr").count(), 2);
        assert!(journal.measured.is_empty());
        let other = RunSettings { depth: 4, ..settings };
        assert!(Journal::open(&path, &other).is_err());
        fs::remove_file(&path).unwrap();
    }
}
