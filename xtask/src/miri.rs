//! Fast tests in the Miri interpreter, which finds undefined behaviour.

use crate::Failure;
use crate::shell::{self, cargo, command};

/// What is run: the rules, and the two crates with unsafe code. Of the network the tests that walk
/// its accumulators are enough; the rest would take hours.
const TESTS: [&[&str]; 3] = [
    &["--package", "halcyon-chess-rules"],
    &["--package", "halcyon-chess-memory"],
    &["--package", "halcyon-chess-nnue", "--lib", "--test", "incremental"],
];

/// Installs Miri if it is missing and runs the tests that are not marked as slow.
pub(crate) fn run() -> Result<(), Failure> {
    shell::run(command(
        "rustup",
        &["component", "add", "miri", "rust-src", "--toolchain", "nightly"],
    ))?;
    for tests in TESTS {
        let mut miri = cargo(&[&["+nightly", "miri", "test"], tests].concat());
        // The tests read files of the repository.
        miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").env_remove("HALCYON_DATA");
        // Assertions that recompute everything after each move run in the ordinary tests.
        miri.env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false");
        // No processor is named, so that the portable loops of the network run.
        miri.env("RUSTFLAGS", "");
        shell::run(miri)?;
    }
    Ok(())
}
