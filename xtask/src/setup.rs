//! What the tests need beyond the tool chain that `rust-toolchain.toml` names.

use crate::Failure;
use crate::page;
use crate::shell::{self, command};

/// Installs what is missing. A machine that cannot have something is no failure: the test that needs
/// it says that it is skipped.
pub(crate) fn run() -> Result<(), Failure> {
    let missing = missing();
    if missing.is_empty() {
        println!("everything the tests need is here");
        return Ok(());
    }
    println!("the tests need what is not here yet; installing (--no-install skips this):");
    for need in &missing {
        println!("  {need}");
    }
    install_python_chess();
    install_parallel();
    page::install();
    Ok(())
}

/// What would be installed, and where.
fn missing() -> Vec<&'static str> {
    let mut missing = Vec::new();
    if !has_python_chess() {
        missing.push("python-chess, in target/python");
    }
    if !has_parallel() {
        missing.push("GNU parallel, for the whole system, with apt-get");
    }
    if !page::has_packages() {
        missing.push("the page's npm packages, in crates/server/page/node_modules");
    }
    if !page::has_browser() {
        missing.push("chromium and a font, for the whole system, with apt-get");
    }
    missing
}

fn has_parallel() -> bool {
    shell::succeeds(command("parallel", &["--version"]))
}

/// GNU parallel, for the test that divides a run.
fn install_parallel() {
    if !has_parallel() && shell::succeeds(command("apt-get", &["--version"])) {
        let apt = |arguments: &[&str]| shell::run(command("apt-get", arguments));
        let installed = apt(&["update", "-qq"])
            .and_then(|()| apt(&["install", "-y", "-qq", "--no-install-recommends", "parallel"]));
        if let Err(failure) = installed {
            println!("GNU parallel is not tested: {failure}");
        }
    }
}

const PYTHON: &str = "target/python/bin/python3";

fn has_python_chess() -> bool {
    shell::succeeds(command(PYTHON, &["-c", "import chess"]))
}

/// The Python package `chess`, in an environment of its own.
fn install_python_chess() {
    if has_python_chess() {
        return;
    }
    let made = shell::run(command("python3", &["-m", "venv", "target/python"]))
        .and_then(|()| shell::run(command(PYTHON, &["-m", "pip", "install", "--quiet", "chess"])));
    if let Err(failure) = made {
        println!("python-chess is not tested: {failure}");
    }
}
