//! Many items, several engines, one order.
//!
//! One thread reads, some think, and the caller gets the records in the order of the input. Nobody
//! runs far ahead: what is in memory at a time is bounded by the number of threads.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use chess::Position;
use engine::Game;
use review::{
    Analyst, Book, GameTree, Ply, PlyReview, PositionAnalysis, PuzzleRules, RawGame, annotate,
    explain, judge, make_puzzle, read, write_pgn,
};

use crate::Error;
use crate::engines::Budget;
use crate::input::{Item, Items};
use crate::record::{
    ClauseRecord, FaultRecord, GameRecord, PlyRecord, PositionRecord, PuzzleRecord, PuzzlesRecord,
    Record, Shard, Task, line_records, ply_records, rounded_side, source_tags,
};
use crate::selection::Selection;

/// What is to be done.
pub struct Work<'a> {
    /// The files.
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
    /// Counts the bytes read.
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
    /// Nothing if the item was not selected.
    record: Option<Record>,
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
            if let Some(record) = record {
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
        let record = made.unwrap_or_else(|_| Some(failed_record(work, &job)));
        if records.send(Done { place: job.place, record, bytes: job.bytes }).is_err() {
            return;
        }
    }
}

fn empty_game(job: &Job, raw: &RawGame) -> GameRecord {
    GameRecord {
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
        faults: Vec::new(),
        pgn: String::new(),
    }
}

fn empty_position(job: &Job, line: u64, text: &str) -> PositionRecord {
    PositionRecord {
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
    }
}

/// Reads a game that is to be looked at. One that cannot be read is reported if nothing is asked of
/// its tags.
fn read_selected(work: &Work<'_>, raw: &RawGame) -> Option<(Option<GameTree>, Vec<FaultRecord>)> {
    let (tree, faults) = read(raw);
    let is_selected = match &tree {
        Some(tree) => work.selection.has_game(tree),
        None => work.selection.has_positions(),
    };
    is_selected.then(|| (tree, faults.iter().map(FaultRecord::from).collect()))
}

fn game_record(work: &Work<'_>, analyst: &mut Analyst, job: &Job, raw: &RawGame) -> Option<Record> {
    let (tree, faults) = read_selected(work, raw)?;
    let mut record = GameRecord { faults, ..empty_game(job, raw) };
    if let Some(tree) = tree {
        record.tags = tree.tags.iter().cloned().collect();
        record.result = tree.result;
        record.pgn = write_pgn(&tree);
        let looks = analyst.looks(&tree, |_| true).unwrap_or_default();
        if let [first, _, ..] = &looks[..] {
            let book_plies = work.book.map_or(0, |book| book.plies_of(&tree));
            let book_plies = book_plies.max(work.selection.skipped_plies());
            let review = judge(&tree, &looks, book_plies);
            record.start = Some(first.eval);
            record.plies = ply_records(&tree, &looks, &review);
            record.white = rounded_side(&review.white);
            record.black = rounded_side(&review.black);
            let mut annotated = annotate(&tree, &looks, &review, work.line_plies);
            for (index, text) in explain_mistakes(analyst, &tree, &looks, &mut record.plies) {
                let comments = &mut annotated.main.plies[index].comments;
                match comments.first_mut() {
                    Some(first) => *first = format!("{first} {text}"),
                    None => comments.push(text),
                }
            }
            record.pgn = write_pgn(&annotated);
        }
    }
    Some(Record::Game(Box::new(record)))
}

/// Says of every move that was judged why it was bad, in its record; returns the words by index.
fn explain_mistakes(
    analyst: &mut Analyst,
    tree: &GameTree,
    looks: &[PositionAnalysis],
    plies: &mut [PlyRecord],
) -> Vec<(usize, String)> {
    let mut said = Vec::new();
    let mut game = Game::new(tree.start);
    for (index, (ply, record)) in tree.main.plies.iter().zip(plies).enumerate() {
        if record.judgement.is_some() {
            let known = Some((&looks[index], &looks[index + 1]));
            let explanation = explain(analyst, &game, ply.mv, known);
            record.why = explanation.clauses.iter().map(ClauseRecord::from).collect();
            said.push((index, explanation.text()));
        }
        game.play(ply.mv);
    }
    said
}

/// Stands for an item at which the engine failed.
fn failed_record(work: &Work<'_>, job: &Job) -> Record {
    const REASON: &str = "the engine failed here, which is a bug worth reporting";
    let fault = |line| vec![FaultRecord { line, text: REASON.to_owned() }];
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
            let fault = Some(REASON.to_owned());
            Record::Position(Box::new(PositionRecord { fault, ..empty_position(job, *line, text) }))
        }
    }
}

