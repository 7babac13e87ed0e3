//! Who hears of events, and the counts.

use chess::{Move, Position};

use super::event::{Event, Group};
use super::timing::{Part, Timing};
use crate::score::Score;
use crate::time::Instant;

/// A node as the search comes to it.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Plies from the root.
    pub ply: usize,
    /// The move that led here; none at the root and after a null move.
    pub mv: Option<Move>,
    /// What kind of node it is: one of the events that count nodes.
    pub kind: Event,
    /// Plies left to search; 0 and below in quiescence.
    pub depth: i32,
    /// Scores at or below this do not matter.
    pub alpha: Score,
    /// Scores at or above this end the node.
    pub beta: Score,
    /// The move that is left out.
    pub excluded: Option<Move>,
    /// The iteration that the node belongs to.
    pub root_depth: i32,
}

/// Records what a search does; the search is compiled for each kind of it. What a recorder does not
/// implement it does not record, at no cost.
pub trait Recorder: Default + Send + 'static {
    /// Whether anything is counted.
    const ON: bool;

    /// Whether nodes are told one by one.
    const TRACE: bool = false;

    /// Counts one event of the search.
    #[inline(always)]
    fn count(&mut self, _: Event) {}

    /// Counts a rule that left a move out.
    #[inline(always)]
    fn skip(&mut self, rule: Event, _: Move) {
        self.count(rule);
    }

    /// Whether a rule may prune. Only a search that is looked into can do without one.
    #[inline(always)]
    fn allows(&self, _: Event) -> bool {
        true
    }

    /// Notes a static score and how far it was corrected, in centipawns.
    #[inline(always)]
    fn evaluated(&mut self, _: Score, _: i32) {}

    /// Notes which position that score belongs to.
    #[inline(always)]
    fn position_evaluated(&mut self, _: &Position) {}

    /// A node of the search begins.
    fn enter(&mut self, _: Visit) {}

    /// The node that began last ends, with a score unless the search was stopped.
    fn leave(&mut self, _: Option<Score>) {}

    /// Notes a cutoff by the move with this number.
    #[inline(always)]
    fn cutoff(&mut self, _: i32) {}

    /// Notes how far below the main search quiescence has come.
    #[inline(always)]
    fn quiescence_ply(&mut self, _: usize) {}

    /// Begins to time a part of the search, if this call is one of those that are timed.
    #[inline(always)]
    fn start(&mut self, _: Part) -> Option<Instant> {
        None
    }

    /// A part of the search ends.
    #[inline(always)]
    fn stop(&mut self, _: Part, _: Option<Instant>) {}

    /// All counts so far, if there are any.
    #[inline(always)]
    fn counters(&self) -> Option<&Counters> {
        None
    }
}

/// The recorder that records nothing and costs nothing.
#[derive(Clone, Copy, Default)]
pub struct Off;

impl Recorder for Off {
    const ON: bool = false;
}

/// How often everything happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    events: [u64; Event::ALL.len()],
    first_move_cuts: u64,
    cutoff_moves: u64,
    deepest_quiescence: usize,
    evaluations: u64,
    /// Sum of the sizes of all corrections, in centipawns.
    corrections: u64,
    largest_correction: u32,
    timings: [Timing; Part::ALL.len()],
}

impl Default for Counters {
    fn default() -> Self {
        Self {
            events: [0; Event::ALL.len()],
            first_move_cuts: 0,
            cutoff_moves: 0,
            deepest_quiescence: 0,
            evaluations: 0,
            corrections: 0,
            largest_correction: 0,
            timings: [Timing::default(); Part::ALL.len()],
        }
    }
}

impl Counters {
    /// How often something happened.
    #[must_use]
    pub fn get(&self, event: Event) -> u64 {
        self.events[event as usize]
    }

    /// How often anything of a group happened.
    #[must_use]
    pub fn total(&self, group: Group) -> u64 {
        Event::ALL.iter().filter(|event| event.group() == group).map(|&event| self.get(event)).sum()
    }

    /// Cutoffs of the main search on the first move tried.
    #[must_use]
    pub fn first_move_cuts(&self) -> u64 {
        self.first_move_cuts
    }

    /// The mean number of the move that cut.
    #[must_use]
    pub fn mean_cutoff_move(&self) -> f64 {
        self.cutoff_moves as f64 / self.total(Group::Cutoffs).max(1) as f64
    }

