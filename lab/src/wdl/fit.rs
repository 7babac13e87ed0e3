//! The model and its fit by maximum likelihood.

use std::fmt;

use super::table::Cell;

/// Terms of each polynomial.
pub const TERMS: usize = 3;
/// All parameters: those of `half`, then those of `spread`.
const ALL: usize = 2 * TERMS;
/// Steps after which the fit has long settled.
const STEPS: usize = 60;

/// The parameters of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The score from which every second game is won: a polynomial of the material divided by
    /// that of the start, constant term first.
    pub half: [f64; TERMS],
    /// How fast the chance grows around it, likewise.
    pub spread: [f64; TERMS],
    /// Material below the first or above the second counts as that.
    pub range: (u32, u32),
}

/// A fitted model and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The model that fits best.
    pub model: Model,
    /// Mean negative log-likelihood of the results.
    pub loss: f64,
}

/// Material at the start of a game.
const START: f64 = 78.0;

impl Model {
    /// `half` and `spread` for some material.
    #[must_use]
    pub fn at(&self, material: f64) -> (f64, f64) {
        let powers = self.powers(material);
        let value = |terms: &[f64; TERMS]| -> f64 {
            terms.iter().zip(powers).map(|(term, power)| term * power).sum()
        };
        (value(&self.half), value(&self.spread).max(1.0))
    }

    fn powers(&self, material: f64) -> [f64; TERMS] {
        let (low, high) = self.range;
        let x = material.clamp(f64::from(low), f64::from(high)) / START;
        let mut power = 1.0;
        [(); TERMS].map(|()| {
            let this = power;
            power *= x;
            this
        })
    }

    /// The chances to lose, draw and win.
    #[must_use]
    pub fn chances(&self, score: f64, material: f64) -> [f64; 3] {
        let (half, spread) = self.at(material);
        let win = logistic((score - half) / spread);
        let loss = logistic((-score - half) / spread);
        [loss, (1.0 - win - loss).max(1e-9), win]
    }

    fn loss(&self, cells: &[Cell]) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for cell in cells {
            let chances = self.chances(cell.score, cell.material);
            for (chance, result) in chances.into_iter().zip(cell.results) {
                sum -= result * chance.max(1e-12).ln();
                count += result;
            }
        }
        sum / f64::max(count, 1.0)
    }

    fn moved(&self, step: &[f64; ALL], part: f64) -> Self {
        let mut moved = *self;
        for (index, &change) in step.iter().enumerate() {
            let term = if index < TERMS {
                &mut moved.half[index]
            } else {
                &mut moved.spread[index - TERMS]
            };
            *term += part * change;
        }
        moved
    }

    /// The direction of the likelihood's rise, and what it is expected to curve like.
    fn slope(&self, cells: &[Cell]) -> ([f64; ALL], [[f64; ALL]; ALL]) {
        let (mut rise, mut curve) = ([0.0; ALL], [[0.0; ALL]; ALL]);
        for cell in cells {
            let (half, spread) = self.at(cell.material);
            let powers = self.powers(cell.material);
            let chances = self.chances(cell.score, cell.material);
            let count: f64 = cell.results.iter().sum();
            // How each side's chance changes with `half` and with `spread`.
            let change = |score: f64, chance: f64| {
                let steep = chance * (1.0 - chance) / spread;
                [-steep, -steep * (score - half) / spread]
            };
            let loss = change(-cell.score, chances[0]);
            let win = change(cell.score, chances[2]);
            let draw = [-loss[0] - win[0], -loss[1] - win[1]];
            for ((by, chance), result) in [loss, draw, win].iter().zip(chances).zip(cell.results) {
                let chance = chance.max(1e-9);
                let mut full = [0.0; ALL];
                for (term, power) in powers.iter().enumerate() {
                    full[term] = by[0] * power;
                    full[TERMS + term] = by[1] * power;
                }
                for row in 0..ALL {
                    rise[row] += result * full[row] / chance;
                    for column in 0..ALL {
                        curve[row][column] += count * full[row] * full[column] / chance;
                    }
                }
            }
        }
        (rise, curve)
    }
}

