//! The sub-command `ablate`.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use engine::bench;
use indicatif::{ProgressBar, ProgressStyle};

use super::journal::{Entry, Journal, RunSettings};
use super::measure::Yardstick;
use super::page;
use super::techniques::{TECHNIQUES, Technique};
use crate::Error;
use crate::book::Book;
use crate::data::write_file;
use crate::match_play::{PairRequest, Thinking, Variant, Workers};
use crate::network_file::read_network;
use crate::say::say;
use batch::suite::read_suite;

/// Pairs of one technique before the next has its turn.
const TURN: usize = 10;
/// How often the page is written anew during matches.
const PAGE_EVERY: Duration = Duration::from_secs(60);

/// Measures what each technique of the search is worth (needs a build with --features tune).
#[derive(Clone, Debug, Args)]
pub struct AblateArgs {
    /// Folder for the journal, ablations.md and ablations.svg
    #[arg(long, short, default_value = "docs")]
    out: PathBuf,
    /// Journal, to go on with after an interruption [default: ablations.jsonl in the folder]
    #[arg(long)]
    journal: Option<PathBuf>,
    /// Games for each technique; 0 measures only nodes and suites
    #[arg(long, default_value_t = 0)]
    games: usize,
    /// Nodes for each move
    #[arg(long, default_value_t = 2000, conflicts_with = "movetime")]
    nodes: u64,
    /// Milliseconds for each move
    #[arg(long)]
    movetime: Option<u64>,
    /// Openings, an EPD file [default: random moves]
    #[arg(long)]
    book: Option<PathBuf>,
    /// Seed of the order of openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Processes that play
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Only these techniques, by name and separated by commas
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Depth for counting nodes
    #[arg(long, default_value_t = 8)]
    depth: i32,
    /// A suite to solve with and without, an EPD file
    #[arg(long)]
    suite: Option<PathBuf>,
    /// Nodes for each position of the suite
    #[arg(long, default_value_t = 10_000)]
    suite_nodes: u64,
    /// Network to evaluate with
    #[arg(long)]
    network: Option<PathBuf>,
    /// Print the names of all techniques and do nothing
    #[arg(long)]
    list: bool,
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or written, a worker fails, or parameters are fixed in this build.
pub fn ablate(args: &AblateArgs) -> Result<(), Error> {
    if args.list {
        for technique in TECHNIQUES {
            say!("{:<22}{}", technique.name, technique.title);
        }
        return Ok(());
    }
    let chosen = choose(&args.only)?;
    for technique in &chosen {
        technique.variant().check()?;
    }
    let tasks = args.suite.as_deref().map_or(Ok(Vec::new()), read_suite)?;
    let network = args.network.as_deref().map(read_network).transpose()?;
    let book = match &args.book {
        Some(path) => Book::open(path, args.seed)?,
        None => Book::random(args.seed),
    };
    let thinking = args.movetime.map_or(Thinking::Nodes(args.nodes), Thinking::Time);
    let settings = RunSettings {
        version: version()?,
        thinking,
        book: book.fingerprint(),
        depth: args.depth,
        suite: args
            .suite
            .as_deref()
            .and_then(Path::file_name)
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        suite_size: tasks.len(),
        suite_nodes: args.suite_nodes,
    };
    std::fs::create_dir_all(&args.out).map_err(Error::file(&args.out))?;
    let path = args.journal.clone().unwrap_or_else(|| args.out.join("ablations.jsonl"));
    let mut journal = Journal::open(&path, &settings)?;
    let yardstick =
        Yardstick { depth: args.depth, suite: &tasks, suite_nodes: args.suite_nodes, network };
    measure(&mut journal, &yardstick, &chosen)?;
    let write_page = |journal: &Journal| write_page(args, &settings, journal);
    write_page(&journal)?;
    play(args, &mut journal, &chosen, &book, &write_page)?;
    write_page(&journal)
}

fn choose(only: &[String]) -> Result<Vec<&'static Technique>, Error> {
    if only.is_empty() {
        return Ok(TECHNIQUES.iter().collect());
    }
    let find = |name: &String| {
        TECHNIQUES
            .iter()
            .find(|technique| technique.name == name)
            .ok_or_else(|| Error::Request(format!("no technique {name:?}; see ablate --list")))
    };
    only.iter().map(find).collect()
}

