//! The engines, shared fairly. Each page has one search at a time. Searches that find no free engine
//! are queued, and one that has used up its time slice goes to the end of the queue while others wait.
//! All share the engines' transposition tables, so a search that comes back finds most of its work
//! again.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use board::protocol::State;
use board::{End, Engines, Purpose};
use engine::{Control, Outcome};

use crate::job::Job;
use crate::options::Options;

/// Every queued search gets a time slice within about this time.
const ROUND: Duration = Duration::from_secs(5);
/// The shortest time slice: finding the old depth again takes time too.
const MIN_SLICE: Duration = Duration::from_millis(150);
/// The longest time slice.
const MAX_SLICE: Duration = Duration::from_secs(2);
/// Engine threads have this long to end when the server ends.
const FAREWELL: Duration = Duration::from_millis(400);
/// How often it is checked whether a time slice is over.
const TICK: Duration = Duration::from_millis(30);

/// The engines and the queue for them.
pub(crate) struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    queue: Mutex<Queue>,
    /// Notified when the queue changes or is closed.
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Moves of games go first, but only every second time.
    moves: VecDeque<Arc<Job>>,
    others: VecDeque<Arc<Job>>,
    move_was_last: bool,
    running: Vec<Option<Run>>,
    closed: bool,
}

/// A search that has an engine.
struct Run {
    job: Arc<Job>,
    control: Control,
    since: Instant,
    /// Whether it was asked to make room.
    yields: bool,
}

impl Queue {
    fn push(&mut self, job: Arc<Job>) {
        match job.purpose {
            Purpose::PlayMove => self.moves.push_back(job),
            _ => self.others.push_back(job),
        }
    }

    fn pop(&mut self) -> Option<Arc<Job>> {
        let job = if self.move_was_last {
            self.others.pop_front().or_else(|| self.moves.pop_front())
        } else {
            self.moves.pop_front().or_else(|| self.others.pop_front())
        }?;
        self.move_was_last = job.purpose == Purpose::PlayMove;
        Some(job)
    }

    fn waiting(&self) -> usize {
        self.moves.len() + self.others.len()
    }

    /// How long a time slice is while others wait.
    fn slice(&self) -> Duration {
        let per_engine = self.waiting().div_ceil(self.running.len().max(1));
        (ROUND / u32::try_from(per_engine.max(1)).unwrap_or(u32::MAX)).clamp(MIN_SLICE, MAX_SLICE)
    }

