//! Training positions in memory.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use batch::input::decompressed;
use indicatif::ProgressBar;

use super::filter::{Extractor, PositionFilter, is_held_out};
use super::packed::{PACKED_SIZE, PackedPosition, is_packed_file};
use super::reader::{FileReport, read_games};
use super::td_lambda::TdLambda;
use crate::Error;
use crate::rng::{Rng, hash_bytes, mix};

/// Positions to learn from and positions to measure with, in random order.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// Positions to learn from.
    pub train: Vec<PackedPosition>,
    /// Positions of other games, never learned from.
    pub held_out: Vec<PackedPosition>,
}

/// Which files to load and how.
#[derive(Clone, Debug)]
pub struct Loading {
    /// Files of games, or (with the extension `bin`) of packed positions.
    pub files: Vec<PathBuf>,
    /// Files of packed positions to measure with.
    pub held_out_files: Vec<PathBuf>,
    /// Which positions of games to take.
    pub filter: PositionFilter,
    /// What the scores of games learn from what came after them.
    pub td_lambda: TdLambda,
    /// The share of games, in percent, to measure with instead of learning from.
    pub held_out_percent: f64,
    /// Fixes the random order.
    pub seed: u64,
}

impl Dataset {
    /// Loads files and shuffles. Damage is skipped and reported; packed positions that make no
    /// sense are dropped and counted.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn load(loading: &Loading, bar: &ProgressBar) -> Result<(Self, Loaded), Error> {
        let mut data = Self::default();
        let (packed, games): (Vec<_>, Vec<_>) =
            loading.files.iter().cloned().partition(|path| is_packed_file(path));
        let mut extractor = Extractor::new(loading.filter.clone());
        let mut loaded = Loaded::default();
        loaded.files = read_games(&games, bar, |stored| {
            let held_out = is_held_out(stored.game.identity(), loading.held_out_percent);
            let list = if held_out { &mut data.held_out } else { &mut data.train };
            loaded.held_out_games += u64::from(held_out);
            let game = loading.td_lambda.corrected(stored.game);
            extractor.extract(&game, |position| list.push(position));
            Ok(())
        })?;
        for path in &packed {
            loaded.unsound += read_packed(path, |position| data.train.push(position))?;
        }
        for path in &loading.held_out_files {
            loaded.unsound += read_packed(path, |position| data.held_out.push(position))?;
        }
        Rng::derived(loading.seed, 0).shuffle(&mut data.train);
        Rng::derived(loading.seed, 1).shuffle(&mut data.held_out);
        Ok((data, loaded))
    }

    /// A number that tells this training set, in this order, from others.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        const SAMPLES: usize = 4096;
        let step = self.train.len() / SAMPLES + 1;
        self.train.iter().step_by(step).fold(self.train.len() as u64, |hash, position| {
            mix(hash ^ hash_bytes(&position.to_bytes()))
        })
    }
}

/// What was met while loading.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// One report for each file of games.
    pub files: Vec<FileReport>,
    /// Games that are held out.
    pub held_out_games: u64,
    /// Packed positions that make no sense and were dropped.
    pub unsound: u64,
}

/// Reads a file of packed positions and returns how many made no sense. An incomplete record at
/// the end counts as one of these.
///
/// # Errors
/// When the file cannot be read.
pub fn read_packed(path: &Path, mut visit: impl FnMut(PackedPosition)) -> Result<u64, Error> {
    let mut input = File::open(path).and_then(decompressed).map_err(Error::file(path))?;
    let mut record = [0; PACKED_SIZE];
    let mut unsound = 0;
    loop {
        match read_record(&mut input, &mut record).map_err(Error::file(path))? {
            0 => return Ok(unsound),
            PACKED_SIZE => {
                let position = PackedPosition::from_bytes(&record);
                if position.is_sound() {
                    visit(position);
                } else {
                    unsound += 1;
                }
            }
            _ => unsound += 1,
        }
    }
}

/// Fills as much of the record as the input still has.
fn read_record(input: &mut impl Read, record: &mut [u8; PACKED_SIZE]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < PACKED_SIZE {
        match input.read(&mut record[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}
