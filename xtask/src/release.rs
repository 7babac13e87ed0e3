//! How the program is built for other people's machines.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::shell::{self, cargo, target};

/// Processors that a release must run on. Those of x86-64 since 2009 count bits in one step; what
/// newer ones can do is found out when the program starts.
pub(crate) const CPU: &str =
    if cfg!(target_arch = "x86_64") { "-C target-cpu=x86-64-v2" } else { "-C target-cpu=generic" };

/// The engine for all machines.
pub(crate) fn portable() -> Result<PathBuf, Failure> {
    engine(&target().join("builds/portable"), CPU)
}

/// Builds the engine without sub-commands and board, with these flags, in a folder of its own.
pub(crate) fn engine(folder: &Path, flags: &str) -> Result<PathBuf, Failure> {
    let engine = ["build", "--release", "--package", "halcyon", "--no-default-features"];
    build(cargo(&engine), folder, flags)
}

/// Lets a call of cargo build with these flags in a folder of its own, and says where the program is.
fn build(mut cargo: Command, folder: &Path, flags: &str) -> Result<PathBuf, Failure> {
    cargo.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", folder);
    shell::run(cargo)?;
    Ok(folder.join("release").join(if cfg!(windows) { "halcyon.exe" } else { "halcyon" }))
}
