//! How the one evaluation pass serves both play and tuning.

use super::layout::Weights;
use super::tapered::Tapered;

/// Hears of every weight that the evaluation uses.
pub trait Trace {
    /// The weight at `index` counts `coefficient` times in White's favour.
    fn record(&mut self, index: usize, coefficient: i32);
}

/// For play: nobody listens, and no code remains.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Trace for Silent {
    #[inline]
    fn record(&mut self, _index: usize, _coefficient: i32) {}
}

/// For tuning: the coefficient of every weight.
#[derive(Clone, Debug)]
pub struct Recorder {
    coefficients: Vec<i16>,
}

impl Recorder {
    /// The weights that count, each with how often, in White's favour.
    pub fn terms(&self) -> impl Iterator<Item = (u16, i16)> {
        let numbered = self.coefficients.iter().enumerate();
        numbered.filter(|&(_, &count)| count != 0).map(|(index, &count)| (index as u16, count))
    }

    /// Forgets everything, for the next position.
    pub fn clear(&mut self) {
        self.coefficients.fill(0);
    }
}

impl Default for Recorder {
    fn default() -> Self {
        Self { coefficients: vec![0; Weights::COUNT] }
    }
}

impl Trace for Recorder {
    fn record(&mut self, index: usize, coefficient: i32) {
        self.coefficients[index] += coefficient as i16;
    }
}

/// Adds up one side's weights.
pub(super) struct Tally<'t, T> {
    pub(super) score: Tapered,
    sign: i32,
    trace: &'t mut T,
}

impl<'t, T: Trace> Tally<'t, T> {
    pub(super) fn new(side: chess::Color, trace: &'t mut T) -> Self {
        let sign = match side {
            chess::Color::White => 1,
            chess::Color::Black => -1,
        };
        Self { score: Tapered::ZERO, sign, trace }
    }

    #[inline]
    pub(super) fn add(&mut self, value: Tapered, index: usize, count: i32) {
        self.score += value * count;
        self.trace.record(index, self.sign * count);
    }

    /// Tells the trace of a weight whose value is already in the score.
    #[inline]
    pub(super) fn note(&mut self, index: usize) {
        self.trace.record(index, self.sign);
    }
}

/// The place of a weight among all weights.
macro_rules! place {
    ($group:ident[$index:expr]) => {
        std::mem::offset_of!($crate::eval::layout::Weights, $group)
            / size_of::<$crate::eval::tapered::Tapered>()
            + $index
    };
}

/// Adds a weight to a tally, once or so many times.
macro_rules! add {
    ($tally:expr, $group:ident[$index:expr]) => {
        $crate::eval::trace::add!($tally, $group[$index], 1)
    };
    ($tally:expr, $group:ident[$index:expr], $count:expr) => {{
        let index: usize = $index;
        let value = $crate::eval::weights::WEIGHTS.$group[index];
        $tally.add(value, $crate::eval::trace::place!($group[index]), $count);
    }};
}

pub(super) use {add, place};
