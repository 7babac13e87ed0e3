//! The whole picture of a search: counts, iterations, clock. Plain data that can be written as JSON.

use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::counters::Counters;
use super::event::{Event, Group};
use super::timing::Part;

/// What is known about a search, while it runs or after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// Whether the search is still under way.
    pub running: bool,
    /// Time since it was asked for.
    pub time: Duration,
    /// The number of threads that search.
    pub threads: usize,
    /// What all threads have counted.
    pub counters: Counters,
    /// The iterations that are complete, as the main thread saw them.
    pub iterations: Vec<Iteration>,
    /// What the clock allows.
    pub plan: TimePlan,
    /// What ended the search.
    pub stop: Option<StopReason>,
    /// Entries of the main thread's correction history that have learned something.
    pub correction_entries: usize,
}

/// One finished iteration of the main thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The depth that was searched.
    pub depth: i32,
    /// Nodes of all threads from the beginning of the search to its end.
    pub nodes: u64,
    /// Time from the beginning of the search to its end.
    pub time: Duration,
}

/// What the clock allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimePlan {
    /// The time that a move of ordinary difficulty should take.
    pub soft: Option<Duration>,
    /// The same for this move, as the last iteration judged it.
    pub wanted: Option<Duration>,
    /// The time that it may take at most.
    pub hard: Option<Duration>,
}

/// What ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The deepest iteration asked for is complete.
    Depth,
    /// The nodes are spent.
    Nodes,
    /// The mate asked for is found.
    Mate,
    /// The mate that was found is much nearer than the horizon.
    MateIsNear,
    /// There is only one move.
    OnlyMove,
    /// Another iteration is not worth its time.
    Enough,
    /// The time is up.
    TimeIsUp,
    /// A stop was requested.
    Requested,
}

impl StopReason {
    /// The reason as one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Mate => "mate",
            Self::MateIsNear => "mate_is_near",
            Self::OnlyMove => "only_move",
            Self::Enough => "enough",
            Self::TimeIsUp => "time_is_up",
            Self::Requested => "requested",
        }
    }

    /// The reason in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Depth => "the depth asked for is reached",
            Self::Nodes => "the nodes are spent",
            Self::Mate => "the mate asked for is found",
            Self::MateIsNear => "a mate is proven",
            Self::OnlyMove => "there is only one move",
            Self::Enough => "another iteration is not worth its time",
            Self::TimeIsUp => "the time is up",
            Self::Requested => "a stop was requested",
        }
    }
}

impl Statistics {
    /// Nodes of all threads.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.counters.total(Group::Nodes)
    }

    /// Nodes that each iteration took, and how many times as many as the one before.
    pub fn growth(&self) -> impl Iterator<Item = (Iteration, u64, Option<f64>)> {
        let own = |index: usize| {
            let before = index.checked_sub(1).map_or(0, |index| self.iterations[index].nodes);
            self.iterations[index].nodes.saturating_sub(before)
        };
        (0..self.iterations.len()).map(move |index| {
            let factor =
                index.checked_sub(1).map(|before| own(index) as f64 / own(before).max(1) as f64);
            (self.iterations[index], own(index), factor)
        })
    }

    /// The share of the time of all threads that a part took, estimated from the calls that were
    /// timed. Quiescence contains most of the evaluations and some of the move picking.
    #[must_use]
    pub fn time_share(&self, part: Part) -> f64 {
        let whole = self.time.as_secs_f64() * self.threads.max(1) as f64;
        let part = self.counters.timing(part).total().as_secs_f64();
        if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 }
    }

    /// What the counts say about quiescence.
    #[must_use]
    pub fn quiescence(&self) -> QuiescenceView<'_> {
        QuiescenceView(&self.counters)
    }
}

/// A name as a key of a JSON object.
fn key(name: &str) -> String {
    name.to_ascii_lowercase().replace([' ', '-'], "_")
}

/// A number with a few digits, so that JSON stays short.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The counts of one group.
struct GroupView<'a>(&'a Counters, Group);

