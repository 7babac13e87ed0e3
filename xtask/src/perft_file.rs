//! Files of perft counts: `FEN ;D1 20 ;D2 400`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use chess::Position;

use crate::Failure;
use crate::shell::root;

/// One count to confirm.
pub(crate) struct Job {
    /// The file it is from.
    pub(crate) file: String,
    /// The position.
    pub(crate) position: Position,
    /// How deep to count.
    pub(crate) depth: u32,
    /// The leaves there must be.
    pub(crate) leaves: u64,
}

/// All counts of the repository and of `$HALCYON_DATA/perft`.
pub(crate) fn all_jobs() -> Result<Vec<Job>, Failure> {
    let mut files = vec![root().join("data/perft.epd")];
    match env::var_os("HALCYON_DATA") {
        Some(folder) => files.extend(epd_files(&Path::new(&folder).join("perft"))?),
        None => println!("skipped: no data (HALCYON_DATA is not set), only data/perft.epd"),
    }
    let mut jobs = Vec::new();
    for file in files {
        jobs.extend(read(&file)?);
    }
    Ok(jobs)
}

fn epd_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "epd"));
    files.sort();
    Ok(files)
}

fn read(file: &Path) -> Result<Vec<Job>, Failure> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut jobs = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (fen, counts) = line.split_once(';').ok_or(format!("{name}: no counts in {line}"))?;
        let position =
            Position::from_fen(fen).map_err(|error| format!("{name}: {fen}: {error}"))?;
        for (depth, leaves) in counts.split(';').filter_map(parse_count) {
            jobs.push(Job { file: name.to_string(), position, depth, leaves });
        }
    }
    Ok(jobs)
}

/// Reads `D2 400`; other operations are passed over.
fn parse_count(operation: &str) -> Option<(u32, u64)> {
    let (depth, leaves) = operation.trim().strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, leaves.trim().parse().ok()?))
}
