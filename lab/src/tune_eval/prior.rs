//! What is believed about weights before any game is seen.
//!
//! Many weights count rarely; what a handful of games say about them is mostly chance. Two mild
//! springs hold them: one to the value a weight began with, and one between neighbours of a run
//! that is ordered (mobility, danger), so that a rare entry follows its neighbours. A game counts
//! as one observation, since its positions share one result.

use super::{Weight, run_of};

/// Runs whose neighbours belong together.
const ORDERED: [&str; 5] =
    ["knight_mobility", "bishop_mobility", "rook_mobility", "queen_mobility", "king_danger"];

/// Springs on the weights.
#[derive(Clone, Debug)]
pub struct Prior {
    start: Vec<Weight>,
    /// The stiffness towards the start.
    home: f32,
    /// The stiffness between neighbours.
    bond: f32,
    /// The places whose right neighbour belongs to them.
    bonds: Vec<usize>,
}

impl Prior {
    /// Springs under which, before any of the `games`, a weight is expected to stray so many
    /// centipawns from its start, and so many more from its neighbour; 0 for no spring.
    #[must_use]
    pub fn new(start: &[Weight], stray: f32, neighbour: f32, games: u64) -> Self {
        let stiffness = |width: f32| {
            if width > 0.0 { 1.0 / (width * width * games.max(1) as f32) } else { 0.0 }
        };
        let ordered = ORDERED.iter().filter_map(|name| run_of(name));
        let bonds = ordered.flat_map(|run| run.first..run.first + run.count - 1);
        Self {
            start: start.to_vec(),
            home: stiffness(stray),
            bond: stiffness(neighbour),
            bonds: bonds.filter(|&place| place + 1 < start.len()).collect(),
        }
    }

    /// No springs.
    #[must_use]
    pub fn none(weights: usize) -> Self {
        Self::new(&vec![[0.0; 2]; weights], 0.0, 0.0, 1)
    }

    /// Adds the pull of the springs to the gradient of the mean loss.
    pub(super) fn add_gradient(&self, weights: &[Weight], gradient: &mut [Weight]) {
        let strayed = |place: usize, half: usize| weights[place][half] - self.start[place][half];
        for (place, slope) in gradient.iter_mut().enumerate() {
            for (half, slope) in slope.iter_mut().enumerate() {
                *slope += self.home * strayed(place, half);
            }
        }
        for &place in &self.bonds {
            let pull =
                [0, 1].map(|half| self.bond * (strayed(place + 1, half) - strayed(place, half)));
            for (half, pull) in pull.into_iter().enumerate() {
                gradient[place + 1][half] += pull;
                gradient[place][half] -= pull;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::current_weights;
    use super::*;

    #[test]
    fn springs_pull_home_and_to_the_neighbour() {
        let start = current_weights();
        let place = run_of("king_danger").expect("there is such a group").first + 5;
        let mut weights = start.clone();
        weights[place][1] += 10.0;
        let mut gradient = vec![[0.0; 2]; start.len()];
        Prior::new(&start, 2.0, 1.0, 1).add_gradient(&weights, &mut gradient);
        assert!((gradient[place][1] - 22.5).abs() < 1e-4);
        assert!((gradient[place - 1][1] + 10.0).abs() < 1e-4);
        assert!((gradient[place + 1][1] + 10.0).abs() < 1e-4);
        assert_eq!(gradient[place + 2], [0.0; 2]);

        gradient.fill([0.0; 2]);
        Prior::none(start.len()).add_gradient(&weights, &mut gradient);
        assert!(gradient.iter().all(|&slope| slope == [0.0; 2]));
    }
}
