//! Reviews of games: what the engine thinks of each move.

use ::review::{
    Eval, GameTree, PositionAnalysis, Review, ReviewPlan, SideReview, Splitter, annotate, judge,
    read, write_pgn,
};
use chess::{Castling, Position};
use engine::{Engine, Limits, Line};
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{color, texts};
use crate::search::search;

/// Moves of a better line that an annotated game shows.
const LINE_PLIES: usize = 12;

/// Reviews all games of a PGN text. Games in which nothing can be read are left out; what was wrong
/// with the others is in their `faults`.
#[pyfunction]
pub(crate) fn review<'py>(
    py: Python<'py>,
    pgn: &str,
    nodes: u64,
    threads: usize,
    hash: usize,
) -> PyResult<Bound<'py, PyList>> {
    let mut engine = Engine::new();
    engine.set_threads(threads).map_err(|error| PyOSError::new_err(error.to_string()))?;
    engine.set_hash(hash).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    let reviews = PyList::empty(py);
    let mut splitter = Splitter::new(pgn.as_bytes());
    while let Some(raw) = splitter.next_game()? {
        let (Some(game), faults) = read(&raw) else { continue };
        let analyses = analyse(py, &mut engine, &game, &Limits::nodes(nodes))?;
        let judged = judge(&game, &analyses, 0);
        let result = describe(py, &game, &analyses, &judged)?;
        let faults = faults.iter().map(|fault| format!("line {}: {}", fault.line, fault.kind));
        result.set_item("faults", faults.collect::<Vec<_>>())?;
        reviews.append(result)?;
    }
    Ok(reviews)
}

/// Analyses every position of a game, and ends early at an interrupt.
fn analyse(
    py: Python<'_>,
    engine: &mut Engine,
    game: &GameTree,
    limits: &Limits,
) -> PyResult<Vec<PositionAnalysis>> {
    engine.new_game();
    let mut plan = ReviewPlan::new(game);
    while let Some(next) = plan.next_game().cloned() {
        let position = *next.position();
        engine.set_game(next);
        let outcome = search(py, engine, limits)?;
        let lines: Vec<&Line> = outcome.lines.iter().collect();
        plan.take(PositionAnalysis::new(&position, outcome.score, &lines, outcome.progress.nodes));
    }
    Ok(plan.finish())
}

/// The fields of `halcyon.GameReview`.
fn describe<'py>(
    py: Python<'py>,
    game: &GameTree,
    analyses: &[PositionAnalysis],
    judged: &Review,
) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let tags = PyDict::new(py);
    for (name, value) in &game.tags {
        tags.set_item(name, value)?;
    }
    let annotated = annotate(game, analyses, judged, LINE_PLIES);
    let moves = PyList::empty(py);
    let positions = game.positions();
    for index in 0..game.main.plies.len() {
        let described = describe_move(py, game, &positions, analyses, judged, index)?;
        let comments = &annotated.main.plies[index].comments;
        described.set_item("comment", without_commands(comments))?;
        moves.append(described)?;
    }
    result.set_item("tags", tags)?;
    result.set_item("result", game.result.text())?;
    result.set_item("moves", moves)?;
    result.set_item("white", side(py, &judged.white)?)?;
    result.set_item("black", side(py, &judged.black)?)?;
    result.set_item("pgn", write_pgn(&annotated))?;
    Ok(result)
}

/// The fields of `halcyon.MoveReview`.
fn describe_move<'py>(
    py: Python<'py>,
    game: &GameTree,
    positions: &[Position],
    analyses: &[PositionAnalysis],
    judged: &Review,
    index: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (position, mv) = (&positions[index], game.moves()[index]);
    let (before, after, judged) = (&analyses[index], &analyses[index + 1], &judged.plies[index]);
    let result = PyDict::new(py);
    let best = before.lines.first().map(|line| texts(position, &line.moves, Castling::KingMove));
    let (best_uci, best_san) = best.unwrap_or_default();
    let (cp, mate) = match after.eval {
        Eval::Cp(cp) => (Some(cp), None),
        Eval::Mate(moves) => (None, Some(moves)),
        Eval::Over(_) => (None, None),
    };
    result.set_item("ply", index + 1)?;
    result.set_item("number", position.fullmove())?;
    result.set_item("color", color(position.side_to_move()))?;
    result.set_item("fen", position.to_fen())?;
    result.set_item("uci", mv.to_uci(Castling::KingMove))?;
    result.set_item("san", position.to_san(mv))?;
    result.set_item("white_cp", cp)?;
    result.set_item("white_mate", mate)?;
    result.set_item("white_wdl", after.wdl)?;
    result.set_item("best_uci", best_uci)?;
    result.set_item("best_san", best_san)?;
    result.set_item("loss", judged.loss)?;
    result.set_item("centipawn_loss", judged.centipawn_loss)?;
    result.set_item("accuracy", judged.accuracy)?;
    result.set_item("judgement", judged.judgement.map(|word| word.name().to_lowercase()))?;
    result.set_item("phase", judged.phase.name())?;
    Ok(result)
}

/// The fields of `halcyon.SideReview`.
fn side<'py>(py: Python<'py>, side: &SideReview) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    result.set_item("moves", side.moves)?;
    result.set_item("accuracy", side.accuracy)?;
    result.set_item("average_loss", side.average_loss)?;
    result.set_item("average_centipawn_loss", side.average_centipawn_loss)?;
    result.set_item("inaccuracies", side.inaccuracies)?;
    result.set_item("mistakes", side.mistakes)?;
    result.set_item("blunders", side.blunders)?;
    Ok(result)
}

/// Comments without what programs say to each other in them, as in `[%eval 0.25]`.
fn without_commands(comments: &[String]) -> String {
    let mut text = comments.join(" ");
    while let Some((start, end)) = text.find("[%").and_then(|start| {
        let end = text[start..].find(']')?;
        Some((start, start + end + 1))
    }) {
        text.replace_range(start..end, "");
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