/// A game that was analysed before stays as it is, but for its number here.
fn reviewed_record(job: &Job, game: &GameRecord) -> Record {
    Record::Game(Box::new(GameRecord { item: job.item, ..game.clone() }))
}

fn empty_puzzles(job: &Job, content: &Item) -> PuzzlesRecord {
    let (game, line) = match content {
        Item::Game(raw) => (raw.number, raw.line),
        Item::Reviewed(game) => (game.game, game.line),
        Item::Position { line, .. } => (0, *line),
    };
    PuzzlesRecord {
        item: job.item,
        file: job.file.to_string(),
        game,
        line,
        tags: Default::default(),
        moves: 0,
        nodes: 0,
        puzzles: Vec::new(),
        faults: Vec::new(),
    }
}

/// The first look at a game takes a part of the budget: it only has to find the mistakes.
const SCAN_PART: u64 = 10;
/// Percent of the chance to win that a move must lose in the first look to be looked at closely; a
/// little less than the rules ask for, as the first look sees less.
const SCAN_LOSS: f64 = 7.0;

fn puzzles_record(
    work: &Work<'_>,
    analyst: &mut Analyst,
    job: &Job,
    content: &Item,
) -> Option<Record> {
    let mut record = empty_puzzles(job, content);
    let mut fault = |line, text: &str| {
        record.faults.push(FaultRecord { line, text: text.to_owned() });
    };
    // The game and what each of its moves lost, in percent.
    let scanned: Option<(GameTree, Vec<f64>)> = match content {
        Item::Game(raw) => {
            let (tree, faults) = read_selected(work, raw)?;
            record.faults = faults;
            tree.map(|tree| {
                analyst.set_limits(work.budget.part(SCAN_PART).limits());
                let looks = analyst.looks(&tree, |_| true).unwrap_or_default();
                record.nodes = looks.iter().map(|look| look.nodes).sum();
                let review = judge(&tree, &looks, work.selection.skipped_plies());
                let counts = |ply: &PlyReview| if ply.is_book { 0.0 } else { 100.0 * ply.loss };
                (tree, review.plies.iter().map(counts).collect())
            })
        }
        Item::Reviewed(game) => {
            let read = reviewed_game(game);
            if read.is_none() {
                fault(game.line, "the record is damaged; the game is left out");
            }
            read
        }
        Item::Position { line, .. } => {
            fault(*line, "a position without the move before it is no puzzle");
            None
        }
    };
    if let Some((tree, losses)) = scanned {
        let tags = tree.tags.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        record.tags = source_tags(tags);
        record.moves = tree.main.plies.len() as u64;
        analyst.set_limits(work.budget.limits());
        let rules = PuzzleRules::default();
        let mut game = Game::new(tree.start);
        for (ply, loss) in tree.main.plies.iter().zip(losses) {
            if loss >= SCAN_LOSS
                && let Ok(puzzle) = make_puzzle(analyst, &game, ply.mv, None, &rules)
            {
                record.nodes += puzzle.nodes;
                record.puzzles.push(PuzzleRecord::from(&puzzle));
            }
            game.play(ply.mv);
        }
    }
    Some(Record::Puzzles(Box::new(record)))
}

/// The game of a record, and what each of its moves lost.
fn reviewed_game(game: &GameRecord) -> Option<(GameTree, Vec<f64>)> {
    let start =
        game.plies.first().map_or(Ok(Position::startpos()), |ply| Position::from_fen(&ply.fen));
    let mut position = start.ok()?;
    let mut tree = GameTree::new(position);
    tree.tags = game.tags.clone().into_iter().collect();
    tree.result = game.result;
    for ply in &game.plies {
        let mv = position.parse_uci(&ply.uci).ok()?;
        position.make(mv);
        tree.main.plies.push(Ply::new(mv));
    }
    Some((tree, game.plies.iter().map(|ply| if ply.book { 0.0 } else { ply.loss }).collect()))
}

fn position_record(analyst: &mut Analyst, job: &Job, line: u64, text: &str) -> Record {
    let mut record = empty_position(job, line, text);
    let fields = &text[..text.len() - record.operations.len()];
    match Position::from_fen(fields) {
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
    // Counters, if there are any: two whole numbers that no opcode follows.
    let rest = rest.trim_start();
    let mut words = rest.split_ascii_whitespace();
    let is_number = |word: Option<&str>| {
        word.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if is_number(words.next()) {
        rest.trim_start_matches(|letter: char| {
            letter.is_ascii_digit() || letter.is_ascii_whitespace()
        })
    } else {
        rest
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
