//! Puzzles of the mistakes of games.

use ::review::{Explanation, Puzzle, PuzzleRules, SCAN_PART, explain, make_puzzles, suspects};
use chess::Castling;
use engine::{Game, Limits};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{color, put_eval, texts};
use crate::reading::{Games, ReadGame};
use crate::worker::Worker;

/// A puzzle with the game it is from.
struct Found {
    puzzle: Puzzle,
    /// Number of the game in the text, from 1.
    game: usize,
    /// Index of the mistake.
    index: usize,
    tags: Vec<(String, String)>,
    reason: Explanation,
}

/// Makes puzzles of the mistakes of all games of a PGN text.
#[pyfunction]
pub(crate) fn puzzles<'py>(
    py: Python<'py>,
    pgn: &str,
    nodes: u64,
    threads: usize,
    hash: usize,
) -> PyResult<Bound<'py, PyList>> {
    let worker = Worker::new(threads, hash)?;
    let found = worker.run(py, |analyst| {
        let mut found = Vec::new();
        for game in Games::new(pgn) {
            let ReadGame { number, tree, .. } = game?;
            analyst.set_limits(Limits::nodes((nodes / SCAN_PART).max(1)));
            let looks = analyst.looks(&tree, |_| true).unwrap_or_default();
            let suspects = suspects(&tree, &looks, 0);
            analyst.set_limits(Limits::nodes(nodes));
            for (index, puzzle) in make_puzzles(analyst, &tree, &suspects, &PuzzleRules::default())
            {
                let reason = explain(analyst, &Game::new(puzzle.before), puzzle.moves[0], None);
                let tags = tree.tags.clone();
                found.push(Found { puzzle, game: number, index, tags, reason });
            }
        }
        Ok(found)
    })?;
    let puzzles = PyList::empty(py);
    for found in &found {
        puzzles.append(describe(py, found)?)?;
    }
    Ok(puzzles)
}

/// The fields of `halcyon.Puzzle`.
fn describe<'py>(py: Python<'py>, found: &Found) -> PyResult<Bound<'py, PyDict>> {
    let Found { puzzle, game, index, tags, reason } = found;
    let start = puzzle.start();
    let result = PyDict::new(py);
    let tag_values = PyDict::new(py);
    for (name, value) in tags {
        tag_values.set_item(name, value)?;
    }
    let mistake = puzzle.moves[0];
    let (uci, san) = texts(&start, &puzzle.moves[1..], Castling::KingMove);
    let answers = puzzle.answers.iter().map(|mv| mv.to_uci(Castling::KingMove));
    let themes = puzzle.findings.iter().map(|finding| finding.motif.name());
    result.set_item("game", game)?;
    result.set_item("ply", index + 1)?;
    result.set_item("tags", tag_values)?;
    result.set_item("fen", start.to_fen())?;
    result.set_item("turn", color(start.side_to_move()))?;
    result.set_item("before_fen", puzzle.before.to_fen())?;
    result.set_item("mistake_uci", mistake.to_uci(Castling::KingMove))?;
    result.set_item("mistake_san", puzzle.before.to_san(mistake))?;
    result.set_item("why", reason.text())?;
    result.set_item("solution_uci", uci)?;
    result.set_item("solution_san", san)?;
    result.set_item("answers", answers.collect::<Vec<_>>())?;
    put_eval(&result, puzzle.eval)?;
    result.set_item("themes", themes.collect::<Vec<_>>())?;
    result.set_item("rating", puzzle.difficulty.rating)?;
    result.set_item("depth", puzzle.difficulty.depth)?;
    Ok(result)
}
