//! The state of a search, between the engine that fills it and the page that shows it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use board::{End, View};
use chess::Position;
use tokio::sync::Notify;

/// The state of one search, shared by the engine that fills it and the page that shows it.
pub(crate) struct Feed {
    view: Mutex<View>,
    /// Notified when the search has ended.
    ended: Notify,
}

impl Feed {
    pub(crate) fn new(root: &Position) -> Self {
        Self { view: Mutex::new(View::new(root)), ended: Notify::new() }
    }

    pub(crate) fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search for good.
    pub(crate) fn end(&self, end: End) {
        self.view().set_end(end);
        // The permit stays if nobody waits yet.
        self.ended.notify_one();
    }

    /// Waits for the end of the search.
    pub(crate) async fn ended(&self) {
        self.ended.notified().await;
    }
}
