//! A run over many games on many threads, with one output in the order of the games.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use engine::SingleThreadEngine;

use super::label::{Label, LabelRules, label_game};
use super::progress::Progress;
use crate::Error;
use crate::data::{FileReport, Game, open_games};

/// The table of each thread.
const HASH_MIB: usize = 8;
/// Games that wait for a thread.
const QUEUE: usize = 16;
/// How often progress is written down.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// What the output consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// Packed positions, for training.
    Packed,
    /// EPD lines with the score as `ce`, for people and other programs.
    Epd,
}

impl OutputFormat {
    /// The format that a file's name asks for.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "bin" => Some(Self::Packed),
            "epd" => Some(Self::Epd),
            _ => None,
        }
    }

    fn encode(self, label: &Label) -> Vec<u8> {
        match self {
            Self::Packed => label.packed().to_bytes().to_vec(),
            Self::Epd => label.epd().into_bytes(),
        }
    }
}

/// What a run of rescoring labels.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Files of games. Games that were added to a file since an earlier run are labelled too.
    pub games: Vec<PathBuf>,
    /// The file to write.
    pub output: PathBuf,
    /// What it consists of.
    pub format: OutputFormat,
    /// The number of threads that search.
    pub threads: usize,
    /// Which positions are labelled, and how.
    pub rules: LabelRules,
    /// The network that evaluates; the embedded one if none is named.
    pub network: Option<std::sync::Arc<nnue::Network>>,
}

/// What has been made so far.
#[derive(Debug, Default)]
pub struct Counts {
    /// Games that are labelled, those of earlier runs included.
    pub games: AtomicU64,
    /// Labels in the output, those of earlier runs included.
    pub positions: AtomicU64,
    /// Labels of this run.
    pub made: AtomicU64,
}

struct Task {
    number: u64,
    file: usize,
    game: Game,
}

struct Done {
    number: u64,
    file: usize,
    labels: Vec<Label>,
}

/// Labels the games of the plan that are not labelled yet. Goes on until they all are or `stop` is
/// set. Returns what was found in each file.
///
/// # Errors
/// When a file cannot be read or written, or an earlier run had other settings.
pub fn run(plan: &Plan, stop: &AtomicBool, counts: &Counts) -> Result<Vec<FileReport>, Error> {
    let progress_path = Progress::path_of(&plan.output);
    let text = plan.rules.to_text();
    let progress = Progress::load(&progress_path, &text)?;
    let output = open_output(&plan.output, progress.bytes)?;
    counts.games.store(progress.games.values().sum(), Relaxed);
    counts.positions.store(progress.positions, Relaxed);
    let (tasks, inbox) = sync_channel::<Task>(QUEUE);
    let (results, outbox) = sync_channel::<Done>(QUEUE);
    let inbox = Mutex::new(inbox);
    let done_before = progress.games.clone();
    thread::scope(|scope| {
        let done_before = &done_before;
        // Owns the sender, so that the searching threads end when the last game is handed out.
        let reader = scope.spawn(move || read(plan, done_before, stop, &tasks));
        for _ in 0..plan.threads {
            let (results, inbox) = (results.clone(), &inbox);
            scope.spawn(move || search(plan, inbox, &results, stop));
        }
        drop(results);
        let writer = Writer { plan, output, progress, progress_path: &progress_path, text: &text };
        let written = writer.write(&outbox, counts);
        if written.is_err() {
            stop.store(true, Relaxed);
        }
        // Lets the searching threads and the reader end if the writer ended before them.
        drop(outbox);
        let reports = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        written.and(reports)
    })
}

