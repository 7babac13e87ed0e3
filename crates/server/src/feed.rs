//! The state of a search, between the engine that fills it and the page that shows it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use board::{End, View};
use chess::Position;
use tokio::sync::Notify;

/// The state of one search, shared by the engine that fills it and the page that shows it.
pub(crate) struct Feed {
    view: Mutex<View>,
    /// Told when the search is over.
    over: Notify,
}

impl Feed {
    pub(crate) fn new(root: &Position) -> Self {
        Self { view: Mutex::new(View::new(root)), over: Notify::new() }
    }

    pub(crate) fn view(&self) -> MutexGuard<'_, View> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the search for good.
    pub(crate) fn end(&self, end: End) {
        self.view().set_end(end);
        // A permit stays if nobody waits yet.
        self.over.notify_one();
    }

    /// Waits for the end of the search.
    pub(crate) async fn over(&self) {
        self.over.notified().await;
    }
}
