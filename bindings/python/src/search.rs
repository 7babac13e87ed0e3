//! Searches that leave the interpreter free, and that an interrupt ends.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use chess::{Castling, Position};
use engine::stats::Statistics;
use engine::{
    ClockTime, Control, Game, Limits, Line, Outcome, Progress, Report, Reporter, Score, Tablebases,
};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{Found, game, invalid, read_move, seconds};

/// How soon a search notices an interrupt.
pub(crate) const PATIENCE: Duration = Duration::from_millis(40);

/// The engine behind `halcyon.Engine`.
#[pyclass(frozen, module = "halcyon._halcyon")]
pub(crate) struct Engine {
    engine: Arc<Mutex<engine::Engine>>,
    control: Control,
    busy: Arc<AtomicBool>,
}

/// One search at a time; whoever has this may search.
struct Turn(Arc<AtomicBool>);

impl Turn {
    fn take(busy: &Arc<AtomicBool>) -> PyResult<Self> {
        if busy.swap(true, Ordering::AcqRel) {
            let message = "this engine is searching; use a second Engine for a second search";
            return Err(PyRuntimeError::new_err(message));
        }
        Ok(Self(Arc::clone(busy)))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// A search that failed half-way leaves an engine that can search again.
fn lock(engine: &Mutex<engine::Engine>) -> MutexGuard<'_, engine::Engine> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is searched, and how it is written.
struct Request {
    game: Game,
    limits: Limits,
    castling: Castling,
    multipv: usize,
    statistics: bool,
    elo: Option<u32>,
}

/// What `analyse` and `watch` take in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    moves: Vec<String>,
    nodes: Option<u64>,
    depth: Option<i32>,
    time: Option<f64>,
    mate: Option<u32>,
    clock: Option<(f64, f64)>,
    root_moves: Vec<String>,
    multipv: NonZeroUsize,
    statistics: bool,
    elo: Option<u32>,
    chess960: bool,
}

impl Options {
    fn request(self, fen: &str) -> PyResult<Request> {
        let game = game(fen, &self.moves)?;
        let read = |text: &String| read_move(game.position(), text);
        let clock = match self.clock {
            Some((remaining, increment)) => {
                Some(ClockTime { remaining: seconds(remaining)?, increment: seconds(increment)? })
            }
            None => None,
        };
        let limits = Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.time.map(seconds).transpose()?,
            mate: self.mate,
            clock,
            search_moves: self.root_moves.iter().map(read).collect::<PyResult<_>>()?,
            ..Limits::default()
        };
        let castling = if self.chess960 { Castling::KingTakesRook } else { Castling::KingMove };
        let (multipv, statistics) = (self.multipv.get(), self.statistics);
        Ok(Request { game, limits, castling, multipv, statistics, elo: self.elo })
    }
}

impl Request {
    fn apply(&self, engine: &mut engine::Engine) {
        engine.set_game(self.game.clone());
        let settings = engine.settings_mut();
        settings.multipv = self.multipv;
        settings.statistics = self.statistics;
        settings.limit_strength = self.elo.is_some();
        settings.elo = self.elo.unwrap_or(engine::MAX_ELO);
    }

    fn found<'py>(&self, py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
        let found = Found {
            position: self.game.position(),
            castling: self.castling,
            score: outcome.score,
            lines: &outcome.lines,
            best: outcome.best_move,
            ponder: outcome.ponder_move,
            progress: outcome.progress,
            statistics: outcome.statistics.as_ref(),
            running: false,
        };
        found.to_dict(py)
    }
}

/// Lets the engine search as it is set up, without the interpreter's lock. Reports come at every
/// iteration and about once a second; then signals are looked at, and an interrupt stops the search.
fn search(py: Python<'_>, engine: &mut engine::Engine, limits: &Limits) -> PyResult<Outcome> {
    let control = engine.control();
    control.arm();
    let (mut interrupt, mut looked) = (None, Instant::now());
    let outcome = py.detach(|| {
        engine.search(limits, &mut |_: &Report| {
            if interrupt.is_none() && looked.elapsed() >= PATIENCE {
                looked = Instant::now();
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    control.stop();
                    interrupt = Some(signal);
                }
            }
        })
    });
    interrupt.map_or(Ok(outcome), Err)
}

#[pymethods]
impl Engine {
    #[new]
    fn new(threads: usize, hash: usize, syzygy: Option<String>) -> PyResult<Self> {
        let mut engine = engine::Engine::new();
        if threads == 0 {
            return Err(invalid("an engine needs a thread"));
        }
        engine.set_threads(threads).map_err(|error| PyOSError::new_err(error.to_string()))?;
        if hash != engine::DEFAULT_HASH_MIB {
            if hash == 0 {
                return Err(invalid("an engine needs a transposition table"));
            }
            engine.set_hash(hash).map_err(|error| PyMemoryError::new_err(error.to_string()))?;
        }
        if let Some(folders) = syzygy {
            let tablebases = Tablebases::open(&folders).map_err(invalid)?;
            engine.set_tablebases(Some(Arc::new(tablebases)));
        }
        let control = engine.control();
        Ok(Self { engine: Arc::new(Mutex::new(engine)), control, busy: Arc::default() })
    }

