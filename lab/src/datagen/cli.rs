//! The sub-command `datagen`.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::play::GameRules;
use super::run::{Plan, Tally, run};
use crate::Error;
use crate::book::Book;
use crate::data::GameResult;
use crate::say::say;

/// Plays games of the engine against itself for the network to learn from.
#[derive(Clone, Debug, Args)]
pub struct DatagenArgs {
    /// Folder for the games [default: $HALCYON_GAMES, or halcyon/games in the user's data folder]
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// Games in all, those of earlier runs with this seed included
    #[arg(long, default_value_t = 1_000_000)]
    games: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Seed: another seed makes other games in other files
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// No new iteration after this many nodes
    #[arg(long, default_value_t = 400)]
    soft_nodes: u64,
    /// Share of games from Chess960 start positions
    #[arg(long, default_value_t = 8)]
    chess960_percent: usize,
    /// Positions (EPD or FEN) that a share of the games begins with
    #[arg(long)]
    book: Option<PathBuf>,
    /// Share of games that begin with a position of the book
    #[arg(long, default_value_t = 33)]
    book_percent: usize,
    /// Random plies after a position of the book: from none to this many
    #[arg(long, default_value_t = 4)]
    book_random_plies: usize,
    /// Stop after so many minutes
    #[arg(long)]
    minutes: Option<f64>,
}

/// The folder for raw games: `HALCYON_GAMES`, or one in the user's data folder.
#[must_use]
pub fn games_folder() -> PathBuf {
    let from = |name: &str| std::env::var_os(name).map(PathBuf::from);
    from("HALCYON_GAMES").unwrap_or_else(|| {
        from("XDG_DATA_HOME")
            .or_else(|| from("HOME").map(|home| home.join(".local/share")))
            .unwrap_or_else(std::env::temp_dir)
            .join("halcyon/games")
    })
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or written.
pub fn datagen(args: &DatagenArgs) -> Result<(), Error> {
    if args.threads == 0 || args.soft_nodes == 0 {
        return Err(Error::Request("--threads and --soft-nodes must be at least 1".into()));
    }
    let plan = Plan {
        folder: args.out.clone().unwrap_or_else(games_folder),
        seed: args.seed,
        threads: args.threads,
        games: args.games,
        rules: GameRules {
            soft_nodes: args.soft_nodes,
            chess960_percent: args.chess960_percent,
            book_percent: args.book_percent,
            book_random_plies: args.book_random_plies,
            ..GameRules::default()
        },
        book: args
            .book
            .as_deref()
            .map(|path| Book::open(path, args.seed))
            .transpose()?
            .map(Arc::new),
    };
    say!("games in {}", plan.folder.display());
    let (stop, over) = (AtomicBool::new(false), AtomicBool::new(false));
    let (found, made) = (Tally::default(), Tally::default());
    let end = args.minutes.map(|minutes| Instant::now() + Duration::from_secs_f64(minutes * 60.0));
    thread::scope(|scope| {
        scope.spawn(|| {
            let bar = ProgressBar::new(plan.games);
            bar.set_style(
                ProgressStyle::with_template("{bar:30} {pos}/{len} games, {msg}, {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            );
            let begin = Instant::now();
            while !over.load(Relaxed) {
                thread::sleep(Duration::from_millis(250));
                bar.set_position(found.games() + made.games());
                bar.set_message(describe(&found, &made, begin.elapsed()));
                if end.is_some_and(|end| Instant::now() >= end) {
                    stop.store(true, Relaxed);
                }
            }
            bar.finish();
        });
        let begin = Instant::now();
        let done = run(&plan, &stop, &found, &made);
        over.store(true, Relaxed);
        say!("{} games: {}", made.games(), describe(&found, &made, begin.elapsed()));
        done
    })
}

fn describe(found: &Tally, made: &Tally, time: Duration) -> String {
    let count = |result| found.results(result) + made.results(result);
    let (white, draw, black) =
        (count(GameResult::WhiteWins), count(GameResult::Draw), count(GameResult::BlackWins));
    let plies = found.plies() + made.plies();
    let rate = made.plies() as f64 / time.as_secs_f64().max(1e-9);
    format!("{plies} plies, {rate:.0}/s, +{white} ={draw} -{black}")
}
