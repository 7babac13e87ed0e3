//! Everything that must hold before a change is accepted.

use crate::Failure;
use crate::page;
use crate::platforms;
use crate::public_api;
use crate::setup;
use crate::shell::{self, Steps, cargo};
use crate::supply;
use crate::wasm;
use crate::{assert_games, torture};

/// Formats, lints, documents and tests the workspace.
pub(crate) fn run(installs: bool) -> Result<(), Failure> {
    let mut steps = Steps::default();
    if installs {
        steps.step("setup", setup::run)?;
    } else {
        println!("nothing is installed; what is missing is skipped with a message");
    }
    steps.step("format", || {
        shell::run(cargo(&["fmt", "--all", "--check"]))?;
        shell::run(cargo(&["fmt", "--manifest-path", "bindings/python/Cargo.toml", "--check"]))?;
        shell::run(cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))
    })?;
    steps.step("lints", || {
        shell::run(cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
        // The engine as test servers build it.
        let minimal = ["clippy", "--package", "halcyon", "--no-default-features", "--bins"];
        shell::run(cargo(&[&minimal[..], &["--", "-D", "warnings"]].concat()))?;
        check_fuzz_targets()
    })?;
    steps.step("documentation", || public_api::run(false))?;
    steps.step("supply chain", supply::check)?;
    steps.step("tests", || shell::run(cargo(&["test", "--workspace"])))?;
    steps.step("stress tests", || {
        // The tests have built it; a build of this package alone would choose other features and
        // build half of the workspace again.
        let program = shell::target().join("debug/halcyon");
        torture::torture(&program, 3000, 1)?;
        assert_games::play_all(&program, 4, 1500)
    })?;
    steps.step("board", page::test)?;
    steps.step("WebAssembly", wasm::test)?;
    steps.step("platforms", platforms::test)?;
    steps.summary();
    Ok(())
}

/// Checks that the fuzz targets, which have a workspace of their own, still compile. Their runtime
/// is C++.
fn check_fuzz_targets() -> Result<(), Failure> {
    if !shell::succeeds(shell::command("c++", &["--version"])) {
        println!("skipped: the fuzz targets (no C++ compiler here)");
        return Ok(());
    }
    shell::run(cargo(&["check", "--locked", "--manifest-path", "fuzz/Cargo.toml"]))
}
