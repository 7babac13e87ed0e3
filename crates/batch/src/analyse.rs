//! The sub-command `analyse`.

use std::path::PathBuf;

use clap::Args;

use crate::Error;
use crate::engines::{Budget, MAX_MULTIPV};
use crate::record::Task;
pub use crate::run::Streams;
use crate::run::{Plan, RunArgs, read_book, run};

const DEFAULT_BUDGET: Budget = Budget::Nodes(100_000);

/// Analyses every move of every game, or every position of a list.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  halcyon analyse games.pgn                                  annotated games to the terminal
  halcyon analyse games.pgn.zst --nodes 20000 --out games.annotated.pgn --out report.html
  halcyon analyse games.pgn --out all.jsonl --resume         goes on where it was killed
  halcyon analyse games.pgn --shard 2/8 --out part2.jsonl    one of eight machines; see `merge`

Without --nodes, --depth or --movetime every position gets 100000 nodes. docs/analysis.md has more.")]
pub struct AnalyseArgs {
    #[command(flatten)]
    run: RunArgs,
    /// How many best lines to find
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_MULTIPV as i64))]
    multipv: u16,
    /// All threads think about the same position
    #[arg(long)]
    together: bool,
    /// A Polyglot book; moves in it are not judged
    #[arg(long)]
    book: Option<PathBuf>,
    /// Longest line that is written into a game, in moves of either side
    #[arg(long, default_value_t = 10)]
    line_plies: usize,
}

/// Runs the sub-command. `program` is the engine's name and version.
///
/// # Errors
/// If a file cannot be read or written, or the request makes no sense. What was found until then is
/// kept.
pub fn analyse(args: &AnalyseArgs, program: &str, streams: Streams<'_>) -> Result<(), Error> {
    let book = match &args.book {
        Some(path) => Some((path.as_path(), read_book(path)?)),
        None => None,
    };
    let plan = Plan {
        task: Task::Analyse,
        budget: DEFAULT_BUDGET,
        multipv: args.multipv.into(),
        together: args.together,
        book,
        line_plies: args.line_plies,
    };
    run(&args.run, &plan, program, streams)
}
