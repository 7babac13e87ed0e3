//! A run of many games on many threads, each with a file of its own.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;

use engine::SingleThreadEngine;
use indicatif::ProgressBar;

use super::play::{GameRules, play_game};
use crate::Error;
use crate::book::Book;
use crate::data::{Game, GameResult, copy_games, open_games};
use crate::rng::Rng;

/// The table of each thread: small enough to stay in the cache.
const HASH_MIB: usize = 4;

/// What a run of self-play makes.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Folder of the files.
    pub folder: PathBuf,
    /// Seed of the run.
    pub seed: u64,
    /// Threads, and so files.
    pub threads: usize,
    /// Games of all threads together.
    pub games: u64,
    /// How they are played.
    pub rules: GameRules,
    /// Positions that a share of the games begins with.
    pub book: Option<Arc<Book>>,
}

impl Plan {
    fn file(&self, thread: usize) -> PathBuf {
        self.folder.join(format!("games-{}-{thread}of{}.viri", self.seed, self.threads))
    }

    /// What the file of a thread becomes when its games are all there.
    fn compressed_file(&self, thread: usize) -> PathBuf {
        self.file(thread).with_extension("viri.gz")
    }

    /// Games that a thread plays: those whose number leaves its own as the remainder.
    fn games_of(&self, thread: usize) -> u64 {
        let threads = self.threads as u64;
        (self.games + threads - 1 - thread as u64) / threads
    }
}

/// What has been made so far, by all threads.
#[derive(Debug, Default)]
pub struct Tally {
    games: AtomicU64,
    plies: AtomicU64,
    results: [AtomicU64; 3],
}

impl Tally {
    fn add(&self, game: &Game) {
        self.games.fetch_add(1, Relaxed);
        self.plies.fetch_add(game.moves.len() as u64, Relaxed);
        self.results[game.result as usize].fetch_add(1, Relaxed);
    }

    fn join(&self, other: &Self) {
        self.games.fetch_add(other.games(), Relaxed);
        self.plies.fetch_add(other.plies(), Relaxed);
        for (sum, part) in self.results.iter().zip(&other.results) {
            sum.fetch_add(part.load(Relaxed), Relaxed);
        }
    }

    /// How many games are finished.
    pub fn games(&self) -> u64 {
        self.games.load(Relaxed)
    }

    /// Moves of all games.
    pub fn plies(&self) -> u64 {
        self.plies.load(Relaxed)
    }

    /// Games with this result.
    pub fn results(&self, result: GameResult) -> u64 {
        self.results[result as usize].load(Relaxed)
    }
}

/// Plays the games of the plan that are not there yet. Goes on until they are all there or `stop`
/// is set; `found` counts the games of earlier runs, `made` those of this one.
///
/// # Errors
/// When a file cannot be read or written.
pub fn run(plan: &Plan, stop: &AtomicBool, found: &Tally, made: &Tally) -> Result<(), Error> {
    std::fs::create_dir_all(&plan.folder).map_err(Error::file(&plan.folder))?;
    let first_error = Mutex::new(None);
    thread::scope(|scope| {
        for index in 0..plan.threads {
            let first_error = &first_error;
            scope.spawn(move || {
                if let Err(error) = run_thread(plan, index, stop, found, made) {
                    stop.store(true, Relaxed);
                    if let Ok(mut slot) = first_error.lock() {
                        slot.get_or_insert(error);
                    }
                }
            });
        }
    });
    first_error.into_inner().ok().flatten().map_or(Ok(()), Err)
}

fn run_thread(
    plan: &Plan,
    index: usize,
    stop: &AtomicBool,
    found: &Tally,
    made: &Tally,
) -> Result<(), Error> {
    let (path, compressed) = (plan.file(index), plan.compressed_file(index));
    if compressed.exists() {
        let whole = count_in(&compressed)?.tally;
        if whole.games() >= plan.games_of(index) {
            found.join(&whole);
            // An end between the two steps of compressing leaves both files.
            return if path.exists() { remove(&path) } else { Ok(()) };
        }
        // More games are wanted than a finished run has made.
        copy(&compressed, &path)?;
    }
    let (mut file, done) = resume(&path, found)?;
    let mut engine = SingleThreadEngine::new(HASH_MIB)
        .map_err(|error| Error::Request(format!("no memory for the table: {error}")))?;
    let mut bytes = Vec::new();
    for number in done..plan.games_of(index) {
        if stop.load(Relaxed) {
            break;
        }
        let mut rng = Rng::derived(plan.seed, number * plan.threads as u64 + index as u64);
        let game = play_game(&mut engine, &plan.rules, plan.book.as_deref(), &mut rng);
        bytes.clear();
        game.encode(&mut bytes);
        // One write a game: a run that is killed loses at most the game under way.
        file.write_all(&bytes).map_err(Error::file(&path))?;
        made.add(&game);
    }
    drop(file);
    if !stop.load(Relaxed) {
        copy(&path, &compressed)?;
    }
    Ok(())
}