impl Serialize for GroupView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.1.events().map(|event| (key(event.name()), self.0.get(event))))
    }
}

impl Serialize for Statistics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counters = &self.counters;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("running", &self.running)?;
        map.serialize_entry("nodes", &self.nodes())?;
        map.serialize_entry("time_ms", &milliseconds(self.time))?;
        for group in Group::ALL {
            map.serialize_entry(&key(group.name()), &GroupView(counters, group))?;
        }
        map.serialize_entry("quiescence_share", &rounded(counters.quiescence_share()))?;
        map.serialize_entry("deepest_quiescence", &counters.deepest_quiescence())?;
        map.serialize_entry("cutoffs", &counters.total(Group::Cutoffs))?;
        map.serialize_entry("first_move_share", &rounded(counters.first_move_share()))?;
        map.serialize_entry("mean_cutoff_move", &rounded(counters.mean_cutoff_move()))?;
        map.serialize_entry("cut_before_quiets_share", &rounded(counters.early_share()))?;
        map.serialize_entry("evaluations", &counters.evaluations())?;
        map.serialize_entry("mean_correction", &rounded(counters.mean_correction()))?;
        map.serialize_entry("largest_correction", &counters.largest_correction())?;
        map.serialize_entry("correction_entries", &self.correction_entries)?;
        map.serialize_entry("timing", &Timings(self))?;
        map.serialize_entry("iterations", &Iterations(self))?;
        map.serialize_entry("clock", &self.plan)?;
        map.serialize_entry("stop", &self.stop.map(StopReason::name))?;
        map.end()
    }
}

struct Timings<'a>(&'a Statistics);

impl Serialize for Timings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let view = |part| (key(Part::name(part)), TimingView(self.0, part));
        serializer.collect_map(Part::ALL.into_iter().map(view))
    }
}

struct TimingView<'a>(&'a Statistics, Part);

impl Serialize for TimingView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(statistics, part) = *self;
        let timing = statistics.counters.timing(part);
        let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("calls", &timing.calls())?;
        map.serialize_entry("time_share", &rounded(statistics.time_share(part)))?;
        map.serialize_entry("mean_ns", &timing.mean().map(nanoseconds))?;
        map.serialize_entry("longest_ns", &nanoseconds(timing.longest()))?;
        map.end()
    }
}

struct Iterations<'a>(&'a Statistics);

impl Serialize for Iterations<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.growth().map(IterationView))
    }
}

struct IterationView((Iteration, u64, Option<f64>));

impl Serialize for IterationView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (iteration, nodes, factor) = self.0;
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("depth", &iteration.depth)?;
        map.serialize_entry("nodes", &nodes)?;
        map.serialize_entry("time_ms", &milliseconds(iteration.time))?;
        map.serialize_entry("branching", &factor.map(rounded))?;
        map.end()
    }
}

impl Serialize for TimePlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("soft_ms", &self.soft.map(milliseconds))?;
        map.serialize_entry("wanted_ms", &self.wanted.map(milliseconds))?;
        map.serialize_entry("hard_ms", &self.hard.map(milliseconds))?;
        map.end()
    }
}

/// What the counts say about quiescence, as JSON.
pub struct QuiescenceView<'a>(&'a Counters);

impl Serialize for QuiescenceView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let counters = self.0;
        let quiescence = counters.get(Event::QuiescenceNode);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("main_nodes", &(counters.total(Group::Nodes) - quiescence))?;
        map.serialize_entry("quiescence_nodes", &quiescence)?;
        map.serialize_entry("quiescence_share", &rounded(counters.quiescence_share()))?;
        for event in Group::Quiescence.events() {
            map.serialize_entry(&key(event.name()), &counters.get(event))?;
        }
        let first = counters.quiescence_first_move_share();
        map.serialize_entry("first_move_share", &rounded(first))?;
        map.serialize_entry("deepest_ply", &counters.deepest_quiescence())?;
        map.end()
    }
}
