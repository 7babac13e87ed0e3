//! Long work with an engine on a thread of its own, while the interpreter's thread looks at signals.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use engine::{Control, Engine, Game, Limits};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use review::{Analyst, SearchRequest, Searcher, Study};

use crate::convert::invalid;
use crate::search::PATIENCE;

/// An engine that can be stopped for good.
struct Stoppable {
    engine: Engine,
    is_stopped: Arc<AtomicBool>,
}

impl Searcher for Stoppable {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn search(&mut self, game: &Game, request: &SearchRequest<'_>) -> Result<Study, String> {
        if self.is_stopped.load(Ordering::Acquire) {
            return Err(String::from("interrupted"));
        }
        Searcher::search(&mut self.engine, game, request)
    }
}

/// An analyst and how to end its work.
pub(crate) struct Worker {
    analyst: Analyst,
    control: Control,
    is_stopped: Arc<AtomicBool>,
}

impl Worker {
    pub(crate) fn new(threads: usize, hash: usize) -> PyResult<Self> {
        if threads == 0 || hash == 0 {
            return Err(invalid("an engine needs a thread and a transposition table"));
        }
        let mut engine = Engine::new();
        engine.set_threads(threads).map_err(|error| PyOSError::new_err(error.to_string()))?;
        engine.set_hash(hash).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        let (control, is_stopped) = (engine.control(), Arc::new(AtomicBool::new(false)));
        let searcher = Stoppable { engine, is_stopped: Arc::clone(&is_stopped) };
        let analyst = Analyst::with_searcher(Box::new(searcher), 1, Limits::default());
        Ok(Self { analyst, control, is_stopped })
    }

    /// Does the work; an interrupt ends it, and what was found until then is lost.
    pub(crate) fn run<T: Send>(
        mut self,
        py: Python<'_>,
        work: impl FnOnce(&mut Analyst) -> io::Result<T> + Send,
    ) -> PyResult<T> {
        let (sender, mut results) = channel();
        let (control, is_stopped) = (self.control.clone(), Arc::clone(&self.is_stopped));
        let mut interrupt = None;
        let done = thread::scope(|scope| {
            scope.spawn(move || sender.send(work(&mut self.analyst)));
            loop {
                let waiting = &mut results;
                match py.detach(move || waiting.recv_timeout(PATIENCE)) {
                    Err(RecvTimeoutError::Timeout) => {}
                    ended => return ended,
                }
                if let Err(signal) = py.check_signals() {
                    is_stopped.store(true, Ordering::Release);
                    interrupt = Some(signal);
                }
                // A search that was about to begin has not heard the first stop.
                if interrupt.is_some() {
                    control.stop();
                }
            }
        });
        match (interrupt, done) {
            (Some(interrupt), _) => Err(interrupt),
            (None, Ok(done)) => Ok(done?),
            (None, Err(_)) => Err(PyRuntimeError::new_err("the search has failed")),
        }
    }
}
