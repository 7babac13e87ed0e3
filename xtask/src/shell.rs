//! Running other programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Failure;

/// The top folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// A call of cargo.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    command("cargo", arguments)
}

/// A program that will run in the top folder.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

fn words(command: &Command) -> String {
    let program = [command.get_program()];
    let words = program.into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Runs a program whose output the reader should see.
pub(crate) fn run(mut command: Command) -> Result<(), Failure> {
    let line = words(&command);
    println!("\n== {line}");
    let status = command.status().map_err(|error| format!("{line}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("failed: {line} ({status})")) }
}

/// Whether a program runs and succeeds; its output is not shown.
pub(crate) fn succeeds(mut command: Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// What a program prints; both of its streams if it fails.
pub(crate) fn text(mut command: Command) -> Result<String, Failure> {
    let line = words(&command);
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("{line}: {error}"))?;
    let print = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    if output.status.success() {
        return Ok(print(output.stdout));
    }
    Err(format!("failed: {line}\n{}{}", print(output.stdout), print(output.stderr)))
}

/// Runs this program again, built for speed, if it was not.
pub(crate) fn again_in_release(task: &str) -> Option<Result<(), Failure>> {
    let arguments = ["run", "--quiet", "--release", "--package", "xtask", "--", task];
    cfg!(debug_assertions).then(|| run(cargo(&arguments)))
}

/// Steps that must all succeed, with a summary of those that ran.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<String>,
}

impl Steps {
    /// Runs one step; the first failure ends the task.
    pub(crate) fn step(
        &mut self,
        name: &str,
        action: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let result = action();
        let verdict = if result.is_ok() { "ok" } else { "FAILED" };
        self.done.push(format!("{name:<24}{verdict:<8}{:>6.1} s", start.elapsed().as_secs_f32()));
        result.inspect_err(|_| self.summary())
    }

    /// Prints what ran and how long it took.
    pub(crate) fn summary(&self) {
        println!();
        for line in &self.done {
            println!("{line}");
        }
    }
}
