//! From evaluations and labels to figures.

/// Centipawns that make the odds e to 1 in the labels; see `data fit-scale`.
const LABEL_SCALE: f64 = 210.0;
/// Between these the best scale of an evaluation is looked for.
const SCALES: (f64, f64) = (20.0, 4000.0);

/// A part of the game, by the number of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// Its name in tables.
    pub name: &'static str,
    /// The smallest number of pieces.
    pub from: u32,
    /// The largest number of pieces.
    pub to: u32,
}

/// Everything, then the phases.
pub const PHASES: [Phase; 4] = [
    Phase { name: "all", from: 2, to: 32 },
    Phase { name: "25+ pieces", from: 25, to: 32 },
    Phase { name: "15-24", from: 15, to: 24 },
    Phase { name: "< 15", from: 2, to: 14 },
];

/// How well an evaluation agrees with the labels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// How many positions were compared.
    pub count: usize,
    /// The share of the variance of the expected score, around one half, that is explained.
    pub explained: f64,
    /// The root of the mean squared error, in expected score.
    pub rms: f64,
    /// Centipawns of the evaluation that make the odds e to 1, where it agrees best.
    pub scale: f64,
}

fn expected(score: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-score / scale).exp())
}

/// Fits the scale of an evaluation to the labels. Pairs are (evaluation, label), both in centipawns
/// for the side to move.
#[must_use]
pub fn fit(pairs: &[(f64, f64)]) -> Option<Fit> {
    if pairs.is_empty() {
        return None;
    }
    let error = |scale: f64| -> f64 {
        pairs
            .iter()
            .map(|&(score, label)| (expected(score, scale) - expected(label, LABEL_SCALE)).powi(2))
            .sum()
    };
    let scale = minimum(|log| error(log.exp()), SCALES.0.ln(), SCALES.1.ln()).exp();
    let spread: f64 =
        pairs.iter().map(|&(_, label)| (expected(label, LABEL_SCALE) - 0.5).powi(2)).sum();
    let count = pairs.len();
    let left = error(scale);
    let explained = if spread > 0.0 { 1.0 - left / spread } else { 0.0 };
    Some(Fit { count, explained, rms: (left / count as f64).sqrt(), scale })
}

/// Where a function with one minimum is smallest, by the golden section.
fn minimum(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    const STEPS: usize = 60;
    let golden = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    for _ in 0..STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = f(right);
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evaluation_that_is_the_label_in_other_units_explains_everything() {
        let pairs: Vec<(f64, f64)> =
            (-20..=20).map(|step| (f64::from(step) * 5.0, f64::from(step) * 10.0)).collect();
        let fit = fit(&pairs).unwrap();
        assert!(fit.explained > 0.999_999 && fit.rms < 1e-4, "{fit:?}");
        assert!((fit.scale - LABEL_SCALE / 2.0).abs() < 0.1, "{fit:?}");
    }

    #[test]
    fn noise_explains_nothing_and_a_half_right_evaluation_something_between() {
        let labels: Vec<f64> = (0..400).map(|i| f64::from((i * 37) % 401) - 200.0).collect();
        let noise: Vec<(f64, f64)> = labels
            .iter()
            .enumerate()
            .map(|(i, &label)| (f64::from((i as i32 * 211) % 397) - 198.0, label))
            .collect();
        let blind = fit(&noise).unwrap();
        assert!(blind.explained.abs() < 0.1, "{blind:?}");
        let half: Vec<(f64, f64)> =
            noise.iter().map(|&(other, label)| (label + other, label)).collect();
        let half = fit(&half).unwrap();
        assert!(half.explained > 0.3 && half.explained < 0.8, "{half:?}");
        assert_eq!(fit(&[]), None);
    }

    #[test]
    fn every_number_of_pieces_is_in_all_and_one_phase() {
        for pieces in 2..=32 {
            let of = |phase: &&Phase| (phase.from..=phase.to).contains(&pieces);
            assert_eq!(PHASES.iter().filter(of).count(), 2);
        }
    }
}
