//! The sub-command `suite`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::epd::{Wanted, read_suite};
use super::player::{Budget, Halcyon, Player};
use super::report::SuiteReport;
use super::run::{Request, run};
use super::uci::UciEngine;
use crate::Error;
use crate::say::say;

/// Gives a suite of positions with known answers to the engine, and to others for comparison.
#[derive(Clone, Debug, Args)]
pub struct SuiteArgs {
    /// The suite: an EPD file with bm, am or dm (or "bm #N") in every line
    file: PathBuf,
    /// Milliseconds for each position [default: 1000]
    #[arg(long, group = "budget")]
    movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, group = "budget")]
    nodes: Option<u64>,
    /// Depth for each position
    #[arg(long, group = "budget")]
    depth: Option<u32>,
    /// Threads of each engine
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Table of each engine in MiB
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Network for the engine instead of the embedded one
    #[arg(long)]
    network: Option<PathBuf>,
    /// Another UCI engine that gets the same positions, with its arguments; may be repeated
    #[arg(long)]
    engine: Vec<String>,
    /// Only every n-th position
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Only so many positions
    #[arg(long)]
    first: Option<usize>,
    /// Only mates in at most so many moves
    #[arg(long)]
    max_mate: Option<i32>,
    /// Where the whole report goes as JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or written, an engine does not answer, or this engine promised a
/// mate that is not real.
pub fn suite(args: &SuiteArgs) -> Result<(), Error> {
    if args.threads == 0 || args.every == 0 {
        return Err(Error::Request("--threads and --every must be at least 1".into()));
    }
    let budget = match (args.nodes, args.depth) {
        (Some(nodes), _) => Budget::Nodes(nodes),
        (None, Some(depth)) => Budget::Depth(depth),
        (None, None) => Budget::Time(Duration::from_millis(args.movetime.unwrap_or(1000))),
    };
    let mut tasks = read_suite(&args.file)?;
    if let Some(longest) = args.max_mate {
        tasks.retain(|task| !matches!(task.wanted, Wanted::Mate(moves) if moves.abs() > longest));
    }
    let tasks: Vec<_> =
        tasks.into_iter().step_by(args.every).take(args.first.unwrap_or(usize::MAX)).collect();

    let mut players: Vec<Box<dyn Player>> =
        vec![Box::new(Halcyon::new(args.threads, args.hash, network(args)?)?)];
    for command in &args.engine {
        players.push(Box::new(UciEngine::start(command, args.threads, args.hash)?));
    }
    let mut report = SuiteReport {
        suite: args.file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned()),
        budget: budget.describe(),
        threads: args.threads,
        hash: args.hash,
        ..SuiteReport::default()
    };
    run(&tasks, &mut players, Request { budget, progress: true }, &mut report)?;
    say!("{}", report.table());
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&report)
            .map_err(|error| Error::content(path, error.to_string()))?;
        std::fs::write(path, json + "\n").map_err(Error::file(path))?;
    }
    let own = &report.engines[0];
    match own.broken_lines + own.false_mates {
        0 => Ok(()),
        count => Err(Error::Request(format!("{count} promised mates are not real"))),
    }
}

fn network(args: &SuiteArgs) -> Result<Option<engine::Network>, Error> {
    let Some(path) = &args.network else { return Ok(None) };
    let bytes = std::fs::read(path).map_err(Error::file(path))?;
    let network = engine::Network::from_bytes(&bytes);
    network.map(Some).map_err(|error| Error::content(path, error.to_string()))
}
