//! Giving tuned weights a form in which they can be read and compared.

use super::{Weight, run_of};

/// Runs of which every man of a kind has one, and the place of the kind's material: what they are
/// worth on average belongs to the material.
const PLACED: [(&str, usize); 9] = [
    ("pawn_square", 0),
    ("knight_square", 1),
    ("bishop_square", 2),
    ("rook_square", 3),
    ("queen_square", 4),
    ("knight_mobility", 1),
    ("bishop_mobility", 2),
    ("rook_mobility", 3),
    ("queen_mobility", 4),
];

/// Parts of runs, by first and number, of which both sides always have equally many: what they are
/// worth on average changes no score.
const BALANCED: [(&str, usize, usize); 4] =
    [("king_square", 0, 32), ("shield", 0, 8), ("shield", 8, 8), ("storm", 0, 16)];

/// Moves constants between weights, without changing what any position is worth, so that the
/// average of every square table, mobility and shelter is nothing. `usage` tells how often each
/// weight counts; weights that never count become the average.
pub fn recentre(weights: &mut [Weight], usage: &[u64]) {
    let Some(material) = run_of("material") else { return };
    for (name, kind) in PLACED {
        let Some(run) = run_of(name) else { continue };
        let mean = level(&mut weights[run.places()], &usage[run.places()]);
        for (value, mean) in weights[material.first + kind].iter_mut().zip(mean) {
            *value += mean;
        }
    }
    for (name, first, count) in BALANCED {
        let Some(run) = run_of(name) else { continue };
        let places = run.first + first..run.first + first + count;
        level(&mut weights[places.clone()], &usage[places]);
    }
}

/// Takes the average off a run and returns it.
fn level(run: &mut [Weight], usage: &[u64]) -> Weight {
    let total: u64 = usage.iter().sum();
    if total == 0 {
        return [0.0; 2];
    }
    let mut mean = [0.0; 2];
    for (half, mean) in mean.iter_mut().enumerate() {
        let weighted = run.iter().zip(usage).map(|(value, &n)| f64::from(value[half]) * n as f64);
        *mean = (weighted.sum::<f64>() / total as f64) as f32;
    }
    for (value, &count) in run.iter_mut().zip(usage) {
        for (value, mean) in value.iter_mut().zip(mean) {
            *value = if count == 0 { 0.0 } else { *value - mean };
        }
    }
    mean
}

/// Multiplies all weights.
pub fn rescale(weights: &mut [Weight], factor: f32) {
    weights.iter_mut().flatten().for_each(|value| *value *= factor);
}

/// The nearest whole numbers.
#[must_use]
pub fn rounded(weights: &[Weight]) -> Vec<Weight> {
    weights.iter().map(|weight| weight.map(f32::round)).collect()
}

#[cfg(test)]
mod tests {
    use chess::Position;
    use engine::eval::Recorder;

    use super::super::{Samples, current_weights};
    use super::*;
    use crate::data::GameResult;

    #[test]
    fn recentring_moves_constants_and_keeps_every_score() {
        let mut samples = Samples::default();
        let mut recorder = Recorder::default();
        for fen in [
            "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
            "8/5pk1/1p4p1/p2r4/P6P/1P3KP1/4R3/8 b - - 3 40",
            "rnbqkbnr/pp2pppp/8/2ppP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",
            "4k3/8/8/3q4/8/2N5/PPP5/1K1R4 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect("the test's position is legal");
            samples.push(&position, 0, GameResult::Draw, &mut recorder);
        }
        let before = current_weights();
        let mut after = before.clone();
        let usage = samples.usage(after.len());
        recentre(&mut after, &usage);
        assert_ne!(before, after);
        for sample in samples.iter() {
            let (old, new) = (sample.evaluate(&before).0, sample.evaluate(&after).0);
            assert!((old - new).abs() < 0.01, "{new} for {old}");
        }
        let run = run_of("rook_square").expect("there is such a group");
        let sum: f64 =
            run.places().map(|place| f64::from(after[place][1]) * usage[place] as f64).sum();
        assert!(sum.abs() < 0.01, "{sum}");
        // Once tidy, it stays as it is.
        let mut again = after.clone();
        recentre(&mut again, &usage);
        let moved = again.iter().flatten().zip(after.iter().flatten());
        assert!(moved.fold(0.0_f32, |most, (a, b)| most.max((a - b).abs())) < 0.01);
    }
}