    /// Searches, and returns what was found as a dictionary.
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        fen: &str,
        options: Options,
    ) -> PyResult<Bound<'py, PyDict>> {
        let request = options.request(fen)?;
        let _turn = Turn::take(&self.busy)?;
        let mut engine = lock(&self.engine);
        request.apply(&mut engine);
        let outcome = search(py, &mut engine, &request.limits)?;
        request.found(py, &outcome)
    }

    /// Searches in the background; the results come one by one.
    fn watch(&self, fen: &str, options: Options) -> PyResult<Updates> {
        Updates::begin(self, options.request(fen)?)
    }

    /// Ends the search that is under way, from any thread.
    fn stop(&self) {
        self.control.stop();
    }

    /// Forgets everything that earlier searches taught.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        let _turn = Turn::take(&self.busy)?;
        py.detach(|| lock(&self.engine).new_game());
        Ok(())
    }

    /// The number of search threads.
    #[getter]
    fn threads(&self, py: Python<'_>) -> usize {
        py.detach(|| lock(&self.engine).threads())
    }

    /// MiB of the transposition table.
    #[getter]
    fn hash(&self, py: Python<'_>) -> usize {
        py.detach(|| lock(&self.engine).hash())
    }
}

/// What a search that is watched has sent.
enum Message {
    Update { lines: Vec<Line>, progress: Progress, statistics: Option<Box<Statistics>> },
    End(Box<Outcome>),
}

/// Collects the lines of a search and sends them on.
struct Collector<F> {
    lines: Vec<Line>,
    progress: Progress,
    multipv: usize,
    counts: bool,
    send: F,
}

impl<F: FnMut(Message)> Reporter for Collector<F> {
    fn report(&mut self, report: &Report) {
        let statistics = match report {
            Report::Line(line, progress) => {
                self.progress = *progress;
                self.lines.retain(|known| known.multipv != line.multipv);
                self.lines.push(line.clone());
                self.lines.sort_by_key(|line| line.multipv);
                // Once for all lines of an iteration; counts have times of their own.
                if self.counts || line.multipv < self.multipv {
                    return;
                }
                None
            }
            Report::Totals(progress) => {
                self.progress = *progress;
                return;
            }
            Report::Statistics(statistics) => Some(statistics.clone()),
            // What is said for people at a terminal.
            _ => return,
        };
        if !self.lines.is_empty() {
            let (lines, progress) = (self.lines.clone(), self.progress);
            (self.send)(Message::Update { lines, progress, statistics });
        }
    }
}

/// The results of a search while it runs. Leaving it stops the search.
#[pyclass(frozen, module = "halcyon._halcyon")]
pub(crate) struct Updates {
    request: Request,
    control: Control,
    messages: Mutex<Option<Receiver<Message>>>,
    searching: Mutex<Option<JoinHandle<()>>>,
}

impl Updates {
    fn begin(engine: &Engine, request: Request) -> PyResult<Self> {
        let turn = Turn::take(&engine.busy)?;
        let (sender, messages) = channel();
        let shared = Arc::clone(&engine.engine);
        engine.control.arm();
        let multipv = request.multipv.min(request.game.position().legal_moves().len().max(1));
        let (limits, counts) = (request.limits.clone(), request.statistics);
        request.apply(&mut lock(&engine.engine));
        let searching = thread::spawn(move || {
            let send = |message| {
                // Nobody listens any more: the search is stopped by whoever left.
                let _ = sender.send(message);
            };
            let mut collector = Collector {
                lines: Vec::new(),
                progress: Progress::default(),
                multipv,
                counts,
                send: &send,
            };
            let outcome = lock(&shared).search(&limits, &mut collector);
            drop(turn);
            send(Message::End(Box::new(outcome)));
        });
        Ok(Self {
            request,
            control: engine.control.clone(),
            messages: Mutex::new(Some(messages)),
            searching: Mutex::new(Some(searching)),
        })
    }

    /// Stops the search and waits for its end.
    fn finish(&self) {
        *self.messages.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let searching = self.searching.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(searching) = searching {
            // A stop after the end would be meant for the next search.
            if !searching.is_finished() {
                self.control.stop();
            }
            let _ = searching.join();
        }
    }
}

impl Drop for Updates {
    fn drop(&mut self) {
        self.finish();
    }
}

#[pymethods]
impl Updates {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let take = || self.messages.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut messages) = take() else { return Ok(None) };
        let message = loop {
            let message;
            (message, messages) = py.detach(move || {
                let message = messages.recv_timeout(PATIENCE);
                (message, messages)
            });
            match message {
                Ok(message) => break Some(message),
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(signal) = py.check_signals() {
                        py.detach(|| self.finish());
                        return Err(signal);
                    }
                }
            }
        };
        match message {
            Some(Message::Update { lines, progress, statistics }) => {
                *self.messages.lock().unwrap_or_else(PoisonError::into_inner) = Some(messages);
                let position: &Position = self.request.game.position();
                let first = lines.first();
                let found = Found {
                    position,
                    castling: self.request.castling,
                    score: first.map_or(Score::DRAW, |line| line.score),
                    best: first.and_then(|line| line.pv.first()).copied(),
                    ponder: first.and_then(|line| line.pv.get(1)).copied(),
                    lines: &lines,
                    progress,
                    statistics: statistics.as_deref(),
                    running: true,
                };
                found.to_dict(py).map(Some)
            }
            Some(Message::End(outcome)) => {
                py.detach(|| self.finish());
                self.request.found(py, &outcome).map(Some)
            }
            None => Err(PyRuntimeError::new_err("the search has failed")),
        }
    }

    /// Stops the search.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.finish());
    }
}
