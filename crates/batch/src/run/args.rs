//! The arguments that every command over large files has.

use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use crate::engines::BudgetArgs;
use crate::input::STDIN;
use crate::record::Shard;
use crate::render::Format;
use crate::selection::Selection;

/// What every command that goes through large files is told.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunArgs {
    /// PGN files, or EPD or FEN lists; also .zst, .gz and .bz2; - for standard input
    #[arg(default_value = STDIN)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) budget: BudgetArgs,
    /// Threads: each looks at a game of its own [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Transposition table of each search in MiB
    #[arg(long, default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(super) hash: usize,
    /// Another UCI engine that searches instead of this one: its command, with arguments
    #[arg(long, value_name = "COMMAND")]
    pub(super) engine: Option<String>,
    /// An option of that engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "engine", value_parser = named_value)]
    pub(super) engine_option: Vec<(String, String)>,
    /// A network file for the engine
    #[arg(long, conflicts_with = "engine")]
    pub(super) network: Option<PathBuf>,
    /// Folders with Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    pub(super) syzygy: Option<String>,
    #[command(flatten)]
    pub(super) selection: Selection,
    /// Where results go, by the name: .pgn, .epd, .jsonl, .csv or .html; may be repeated
    #[arg(long)]
    pub(super) out: Vec<PathBuf>,
    /// The form of results on standard output, if there is no --out
    #[arg(long, value_enum, conflicts_with = "out")]
    pub(super) format: Option<Format>,
    /// Go on where a run with the same outputs was interrupted
    #[arg(long)]
    pub(super) resume: bool,
    /// Start over even if an interrupted run could be resumed
    #[arg(long, conflicts_with = "resume")]
    pub(super) force: bool,
    /// Only every n-th item, beginning with the i-th, as i/n
    #[arg(long)]
    pub(super) shard: Option<Shard>,
    /// No progress bar, no summary
    #[arg(long)]
    pub(super) quiet: bool,
}

impl RunArgs {
    pub(super) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }
}

/// A name and a value with an equals sign between them.
fn named_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("{text:?} is not of the form NAME=VALUE")),
    }
}
