//! The fast tests of the rules in the Miri interpreter, which finds undefined behaviour.

use crate::Failure;
use crate::shell::{self, cargo, command};

/// Installs Miri if it is missing and runs the tests that are not marked as slow.
pub(crate) fn run() -> Result<(), Failure> {
    shell::run(command(
        "rustup",
        &["component", "add", "miri", "rust-src", "--toolchain", "nightly"],
    ))?;
    let mut tests = cargo(&["+nightly", "miri", "test", "--package", "chess"]);
    // The tests read files of the repository.
    tests.env("MIRIFLAGS", "-Zmiri-disable-isolation").env_remove("HALCYON_DATA");
    // Assertions that recompute everything after each move run in the ordinary tests.
    tests.env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false");
    shell::run(tests)
}
