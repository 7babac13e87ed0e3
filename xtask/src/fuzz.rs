//! Fuzzing with `cargo-fuzz`.

use std::fs;

use crate::Failure;
use crate::shell::{self, cargo, root};

/// Targets that reach no unsafe code.
const SAFE: [&str; 7] = ["fen", "san", "pgn", "epd", "training_data", "requests", "linear_time"];

/// Fuzzes one target for some seconds, beginning with the positions of `data/`.
pub(crate) fn run(target: &str, seconds: &str) -> Result<(), Failure> {
    let seconds: u32 = seconds.parse().map_err(|_| format!("{seconds:?} is not a number"))?;
    if !shell::succeeds(cargo(&["+nightly", "fuzz", "--version"])) {
        shell::run(cargo(&["install", "cargo-fuzz", "--locked"]))?;
    }
    write_seeds(target)?;
    let time = format!("-max_total_time={seconds}");
    // Without unsafe code there is nothing for a sanitizer to find; it would cost half the runs.
    let sanitizer = if SAFE.contains(&target) { "none" } else { "address" };
    let fuzz = ["+nightly", "fuzz", "run", "--sanitizer", sanitizer, target, "--", &time];
    shell::run(cargo(&[&fuzz[..], &["-max_len=2048"]].concat()))
}

/// Every position of the repository's files as one input, and its damaged games.
fn write_seeds(target: &str) -> Result<(), Failure> {
    let folder = root().join("fuzz/corpus").join(target);
    let failed = |error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    for name in ["perft.epd", "bad_fens.txt"] {
        let text = fs::read_to_string(root().join("data").join(name)).map_err(failed)?;
        for (number, line) in text.lines().filter(|line| !line.starts_with('#')).enumerate() {
            let position = line.split([';', '\t']).find(|part| part.contains('/')).unwrap_or(line);
            // The end of a line ends the position where moves follow.
            let seed = format!("{}\nmoves", position.trim());
            fs::write(folder.join(format!("{name}-{number}")), seed).map_err(failed)?;
        }
    }
    let games = root().join("crates/review/tests/damage");
    for entry in fs::read_dir(&games).map_err(failed)?.flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).map_err(failed)?;
    }
    Ok(())
}
