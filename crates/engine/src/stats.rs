//! Counting what the search does. Whether it counts is a type, so that a search that does not
//! count has no trace of it.

/// Something the search did that can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
#[allow(missing_docs)]
pub enum Event {
    MainNode,
    QuiescenceNode,
    StandPatCut,
    QuiescenceCut,
    QuiescenceFirstMoveCut,
    DeltaPrune,
    ExchangePrune,
    EvasionNode,
    QuiescenceMate,
    Stalemate,
    QuiescenceTableHit,
    QuiescenceTableCut,
    Explosion,
    CaptureLimit,
    TableHit,
    TableCut,
    Cut,
    FirstMoveCut,
}

/// How many kinds of events there are.
pub const EVENTS: usize = Event::FirstMoveCut as usize + 1;

/// Hears of events.
pub trait Recorder: Default + Send + 'static {
    /// Counts one.
    fn count(&mut self, event: Event);
}

/// Counts nothing.
#[derive(Clone, Copy, Default)]
pub struct Off;

impl Recorder for Off {
    #[inline(always)]
    fn count(&mut self, _: Event) {}
}

/// Counts everything.
#[derive(Clone, Debug)]
pub struct Counters([u64; EVENTS]);

impl Default for Counters {
    fn default() -> Self {
        Self([0; EVENTS])
    }
}

impl Counters {
    /// How often something happened.
    #[must_use]
    pub fn get(&self, event: Event) -> u64 {
        self.0[event as usize]
    }
}

impl Recorder for Counters {
    #[inline]
    fn count(&mut self, event: Event) {
        self.0[event as usize] += 1;
    }
}