    /// The deepest ply of quiescence below the main search.
    #[must_use]
    pub fn deepest_quiescence(&self) -> usize {
        self.deepest_quiescence
    }

    /// The share of main-search cutoffs on the first move tried.
    #[must_use]
    pub fn first_move_share(&self) -> f64 {
        share(self.first_move_cuts, self.total(Group::Cutoffs))
    }

    /// The share of main-search cutoffs that came before any quiet move was generated.
    #[must_use]
    pub fn early_share(&self) -> f64 {
        let early =
            [Event::CutTtMove, Event::CutGoodNoisy, Event::CutKiller, Event::CutCountermove];
        share(early.into_iter().map(|event| self.get(event)).sum(), self.total(Group::Cutoffs))
    }

    /// The share of nodes that belong to quiescence.
    #[must_use]
    pub fn quiescence_share(&self) -> f64 {
        share(self.get(Event::QuiescenceNode), self.total(Group::Nodes))
    }

    /// Cutoffs of quiescence by moves that came with the first move.
    #[must_use]
    pub fn quiescence_first_move_share(&self) -> f64 {
        share(self.get(Event::QuiescenceFirstMoveCut), self.get(Event::QuiescenceCut))
    }

    /// Static scores that were corrected, most by nothing.
    #[must_use]
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// The mean size of a correction, in centipawns.
    #[must_use]
    pub fn mean_correction(&self) -> f64 {
        share(self.corrections, self.evaluations)
    }

    /// The largest correction, in centipawns.
    #[must_use]
    pub fn largest_correction(&self) -> u32 {
        self.largest_correction
    }

    /// How long the calls of a part take.
    #[must_use]
    pub fn timing(&self, part: Part) -> &Timing {
        &self.timings[part as usize]
    }

    /// Adds what another thread counted.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.events.iter_mut().zip(other.events) {
            *mine += theirs;
        }
        self.first_move_cuts += other.first_move_cuts;
        self.cutoff_moves += other.cutoff_moves;
        self.deepest_quiescence = self.deepest_quiescence.max(other.deepest_quiescence);
        self.evaluations += other.evaluations;
        self.corrections += other.corrections;
        self.largest_correction = self.largest_correction.max(other.largest_correction);
        for (mine, theirs) in self.timings.iter_mut().zip(&other.timings) {
            mine.merge(theirs);
        }
    }
}

/// A part of a whole; nothing of nothing.
fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl Recorder for Counters {
    const ON: bool = true;

    #[inline]
    fn count(&mut self, event: Event) {
        self.events[event as usize] += 1;
    }

    fn evaluated(&mut self, _: Score, correction: i32) {
        let size = correction.unsigned_abs();
        self.evaluations += 1;
        self.corrections += u64::from(size);
        self.largest_correction = self.largest_correction.max(size);
    }

    fn cutoff(&mut self, move_number: i32) {
        self.first_move_cuts += u64::from(move_number == 1);
        self.cutoff_moves += u64::from(move_number.unsigned_abs());
    }

    fn quiescence_ply(&mut self, below: usize) {
        self.deepest_quiescence = self.deepest_quiescence.max(below);
    }

    #[inline]
    fn start(&mut self, part: Part) -> Option<Instant> {
        self.timings[part as usize].start()
    }

    #[inline]
    fn stop(&mut self, part: Part, started: Option<Instant>) {
        self.timings[part as usize].stop(started);
    }

    fn counters(&self) -> Option<&Counters> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_threads_add_up() {
        let mut one = Counters::default();
        one.count(Event::PvNode);
        one.count(Event::CutTtMove);
        one.cutoff(1);
        let mut two = Counters::default();
        two.count(Event::QuiescenceNode);
        two.count(Event::CutGoodQuiet);
        two.cutoff(4);
        two.quiescence_ply(7);
        one.evaluated(Score::DRAW, -30);
        two.evaluated(Score::DRAW, 10);
        one.merge(&two);
        assert_eq!(one.total(Group::Nodes), 2);
        assert_eq!((one.first_move_cuts(), one.deepest_quiescence()), (1, 7));
        assert!((one.mean_cutoff_move() - 2.5).abs() < 1e-9);
        assert!((one.mean_correction() - 20.0).abs() < 1e-9);
        assert_eq!(one.largest_correction(), 30);
        assert!((one.first_move_share() - 0.5).abs() < 1e-9);
        assert!((one.quiescence_share() - 0.5).abs() < 1e-9);
    }
}
