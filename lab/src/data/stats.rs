//! What is in files of games: counts and histograms.

use std::collections::BTreeMap;

use super::filter::{Extractor, PositionFilter};
use super::game::Game;
use super::packed::PackedPosition;
use crate::svg::{Chart, Style};

/// Widths of the bars of histograms.
const SCORE_STEP: i32 = 50;
const PLIES_STEP: i32 = 20;
/// Scores beyond this are counted with the last bar.
const MAX_SCORE: i32 = 2500;

/// How often each value occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram(BTreeMap<i32, u64>);

impl Histogram {
    /// Counts one more of this value.
    pub fn add(&mut self, value: i32) {
        *self.0.entry(value).or_default() += 1;
    }

    /// How often a value occurred.
    #[must_use]
    pub fn count(&self, value: i32) -> u64 {
        self.0.get(&value).copied().unwrap_or(0)
    }

    /// The values with their counts.
    fn points(&self) -> Vec<(f64, f64)> {
        self.0.iter().map(|(&value, &count)| (f64::from(value), count as f64)).collect()
    }
}

/// Counts over games and the positions that a filter keeps of them.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    extractor: Extractor,
    /// How many games were counted.
    pub games: u64,
    /// How many moves these games have.
    pub plies: u64,
    /// Positions that the filter keeps.
    pub kept: u64,
    /// Games by result: Black won, drawn, White won.
    pub results: [u64; 3],
    /// Kept positions by score for the mover, rounded down to a multiple of 50.
    pub scores: Histogram,
    /// Kept positions by number of pieces.
    pub pieces: Histogram,
    /// Games by number of plies, rounded down to a multiple of 20.
    pub lengths: Histogram,
}

impl Stats {
    /// Statistics in which nothing is counted yet.
    #[must_use]
    pub fn new(filter: PositionFilter) -> Self {
        Self { extractor: Extractor::new(filter), ..Self::default() }
    }

    /// Counts a game and its positions.
    pub fn add(&mut self, game: &Game) {
        let Self { extractor, kept, scores, pieces, .. } = self;
        extractor.extract(game, |position| {
            *kept += 1;
            count_position(&position, scores, pieces);
        });
        let plies = game.moves.len();
        self.games += 1;
        self.plies += plies as u64;
        self.results[game.result as usize] += 1;
        self.lengths.add(round_down(plies.min(10_000) as i32, PLIES_STEP));
    }

    /// The histograms as charts, each with a name for its file.
    #[must_use]
    pub fn charts(&self) -> Vec<(&'static str, Chart)> {
        let bars = |title, label, unit, points| {
            Chart::new(title, label, unit).with("", Style::Bars, points)
        };
        let results: Vec<_> = (0..).map(f64::from).zip(self.results.map(|n| n as f64)).collect();
        let mut result_chart = bars("Results", "", "games", results);
        let names = ["Black won", "drawn", "White won"].map(String::from);
        result_chart.x_names = (0..).map(f64::from).zip(names).collect();
        vec![
            (
                "scores",
                bars("Scores of kept positions", "centipawns", "positions", self.scores.points()),
            ),
            ("phases", bars("Pieces on the board", "pieces", "positions", self.pieces.points())),
            ("lengths", bars("Length of games", "plies", "games", self.lengths.points())),
            ("results", result_chart),
        ]
    }
}

fn count_position(position: &PackedPosition, scores: &mut Histogram, pieces: &mut Histogram) {
    let score = i32::from(position.score).clamp(-MAX_SCORE, MAX_SCORE);
    scores.add(round_down(score, SCORE_STEP));
    pieces.add(position.piece_count() as i32);
}

fn round_down(value: i32, step: i32) -> i32 {
    value.div_euclid(step) * step
}
