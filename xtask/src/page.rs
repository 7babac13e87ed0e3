//! The page of the board: its types, and the board in a real browser.

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::shell::{self, command, root};

const PAGE: &str = "crates/server/page";
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };
/// Where systems keep the browser.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

pub(crate) fn has_packages() -> bool {
    ["axe-core", "chessops", "prettier", "oxlint", "playwright-core", "typescript"]
        .iter()
        .all(|name| root().join(PAGE).join("node_modules").join(name).exists())
}

pub(crate) fn has_browser() -> bool {
    BROWSERS.iter().any(|path| Path::new(path).exists())
}

/// Installs the packages that only the tests need, and the browser. A machine that cannot have
/// them is no failure: `test` says what it leaves out.
pub(crate) fn install() {
    if !has_packages() && shell::succeeds(command(NPM, &["--version"])) {
        let mut install = command(NPM, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
        install.current_dir(root().join(PAGE));
        if let Err(failure) = shell::run(install) {
            println!("the board's page is not tested: {failure}");
        }
    }
    if !has_browser() && shell::succeeds(command("apt-get", &["--version"])) {
        let packages =
            ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-inter"];
        let installed = shell::run(command("apt-get", &["update", "-qq"]))
            .and_then(|()| shell::run(command("apt-get", &packages)));
        if let Err(failure) = installed {
            println!("the board is not tested in a browser: {failure}");
        }
    }
}

/// Checks the page's types and style, tests its state, and drives the board in a browser, with the
/// program that the tests of the workspace have built.
pub(crate) fn test() -> Result<(), Failure> {
    if !has_packages() {
        println!("skipped: the board's page (npm and its packages are not here)");
        return Ok(());
    }
    let mut types = command("node", &["node_modules/typescript/bin/tsc", "--noEmit"]);
    types.current_dir(root().join(PAGE));
    shell::run(types)?;
    for tool in [["prettier/bin/prettier.cjs", "--check"], ["oxlint/bin/oxlint", "--deny-warnings"]]
    {
        let [script, option] = tool;
        let mut check = command("node", &[&format!("node_modules/{script}"), option]);
        check.args(["src", "unit", "e2e", "build.mjs", "unit.mjs"]);
        check.current_dir(root().join(PAGE));
        shell::run(check)?;
    }
    let mut unit = command("node", &["unit.mjs"]);
    unit.current_dir(root().join(PAGE));
    shell::run(unit)?;
    if !has_browser() {
        println!("skipped: the board in a browser (no chromium here)");
        return Ok(());
    }
    let drive = || {
        let tests = ["--test", "--test-concurrency=1", "--test-reporter=spec"];
        let mut drive = command("node", &tests);
        drive.args(
            [
                "board",
                "moving",
                "tree",
                "texts",
                "faults-game",
                "faults-texts",
                "faults-views",
                "features",
                "notes",
                "explorer",
                "library",
                "tour",
                "coach",
                "views",
            ]
            .map(|name| format!("e2e/{name}.test.mjs")),
        );
        drive.current_dir(root().join(PAGE));
        shell::run(drive)
    };
    twice(drive)
}

/// A browser on a busy machine may be late; a fault shows the second time as well.
fn twice(drive: impl Fn() -> Result<(), Failure>) -> Result<(), Failure> {
    drive().or_else(|failure| {
        println!("again, because a browser may have been late: {failure}");
        drive()
    })
}

/// A tool among the page's packages, called by the path of its script.
pub(crate) fn node_tool(script: &str) -> Command {
    let mut node = command("node", &[]);
    let folder = root().join(PAGE).join("node_modules");
    node.arg(folder.canonicalize().unwrap_or(folder).join(script));
    node
}

/// Bundles the page into a folder; `standalone` is the one with the engine inside.
pub(crate) fn build(folder: &Path, kind: &str) -> Result<(), Failure> {
    let mut build = command("node", &["build.mjs", &folder.to_string_lossy(), kind]);
    build.current_dir(root().join(PAGE));
    shell::run(build)
}

/// Drives the page in this folder, which has its engine inside, in a browser.
pub(crate) fn test_standalone(folder: &Path) -> Result<(), Failure> {
    if !has_browser() {
        println!("skipped: the page with the engine inside (no chromium here)");
        return Ok(());
    }
    twice(|| {
        let tests = ["--test", "--test-reporter=spec", "e2e/standalone.test.mjs"];
        let mut drive = command("node", &tests);
        drive.current_dir(root().join(PAGE)).env("HALCYON_PAGE", folder);
        shell::run(drive)
    })
}
