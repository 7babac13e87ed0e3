//! The program for all machines beside one for this machine alone.

use crate::Failure;
use crate::shell::target;
use crate::{release, speed};

/// The least that is accepted.
const GOAL: f64 = 0.97;

/// Builds both and lets them take turns.
pub(crate) fn run() -> Result<(), Failure> {
    let native = release::engine(&target().join("builds/native"), "-C target-cpu=native")?;
    let portable = release::portable()?;
    let ratio = speed::ratio(("native", &native), ("portable", &portable))?;
    if ratio >= GOAL { Ok(()) } else { Err(format!("below the goal of {GOAL}")) }
}
