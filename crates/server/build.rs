//! Builds the page with npm and notes its files, to be embedded in the program. Without npm the
//! rest is built all the same, and `serve` says what is missing.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// What is served, where the build leaves it, and as what kind.
const FILES: [(&str, &str, &str); 4] = [
    ("/", "index.html", "text/html; charset=utf-8"),
    ("/app.js", "app.js", "text/javascript; charset=utf-8"),
    ("/app.css", "app.css", "text/css; charset=utf-8"),
    ("/icon.svg", "icon.svg", "image/svg+xml"),
];

fn main() {
    let page = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo says")).join("page");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo says"));
    let mut lines = String::from("cargo::rerun-if-changed=build.rs\n");
    for name in ["src", "index.html", "icon.svg", "build.mjs", "package-lock.json"] {
        let _ = writeln!(lines, "cargo::rerun-if-changed={}", page.join(name).display());
    }
    let built = build(&page, &out.join("page"));
    if let Err(problem) = &built {
        let _ = writeln!(lines, "cargo::warning=the board's page is left out: {problem}");
    }
    fs::write(out.join("files.rs"), code(&built, &out)).expect("cargo's folder is writable");
    // Cargo reads these lines from a build script's standard output.
    io::Write::write_all(&mut io::stdout(), lines.as_bytes()).expect("cargo listens");
}

/// The files as an expression of Rust.
fn code(built: &Result<(), String>, out: &Path) -> String {
    if let Err(problem) = built {
        return format!("Err({problem:?})");
    }
    let mut code = String::from("Ok(&[");
    for (path, name, kind) in FILES {
        let file = out.join("page").join(name);
        let _ = write!(
            code,
            "File {{ path: {path:?}, kind: {kind:?}, body: include_bytes!({file:?}) }}, "
        );
    }
    code.push_str("])");
    code
}

fn build(page: &Path, out: &Path) -> Result<(), String> {
    if !is_installed(page) {
        // Scripts of packages are not run: none of ours needs one.
        let mut arguments =
            vec!["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        // What only the tests need stays where it is.
        if !page.join("node_modules/typescript").exists() {
            arguments.push("--omit=dev");
        }
        run(page, if cfg!(windows) { "npm.cmd" } else { "npm" }, &arguments)?;
    }
    run(page, "node", &["build.mjs", &out.to_string_lossy()])
}

/// Whether npm has put the packages in place since the list of them last changed.
fn is_installed(page: &Path) -> bool {
    let changed = |name: &str| fs::metadata(page.join(name)).and_then(|data| data.modified()).ok();
    match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Some(installed), Some(listed)) => installed >= listed,
        _ => false,
    }
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!("{program} is not installed"),
        _ => format!("{program}: {error}"),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    let reason = words.lines().find(|line| line.to_lowercase().contains("error"));
    let reason = reason.unwrap_or("it did not say why");
    Err(format!("{program} {} failed: {reason}", arguments.first().unwrap_or(&"")))
}
