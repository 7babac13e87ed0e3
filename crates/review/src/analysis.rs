//! What a search has found in a position.

use chess::{Color, Move, Position};
use engine::wdl::Curve;
use engine::{Line, Score};

use crate::eval::Eval;
use crate::tree::GameResult;

/// What the engine found in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionAnalysis {
    /// What it is worth.
    pub eval: Eval,
    /// White's chances to win, draw and lose in the engine's own games, in thousandths.
    pub wdl: [u32; 3],
    /// Depth reached; 0 if the game is over.
    pub depth: i32,
    /// Nodes that the search visited.
    pub nodes: u64,
    /// The best lines, best first. None if the game is over.
    pub lines: Vec<BestLine>,
}

/// A line and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct BestLine {
    /// What it is worth.
    pub eval: Eval,
    /// The moves; at least one.
    pub moves: Vec<Move>,
}

impl PositionAnalysis {
    /// What a search has found in a position.
    #[must_use]
    pub fn new(position: &Position, score: Score, lines: &[&Line], nodes: u64) -> Self {
        let chances = Curve::of(position).wdl(score);
        let mut wdl = [chances.win, chances.draw, chances.loss];
        if position.side_to_move() == Color::Black {
            wdl.reverse();
        }
        let line = |line: &&Line| BestLine {
            eval: Eval::new(position, line.score),
            moves: line.pv.clone(),
        };
        Self {
            eval: Eval::new(position, score),
            wdl,
            depth: lines.first().map_or(0, |line| line.depth),
            nodes,
            lines: lines.iter().map(line).collect(),
        }
    }

    /// What is known of a position in which the game is over, without a search.
    #[must_use]
    pub fn of_end(position: &Position) -> Option<Self> {
        let eval = Eval::of_end(position)?;
        let wdl = match eval {
            Eval::Over(GameResult::White) => [1000, 0, 0],
            Eval::Over(GameResult::Black) => [0, 0, 1000],
            _ => [0, 1000, 0],
        };
        Some(Self { eval, wdl, depth: 0, nodes: 0, lines: Vec::new() })
    }

    /// Nothing is known: an even score without a line.
    pub(crate) fn unknown() -> Self {
        Self { eval: Eval::Cp(0), wdl: [0, 1000, 0], depth: 0, nodes: 0, lines: Vec::new() }
    }

    /// The first move of the best line; none if the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }
}

/// The best move after an iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The depth of the iteration.
    pub depth: i32,
    /// Nodes searched until its best line was known.
    pub nodes: u64,
    /// The first move of that line.
    pub best: Move,
}

/// What was found in a position, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The last word of the search.
    pub look: PositionAnalysis,
    /// The best move after each iteration, the first one first.
    pub history: Vec<Iteration>,
}

impl Study {
    /// The iteration from which on the best move was always one of these, if the last one was.
    #[must_use]
    pub fn settled(&self, answers: &[Move]) -> Option<Iteration> {
        let wrong = |iteration: &Iteration| !answers.contains(&iteration.best);
        let first = self.history.iter().rposition(wrong).map_or(0, |index| index + 1);
        self.history.get(first).copied()
    }
}