    /// Stops the searches whose time slice is over, for those that wait.
    fn make_room(&mut self) {
        let slice = self.slice();
        let idle = self.running.iter().filter(|run| run.is_none()).count();
        let mut wanted = self.waiting().saturating_sub(idle);
        for run in self.running.iter_mut().flatten() {
            if wanted > 0 && !run.yields && run.job.is_divisible() && run.since.elapsed() >= slice {
                run.yields = true;
                run.control.stop();
            }
            wanted = wanted.saturating_sub(usize::from(run.yields));
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pool {
    /// Starts the engines that the options ask for.
    pub(crate) fn new(options: &Options) -> Self {
        let count = options.engines.max(1);
        let (hash_mebibytes, threads_each) = (options.hash, options.threads);
        let queue = Queue { running: (0..count).map(|_| None).collect(), ..Queue::default() };
        let shared = Arc::new(Shared { queue: Mutex::new(queue), changed: Condvar::new() });
        let engine = |index: usize| {
            let shared = Arc::clone(&shared);
            let tablebases = options.tablebases.clone();
            let make = move || {
                Engines::new(hash_mebibytes, threads_each).with_tablebases(tablebases.clone())
            };
            spawn(format!("engine-{index}"), move || work(&shared, index, make))
        };
        let mut threads: Vec<JoinHandle<()>> = (0..count).map(engine).collect();
        let watched = Arc::clone(&shared);
        threads.push(spawn(String::from("time-slices"), move || watch(&watched)));
        Self { shared, threads }
    }

    /// Queues a search.
    pub(crate) fn submit(&self, job: &Arc<Job>) {
        self.shared.lock().push(Arc::clone(job));
        self.shared.changed.notify_all();
    }

    /// Ends a search: an analysis at once, a move to play with the best move found so far.
    pub(crate) fn stop(&self, job: &Arc<Job>) {
        let mut queue = self.shared.lock();
        job.stop();
        let this = |run: &&Run| Arc::ptr_eq(&run.job, job);
        if let Some(run) = queue.running.iter().flatten().find(this) {
            run.control.stop();
            return;
        }
        if job.purpose != Purpose::PlayMove {
            queue.others.retain(|other| !Arc::ptr_eq(other, job));
            drop(queue);
            job.feed.end(End { state: State::Stopped, best: None, failure: None });
        }
    }

    /// Ends a search whose answer is not wanted any more.
    pub(crate) fn forget(&self, job: &Arc<Job>) {
        self.shared.lock().moves.retain(|other| !Arc::ptr_eq(other, job));
        self.stop(job);
    }
}

impl Drop for Pool {
    /// Stops everything and waits a moment for it. A thread that does not end in time, because it
    /// clears a large table for instance, ends with the program.
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.closed = true;
        queue.moves.clear();
        queue.others.clear();
        for run in queue.running.iter().flatten() {
            run.job.stop();
            run.control.stop();
        }
        drop(queue);
        self.shared.changed.notify_all();
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline && !self.threads.iter().all(JoinHandle::is_finished) {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn spawn(name: String, body: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new().name(name).spawn(body).expect("the system can start a thread")
}

/// Ends time slices while anybody waits.
fn watch(shared: &Shared) {
    let mut queue = shared.lock();
    while !queue.closed {
        queue = if queue.waiting() == 0 {
            shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
        } else {
            queue.make_room();
            let woken = shared.changed.wait_timeout(queue, TICK);
            woken.unwrap_or_else(PoisonError::into_inner).0
        };
    }
}

/// Searches, and reports to the feed of the job.
fn search(engines: &mut Engines, job: &Job) -> Outcome {
    let found = engines.search(job, &job.limits(), &mut |report| job.feed.view().report(report));
    job.feed.view().record(found.tree, found.lesson);
    found.outcome
}

/// One engine thread.
fn work(shared: &Shared, index: usize, make: impl Fn() -> Engines) {
    let mut engines = make();
    loop {
        let mut queue = shared.lock();
        let job = loop {
            if queue.closed {
                return;
            }
            if let Some(job) = queue.pop() {
                break job;
            }
            queue = shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        };
        drop(queue);
        let control = engines.prepare(&job);
        let mut queue = shared.lock();
        if job.is_stopped() && job.purpose != Purpose::PlayMove {
            // It was stopped while the engine was prepared.
            drop(queue);
            job.feed.end(End { state: State::Stopped, best: None, failure: None });
            continue;
        }
        let run = Run { job: Arc::clone(&job), control, since: Instant::now(), yields: false };
        queue.running[index] = Some(run);
        drop(queue);

        job.feed.view().resume();
        let outcome = catch_unwind(AssertUnwindSafe(|| search(&mut engines, &job)));

        let run = shared.lock().running[index].take();
        let Ok(outcome) = outcome else {
            engines = make();
            let failure = Some("the engine failed, which is a bug worth reporting");
            job.feed.end(End { state: State::Stopped, best: None, failure });
            continue;
        };
        let yields = run.is_some_and(|run| run.yields);
        end_slice(shared, &job, &outcome, yields);
    }
}

/// Queues a search again after its time slice, or ends it.
fn end_slice(shared: &Shared, job: &Arc<Job>, outcome: &Outcome, yields: bool) {
    let mut queue = shared.lock();
    if yields && !job.is_stopped() && !queue.closed {
        job.feed.view().pause(outcome);
        queue.push(Arc::clone(job));
        drop(queue);
        shared.changed.notify_all();
        return;
    }
    drop(queue);
    job.feed.view().finish_slice(outcome);
    let state = if job.is_stopped() { State::Stopped } else { State::Done };
    job.feed.end(End { state, best: outcome.best_move, failure: None });
}
