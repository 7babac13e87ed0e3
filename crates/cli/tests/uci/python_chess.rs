//! The library that most bots and many tools talk to engines with.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Interpreters to try: the one that `cargo xtask test` sets up, then the system's.
fn interpreters() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = root.join("target/python");
    let places = [own.join("bin/python3"), own.join("Scripts/python.exe"), "python3".into()];
    places.into_iter().collect()
}

fn has_package(interpreter: &Path) -> bool {
    let import = ["-c", "import chess, chess.engine"];
    let status =
        Command::new(interpreter).args(import).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// One that has the package; without any the test is skipped.
pub(crate) fn interpreter() -> Option<PathBuf> {
    let found = interpreters().into_iter().find(|path| has_package(path));
    if found.is_none() {
        eprintln!("skipped: no python3 with the package chess; `cargo xtask test` installs it");
    }
    found
}

#[test]
fn python_chess_plays_and_analyses_with_the_engine() {
    let Some(interpreter) = interpreter() else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci/python_chess.py");
    let output = Command::new(interpreter)
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_halcyon"))
        .stdin(Stdio::null())
        .output()
        .expect("the interpreter runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
