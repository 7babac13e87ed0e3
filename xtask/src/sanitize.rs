//! The search under ThreadSanitizer and AddressSanitizer: threads come and go, searches begin and
//! stop, the table changes its size, games begin.

use crate::Failure;
use crate::shell::{self, cargo, command, target};

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Builds the storm with each sanitizer, the standard library with it, and lets it rage.
pub(crate) fn run(rounds: &str) -> Result<(), Failure> {
    rounds.parse::<u32>().map_err(|_| format!("{rounds:?} is no number"))?;
    shell::run(command("rustup", &["component", "add", "rust-src", "--toolchain", "nightly"]))?;
    for sanitizer in ["thread", "address"] {
        let folder = target().join(format!("sanitize-{sanitizer}"));
        let mut build = cargo(&["+nightly", "build", "-Zbuild-std", "--target", TARGET]);
        build.args(["--package", "halcyon-chess-engine", "--example", "storm"]);
        build.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer} -Ctarget-cpu=native"));
        build.env("CARGO_TARGET_DIR", &folder);
        shell::run(build)?;
        let program = folder.join(TARGET).join("debug/examples/storm");
        for seed in ["1", "2"] {
            let mut storm = command(&program.to_string_lossy(), &[rounds, seed]);
            storm.env("TSAN_OPTIONS", "halt_on_error=1");
            storm.env("ASAN_OPTIONS", "detect_leaks=1:halt_on_error=1");
            shell::run(storm)?;
        }
    }
    Ok(())
}
