//! Shuffling files larger than memory.
//!
//! Every record goes to one of several temporary files at random; each of these fits in memory and
//! is then shuffled there. The result is uniformly random.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::dataset::read_packed;
use super::packed::is_packed_file;
use super::reader::{FileReport, read_games};
use super::writer::Output;
use crate::Error;
use crate::rng::Rng;

/// What to shuffle, and with how much memory.
#[derive(Clone, Debug)]
pub struct Shuffle {
    /// Files of games or, all of them, of packed positions (`.bin`).
    pub files: Vec<PathBuf>,
    /// Where the shuffled records go.
    pub out: PathBuf,
    /// About how many bytes to keep in memory.
    pub memory: u64,
    /// The seed that fixes the order.
    pub seed: u64,
}

/// Temporary files are deleted with this list.
struct Parts {
    paths: Vec<PathBuf>,
}

impl Drop for Parts {
    fn drop(&mut self) {
        for path in &self.paths {
            // A file that was never created cannot be deleted; that is fine.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Shuffle {
    /// Shuffles, and reports on the files of games that were read.
    ///
    /// # Errors
    /// When files of both kinds are mixed, or cannot be read or written.
    pub fn run(&self, bar: &ProgressBar) -> Result<Vec<FileReport>, Error> {
        let packed = self.files.iter().filter(|path| is_packed_file(path)).count();
        if packed != 0 && packed != self.files.len() {
            let reason = "games and packed positions cannot be shuffled together";
            return Err(Error::Request(reason.to_owned()));
        }
        let parts = Parts { paths: self.part_paths() };
        let mut outputs: Vec<Output> =
            parts.paths.iter().map(|path| Output::create(path)).collect::<Result<_, _>>()?;
        let mut rng = Rng::derived(self.seed, 0);
        let mut reports = Vec::new();
        if packed == 0 {
            let count = outputs.len();
            reports = read_games(&self.files, bar, |stored| {
                outputs[rng.below(count)].write(stored.bytes)
            })?;
        } else {
            for path in &self.files {
                let mut failure = Ok(());
                let count = outputs.len();
                read_packed(path, |position| {
                    if failure.is_ok() {
                        failure = outputs[rng.below(count)].write(&position.to_bytes());
                    }
                })?;
                failure?;
            }
        }
        outputs.into_iter().try_for_each(Output::finish)?;
        let mut out = Output::create(&self.out)?;
        for (index, path) in parts.paths.iter().enumerate() {
            let mut rng = Rng::derived(self.seed, 1 + index as u64);
            append_shuffled(path, packed != 0, &mut rng, &mut out)?;
        }
        out.finish()?;
        Ok(reports)
    }

    fn part_paths(&self) -> Vec<PathBuf> {
        let sizes = self.files.iter().filter_map(|path| path.metadata().ok());
        let total: u64 = sizes.map(|data| data.len()).sum();
        // Parts differ in size; half of the memory leaves room for that.
        let count = (total / (self.memory / 2).max(1) + 1).min(500);
        (0..count)
            .map(|index| {
                let mut name = self.out.as_os_str().to_owned();
                name.push(format!(".part{index}"));
                PathBuf::from(name)
            })
            .collect()
    }
}

fn append_shuffled(
    path: &Path,
    packed: bool,
    rng: &mut Rng,
    out: &mut Output,
) -> Result<(), Error> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut records: Vec<std::ops::Range<usize>> = Vec::new();
    let mut keep = |record: &[u8]| {
        records.push(bytes.len()..bytes.len() + record.len());
        bytes.extend(record);
    };
    if packed {
        read_packed(path, |position| keep(&position.to_bytes()))?;
    } else {
        read_games(&[path.to_path_buf()], &ProgressBar::hidden(), |stored| {
            keep(stored.bytes);
            Ok(())
        })?;
    }
    rng.shuffle(&mut records);
    records.into_iter().try_for_each(|record| out.write(&bytes[record]))
}
