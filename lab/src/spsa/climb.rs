//! The method, apart from the games.

use engine::params::Param;
use serde::{Deserialize, Serialize};

use crate::match_play::Variant;
use crate::rng::Rng;

/// How the steps grow smaller; the usual values.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Steps that the first ones are smoothed over, as a share of all.
const WARM_UP: f64 = 0.1;

/// One parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dimension {
    /// The name of the parameter.
    pub name: String,
    /// Where the parameter stands now.
    pub value: f64,
    /// Where it began, before the first step.
    pub start: i32,
    /// The least and the greatest value.
    pub range: (i32, i32),
    /// By how much it is moved at the end.
    pub final_move: f64,
}

impl Dimension {
    /// A parameter at its default.
    #[must_use]
    pub fn new(param: &Param) -> Self {
        Self {
            name: param.name.to_owned(),
            value: f64::from(param.default),
            start: param.default,
            range: (param.min, param.max),
            final_move: param.final_move(),
        }
    }

    fn within(&self, value: f64) -> f64 {
        value.clamp(f64::from(self.range.0), f64::from(self.range.1))
    }
}

/// The state of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Climb {
    /// The parameters that are tuned.
    pub dimensions: Vec<Dimension>,
    /// Steps that are done.
    pub done: usize,
    /// Steps that the whole climb takes.
    pub steps: usize,
    /// Seed of the perturbations.
    pub seed: u64,
    /// The rate of learning at the end.
    pub final_rate: f64,
}

impl Climb {
    /// A tuning at its beginning.
    #[must_use]
    pub fn new(dimensions: Vec<Dimension>, steps: usize, seed: u64, final_rate: f64) -> Self {
        Self { dimensions, done: 0, steps, seed, final_rate }
    }

    /// Which way each parameter is moved for the first player in a step.
    fn signs(&self, step: usize) -> Vec<f64> {
        let mut rng = Rng::derived(self.seed, step as u64);
        self.dimensions.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect()
    }

    /// By how much a parameter is moved in a step.
    fn reach(&self, dimension: &Dimension, step: usize) -> f64 {
        dimension.final_move * (self.steps as f64 / (step + 1) as f64).powf(GAMMA)
    }

    /// The rate of learning in a step.
    fn rate(&self, dimension: &Dimension, step: usize) -> f64 {
        let (steps, warm_up) = (self.steps as f64, WARM_UP * self.steps as f64);
        let last = self.final_rate * dimension.final_move.powi(2);
        let now = last * ((warm_up + steps) / (warm_up + (step + 1) as f64)).powf(ALPHA);
        now / self.reach(dimension, step).powi(2)
    }

    /// The two players of a step.
    #[must_use]
    pub fn players(&self, step: usize) -> [Variant; 2] {
        let signs = self.signs(step);
        [1.0, -1.0].map(|side| {
            let changes = self.dimensions.iter().zip(&signs).map(|(dimension, sign)| {
                let moved = dimension.value + side * sign * self.reach(dimension, step);
                (dimension.name.clone(), dimension.within(moved).round() as i32)
            });
            Variant(changes.collect())
        })
    }

    /// Learns from a step: `points` is what the first player made of it, from -2 to 2.
    pub fn learn(&mut self, step: usize, points: f64) {
        let signs = self.signs(step);
        let moves: Vec<f64> = self
            .dimensions
            .iter()
            .zip(signs)
            .map(|(dimension, sign)| {
                self.rate(dimension, step) * self.reach(dimension, step) * points * sign
            })
            .collect();
        for (dimension, by) in self.dimensions.iter_mut().zip(moves) {
            dimension.value = dimension.within(dimension.value + by);
        }
        self.done += 1;
    }

    /// The values so far.
    #[must_use]
    pub fn variant(&self) -> Variant {
        let rounded =
            |dimension: &Dimension| (dimension.name.clone(), dimension.value.round() as i32);
        Variant(self.dimensions.iter().map(rounded).collect())
    }
}

#[cfg(test)]
mod tests {
    use engine::params::FINAL_RATE;

    use super::*;

    fn dimension(name: &str, start: i32) -> Dimension {
        let param = Param { name: "x", default: start, min: 0, max: 200 };
        Dimension { name: name.to_owned(), ..Dimension::new(&param) }
    }

    /// The chance of the first player, if the best place is known.
    fn chance(players: &[Variant; 2], best: [i32; 2]) -> f64 {
        let height = |variant: &Variant| -> f64 {
            let squares = variant
                .0
                .iter()
                .zip(best)
                .map(|((_, value), best)| -f64::from(value - best).powi(2));
            squares.sum::<f64>() / 400.0
        };
        1.0 / (1.0 + (height(&players[1]) - height(&players[0])).exp())
    }

    #[test]
    fn parameters_walk_to_where_games_are_won() {
        let best = [140, 60];
        let dimensions = vec![dimension("a", 100), dimension("b", 100)];
        let mut climb = Climb::new(dimensions, 20_000, 3, FINAL_RATE);
        let mut rng = Rng::new(9);
        for step in 0..climb.steps {
            let players = climb.players(step);
            let game = |rng: &mut Rng| {
                if (rng.below(1000) as f64) < 1000.0 * chance(&players, best) { 1.0 } else { -1.0 }
            };
            climb.learn(step, game(&mut rng) + game(&mut rng));
        }
        for (dimension, best) in climb.dimensions.iter().zip(best) {
            assert!((dimension.value - f64::from(best)).abs() < 15.0, "{dimension:?}");
        }
        assert_eq!(climb.done, climb.steps);
    }

    #[test]
    fn players_stand_on_both_sides_and_inside_the_range() {
        let dimensions = vec![dimension("a", 1), dimension("b", 199)];
        let climb = Climb::new(dimensions, 100, 1, FINAL_RATE);
        for step in 0..100 {
            let [one, two] = climb.players(step);
            assert_ne!(one, two);
            let all = one.0.iter().chain(&two.0);
            assert!(all.clone().all(|(_, value)| (0..=200).contains(value)));
        }
        assert_eq!(climb.players(7), climb.players(7));
    }

    #[test]
    fn a_higher_rate_moves_further_for_the_same_points() {
        let walked = |rate: f64| {
            let mut climb = Climb::new(vec![dimension("a", 100)], 50, 1, rate);
            climb.learn(0, 2.0);
            (climb.dimensions[0].value - 100.0).abs()
        };
        assert!(walked(FINAL_RATE) > 0.0);
        assert!((walked(3.0 * FINAL_RATE) - 3.0 * walked(FINAL_RATE)).abs() < 1e-9);
    }
}
