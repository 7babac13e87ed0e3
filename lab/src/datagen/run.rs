//! A run of many games on many threads, each with a file of its own.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use engine::SoloEngine;

use super::play::{GameRules, play_game};
use crate::Error;
use crate::data::{Game, GameResult, open_games};
use crate::rng::Rng;

/// The table of each thread: small enough to stay in the cache.
const HASH_MIB: usize = 4;

/// What to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Folder of the files.
    pub folder: PathBuf,
    /// Seed of the run.
    pub seed: u64,
    /// Threads, and so files.
    pub threads: usize,
    /// Games in all.
    pub games: u64,
    /// How they are played.
    pub rules: GameRules,
}

impl Plan {
    fn file(&self, thread: usize) -> PathBuf {
        self.folder.join(format!("games-{}-{thread}of{}.viri", self.seed, self.threads))
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

    /// Games.
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
    let path = plan.file(index);
    let (mut file, done) = resume(&path, found)?;
    let mut engine = SoloEngine::new(HASH_MIB)
        .map_err(|error| Error::Request(format!("no memory for the table: {error}")))?;
    let mut bytes = Vec::new();
    for number in done..plan.games_of(index) {
        if stop.load(Relaxed) {
            break;
        }
        let mut rng = Rng::derived(plan.seed, number * plan.threads as u64 + index as u64);
        let game = play_game(&mut engine, &plan.rules, &mut rng);
        bytes.clear();
        game.encode(&mut bytes);
        // One write a game: a run that is killed loses at most the game under way.
        file.write_all(&bytes).map_err(Error::file(&path))?;
        made.add(&game);
    }
    Ok(())
}

/// Opens a file to go on with: counts its whole games and cuts off a torn one at the end.
fn resume(path: &Path, found: &Tally) -> Result<(File, u64), Error> {
    let mut count = 0;
    let mut end = 0;
    if path.exists() {
        let mut games = open_games(path)?;
        while let Some(stored) = games.next_game().map_err(Error::file(path))? {
            count += 1;
            end = stored.offset + stored.bytes.len() as u64;
            found.add(stored.game);
        }
    }
    let file =
        OpenOptions::new().create(true).append(true).open(path).map_err(Error::file(path))?;
    file.set_len(end).map_err(Error::file(path))?;
    Ok((file, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(name: &str, games: u64) -> Plan {
        let folder =
            std::env::temp_dir().join(format!("halcyon-datagen-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let rules = GameRules { soft_nodes: 40, max_plies: 60, ..GameRules::default() };
        Plan { folder, seed: 11, threads: 2, games, rules }
    }

    fn bytes(plan: &Plan) -> Vec<Vec<u8>> {
        (0..plan.threads).map(|index| std::fs::read(plan.file(index)).unwrap()).collect()
    }

    #[test]
    fn a_run_that_was_torn_off_goes_on_to_the_same_files() {
        let whole = plan("whole", 7);
        let never = AtomicBool::new(false);
        run(&whole, &never, &Tally::default(), &Tally::default()).unwrap();

        let torn = plan("torn", 4);
        run(&torn, &never, &Tally::default(), &Tally::default()).unwrap();
        let path = torn.file(0);
        let length = std::fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();
        let (found, made) = (Tally::default(), Tally::default());
        run(&Plan { games: 7, ..torn.clone() }, &never, &found, &made).unwrap();
        assert_eq!(found.games() + made.games(), 7);
        assert_eq!(found.games(), 3);
        assert_eq!(bytes(&whole), bytes(&torn));
        for plan in [whole, torn] {
            std::fs::remove_dir_all(&plan.folder).unwrap();
        }
    }
}
