//! Tuning the hand-made evaluation on the results and scores of games.
//!
//! The evaluation is a sum of weights, each counted so many times; the counts of a position never
//! change, so they are taken once and gradient descent needs no chess. The loss is the cross
//! entropy between the points that the evaluation promises and a blend of the game's result with
//! what the search promised.

pub mod cli;
mod descent;
mod prior;
mod samples;
mod table;
mod tidy;

pub use descent::{Adam, Descent, Goal, loss};
pub use prior::Prior;
pub use samples::{Loading, Samples, load};
pub use table::write_table;
pub use tidy::{recentre, rescale, rounded};

use engine::eval::{Group, WEIGHTS};

/// A weight while it is tuned: middlegame, endgame, in centipawns.
pub type Weight = [f32; 2];

/// Where a named run of weights lies among all weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The place of its first weight.
    pub first: usize,
    /// How many there are.
    pub count: usize,
}

impl Run {
    /// The places of its weights.
    #[must_use]
    pub fn places(self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }
}

/// The weights that the engine plays with.
#[must_use]
pub fn current_weights() -> Vec<Weight> {
    let groups = WEIGHTS.groups().into_iter();
    groups.flat_map(|group| group.values).map(to_weight).collect()
}

/// All runs, by the names of their groups, in order.
#[must_use]
pub fn runs() -> Vec<(&'static str, Run)> {
    let mut first = 0;
    let mut place = |group: &Group| {
        let run = Run { first, count: group.values.len() };
        first += run.count;
        (group.name, run)
    };
    WEIGHTS.groups().iter().map(&mut place).collect()
}

/// The run of one group; `None` if there is no such group.
#[must_use]
pub fn run_of(name: &str) -> Option<Run> {
    runs().into_iter().find(|&(other, _)| other == name).map(|(_, run)| run)
}

fn to_weight(value: engine::eval::Tapered) -> Weight {
    [value.middlegame() as f32, value.endgame() as f32]
}
