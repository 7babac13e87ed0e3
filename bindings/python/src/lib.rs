//! Halcyon for Python: the engine inside the interpreter's process. What it returns are plain
//! dictionaries; `python/halcyon/__init__.py` makes typed results of them.

// From the bottom up: a module imports only from those above it.
mod convert;
mod search;
mod worker;
mod reading;
mod games;
mod puzzles;

use chess::{Position, perft};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The native part of the package `halcyon`.
#[pymodule]
mod _halcyon {
    use super::*;

    #[pymodule_export]
    use crate::search::{Engine, Updates};

    #[pymodule_export]
    use crate::games::review;

    #[pymodule_export]
    use crate::puzzles::puzzles;

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Counts the move sequences of `depth` plies. An interrupt ends it.
    #[pyfunction]
    fn count_leaves(py: Python<'_>, fen: &str, depth: u32) -> PyResult<u64> {
        let position = crate::convert::position(fen)?;
        count(py, &position, depth)
    }

    /// Nodes of the bench: the same as those of every other build of the same version.
    #[pyfunction]
    fn bench(py: Python<'_>, depth: i32) -> PyResult<u64> {
        py.detach(|| engine::bench::nodes(depth, engine::DEFAULT_HASH_MIB))
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

/// A subtree of this many plies is counted without looking at signals.
const UNINTERRUPTED: u32 = 5;

fn count(py: Python<'_>, position: &Position, depth: u32) -> PyResult<u64> {
    py.check_signals()?;
    if depth <= UNINTERRUPTED {
        return Ok(py.detach(|| perft(position, depth)));
    }
    position.legal_moves().iter().try_fold(0, |sum, &mv| {
        let mut next = *position;
        next.make(mv);
        Ok(sum + count(py, &next, depth - 1)?)
    })
}
