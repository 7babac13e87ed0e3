//! Stopping a search from another thread.

use std::sync::Arc;

use crate::search::Flags;

/// Stops a search, or tells it that the expected move was played, from any thread.
#[derive(Clone)]
pub struct Control(Arc<Flags>);

impl Control {
    pub(crate) fn of(flags: &Arc<Flags>) -> Self {
        Self(Arc::clone(flags))
    }

    /// Makes ready for the next search. A stop or ponder hit that comes after this is not lost,
    /// even if the search has not begun yet.
    pub fn arm(&self) {
        self.0.arm();
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.0.request_stop();
    }

    /// The expected move was played: from now on Halcyon's clock runs.
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }
}
