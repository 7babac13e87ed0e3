//! Reviews of games: what the engine thinks of each move, and why.

use std::io;

use ::review::{
    Analyst, Explanation, GameTree, PositionAnalysis, Review, SideReview, annotate, explain, judge,
    play_or_pass, write_pgn,
};
use chess::{Castling, Position};
use engine::{Game, Limits};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{color, put_eval, texts};
use crate::reading::{Games, ReadGame};
use crate::worker::Worker;

/// Moves of a better line that an annotated game shows.
const LINE_PLIES: usize = 12;

/// A game with all that was found.
struct Reviewed {
    game: GameTree,
    analyses: Vec<PositionAnalysis>,
    review: Review,
    /// Why a move was bad, for those that were.
    reasons: Vec<Option<Explanation>>,
    faults: Vec<String>,
}

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
    let worker = Worker::new(threads, hash)?;
    let games = worker.run(py, |analyst| {
        analyst.set_limits(Limits::nodes(nodes));
        Games::new(pgn).map(|game| Ok(review_game(analyst, game?))).collect::<io::Result<Vec<_>>>()
    })?;
    let reviews = PyList::empty(py);
    for game in &games {
        reviews.append(describe(py, game)?)?;
    }
    Ok(reviews)
}

fn review_game(analyst: &mut Analyst, game: ReadGame) -> Reviewed {
    let ReadGame { tree: game, faults, .. } = game;
    let analyses = analyst.looks(&game, |_| true).unwrap_or_default();
    let review = judge(&game, &analyses, 0);
    let mut reasons = Vec::new();
    let mut so_far = Game::new(game.start);
    for (index, ply) in game.main.plies.iter().enumerate() {
        let reason = review.plies[index].judgement.and(ply.mv).map(|mv| {
            let known = Some((&analyses[index], &analyses[index + 1]));
            explain(analyst, &so_far, mv, known)
        });
        reasons.push(reason);
        play_or_pass(&mut so_far, ply.mv);
    }
    Reviewed { game, analyses, review, reasons, faults }
}

/// The fields of `halcyon.GameReview`.
fn describe<'py>(py: Python<'py>, reviewed: &Reviewed) -> PyResult<Bound<'py, PyDict>> {
    let Reviewed { game, analyses, review: judged, reasons, faults } = reviewed;
    let result = PyDict::new(py);
    let tags = PyDict::new(py);
    for (name, value) in &game.tags {
        tags.set_item(name, value)?;
    }
    let annotated = annotate(game, analyses, judged, LINE_PLIES);
    let moves = PyList::empty(py);
    let positions = game.positions();
    for (index, reason) in reasons.iter().enumerate() {
        let described = describe_move(py, game, &positions, analyses, judged, index)?;
        let comments = &annotated.main.plies[index].comments;
        described.set_item("comment", without_commands(comments))?;
        described.set_item("why", reason.as_ref().map(Explanation::text))?;
        let motifs = reason.iter().flat_map(Explanation::motifs);
        described.set_item("motifs", motifs.map(|motif| motif.name()).collect::<Vec<_>>())?;
        moves.append(described)?;
    }
    result.set_item("tags", tags)?;
    result.set_item("result", game.result.text())?;
    result.set_item("moves", moves)?;
    result.set_item("white", side(py, &judged.white)?)?;
    result.set_item("black", side(py, &judged.black)?)?;
    result.set_item("pgn", write_pgn(&annotated))?;
    result.set_item("faults", faults)?;
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
    result.set_item("ply", index + 1)?;
    result.set_item("number", position.fullmove())?;
    result.set_item("color", color(position.side_to_move()))?;
    result.set_item("fen", position.to_fen())?;
    result.set_item("uci", mv.to_uci(Castling::KingMove))?;
    result.set_item("san", position.to_san(mv))?;
    put_eval(&result, after.eval)?;
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
