//! A sample of the positions that a search evaluates. They are not those of games: most of them follow
//! a bad move, and in many a piece hangs. A network is asked about them far more often than about
//! positions that anybody plays; what labels of them teach it is in docs/nets.md.

use chess::Position;
use chess::rng::Rng;

use super::counters::{Off, Recorder};

/// The recorder that keeps some of the evaluated positions, each evaluation with the same chance
/// (reservoir sampling; Vitter, "Random sampling with a reservoir", 1985).
pub(crate) struct EvalSample {
    rng: Rng,
    wanted: usize,
    evaluated: usize,
    positions: Vec<Position>,
}

impl EvalSample {
    /// A recorder that keeps at most `wanted` positions; the seed fixes which.
    pub(crate) fn new(wanted: usize, seed: u64) -> Self {
        Self { rng: Rng::new(seed), wanted, evaluated: 0, positions: Vec::with_capacity(wanted) }
    }

    /// The positions that were kept.
    pub(crate) fn into_positions(self) -> Vec<Position> {
        self.positions
    }
}

impl Default for EvalSample {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl Recorder for EvalSample {
    const ON: bool = Off::ON;

    fn position_evaluated(&mut self, position: &Position) {
        self.evaluated += 1;
        if self.positions.len() < self.wanted {
            self.positions.push(*position);
        } else if let Some(slot) = self.positions.get_mut(self.rng.below(self.evaluated)) {
            *slot = *position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_evaluation_has_the_same_chance_to_be_kept() {
        let mut positions = vec![Position::startpos()];
        for plies in 0..9 {
            let mut next = positions[plies];
            let mv = next.legal_moves()[plies];
            next.make(mv);
            positions.push(next);
        }
        let mut kept = [0; 10];
        for seed in 0..4000 {
            let mut sample = EvalSample::new(3, seed);
            for position in &positions {
                sample.position_evaluated(position);
            }
            let found = sample.into_positions();
            assert_eq!(found.len(), 3);
            for position in found {
                kept[positions.iter().position(|other| *other == position).unwrap()] += 1;
            }
        }
        // 1,200 each; the standard deviation is 29.
        assert!(kept.iter().all(|count| (1080..=1320).contains(count)), "{kept:?}");
    }

    #[test]
    fn a_short_search_leaves_all_that_it_evaluated() {
        let mut sample = EvalSample::new(5, 1);
        sample.position_evaluated(&Position::startpos());
        assert_eq!(sample.into_positions(), [Position::startpos()]);
        assert!(EvalSample::default().into_positions().is_empty());
    }
}
