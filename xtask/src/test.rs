//! Everything that must hold before a change is accepted.

use crate::Failure;
use crate::page;
use crate::shell::{self, Steps, cargo, command};
use crate::supply;
use crate::trial::program_with_assertions;
use crate::wasm;
use crate::{assert_games, torture};

/// Formats, lints, documents and tests the workspace.
pub(crate) fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    steps.step("tools", install_tools)?;
    steps.step("format", || {
        shell::run(cargo(&["fmt", "--all", "--check"]))?;
        shell::run(cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]))
    })?;
    steps.step("lints", || {
        shell::run(cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
        // The engine as test servers build it.
        let alone = ["clippy", "--package", "halcyon", "--no-default-features", "--bins"];
        shell::run(cargo(&[&alone[..], &["--", "-D", "warnings"]].concat()))
    })?;
    steps.step("documentation", || {
        let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
        command.env("RUSTDOCFLAGS", "-D warnings");
        shell::run(command)
    })?;
    steps.step("supply chain", supply::check)?;
    steps.step("tests", || shell::run(cargo(&["test", "--workspace"])))?;
    steps.step("trials", || {
        let program = program_with_assertions()?;
        torture::torture(&program, 3000, 1)?;
        assert_games::play_all(&program, 4, 1500)
    })?;
    steps.step("board", page::test)?;
    steps.step("WebAssembly", wasm::test)?;
    steps.summary();
    Ok(())
}

/// Installs what the tests need beyond the tool chain that `rust-toolchain.toml` names. Programs of
/// other package managers belong here, each installed only if it is missing.
fn install_tools() -> Result<(), Failure> {
    install_python_chess();
    install_parallel();
    page::install();
    Ok(())
}

/// GNU parallel, for the test that divides a run. Without it the test says that it is skipped.
fn install_parallel() {
    let apt = |arguments: &[&str]| shell::run(command("apt-get", arguments));
    let is_needed = !shell::succeeds(command("parallel", &["--version"]));
    if is_needed && shell::succeeds(command("apt-get", &["--version"])) {
        let installed = apt(&["update", "-qq"])
            .and_then(|()| apt(&["install", "-y", "-qq", "--no-install-recommends", "parallel"]));
        if let Err(failure) = installed {
            println!("GNU parallel is not tested: {failure}");
        }
    }
}

/// The Python package `chess`, in an environment of its own. Its test says when it is skipped, so
/// a machine without Python or network is no failure.
fn install_python_chess() {
    let python = "target/python/bin/python3";
    let has_package = || shell::succeeds(command(python, &["-c", "import chess"]));
    if has_package() {
        return;
    }
    let made = shell::run(command("python3", &["-m", "venv", "target/python"]))
        .and_then(|()| shell::run(command(python, &["-m", "pip", "install", "--quiet", "chess"])));
    if let Err(failure) = made {
        println!("python-chess is not tested: {failure}");
    }
}