/// The version with a small bench: another search is another version.
fn version() -> Result<String, Error> {
    let nodes = bench::nodes(6, 1).map_err(|error| Error::Request(error.to_string()))?;
    Ok(format!("Halcyon {} (bench 6: {nodes})", env!("CARGO_PKG_VERSION")))
}

fn bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar
}

fn measure(
    journal: &mut Journal,
    yardstick: &Yardstick<'_>,
    chosen: &[&Technique],
) -> Result<(), Error> {
    let plain = ("", Variant::default());
    let all = chosen.iter().map(|technique| (technique.name, technique.variant()));
    let bar = bar(chosen.len() + 1);
    for (name, variant) in std::iter::once(plain).chain(all) {
        if !journal.measured.contains_key(name) {
            let measured = yardstick.measure(&variant)?;
            journal.add(&Entry::Measured { technique: name.to_owned(), measured })?;
        }
        bar.set_message(format!("measured {name}"));
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// The pairs still to be played, a few of each technique in turn, so that an early end leaves all
/// of them with about as many games.
fn schedule(
    journal: &Journal,
    techniques: usize,
    pairs: usize,
    names: &[&str],
) -> Vec<(usize, usize)> {
    let turns = (0..pairs).step_by(TURN);
    turns
        .flat_map(|from| (0..techniques).map(move |technique| (technique, from)))
        .flat_map(|(technique, from)| {
            (from..(from + TURN).min(pairs)).map(move |number| (technique, number))
        })
        .filter(|&(technique, number)| !journal.has_pair(names[technique], number))
        .collect()
}

fn play(
    args: &AblateArgs,
    journal: &mut Journal,
    chosen: &[&Technique],
    book: &Book,
    write_page: &dyn Fn(&Journal) -> Result<(), Error>,
) -> Result<(), Error> {
    let names: Vec<&str> = chosen.iter().map(|technique| technique.name).collect();
    let plan = schedule(journal, chosen.len(), args.games.div_ceil(2), &names);
    if plan.is_empty() {
        return Ok(());
    }
    let thinking = args.movetime.map_or(Thinking::Nodes(args.nodes), Thinking::Time);
    let mut workers = Workers::start(args.concurrency, args.network.as_deref())?;
    let bar = bar(plan.len());
    let journal = RefCell::new(journal);
    let mut told = Instant::now();
    let mut next = 0;
    workers.run(
        || {
            let (technique, number) = *plan.get(next)?;
            next += 1;
            Some(PairRequest {
                id: next - 1,
                fen: book.opening(number),
                thinking,
                variants: [chosen[technique].variant(), Variant::default()],
            })
        },
        |id, result| {
            let (technique, number) = plan[id];
            let mut journal = journal.borrow_mut();
            let name = names[technique].to_owned();
            journal.add(&Entry::Pair { technique: name, number, points: result.points })?;
            bar.set_message(format!("pairs, {}", names[technique]));
            bar.inc(1);
            if told.elapsed() >= PAGE_EVERY {
                told = Instant::now();
                write_page(&journal)?;
            }
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    Ok(())
}

/// What evaluates positions, in words.
fn evaluation(args: &AblateArgs) -> String {
    match args.network.as_deref().and_then(Path::file_name) {
        Some(name) => format!("network {}", name.to_string_lossy()),
        None => String::from("its own network"),
    }
}

fn write_page(args: &AblateArgs, settings: &RunSettings, journal: &Journal) -> Result<(), Error> {
    let file_name = |path: &Option<PathBuf>, flag: &str| {
        let name = path.as_deref().and_then(Path::file_name);
        name.map_or_else(String::new, |name| format!(" --{flag} {}", name.to_string_lossy()))
    };
    let thinking = settings.thinking.arguments();
    let command = format!(
        "cargo run --release -p halcyon-lab --features tune -- ablate --games {} {thinking} --seed \
         {} --depth {} --suite-nodes {}{}{}{}",
        args.games,
        args.seed,
        args.depth,
        args.suite_nodes,
        file_name(&args.book, "book"),
        file_name(&args.suite, "suite"),
        file_name(&args.network, "network"),
    );
    let (text, chart) = page::write(settings, &evaluation(args), &command, journal);
    for (name, content) in [("ablations.md", text), ("ablations.svg", chart)] {
        let path = args.out.join(name);
        write_file(&path, content.as_bytes())?;
    }
    Ok(())
}
