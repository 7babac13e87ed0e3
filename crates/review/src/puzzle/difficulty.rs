//! How hard a puzzle is.

use super::Step;
use crate::motif::ForcedLine;

/// How hard the answer is to find, from the history of the search and the solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difficulty {
    /// The depth from which on the search prefers the answer.
    pub depth: i32,
    /// The nodes until then.
    pub nodes: u64,
    /// How many own moves the solution has.
    pub moves: usize,
    /// Doublings of nodes until the search prefers each own move, added up.
    pub effort: f64,
    /// An estimate of the rating of people who solve it half of the time.
    pub rating: i32,
}

// The estimate is a sum of four terms, fitted to the ratings of Lichess's puzzles.
/// Where the scale begins.
const BASE: f64 = 500.0;
/// For every doubling of the nodes that the search needs to prefer the answer.
const DOUBLING: f64 = 105.0;
/// For every own move of the solution.
const OWN_MOVE: f64 = 150.0;
/// People look at checks first.
const CHECK: f64 = -250.0;
/// They look for mates, too.
const MATE: f64 = -250.0;

impl Difficulty {
    pub(crate) fn of(line: &ForcedLine, steps: &[Step]) -> Self {
        // A search that ends with another move has not found the answer before its end.
        let found = |(study, answers): &Step| {
            let settled = study.settled(answers);
            settled.map_or((study.look.depth, study.look.nodes), |known| (known.depth, known.nodes))
        };
        let (depth, nodes) = steps.first().map_or((0, 0), found);
        let doublings = |nodes: u64| (nodes as f64 + 1.0).log2();
        let effort = steps.iter().map(|step| doublings(found(step).1)).sum();
        let moves = line.len().div_ceil(2);
        let when = |holds: bool, points: f64| if holds { points } else { 0.0 };
        let rating = BASE
            + DOUBLING * doublings(nodes)
            + OWN_MOVE * moves as f64
            + when(line.begins_with_check(), CHECK)
            + when(line.is_mate(), MATE);
        Self { depth, nodes, moves, effort, rating: rating.round() as i32 }
    }
}
