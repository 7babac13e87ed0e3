//! Positions as the tuner needs them: how often each weight counts, and what the game said.

use std::path::PathBuf;

use chess::Position;
use engine::eval::{PHASE_MAX, Recorder, SCALE_MAX, evaluate_with};
use indicatif::ProgressBar;

use super::Weight;
use crate::Error;
use crate::data::{FileReport, GameResult, PackedPosition, PositionFilter, ScoreTable};
use crate::data::{is_held_out, read_games};

/// What a position has besides its counts. All from White's view.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Where its counts begin.
    first: u32,
    /// How many weights count.
    terms: u16,
    /// The score that the search gave.
    score: i16,
    /// What is added for progress against a bare king.
    mop_up: i16,
    /// 0 Black won, 1 drawn, 2 White won.
    result: u8,
    phase: u8,
    /// How much of an advantage counts: White's, Black's.
    scale: [u8; 2],
    /// What the fifty-move rule leaves of the score, of [`FADE_MAX`] parts.
    fade: u8,
}

const FADE_MAX: u8 = 200;

/// A position, borrowed from [`Samples`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<'s> {
    head: Head,
    indices: &'s [u16],
    counts: &'s [i8],
}

impl Sample<'_> {
    /// The score in centipawns that these weights give, and what a unit of each half of a weight
    /// adds to it.
    #[inline]
    pub(super) fn evaluate(&self, weights: &[Weight]) -> (f32, Weight) {
        let mut sum = [0.0; 2];
        for (&index, &count) in self.indices.iter().zip(self.counts) {
            let weight = weights[usize::from(index)];
            let count = f32::from(count);
            sum[0] += count * weight[0];
            sum[1] += count * weight[1];
        }
        let head = self.head;
        let phase = f32::from(head.phase) / PHASE_MAX as f32;
        let unscaled = sum[0] * phase + sum[1] * (1.0 - phase);
        let fade = f32::from(head.fade) / f32::from(FADE_MAX);
        let part = fade * f32::from(head.scale[usize::from(unscaled < 0.0)]) / SCALE_MAX as f32;
        let score = unscaled * part + f32::from(head.mop_up) * fade;
        (score, [phase * part, (1.0 - phase) * part])
    }

    /// Adds a gradient to that of every weight that counts.
    #[inline]
    pub(super) fn spread(&self, slope: Weight, gradient: &mut [Weight]) {
        for (&index, &count) in self.indices.iter().zip(self.counts) {
            let sum = &mut gradient[usize::from(index)];
            let count = f32::from(count);
            sum[0] += count * slope[0];
            sum[1] += count * slope[1];
        }
    }

    /// The score that the search gave.
    pub(super) fn score(&self) -> f32 {
        f32::from(self.head.score)
    }

    /// The points that White got.
    pub(super) fn points(&self) -> f32 {
        f32::from(self.head.result) / 2.0
    }
}

/// Many positions, in about three bytes for each weight that counts.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    heads: Vec<Head>,
    indices: Vec<u16>,
    counts: Vec<i8>,
    /// How many games they are from.
    pub games: u64,
}

impl Samples {
    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Adds a position. One that no weight can judge is left out.
    pub fn push(
        &mut self,
        position: &Position,
        score: i16,
        result: GameResult,
        recorder: &mut Recorder,
    ) {
        recorder.clear();
        let parts = evaluate_with(position, recorder);
        // Positions beyond what four bytes can number are left out too.
        let Ok(first) = u32::try_from(self.indices.len()) else { return };
        for (index, count) in recorder.terms() {
            self.indices.push(index);
            self.counts.push(count.clamp(i8::MIN.into(), i8::MAX.into()) as i8);
        }
        let terms = self.indices.len() - first as usize;
        if terms == 0 {
            return;
        }
        self.heads.push(Head {
            first,
            terms: terms as u16,
            score,
            mop_up: parts.mop_up as i16,
            result: result as u8,
            phase: parts.phase as u8,
            scale: parts.scale.map(|scale| scale as u8),
            fade: FADE_MAX - position.halfmove_clock().min(100) as u8,
        });
    }

    pub(super) fn get(&self, index: usize) -> Sample<'_> {
        let head = self.heads[index];
        let first = head.first as usize;
        let range = first..first + usize::from(head.terms);
        Sample { head, indices: &self.indices[range.clone()], counts: &self.counts[range] }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// How often each weight counts in all positions, by either side.
    #[must_use]
    pub fn usage(&self, weights: usize) -> Vec<u64> {
        let mut usage = vec![0; weights];
        for (&index, &count) in self.indices.iter().zip(&self.counts) {
            usage[usize::from(index)] += u64::from(count.unsigned_abs());
        }
        usage
    }

    /// Results by the scores that the search gave.
    #[must_use]
    pub fn score_table(&self) -> ScoreTable {
        let mut table = ScoreTable::default();
        for head in &self.heads {
            let (score, result) = (head.score, head.result);
            table.add(&PackedPosition { score, result, ..PackedPosition::default() });
        }
        table
    }

    /// Replaces every result by one drawn at random with the odds that `promise` gives.
    #[cfg(test)]
    pub(super) fn redraw_results(&mut self, mut promise: impl FnMut(Sample) -> (i16, u8)) {
        for index in 0..self.len() {
            let (score, result) = promise(self.get(index));
            self.heads[index].score = score;
            self.heads[index].result = result;
        }
    }
}

/// Which positions to load.
#[derive(Clone, Debug)]
pub struct Loading {
    /// Files of games.
    pub files: Vec<PathBuf>,
    /// Which positions of games to take.
    pub filter: PositionFilter,
    /// The share of games, in percent, to measure with instead of learning from.
    pub held_out_percent: f64,
    /// Take no further game once there are this many positions.
    pub positions: usize,
}

/// Reads games and takes positions: first those to learn from, then those to measure with.
///
/// # Errors
/// When a file cannot be read.
pub fn load(
    loading: &Loading,
    bar: &ProgressBar,
) -> Result<([Samples; 2], Vec<FileReport>), Error> {
    let mut both = [Samples::default(), Samples::default()];
    let mut recorder = Recorder::default();
    let reports = read_games(&loading.files, bar, |stored| {
        if both.iter().map(Samples::len).sum::<usize>() >= loading.positions {
            return Ok(());
        }
        let game = stored.game;
        let held_out = is_held_out(game.identity(), loading.held_out_percent);
        let samples = &mut both[usize::from(held_out)];
        samples.games += 1;
        game.replay(|position, best| {
            if loading.filter.keeps(position, best) {
                samples.push(position, best.white_score, game.result, &mut recorder);
            }
        });
        Ok(())
    })?;
    Ok((both, reports))
}
