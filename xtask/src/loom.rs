//! Every order in which threads can come to the lines that stop a search.

use crate::Failure;
use crate::shell::{self, cargo};

/// Runs the models.
pub(crate) fn run() -> Result<(), Failure> {
    let mut tests = cargo(&["test", "--manifest-path", "models/Cargo.toml", "--release"]);
    tests.env("RUSTFLAGS", "--cfg loom");
    shell::run(tests)
}
