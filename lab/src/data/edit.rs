//! Making new files of games out of old ones.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::filter::is_in_share;
use super::game::{Game, GameResult};
use super::reader::{FileReport, GameFile, open_games, read_games};
use super::writer::Output;
use crate::Error;
use crate::rng::Rng;

/// Which games to keep.
#[derive(Clone, Debug, clap::Args)]
pub struct GameFilter {
    /// Keep games of at least this many plies
    #[arg(long, default_value_t = 0)]
    pub min_plies: usize,
    /// Keep games of at most this many plies
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    pub max_plies: usize,
    /// Keep games whose first score is at most this far from equal, in centipawns
    #[arg(long, default_value_t = u16::MAX, hide_default_value = true)]
    pub max_first_score: u16,
    /// Drop games that were drawn
    #[arg(long)]
    pub drop_draws: bool,
    /// Keep this share of the games, in percent, always the same ones
    #[arg(long, default_value_t = 100.0)]
    pub percent: f64,
}

impl GameFilter {
    /// Whether to keep a game.
    #[must_use]
    pub fn keeps(&self, game: &Game) -> bool {
        let first = game.moves.first().map_or(0, |scored| scored.white_score.unsigned_abs());
        (self.min_plies..=self.max_plies).contains(&game.moves.len())
            && first <= self.max_first_score
            && !(self.drop_draws && game.result == GameResult::Draw)
            && (self.percent >= 100.0 || is_in_share(game.identity(), self.percent))
    }
}

/// What an edit did.
#[derive(Clone, Debug)]
pub struct Edited {
    /// What was read from each file.
    pub files: Vec<FileReport>,
    /// How many games were written.
    pub written: u64,
}

/// Writes the games of all files, in order, that `keeps` wants.
///
/// # Errors
/// When a file cannot be read or written.
pub fn copy_games(
    files: &[PathBuf],
    out: &Path,
    bar: &ProgressBar,
    mut keeps: impl FnMut(&Game) -> bool,
) -> Result<Edited, Error> {
    let mut output = Output::create(out)?;
    let mut written = 0;
    let files = read_games(files, bar, |stored| {
        if keeps(stored.game) {
            written += 1;
            output.write(stored.bytes)?;
        }
        Ok(())
    })?;
    output.finish()?;
    Ok(Edited { files, written })
}

/// Writes the first of each set of games with the same start and moves.
///
/// # Errors
/// When a file cannot be read or written.
pub fn drop_duplicates(files: &[PathBuf], out: &Path, bar: &ProgressBar) -> Result<Edited, Error> {
    let mut seen = HashSet::new();
    copy_games(files, out, bar, |game| seen.insert(game.identity()))
}

/// Mixes the games of several files evenly, keeping each file's own order: the next game comes
/// from a random file, the more likely the more of it is left.
///
/// # Errors
/// When a file cannot be read or written.
pub fn interleave(
    files: &[PathBuf],
    out: &Path,
    seed: u64,
    bar: &ProgressBar,
) -> Result<Edited, Error> {
    struct Source {
        reader: GameFile,
        report: FileReport,
        left: u64,
    }
    let mut sources = Vec::new();
    for path in files {
        let left = path.metadata().map_err(Error::file(path))?.len();
        let reader = open_games(path)?;
        let report =
            FileReport { path: path.clone(), bytes: left, games: 0, plies: 0, damage: Vec::new() };
        sources.push(Source { reader, report, left });
    }
    bar.set_length(sources.iter().map(|source| source.left).sum());
    let mut rng = Rng::new(seed);
    let mut output = Output::create(out)?;
    let mut written = 0;
    loop {
        let left: u64 = sources.iter().map(|source| source.left).sum();
        let mut ticket = rng.below(left as usize) as u64;
        let chosen = sources.iter_mut().find(|source| {
            let hit = ticket < source.left;
            ticket = ticket.saturating_sub(source.left);
            hit
        });
        let Some(source) = chosen else { break };
        let Source { reader, report, left } = source;
        match reader.next_game().map_err(Error::file(&report.path))? {
            Some(stored) => {
                output.write(stored.bytes)?;
                *left = report.bytes.saturating_sub(stored.offset + stored.bytes.len() as u64);
                report.games += 1;
                report.plies += stored.game.moves.len() as u64;
                written += 1;
                bar.inc(stored.bytes.len() as u64);
            }
            None => *left = 0,
        }
    }
    output.finish()?;
    let finish =
        |source: Source| FileReport { damage: source.reader.damage().to_vec(), ..source.report };
    Ok(Edited { files: sources.into_iter().map(finish).collect(), written })
}
