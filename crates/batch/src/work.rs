//! Many items, several engines, one order.
//!
//! One thread reads, some think, and the caller gets the records in the order of the input. Nobody
//! runs far ahead: what is in memory at a time is bounded by the number of threads.

mod game;
mod position;
mod puzzles;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use review::{Analyst, Book, read_with_passes, write_pgn};

use crate::Error;
use crate::engines::Budget;
use crate::input::{Item, Items};
use crate::record::{FaultRecord, GameRecord, PositionRecord, PuzzlesRecord, Record, Shard, Task};
use crate::selection::Selection;
use game::{empty_game, game_record, reviewed_record};
use position::{empty_position, position_record};
use puzzles::{empty_puzzles, puzzles_record};

/// What is to be done.
pub struct Work<'a> {
    /// The files to read, in their order.
    pub inputs: &'a [PathBuf],
    /// Which part of them.
    pub shard: Option<Shard>,
    /// What is done with each item.
    pub task: Task,
    /// What is spent on a position.
    pub budget: Budget,
    /// Items up to this one are done already.
    pub done: u64,
    /// The book whose moves are not judged.
    pub book: Option<&'a Book>,
    /// Which games are analysed.
    pub selection: &'a Selection,
    /// Longest variation that is written.
    pub line_plies: usize,
    /// The name of the engine that judges.
    pub annotator: &'a str,
    /// Counts the bytes of the items that were read.
    pub progress: Arc<AtomicU64>,
}

/// What reading came to.
#[derive(Debug, Default)]
pub struct ReadSummary {
    /// Items in the input.
    pub items: u64,
    /// Files that could not be read to their end.
    pub errors: Vec<Error>,
}

struct Job {
    /// Place in the order of the output.
    place: u64,
    item: u64,
    file: Arc<str>,
    content: Item,
    /// Bytes of all files that had been read when this item was complete.
    bytes: u64,
}

/// A record that waits for its turn.
struct Done {
    place: u64,
    /// Nothing if the item was not selected; an error ends the run.
    record: Result<Option<Record>, Error>,
    bytes: u64,
}

/// How many places have been handed out for writing, and who waits for it.
#[derive(Default)]
struct Window {
    written: Mutex<u64>,
    moved: Condvar,
}

impl Window {
    fn lock(&self) -> MutexGuard<'_, u64> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a place is near enough to what is written.
    fn wait_for(&self, place: u64, size: u64) {
        let guard = self.lock();
        let far = |written: &mut u64| place >= written.saturating_add(size);
        drop(self.moved.wait_while(guard, far).unwrap_or_else(PoisonError::into_inner));
    }

    fn advance(&self, written: u64) {
        *self.lock() = written;
        self.moved.notify_all();
    }
}

/// Does the work with these analysts, one thread each, and hands the records to `take` in order.
///
/// # Errors
/// The first error of `take`; then nothing more is done.
pub fn run(
    work: &Work<'_>,
    analysts: Vec<Analyst>,
    mut take: impl FnMut(Record, u64) -> Result<(), Error>,
) -> Result<ReadSummary, Error> {
    let size = 4 * analysts.len() as u64 + 4;
    let (window, stop) = (Window::default(), AtomicBool::new(false));
    let (job_sender, jobs) = sync_channel::<Job>(analysts.len());
    let jobs = Mutex::new(jobs);
    let (record_sender, records) = sync_channel::<Done>(analysts.len());
    thread::scope(|scope| {
        let (window, stop) = (&window, &stop);
        let limits = Limits { window, size, stop };
        let reader = scope.spawn(move || read_items(work, &job_sender, limits));
        for analyst in analysts {
            let (jobs, sender) = (&jobs, record_sender.clone());
            scope.spawn(move || think(work, analyst, jobs, &sender));
        }
        drop(record_sender);
        let written = put_in_order(&records, window, &mut take);
        // After an error the others still work: the thinkers find nobody listening and end, and the
        // reader must not wait for them.
        stop.store(written.is_err(), Relaxed);
        drop(records);
        window.advance(u64::MAX);
        while jobs.lock().unwrap_or_else(PoisonError::into_inner).recv().is_ok() {}
        let summary = reader.join().unwrap_or_default();
        written.map(|()| summary)
    })
}

fn put_in_order(
    records: &Receiver<Done>,
    window: &Window,
    take: &mut impl FnMut(Record, u64) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for done in records {
        early.insert(done.place, done);
        while let Some(Done { record, bytes, .. }) = early.remove(&next) {
            if let Some(record) = record? {
                take(record, bytes)?;
            }
            next += 1;
            window.advance(next);
        }
    }
    Ok(())
}

/// How far the reader may go.
#[derive(Clone, Copy)]
struct Limits<'a> {
    window: &'a Window,
    size: u64,
    stop: &'a AtomicBool,
}

