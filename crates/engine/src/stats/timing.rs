//! **Sampled timing.** Where the time of a search goes. Asking for the time costs more than an
//! evaluation, so only one call in many is timed, and only where statistics are counted.

use std::time::Duration;

use crate::time::Instant;

/// A part of a search that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A whole quiescence search, with its moves and evaluations.
    Quiescence,
    /// Finding the next move: generation, scores and sorting.
    MovePicking,
    /// A static evaluation by the network, with the update of its accumulators.
    Evaluation,
}

impl Part {
    /// All parts, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Quiescence, Self::MovePicking, Self::Evaluation];

    /// What the part is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quiescence => "quiescence",
            Self::MovePicking => "move picking",
            Self::Evaluation => "evaluation",
        }
    }
}

/// One call in so many is timed; a prime, so that no rhythm of the search meets it.
const EVERY: u64 = 61;

/// How long the calls of one part take, as far as they were timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    calls: u64,
    samples: u64,
    sampled: Duration,
    longest: Duration,
}

impl Timing {
    /// Counts a call, and begins to time it if it is its turn.
    #[inline]
    pub(crate) fn start(&mut self) -> Option<Instant> {
        self.calls += 1;
        self.calls.is_multiple_of(EVERY).then(Instant::now)
    }

    /// Ends a call that is timed.
    #[inline]
    pub(crate) fn stop(&mut self, started: Option<Instant>) {
        if let Some(started) = started {
            self.add(started.elapsed());
        }
    }

    fn add(&mut self, time: Duration) {
        self.samples += 1;
        self.sampled += time;
        self.longest = self.longest.max(time);
    }

    /// How often the part was entered.
    #[must_use]
    pub const fn calls(&self) -> u64 {
        self.calls
    }

    /// The mean time of a call; none if none was timed.
    #[must_use]
    pub fn mean(&self) -> Option<Duration> {
        (self.samples > 0).then(|| self.sampled.div_f64(self.samples as f64))
    }

    /// The longest call among those that were timed.
    #[must_use]
    pub const fn longest(&self) -> Duration {
        self.longest
    }

    /// What all calls took together, estimated from those that were timed.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.mean().map_or(Duration::ZERO, |mean| mean.mul_f64(self.calls as f64))
    }

    /// Adds what another thread timed.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.calls += other.calls;
        self.samples += other.samples;
        self.sampled += other.sampled;
        self.longest = self.longest.max(other.longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_call_in_many_stands_for_all() {
        let mut timing = Timing::default();
        let timed = (0..10 * EVERY).filter(|_| timing.start().is_some()).count();
        assert_eq!((timed, timing.calls()), (10, 10 * EVERY));
        assert_eq!((timing.mean(), timing.total()), (None, Duration::ZERO));
        for micros in [1, 2, 6] {
            timing.add(Duration::from_micros(micros));
        }
        assert_eq!(timing.mean(), Some(Duration::from_micros(3)));
        assert_eq!(timing.longest(), Duration::from_micros(6));
        assert_eq!(timing.total(), Duration::from_micros(3 * 10 * EVERY));
        let mut other = Timing::default();
        other.add(Duration::from_micros(11));
        timing.merge(&other);
        assert_eq!(timing.mean(), Some(Duration::from_micros(5)));
        assert_eq!(timing.longest(), Duration::from_micros(11));
    }
}
