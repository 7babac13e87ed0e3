//! What the stress tests of the program share: chance, positions, and a client that watches.

mod chance;
mod watch;
mod client;
mod games;
pub(crate) mod referee;

pub(crate) use chance::Chance;
pub(crate) use client::Client;
pub(crate) use games::{legal_move, random_game, random_start};
pub(crate) use watch::waited_by;

use std::path::PathBuf;

use crate::Failure;
use crate::shell::{self, cargo, target};

/// The program under test: the one named, or the release build.
pub(crate) fn program(named: Option<&str>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return std::path::absolute(path).map_err(|error| format!("{path}: {error}"));
    }
    shell::run(cargo(&["build", "--release", "--package", "halcyon"]))?;
    Ok(target().join("release/halcyon"))
}

/// The program as tests build it: with assertions and overflow checks.
pub(crate) fn program_with_assertions() -> Result<PathBuf, Failure> {
    shell::run(cargo(&["build", "--package", "halcyon"]))?;
    Ok(target().join("debug/halcyon"))
}
