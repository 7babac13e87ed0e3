//! Fuzzing with `cargo-fuzz`.

use std::fs;

use crate::Failure;
use crate::shell::{self, cargo, root};

/// Targets that reach no unsafe code.
const SAFE: [&str; 8] =
    ["fen", "san", "pgn", "epd", "training_data", "requests", "linear_time", "trace"];

/// A trace of three nodes, one below the other.
const TRACE: &str = r#"{"halcyon_trace":1,"fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","depth":2}
{"id":0,"parent":null,"ply":0,"kind":"pv","depth":2,"alpha":-9,"beta":9,"static":20,"result":13,"end":null}
{"id":1,"parent":0,"ply":1,"move":"e2e4","kind":"cut","depth":1,"alpha":-9,"beta":9,"static":1,"result":2,"end":null,"skipped":[["e8d8","late-move-prune"]]}
{"id":2,"parent":1,"ply":2,"move":"null","kind":"quiescence","depth":0,"alpha":-9,"beta":9,"static":null,"result":null,"end":"stand-pat"}
{"written":3,"omitted":0,"searched":3,"score":14,"line":["e2e4"]}
"#;

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

/// Every position of the repository's files as one input, and its damaged games, and a trace.
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
    fs::write(folder.join("trace"), TRACE).map_err(failed)?;
    let games = root().join("crates/review/tests/damage");
    for entry in fs::read_dir(&games).map_err(failed)?.flatten() {
        fs::copy(entry.path(), folder.join(entry.file_name())).map_err(failed)?;
    }
    Ok(())
}