fn read_items(work: &Work<'_>, jobs: &SyncSender<Job>, limits: Limits<'_>) -> ReadSummary {
    let mut summary = ReadSummary::default();
    let mut place = 0;
    for path in work.inputs {
        let file: Arc<str> = path.to_string_lossy().into();
        let mut items = match Items::open(path, Arc::clone(&work.progress)) {
            Ok(items) => items,
            Err(error) => {
                summary.errors.push(error);
                continue;
            }
        };
        loop {
            if work.selection.is_past(summary.items) {
                // What follows is not selected, however long it is.
                return summary;
            }
            let content = match items.next_item() {
                Ok(Some(content)) => content,
                Ok(None) => break,
                Err(error) => {
                    summary.errors.push(Error::file(path)(error));
                    break;
                }
            };
            summary.items += 1;
            let item = summary.items;
            let is_wanted = work.shard.is_none_or(|shard| shard.has(item));
            if item <= work.done || !is_wanted || !work.selection.has_item(item) {
                continue;
            }
            limits.window.wait_for(place, limits.size);
            let bytes = work.progress.load(Relaxed);
            let job = Job { place, item, file: Arc::clone(&file), content, bytes };
            if limits.stop.load(Relaxed) || jobs.send(job).is_err() {
                return summary;
            }
            place += 1;
        }
    }
    summary
}

fn think(
    work: &Work<'_>,
    mut analyst: Analyst,
    jobs: &Mutex<Receiver<Job>>,
    records: &SyncSender<Done>,
) {
    let mut failures = 0;
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        // A bug that one item brings to light must not keep the others waiting for ever.
        let made = catch_unwind(AssertUnwindSafe(|| match &job.content {
            content if work.task == Task::Puzzles => {
                puzzles_record(work, &mut analyst, &job, content)
            }
            Item::Reviewed(game) => Some(reviewed_record(&job, game)),
            Item::Game(raw) => game_record(work, &mut analyst, &job, raw),
            Item::Position { line, text } => work
                .selection
                .has_positions()
                .then(|| position_record(&mut analyst, &job, *line, text)),
        }));
        let mut record = Ok(made.unwrap_or_else(|_| Some(failed_record(work, &job))));
        match analyst.take_failure() {
            None => failures = 0,
            Some(reason) => {
                failures += 1;
                record = match failures {
                    // One that fails again and again would leave everything out.
                    MAX_FAILURES.. => Err(Error::Request(reason)),
                    _ => Ok(Some(unanalysed_record(work, &job, &reason))),
                };
            }
        }
        if records.send(Done { place: job.place, record, bytes: job.bytes }).is_err() {
            return;
        }
    }
}

/// Items after each other at which an engine may fail before the run ends.
const MAX_FAILURES: u32 = 3;

/// Stands for an item at which another engine gave no answer: as it was, with the reason.
fn unanalysed_record(work: &Work<'_>, job: &Job, reason: &str) -> Record {
    match failed_record(work, job) {
        Record::Game(mut game) => {
            if let Item::Game(raw) = &job.content
                && let (Some(tree), faults) = read_with_passes(raw)
            {
                game.tags = tree.tags.iter().cloned().collect();
                game.result = tree.result;
                game.pgn = write_pgn(&tree);
                game.faults = faults.iter().map(FaultRecord::from).collect();
            }
            game.faults.retain(|fault| fault.text != FAILED);
            let text = format!("not analysed: {reason}");
            game.faults.push(FaultRecord { line: game.line, text });
            Record::Game(game)
        }
        Record::Position(mut position) => {
            position.fault = Some(format!("not analysed: {reason}"));
            Record::Position(position)
        }
        Record::Puzzles(mut game) => {
            let text = format!("not searched to the end: {reason}");
            game.faults = vec![FaultRecord { line: game.line, text }];
            Record::Puzzles(game)
        }
        other => other,
    }
}

const FAILED: &str = "the engine failed here, which is a bug worth reporting";

/// Stands for an item at which the engine failed.
fn failed_record(work: &Work<'_>, job: &Job) -> Record {
    let fault = |line| vec![FaultRecord { line, text: FAILED.to_owned() }];
    match &job.content {
        content if work.task == Task::Puzzles => {
            let empty = empty_puzzles(job, content);
            Record::Puzzles(Box::new(PuzzlesRecord { faults: fault(empty.line), ..empty }))
        }
        Item::Game(raw) => {
            let faults = fault(raw.line);
            Record::Game(Box::new(GameRecord { faults, ..empty_game(job, raw) }))
        }
        Item::Reviewed(game) => Record::Game(game.clone()),
        Item::Position { line, text } => {
            let fault = Some(FAILED.to_owned());
            Record::Position(Box::new(PositionRecord { fault, ..empty_position(job, *line, text) }))
        }
    }
}

/// The length of all files together, if all have one.
#[must_use]
pub fn total_bytes(inputs: &[PathBuf]) -> Option<u64> {
    let length = |path: &PathBuf| {
        Path::new(path).metadata().ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len())
    };
    inputs.iter().map(length).sum()
}
