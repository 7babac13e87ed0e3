//! The sub-command `suite`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::compare::{join, merge};
use super::epd::{Wanted, read_suite};
use super::player::{Halcyon, Player};
use super::report::SuiteReport;
use super::run::{Request, run};
use crate::engines::{Budget, BudgetArgs, EngineConfig};
use crate::paths;
use crate::record::Shard;
use crate::uci_engine::UciEngine;
use crate::{Error, printable};

/// Reads a whole number in a range.
type Whole = RangedU64ValueParser<usize>;

/// Time for a position if nothing else is asked for.
const DEFAULT_BUDGET: Budget = Budget::Time(Duration::from_secs(1));

/// Gives a suite of positions with known answers to the engine, and to others for comparison.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Without --nodes, --depth or --movetime every position gets a second.")]
pub struct SuiteArgs {
    /// The suite: an EPD file with bm, am, dm (or "bm #N") or ce in every line
    #[arg(required_unless_present_any = ["compare", "merge"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Threads of each engine
    #[arg(long, default_value_t = 1, value_parser = Whole::new().range(1..=1024))]
    threads: usize,
    /// Transposition table of each engine in MiB
    #[arg(long, default_value_t = 64, value_parser = Whole::new().range(1..))]
    hash: usize,
    /// Network file for the engine instead of the one in the program
    #[arg(long)]
    network: Option<PathBuf>,
    /// Folders with Syzygy tablebases for the engine
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
    /// Another UCI engine that gets the same positions, with its arguments; may be repeated
    #[arg(long)]
    engine: Vec<String>,
    /// Only every n-th position
    #[arg(long, default_value_t = 1, value_parser = Whole::new().range(1..))]
    every: usize,
    /// Only so many positions
    #[arg(long)]
    first: Option<usize>,
    /// Only mates in at most so many moves
    #[arg(long)]
    max_mate: Option<i32>,
    /// Centipawns by which a score may differ from the one that "ce" asks for
    #[arg(long, default_value_t = 50)]
    tolerance: i32,
    /// Reports of earlier runs (what --json wrote) to set side by side; may be repeated
    #[arg(long, value_name = "JSON")]
    compare: Vec<PathBuf>,
    /// Only one of several parts, as in 2/8; --merge puts their reports together
    #[arg(long, value_name = "PART/PARTS")]
    shard: Option<Shard>,
    /// Reports of all parts (what --shard with --json wrote) to be made one; may be repeated
    #[arg(long, value_name = "JSON", num_args = 1.., conflicts_with_all = ["file", "compare"])]
    merge: Vec<PathBuf>,
    /// Where the whole report goes as JSON
    #[arg(long)]
    json: Option<PathBuf>,
}

/// Runs the sub-command and gives the tables to `print`.
///
/// # Errors
/// When a file cannot be read or written, an engine does not answer, or this engine promised a
/// mate that is not real.
pub fn suite(args: &SuiteArgs, print: &mut dyn FnMut(&str)) -> Result<(), Error> {
    let inputs: Vec<PathBuf> =
        args.file.iter().chain(&args.compare).chain(&args.merge).cloned().collect();
    paths::check_inputs(&inputs)?;
    if let Some(json) = &args.json {
        paths::check_outputs(&inputs, std::slice::from_ref(json))?;
    }
    let mut reports = Vec::new();
    for path in &args.compare {
        reports.push(read_report(path)?);
    }
    if !args.merge.is_empty() {
        let parts: Result<Vec<_>, _> = args.merge.iter().map(|path| read_report(path)).collect();
        let parts = parts?.into_iter().map(|(_, report)| report).collect();
        let whole = merge(parts).map_err(Error::Request)?;
        reports.push((String::new(), whole));
    }
    let fresh = args.file.as_deref().map(|file| solve(args, file)).transpose()?;
    let faults = fresh.as_ref().map_or(0, |report| {
        let own = &report.engines[0];
        own.broken_lines + own.false_mates
    });
    reports.extend(fresh.map(|report| (String::from("now"), report)));
    let report = match reports.len() {
        1 => reports.remove(0).1,
        _ => join(&reports).map_err(Error::Request)?,
    };
    print(&printable(&report.table()));
    if let Some(path) = &args.json {
        let json = serde_json::to_string_pretty(&report)
            .map_err(|error| Error::content(path, error.to_string()))?;
        atomic_file::write(path, (json + "\n").as_bytes()).map_err(Error::file(path))?;
    }
    match faults {
        0 => Ok(()),
        count => Err(Error::Request(format!("{count} promised mates are not real"))),
    }
}

fn read_report(path: &Path) -> Result<(String, SuiteReport), Error> {
    let text = paths::read_text(path)?;
    let report = serde_json::from_str(&text).map_err(|error| {
        Error::content(path, format!("not a report that `suite --json` wrote: {error}"))
    })?;
    let name =
        path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok((name, report))
}

fn solve(args: &SuiteArgs, file: &Path) -> Result<SuiteReport, Error> {
    let budget = args.budget.budget().unwrap_or(DEFAULT_BUDGET);
    let mut tasks = read_suite(file)?;
    if let Some(longest) = args.max_mate {
        tasks.retain(|task| !matches!(task.wanted, Wanted::Mate(moves) if moves.abs() > longest));
    }
    let chosen = tasks.into_iter().step_by(args.every).take(args.first.unwrap_or(usize::MAX));
    let belongs = |number: u64| args.shard.is_none_or(|shard| shard.has(number));
    let tasks: Vec<_> =
        (1..).zip(chosen).filter(|(number, _)| belongs(*number)).map(|(_, task)| task).collect();
    let config = EngineConfig {
        threads: args.threads,
        hash: args.hash,
        network: args.network.clone(),
        syzygy: args.syzygy.clone(),
    };
    let mut players: Vec<Box<dyn Player>> = vec![Box::new(Halcyon::new(&config)?)];
    for command in &args.engine {
        let mut other = UciEngine::start(command)?;
        other.set_option("Threads", &args.threads.to_string())?;
        other.set_option("Hash", &args.hash.to_string())?;
        players.push(Box::new(other));
    }
    let mut report = SuiteReport {
        suite: file.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned()),
        budget: budget.describe(),
        threads: args.threads,
        hash: args.hash,
        shard: args.shard,
        ..SuiteReport::default()
    };
    let request = Request { budget, tolerance: args.tolerance, progress: true };
    run(&tasks, &mut players, request, &mut report)?;
    Ok(report)
}
