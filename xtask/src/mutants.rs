//! Do the tests notice when the code is changed? cargo-mutants changes the rules and the picker in
//! one place at a time and runs their tests, with cargo-nextest, which ends at the first that fails.

use crate::Failure;
use crate::shell::{self, cargo, target};

/// What is changed, and the tests that should notice.
const PARTS: [(&str, &[&str], &[&str]); 2] = [
    ("chess", &["--package", "halcyon-chess-rules"], &["--lib", "--tests"]),
    (
        "picker",
        &["--package", "halcyon-chess-engine", "--file", "crates/engine/src/picker.rs"],
        &["--lib", "picker"],
    ),
];

/// How cargo-mutants ends when it has tried all changes: each was noticed, some were not, some took
/// too long.
const JUDGED: [i32; 3] = [0, 2, 3];

/// Tries every change, or one of `n` shares of them (`k/n`), spread evenly over the files. What was
/// noticed before is not tried again.
pub(crate) fn run(share: Option<&str>) -> Result<(), Failure> {
    for (tool, package) in [("mutants", "cargo-mutants"), ("nextest", "cargo-nextest")] {
        if !shell::succeeds(cargo(&[tool, "--version"])) {
            shell::run(cargo(&["install", package, "--locked"]))?;
        }
    }
    let mut survived = 0;
    for (name, what, tests) in PARTS {
        let folder = target().join("mutants").join(name);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let place = folder.to_string_lossy();
        let mut words = vec!["mutants", "--output", &place, "--no-shuffle", "--iterate"];
        words.extend(["--test-tool", "nextest", "--timeout", "60", "--build-timeout", "60"]);
        words.extend(what);
        if let Some(share) = share {
            words.extend(["--shard", share, "--sharding", "round-robin"]);
        }
        words.push("--");
        words.extend(tests);
        let mut mutants = cargo(&words);
        mutants.env_remove("HALCYON_DATA");
        let status = mutants.status().map_err(|error| format!("cargo mutants: {error}"))?;
        if !status.code().is_some_and(|code| JUDGED.contains(&code)) {
            return Err(format!("cargo mutants could not judge {name} ({status})"));
        }
        let missed = folder.join("mutants.out/missed.txt");
        let missed = std::fs::read_to_string(&missed)
            .map_err(|error| format!("{}: {error}", missed.display()))?;
        survived += missed.lines().count();
    }
    println!("{survived} changes were not noticed");
    Ok(())
}
