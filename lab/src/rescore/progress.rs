//! How far a run of rescoring has come, in a small file beside its output.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::data::write_file;

const FIRST_LINE: &str = "halcyon-rescore 1";
/// No file has a name that begins so.
const BYTES: &str = "/bytes";
const POSITIONS: &str = "/positions";

/// What is done: games of each file, and the bytes of the output that belong to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of output that are complete.
    pub bytes: u64,
    /// Labels in this output, all together.
    pub positions: u64,
    /// Games that are labelled, by file.
    pub games: BTreeMap<String, u64>,
}

impl Progress {
    /// The file that belongs to this output.
    #[must_use]
    pub fn path_of(output: &Path) -> PathBuf {
        let mut name = output.as_os_str().to_owned();
        name.push(".progress");
        PathBuf::from(name)
    }

    /// Reads the file; nothing is done if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or belongs to a run with other rules.
    pub fn load(path: &Path, rules: &str) -> Result<Self, Error> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            Err(error) => return Err(Error::file(path)(error)),
        };
        let damaged = |line: &str| Error::content(path, format!("cannot be understood: {line}"));
        let mut lines = text.lines();
        if lines.next() != Some(FIRST_LINE) {
            return Err(damaged("the first line"));
        }
        let found = lines.next().unwrap_or_default();
        if found != rules {
            return Err(Error::content(
                path,
                format!("belongs to a run with other settings: {found}"),
            ));
        }
        let mut progress = Self::default();
        for line in lines {
            let (count, name) = line.split_once(' ').ok_or_else(|| damaged(line))?;
            let count = count.parse().map_err(|_| damaged(line))?;
            match name {
                BYTES => progress.bytes = count,
                POSITIONS => progress.positions = count,
                _ => _ = progress.games.insert(name.to_owned(), count),
            }
        }
        Ok(progress)
    }

    /// Writes the file, all of it or nothing.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path, rules: &str) -> Result<(), Error> {
        let Self { bytes, positions, games } = self;
        let mut text = format!("{FIRST_LINE}\n{rules}\n{bytes} {BYTES}\n{positions} {POSITIONS}\n");
        for (name, games) in games {
            let _ = writeln!(text, "{games} {name}");
        }
        write_file(path, text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_comes_back_and_other_rules_or_damage_are_refused() {
        let path =
            std::env::temp_dir().join(format!("halcyon-progress-{}.txt", std::process::id()));
        let _ = fs::remove_file(&path);
        assert_eq!(Progress::load(&path, "rules").unwrap(), Progress::default());
        let progress =
            Progress { bytes: 640, positions: 20, games: BTreeMap::from([("a b.viri".into(), 7)]) };
        progress.save(&path, "rules").unwrap();
        assert_eq!(Progress::load(&path, "rules").unwrap(), progress);
        let refusal = Progress::load(&path, "other rules").unwrap_err().to_string();
        assert!(refusal.contains("other settings: rules"), "{refusal}");
        fs::write(&path, "halcyon-rescore 1\nrules\nmany /bytes\n").unwrap();
        assert!(Progress::load(&path, "rules").is_err());
        fs::remove_file(&path).unwrap();
    }
}
