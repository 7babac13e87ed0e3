//! The sub-command `rescore`.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::label::LabelRules;
use super::run::{Counts, OutputFormat, Plan, run};
use crate::Error;
use crate::data::{PositionFilter, print_damage};
use crate::network_file::read_network;
use crate::say::say;

/// Labels positions of games with searches of their own.
#[derive(Clone, Debug, Args)]
pub struct RescoreArgs {
    /// Files of games
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// File to write: packed positions (.bin) or text (.epd); an interrupted run goes on with it
    #[arg(long, short)]
    out: PathBuf,
    /// Nodes of the search that makes a label
    #[arg(long, default_value_t = 5000)]
    nodes: u64,
    /// One position in so many plies, on average
    #[arg(long, default_value_t = 4)]
    every: usize,
    /// At most so many positions of a game; 0 for no limit
    #[arg(long, default_value_t = 0)]
    per_game: usize,
    /// Label so many further positions of each principal variation with the same score
    #[arg(long, default_value_t = 0)]
    pv_plies: usize,
    /// Label the positions too that the searches left in the table with at least this depth, with
    /// scores and bounds; 0 for none
    #[arg(long, default_value_t = 0)]
    tree_depth: i32,
    /// Label so many of the positions that each search has evaluated, too, with searches of their own
    #[arg(long, default_value_t = 0)]
    evaluated: usize,
    /// Nodes of the searches that label these positions: most of what is missing there is tactics, which
    /// few nodes see
    #[arg(long, default_value_t = 500)]
    evaluated_nodes: u64,
    /// Leave out positions whose score in the game is this many centipawns or more
    #[arg(long, default_value_t = 1500)]
    max_score: u16,
    /// Leave out positions before this ply of chess
    #[arg(long, default_value_t = 0)]
    min_ply: usize,
    /// Leave out positions with fewer pieces than this
    #[arg(long, default_value_t = 4)]
    min_pieces: u32,
    /// Fixes which positions are picked
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Stop after so many minutes
    #[arg(long)]
    minutes: Option<f64>,
    /// Network file that evaluates, instead of the embedded one
    #[arg(long)]
    network: Option<PathBuf>,
}

/// Runs the sub-command.
///
/// # Errors
/// When the settings make no sense, or a file cannot be read or written.
pub fn rescore(args: &RescoreArgs) -> Result<(), Error> {
    if args.threads == 0 || args.nodes == 0 || args.evaluated_nodes == 0 || args.every == 0 {
        let reason = "--threads, --nodes, --evaluated-nodes and --every must be at least 1";
        return Err(Error::Request(reason.into()));
    }
    let Some(format) = OutputFormat::of(&args.out) else {
        return Err(Error::Request("the name of the output must end in .bin or .epd".into()));
    };
    if args.tree_depth > 0 && format == OutputFormat::Epd {
        let reason = "--tree-depth gives bounds, which only packed positions (.bin) can hold";
        return Err(Error::Request(reason.into()));
    }
    let filter = PositionFilter {
        min_ply: args.min_ply,
        min_pieces: args.min_pieces,
        max_score: args.max_score,
        ..PositionFilter::default()
    };
    let network = args.network.as_deref().map(read_network).transpose()?;
    let plan = Plan {
        games: args.games.clone(),
        output: args.out.clone(),
        format,
        threads: args.threads,
        rules: LabelRules {
            nodes: args.nodes,
            every: args.every,
            per_game: args.per_game,
            pv_plies: args.pv_plies,
            tree_depth: args.tree_depth,
            evaluated: args.evaluated,
            evaluated_nodes: args.evaluated_nodes,
            filter,
            seed: args.seed,
        },
        network,
    };
    let (stop, over, counts) = (AtomicBool::new(false), AtomicBool::new(false), Counts::default());
    let begin = Instant::now();
    let end = args.minutes.map(|minutes| begin + Duration::from_secs_f64(minutes * 60.0));
    let reports = thread::scope(|scope| {
        scope.spawn(|| {
            let bar = ProgressBar::new_spinner();
            bar.set_style(
                ProgressStyle::with_template("{spinner} {msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_spinner()),
            );
            while !over.load(Relaxed) {
                thread::sleep(Duration::from_millis(250));
                bar.set_message(describe(&counts, begin.elapsed()));
                if end.is_some_and(|end| Instant::now() >= end) {
                    stop.store(true, Relaxed);
                }
            }
            bar.finish_and_clear();
        });
        let reports = run(&plan, &stop, &counts);
        over.store(true, Relaxed);
        reports
    })?;
    print_damage(&reports);
    say!("{}: {}", args.out.display(), describe(&counts, begin.elapsed()));
    Ok(())
}

fn describe(counts: &Counts, time: Duration) -> String {
    let (games, positions) = (counts.games.load(Relaxed), counts.positions.load(Relaxed));
    let rate = counts.made.load(Relaxed) as f64 / time.as_secs_f64().max(1e-9);
    format!("{games} games, {positions} positions, {rate:.0}/s")
}