impl fmt::Display for Model {
    /// As the engine keeps them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = |terms: &[f64; TERMS]| terms.map(|term| format!("{term:.1}")).join(", ");
        let (low, high) = self.range;
        write!(
            f,
            "const MODEL: Model = Model {{\n    half: [{}],\n    spread: [{}],\n    material: ({low}, {high}),\n}};",
            terms(&self.half),
            terms(&self.spread)
        )
    }
}

impl Fit {
    /// The parameters under which the results are most likely.
    #[must_use]
    pub fn of(cells: &[Cell], range: (u32, u32)) -> Self {
        let mut model = Model { half: [200.0, 0.0, 0.0], spread: [100.0, 0.0, 0.0], range };
        let mut loss = model.loss(cells);
        for _ in 0..STEPS {
            let (rise, curve) = model.slope(cells);
            let Some(step) = solve(curve, rise) else { break };
            let better = [1.0, 0.5, 0.25, 0.1, 0.02]
                .into_iter()
                .map(|part| model.moved(&step, part))
                .map(|moved| Self { model: moved, loss: moved.loss(cells) })
                .find(|fit| fit.loss < loss - 1e-12);
            let Some(better) = better else { break };
            (model, loss) = (better.model, better.loss);
        }
        Self { model, loss }
    }
}

/// Solves a small system of linear equations.
fn solve(mut matrix: [[f64; ALL]; ALL], mut right: [f64; ALL]) -> Option<[f64; ALL]> {
    for (index, row) in matrix.iter_mut().enumerate() {
        row[index] *= 1.0 + 1e-9;
    }
    for column in 0..ALL {
        let pivot = (column..ALL)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-30 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in 0..ALL {
            if row != column {
                let factor = matrix[row][column] / matrix[column][column];
                let source = matrix[column];
                for (value, above) in matrix[row].iter_mut().zip(source) {
                    *value -= factor * above;
                }
                right[row] -= factor * right[column];
            }
        }
    }
    let mut solution = [0.0; ALL];
    for (index, value) in solution.iter_mut().enumerate() {
        *value = right[index] / matrix[index][index];
    }
    Some(solution)
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn the_fit_finds_the_model_that_made_the_results() {
        let truth =
            Model { half: [120.0, 90.0, 30.0], spread: [60.0, 30.0, -10.0], range: (10, 78) };
        let mut rng = Rng::new(3);
        let mut cells = Vec::new();
        for material in (10..=78).step_by(4).map(f64::from) {
            for score in (-1000..=1000).step_by(40).map(f64::from) {
                let chances = truth.chances(score, material);
                let mut results = [0.0; 3];
                for _ in 0..400 {
                    let luck = rng.unit();
                    let index = usize::from(luck > chances[0])
                        + usize::from(luck > chances[0] + chances[1]);
                    results[index] += 1.0;
                }
                cells.push(Cell { score, material, results });
            }
        }
        let fit = Fit::of(&cells, truth.range);
        for material in [12.0, 30.0, 50.0, 78.0] {
            let ((half, spread), (true_half, true_spread)) =
                (fit.model.at(material), truth.at(material));
            assert!((half - true_half).abs() < 6.0, "{material}: {half} for {true_half}");
            assert!((spread - true_spread).abs() < 4.0, "{material}: {spread} for {true_spread}");
        }
        assert!(fit.loss <= truth.loss(&cells));
    }

    #[test]
    fn chances_add_up() {
        let model = Model { half: [150.0, 0.0, 0.0], spread: [70.0, 0.0, 0.0], range: (17, 78) };
        for score in [-3000.0, -150.0, 0.0, 150.0, 3000.0] {
            let sum: f64 = model.chances(score, 40.0).iter().sum();
            assert!((sum - 1.0).abs() < 1e-6, "{score}");
        }
        assert!((model.chances(150.0, 40.0)[2] - 0.5).abs() < 1e-9);
    }
}
