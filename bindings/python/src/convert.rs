//! Between Python's values and the engine's.

use std::time::Duration;

use chess::{Castling, Color, Move, Position};
use engine::stats::Statistics;
use engine::wdl::{Curve, Shown};
use engine::{Bound, Game, Line, Progress, Score};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use review::Eval;

/// An error of Python's for something that is not as it should be.
pub(crate) fn invalid(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

pub(crate) fn position(fen: &str) -> PyResult<Position> {
    Position::from_fen(fen).map_err(|error| invalid(format!("FEN {fen:?}: {error}")))
}

/// A move in UCI text or SAN.
pub(crate) fn read_move(position: &Position, text: &str) -> PyResult<Move> {
    let san = position.parse_uci(text).or_else(|_| position.parse_san(text));
    san.map_err(|error| invalid(format!("{text:?} in {}: {error}", position.to_fen())))
}

/// The game that begins at `fen` with these moves.
pub(crate) fn game(fen: &str, moves: &[String]) -> PyResult<Game> {
    let mut game = Game::new(position(fen)?);
    for text in moves {
        let mv = read_move(game.position(), text)?;
        game.play(mv);
    }
    Ok(game)
}

/// A number of seconds.
pub(crate) fn seconds(value: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(value).map_err(|error| invalid(format!("{value} s: {error}")))
}

/// Moves as UCI text and as SAN.
pub(crate) fn texts(
    start: &Position,
    moves: &[Move],
    castling: Castling,
) -> (Vec<String>, Vec<String>) {
    let mut position = *start;
    let text = |&mv: &Move| {
        let texts = (mv.to_uci(castling), position.to_san(mv));
        position.make(mv);
        texts
    };
    moves.iter().map(text).unzip()
}

/// What a search has found, at its end or on the way.
pub(crate) struct Found<'a> {
    pub(crate) position: &'a Position,
    pub(crate) castling: Castling,
    pub(crate) score: Score,
    pub(crate) lines: &'a [Line],
    pub(crate) best: Option<Move>,
    pub(crate) ponder: Option<Move>,
    pub(crate) progress: Progress,
    pub(crate) statistics: Option<&'a Statistics>,
    pub(crate) running: bool,
}

/// Puts a score into a dictionary: centipawns or moves to mate, and the chances, all for the side to
/// move.
fn put_score(result: &Bound_<'_>, position: &Position, score: Score) -> PyResult<()> {
    let curve = Curve::of(position);
    let (cp, mate) = match curve.shown(score) {
        Shown::Centipawns(cp) => (Some(cp), None),
        Shown::Mate(moves) => (None, Some(moves)),
    };
    result.set_item("cp", cp)?;
    result.set_item("mate", mate)?;
    let chances = curve.wdl(score);
    result.set_item("wdl", (chances.win, chances.draw, chances.loss))
}

/// Puts what a position is worth for White into a dictionary; nothing if the game is over there.
pub(crate) fn put_eval(result: &Bound_<'_>, eval: Eval) -> PyResult<()> {
    let (cp, mate) = match eval {
        Eval::Cp(cp) => (Some(cp), None),
        Eval::Mate(moves) => (None, Some(moves)),
        Eval::Over(_) => (None, None),
    };
    result.set_item("white_cp", cp)?;
    result.set_item("white_mate", mate)
}

type Bound_<'py> = pyo3::Bound<'py, PyDict>;

impl Found<'_> {
    /// The fields of `halcyon.Analysis`.
    pub(crate) fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound_<'py>> {
        let result = PyDict::new(py);
        let lines = PyList::empty(py);
        for line in self.lines {
            lines.append(self.line(py, line)?)?;
        }
        let uci = |mv: Option<Move>| mv.map(|mv| mv.to_uci(self.castling));
        result.set_item("fen", self.position.to_fen())?;
        result.set_item("turn", color(self.position.side_to_move()))?;
        result.set_item("best", uci(self.best))?;
        result.set_item("best_san", self.best.map(|mv| self.position.to_san(mv)))?;
        result.set_item("ponder", uci(self.ponder))?;
        put_score(&result, self.position, self.score)?;
        result.set_item("depth", self.lines.first().map_or(0, |line| line.depth))?;
        result.set_item("seldepth", self.lines.first().map_or(0, |line| line.seldepth))?;
        let Progress { nodes, time, hashfull, tb_hits } = self.progress;
        result.set_item("nodes", nodes)?;
        result.set_item("time", time.as_secs_f64())?;
        result.set_item("hashfull", hashfull)?;
        result.set_item("tb_hits", tb_hits)?;
        result.set_item("lines", lines)?;
        let statistics = self.statistics.map(|counted| json(py, counted)).transpose()?;
        result.set_item("statistics", statistics)?;
        result.set_item("running", self.running)?;
        Ok(result)
    }

    /// The fields of `halcyon.Line`.
    fn line<'py>(&self, py: Python<'py>, line: &Line) -> PyResult<Bound_<'py>> {
        let result = PyDict::new(py);
        result.set_item("rank", line.multipv)?;
        result.set_item("depth", line.depth)?;
        result.set_item("seldepth", line.seldepth)?;
        put_score(&result, self.position, line.score)?;
        let bound = match line.bound {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        };
        result.set_item("bound", bound)?;
        let (uci, san) = texts(self.position, &line.pv, self.castling);
        result.set_item("uci", uci)?;
        result.set_item("san", san)?;
        Ok(result)
    }
}

/// A side as Python's chess programs write it.
pub(crate) fn color(color: Color) -> &'static str {
    if color == Color::White { "white" } else { "black" }
}

/// Whatever can be written as JSON, as dictionaries and lists.
fn json<'py>(py: Python<'py>, value: &Statistics) -> PyResult<pyo3::Bound<'py, PyAny>> {
    let text = serde_json::to_string(value).map_err(invalid)?;
    py.import("json")?.call_method1("loads", (text,))
}
