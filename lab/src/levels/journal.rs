//! Every pair of games that was played, as lines of JSON: a run that is interrupted goes on where it
//! was, and one with more levels or games adds to what there is.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fit::Scores;
use crate::Error;

/// Who plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Player {
    /// A level of this engine.
    Level(u32),
    /// The other engine, limited to this strength.
    Anchor(u32),
}

impl Player {
    /// The level, if it is one.
    pub(super) fn level(self) -> Option<u32> {
        match self {
            Self::Level(elo) => Some(elo),
            Self::Anchor(_) => None,
        }
    }

    /// The strength that it is said to have.
    pub(super) fn elo(self) -> u32 {
        match self {
            Self::Level(elo) | Self::Anchor(elo) => elo,
        }
    }
}

/// What all games of a journal have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Conditions {
    /// The version of the program.
    pub(super) version: String,
    /// A fingerprint of the ladder.
    pub(super) ladder: u64,
    /// A fingerprint of the openings.
    pub(super) book: u64,
    /// The command of the other engine.
    pub(super) anchor: Option<String>,
    /// Milliseconds of the other engine for a move, where no nodes are given.
    pub(super) movetime: u64,
}

/// Two games from one opening, the first with White for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pair {
    pub(super) players: (Player, Player),
    pub(super) number: usize,
    /// Half points of the first player.
    pub(super) points: [u8; 2],
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Entry {
    Conditions(Conditions),
    Pair(Pair),
}

/// A journal that is open for more.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    played: HashSet<(Player, Player, usize)>,
    pub(super) scores: Scores,
}

impl Journal {
    /// Opens a journal, or begins one. A torn line at its end is cut off.
    pub(super) fn open(path: &Path, conditions: &Conditions) -> Result<Self, Error> {
        let text = if path.exists() {
            fs::read_to_string(path).map_err(Error::file(path))?
        } else {
            String::new()
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let file =
            OpenOptions::new().create(true).append(true).open(path).map_err(Error::file(path))?;
        file.set_len(whole as u64).map_err(Error::file(path))?;
        let mut journal =
            Self { path: path.to_path_buf(), file, played: HashSet::new(), scores: Scores::new() };
        for (index, line) in text[..whole].lines().enumerate() {
            let entry: Entry = serde_json::from_str(line)
                .map_err(|error| Error::content(path, format!("line {}: {error}", index + 1)))?;
            match entry {
                Entry::Pair(pair) => journal.note(&pair),
                Entry::Conditions(found) if found == *conditions => {}
                Entry::Conditions(_) => {
                    let reason = "its games were played under other conditions or with another \
                                  ladder; name another folder with --out";
                    return Err(Error::content(path, reason));
                }
            }
        }
        if whole == 0 {
            journal.write(&Entry::Conditions(conditions.clone()))?;
        }
        Ok(journal)
    }

    /// Adds a pair.
    pub(super) fn add(&mut self, pair: &Pair) -> Result<(), Error> {
        self.write(&Entry::Pair(*pair))?;
        self.note(pair);
        Ok(())
    }

    /// Whether a pair was played.
    pub(super) fn has(&self, (first, second): (Player, Player), number: usize) -> bool {
        self.played.contains(&(first, second, number))
    }

    fn write(&mut self, entry: &Entry) -> Result<(), Error> {
        let line = serde_json::to_string(entry)
            .map_err(|error| Error::content(&self.path, error.to_string()))?;
        // One write a line: a run that is killed tears at most the last.
        self.file.write_all(format!("{line}\n").as_bytes()).map_err(Error::file(&self.path))
    }

    fn note(&mut self, pair: &Pair) {
        if self.played.insert((pair.players.0, pair.players.1, pair.number)) {
            let score = self.scores.entry(pair.players).or_default();
            pair.points.iter().for_each(|&points| score.add(points));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torn_journal_goes_on_and_one_of_another_ladder_is_refused() {
        let path = std::env::temp_dir().join(format!("halcyon-levels-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let conditions = Conditions {
            version: String::from("1"),
            ladder: 1,
            book: 2,
            anchor: None,
            movetime: 50,
        };
        let players = (Player::Level(1200), Player::Anchor(1350));
        let pair = |number| Pair { players, number, points: [2, 1] };
        let mut journal = Journal::open(&path, &conditions).unwrap();
        for number in [0, 2, 2, 3] {
            journal.add(&pair(number)).unwrap();
        }
        assert_eq!(journal.scores[&players].games(), 6);
        drop(journal);
        let length = fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 4).unwrap();
        let mut journal = Journal::open(&path, &conditions).unwrap();
        assert!(journal.has(players, 2) && !journal.has(players, 1) && !journal.has(players, 3));
        assert_eq!(journal.scores[&players].games(), 4);
        journal.add(&pair(3)).unwrap();
        drop(journal);
        assert!(Journal::open(&path, &conditions).unwrap().has(players, 3));
        assert!(Journal::open(&path, &Conditions { ladder: 9, ..conditions }).is_err());
        fs::remove_file(&path).unwrap();
    }
}