/// Opens the output and cuts off what an interrupted run had not finished.
fn open_output(path: &Path, bytes: u64) -> Result<File, Error> {
    let exists = path.exists();
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(path)
        .map_err(Error::file(path))?;
    file.try_lock().map_err(|_| Error::content(path, "another run is writing to it"))?;
    let length = file.metadata().map_err(Error::file(path))?.len();
    if exists && bytes == 0 && length > 0 {
        let reason = "exists already, and no progress of an interrupted run is beside it";
        return Err(Error::content(path, reason));
    }
    if length < bytes {
        return Err(Error::content(path, "is shorter than the progress beside it says"));
    }
    file.set_len(bytes).map_err(Error::file(path))?;
    file.seek(SeekFrom::End(0)).map_err(Error::file(path))?;
    Ok(file)
}

fn read(
    plan: &Plan,
    done: &BTreeMap<String, u64>,
    stop: &AtomicBool,
    tasks: &SyncSender<Task>,
) -> Result<Vec<FileReport>, Error> {
    let mut reports = Vec::new();
    let mut number = 0;
    for (file, path) in plan.games.iter().enumerate() {
        let skip = done.get(&name_of(path)).copied().unwrap_or(0);
        let mut report = FileReport::new(path);
        let mut reader = open_games(path)?;
        while let Some(stored) = reader.next_game().map_err(Error::file(path))? {
            report.games += 1;
            report.plies += stored.game.moves.len() as u64;
            if report.games <= skip {
                continue;
            }
            let task = Task { number, file, game: stored.game.clone() };
            if stop.load(Relaxed) || tasks.send(task).is_err() {
                return Ok(reports);
            }
            number += 1;
        }
        report.damage = reader.damage().to_vec();
        reports.push(report);
    }
    Ok(reports)
}

fn search(
    plan: &Plan,
    inbox: &Mutex<Receiver<Task>>,
    results: &SyncSender<Done>,
    stop: &AtomicBool,
) {
    let Ok(mut engine) = SingleThreadEngine::new(HASH_MIB) else { return };
    if let Some(network) = &plan.network {
        engine.set_network(network.clone());
    }
    loop {
        let task = {
            let Ok(inbox) = inbox.lock() else { return };
            inbox.recv()
        };
        let Ok(Task { number, file, game }) = task else { return };
        if stop.load(Relaxed) {
            // The queue is emptied, so that the reader does not wait for room.
            continue;
        }
        let labels = label_game(&mut engine, &game, &plan.rules);
        if results.send(Done { number, file, labels }).is_err() {
            return;
        }
    }
}

struct Writer<'a> {
    plan: &'a Plan,
    output: File,
    progress: Progress,
    progress_path: &'a Path,
    text: &'a str,
}

impl Writer<'_> {
    /// Writes labels in the order of the games.
    fn write(mut self, outbox: &Receiver<Done>, counts: &Counts) -> Result<(), Error> {
        let names: Vec<String> = self.plan.games.iter().map(|path| name_of(path)).collect();
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut saved = Instant::now();
        while let Ok(done) = outbox.recv() {
            waiting.insert(done.number, done);
            while let Some(Done { file, labels, .. }) = waiting.remove(&next) {
                let format = self.plan.format;
                let bytes: Vec<u8> = labels.iter().flat_map(|label| format.encode(label)).collect();
                self.output.write_all(&bytes).map_err(Error::file(&self.plan.output))?;
                self.progress.bytes += bytes.len() as u64;
                self.progress.positions += labels.len() as u64;
                *self.progress.games.entry(names[file].clone()).or_default() += 1;
                counts.games.fetch_add(1, Relaxed);
                counts.positions.fetch_add(labels.len() as u64, Relaxed);
                counts.made.fetch_add(labels.len() as u64, Relaxed);
                next += 1;
            }
            if saved.elapsed() >= SAVE_EVERY {
                self.save()?;
                saved = Instant::now();
            }
        }
        self.save()
    }

    fn save(&mut self) -> Result<(), Error> {
        self.output.sync_data().map_err(Error::file(&self.plan.output))?;
        self.progress.save(self.progress_path, self.text)
    }
}

