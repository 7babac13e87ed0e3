//! Many items, several engines, one order.
//!
//! One thread reads, some think, and the caller gets the records in the order of the input. Nobody
//! runs far ahead: what is in memory at a time is bounded by the number of threads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use chess::Position;
use review::{Analyst, Book, RawGame, annotate, judge, read, write_pgn};

use crate::Error;
use crate::input::{Item, Items};
use crate::record::{
    FaultRecord, GameRecord, PositionRecord, Record, Shard, line_records, ply_records, rounded_side,
};

/// What is to be done.
pub struct Work<'a> {
    /// The files.
    pub inputs: &'a [PathBuf],
    /// Which part of them.
    pub shard: Option<Shard>,
    /// Items up to this one are done already.
    pub done: u64,
    /// The book whose moves are not judged.
    pub book: Option<&'a Book>,
    /// Longest variation that is written.
    pub line_plies: usize,
    /// Counts the bytes read.
    pub progress: Arc<AtomicU64>,
}

/// What reading came to.
#[derive(Debug, Default)]
pub struct Tidings {
    /// Items in the input.
    pub items: u64,
    /// Files that could not be read to their end.
    pub troubles: Vec<Error>,
}

struct Job {
    /// Place in the order of the output.
    place: u64,
    item: u64,
    file: Arc<str>,
    content: Item,
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
    mut take: impl FnMut(Record) -> Result<(), Error>,
) -> Result<Tidings, Error> {
    let size = 4 * analysts.len() as u64 + 4;
    let (window, stop) = (Window::default(), AtomicBool::new(false));
    let (job_sender, jobs) = sync_channel::<Job>(analysts.len());
    let jobs = Mutex::new(jobs);
    let (record_sender, records) = sync_channel::<(u64, Record)>(analysts.len());
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
        let tidings = reader.join().unwrap_or_default();
        written.map(|()| tidings)
    })
}

fn put_in_order(
    records: &Receiver<(u64, Record)>,
    window: &Window,
    take: &mut impl FnMut(Record) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (place, record) in records {
        early.insert(place, record);
        while let Some(record) = early.remove(&next) {
            take(record)?;
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

fn read_items(work: &Work<'_>, jobs: &SyncSender<Job>, limits: Limits<'_>) -> Tidings {
    let mut tidings = Tidings::default();
    let mut place = 0;
    for path in work.inputs {
        let file: Arc<str> = path.to_string_lossy().into();
        let mut items = match Items::open(path, Arc::clone(&work.progress)) {
            Ok(items) => items,
            Err(error) => {
                tidings.troubles.push(error);
                continue;
            }
        };
        loop {
            let content = match items.next_item() {
                Ok(Some(content)) => content,
                Ok(None) => break,
                Err(error) => {
                    tidings.troubles.push(Error::file(path)(error));
                    break;
                }
            };
            tidings.items += 1;
            let item = tidings.items;
            if item <= work.done || work.shard.is_some_and(|shard| !shard.has(item)) {
                continue;
            }
            limits.window.wait_for(place, limits.size);
            let job = Job { place, item, file: Arc::clone(&file), content };
            if limits.stop.load(Relaxed) || jobs.send(job).is_err() {
                return tidings;
            }
            place += 1;
        }
    }
    tidings
}

fn think(
    work: &Work<'_>,
    mut analyst: Analyst,
    jobs: &Mutex<Receiver<Job>>,
    records: &SyncSender<(u64, Record)>,
) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = job else { return };
        let record = match &job.content {
            Item::Game(raw) => game_record(work, &mut analyst, &job, raw),
            Item::Position { line, text } => position_record(&mut analyst, &job, *line, text),
        };
        if records.send((job.place, record)).is_err() {
            return;
        }
    }
}

fn game_record(work: &Work<'_>, analyst: &mut Analyst, job: &Job, raw: &RawGame) -> Record {
    let (tree, faults) = read(raw);
    let mut record = GameRecord {
        item: job.item,
        file: job.file.to_string(),
        game: raw.number,
        line: raw.line,
        tags: Default::default(),
        result: Default::default(),
        start: None,
        plies: Vec::new(),
        white: Default::default(),
        black: Default::default(),
        faults: faults.iter().map(FaultRecord::from).collect(),
        pgn: String::new(),
    };
    if let Some(tree) = tree {
        record.tags = tree.tags.iter().cloned().collect();
        record.result = tree.result;
        record.pgn = write_pgn(&tree);
        let looks = analyst.looks(&tree, |_| true).unwrap_or_default();
        if let [first, _, ..] = &looks[..] {
            let book_plies = work.book.map_or(0, |book| book.plies_of(&tree));
            let review = judge(&tree, &looks, book_plies);
            record.start = Some(first.eval);
            record.plies = ply_records(&tree, &looks, &review);
            record.white = rounded_side(&review.white);
            record.black = rounded_side(&review.black);
            record.pgn = write_pgn(&annotate(&tree, &looks, &review, work.line_plies));
        }
    }
    Record::Game(Box::new(record))
}

fn position_record(analyst: &mut Analyst, job: &Job, line: u64, text: &str) -> Record {
    let mut record = PositionRecord {
        item: job.item,
        file: job.file.to_string(),
        line,
        fen: text.to_owned(),
        operations: operations(text).to_owned(),
        eval: None,
        wdl: None,
        lines: Vec::new(),
        depth: 0,
        nodes: 0,
        fault: None,
    };
    match Position::from_fen(text) {
        Ok(position) => {
            let look = analyst.look_afresh(&position);
            record.fen = position.to_fen();
            record.eval = Some(look.eval);
            record.wdl = Some(look.wdl);
            record.lines = line_records(&position, &look);
            (record.depth, record.nodes) = (look.depth, look.nodes);
        }
        Err(error) => record.fault = Some(format!("{error}; the position is left out")),
    }
    Record::Position(Box::new(record))
}

/// What stands behind the fields of a position.
fn operations(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..4 {
        rest = rest.trim_start();
        rest = rest.find(' ').map_or("", |end| &rest[end..]);
    }
    // Counters, if there are any.
    rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter.is_ascii_whitespace())
}

/// The length of all files together, if all have one.
#[must_use]
pub fn total_bytes(inputs: &[PathBuf]) -> Option<u64> {
    let length = |path: &PathBuf| {
        Path::new(path).metadata().ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len())
    };
    inputs.iter().map(length).sum()
}