/// Puts the games of one file into another, compressed or plain as its name says, in its place.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    copy_games(&[from.to_path_buf()], to, &ProgressBar::hidden(), |_| true)?;
    remove(from)
}

fn remove(path: &Path) -> Result<(), Error> {
    std::fs::remove_file(path).map_err(Error::file(path))
}

/// Opens a file to go on with: counts its whole games and cuts off a torn one at the end. As long
/// as it is open no other run can have it.
fn resume(path: &Path, found: &Tally) -> Result<(File, u64), Error> {
    // Counted before the lock, which on some systems keeps even this process from reading.
    let Counted { tally, end } = if path.exists() { count_in(path)? } else { Counted::default() };
    let file =
        OpenOptions::new().create(true).append(true).open(path).map_err(Error::file(path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Error::content(path, "another run is writing to it"));
        }
        Err(TryLockError::Error(error)) => return Err(Error::file(path)(error)),
    }
    found.join(&tally);
    file.set_len(end).map_err(Error::file(path))?;
    Ok((file, tally.games()))
}

/// The whole games of a file.
#[derive(Default)]
struct Counted {
    tally: Tally,
    /// Where the last of them ends.
    end: u64,
}

/// Counts the whole games of a file.
fn count_in(path: &Path) -> Result<Counted, Error> {
    let mut counted = Counted::default();
    let mut games = open_games(path)?;
    while let Some(stored) = games.next_game().map_err(Error::file(path))? {
        counted.tally.add(stored.game);
        counted.end = stored.offset + stored.bytes.len() as u64;
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(name: &str, games: u64) -> Plan {
        let folder =
            std::env::temp_dir().join(format!("halcyon-datagen-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let rules = GameRules { soft_nodes: 40, max_plies: 60, ..GameRules::default() };
        Plan { folder, seed: 11, threads: 2, games, rules, book: None }
    }

    /// The games of every thread of a finished run.
    fn games(plan: &Plan) -> Vec<Vec<u8>> {
        (0..plan.threads)
            .map(|index| {
                assert!(!plan.file(index).exists());
                let mut reader = open_games(&plan.compressed_file(index)).unwrap();
                let mut bytes = Vec::new();
                while let Some(stored) = reader.next_game().unwrap() {
                    bytes.extend_from_slice(stored.bytes);
                }
                assert_eq!(reader.damage(), []);
                bytes
            })
            .collect()
    }

    #[test]
    fn a_run_that_was_torn_off_goes_on_to_the_same_files() {
        let whole = plan("whole", 7);
        let never = AtomicBool::new(false);
        run(&whole, &never, &Tally::default(), &Tally::default()).unwrap();

        let torn = plan("torn", 4);
        run(&torn, &never, &Tally::default(), &Tally::default()).unwrap();
        let path = torn.file(0);
        copy(&torn.compressed_file(0), &path).unwrap();
        let length = std::fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();
        let (found, made) = (Tally::default(), Tally::default());
        run(&Plan { games: 7, ..torn.clone() }, &never, &found, &made).unwrap();
        assert_eq!(found.games() + made.games(), 7);
        assert_eq!(found.games(), 3);
        assert_eq!(games(&whole), games(&torn));

        std::fs::write(whole.file(1), b"left over").unwrap();
        let (found, made) = (Tally::default(), Tally::default());
        run(&whole, &never, &found, &made).unwrap();
        assert_eq!((found.games(), made.games()), (7, 0));
        assert!(!whole.file(1).exists());
        for plan in [whole, torn] {
            std::fs::remove_dir_all(&plan.folder).unwrap();
        }
    }

    #[test]
    fn a_file_that_another_run_writes_is_left_alone() {
        let plan = Plan { threads: 1, ..plan("twice", 1) };
        std::fs::create_dir_all(&plan.folder).unwrap();
        let (other, _) = resume(&plan.file(0), &Tally::default()).unwrap();
        let never = AtomicBool::new(false);
        let refusal = run(&plan, &never, &Tally::default(), &Tally::default()).unwrap_err();
        assert!(refusal.to_string().ends_with("another run is writing to it"), "{refusal}");
        drop(other);
        let never = AtomicBool::new(false);
        run(&plan, &never, &Tally::default(), &Tally::default()).unwrap();
        std::fs::remove_dir_all(&plan.folder).unwrap();
    }
}