/// How progress names a file: by its name alone, so that folders can move.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{PositionFilter, read_packed, write_file};
    use crate::datagen::{GameRules, play_game};
    use crate::rng::Rng;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("halcyon-rescore-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn games(&self, count: u64) -> PathBuf {
            let mut engine = SingleThreadEngine::new(1).unwrap();
            let rules = GameRules { soft_nodes: 40, max_plies: 60, ..GameRules::default() };
            let mut bytes = Vec::new();
            for part in 0..count {
                play_game(&mut engine, &rules, None, &mut Rng::derived(9, part)).encode(&mut bytes);
            }
            let path = self.0.join("games.viri");
            write_file(&path, &bytes).unwrap();
            path
        }

        fn plan(&self, games: &Path, output: &str, threads: usize) -> Plan {
            let filter = PositionFilter { min_ply: 0, ..PositionFilter::default() };
            let rules = LabelRules {
                nodes: 200,
                every: 4,
                per_game: 0,
                pv_plies: 0,
                tree_depth: 0,
                evaluated: 0,
                evaluated_nodes: 0,
                filter,
                seed: 1,
            };
            let output = self.0.join(output);
            let format = OutputFormat::of(&output).unwrap();
            Plan { games: vec![games.to_path_buf()], output, format, threads, rules, network: None }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn bytes_of(plan: &Plan) -> Vec<u8> {
        std::fs::read(&plan.output).unwrap()
    }

    #[test]
    fn threads_interruptions_and_growing_files_give_the_same_bytes() {
        let folder = Folder::new("same");
        let games = folder.games(9);
        let whole = folder.plan(&games, "whole.bin", 1);
        let never = AtomicBool::new(false);
        let counts = Counts::default();
        run(&whole, &never, &counts).unwrap();
        assert_eq!(counts.games.load(Relaxed), 9);
        let mut sound = 0;
        assert_eq!(read_packed(&whole.output, |_| sound += 1).unwrap(), 0);
        assert_eq!(sound, counts.positions.load(Relaxed));

        let threaded = folder.plan(&games, "threaded.bin", 3);
        run(&threaded, &never, &Counts::default()).unwrap();
        assert_eq!(bytes_of(&whole), bytes_of(&threaded));

        let grown = folder.games(4);
        let resumed = folder.plan(&grown, "resumed.bin", 2);
        run(&resumed, &never, &Counts::default()).unwrap();
        let half = bytes_of(&resumed).len();
        // What a killed run had written beyond its last save is cut off.
        OpenOptions::new().append(true).open(&resumed.output).unwrap().write_all(b"torn").unwrap();
        folder.games(9);
        let counts = Counts::default();
        run(&resumed, &never, &counts).unwrap();
        assert!(half < bytes_of(&resumed).len());
        assert_eq!(bytes_of(&whole), bytes_of(&resumed));
        assert_eq!(counts.games.load(Relaxed), 9);
    }

    #[test]
    fn other_settings_and_foreign_files_are_refused_and_left_alone() {
        let folder = Folder::new("refused");
        let games = folder.games(2);
        let never = AtomicBool::new(false);
        let plan = folder.plan(&games, "labels.bin", 1);
        run(&plan, &never, &Counts::default()).unwrap();
        let before = bytes_of(&plan);
        let other = Plan { rules: LabelRules { nodes: 300, ..plan.rules.clone() }, ..plan.clone() };
        assert!(run(&other, &never, &Counts::default()).is_err());
        assert_eq!(bytes_of(&plan), before);
        let text = folder.plan(&games, "labels.epd", 1);
        run(&text, &never, &Counts::default()).unwrap();
        let lines = String::from_utf8(bytes_of(&text)).unwrap();
        assert_eq!(lines.lines().count(), before.len() / crate::data::PACKED_SIZE);
        let foreign = folder.plan(&games, "foreign.bin", 1);
        std::fs::write(&foreign.output, b"precious").unwrap();
        assert!(run(&foreign, &never, &Counts::default()).is_err());
        assert_eq!(bytes_of(&foreign), b"precious");
    }
}
