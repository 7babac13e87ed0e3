//! The command line: sub-commands for people and scripts.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use batch::analyse::{AnalyseArgs, Streams, analyse};
use batch::book::{BookArgs, book};
use batch::merge::{MergeArgs, merge};
use batch::printable;
use batch::puzzles::{PuzzlesArgs, puzzles};
use batch::suite::cli::{SuiteArgs, suite};
use batch::why::{WhyArgs, why};
use chess::Position;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use engine::stats::{Event, Group};

use crate::answers::NAME;
use crate::board_text::Paint;
use crate::command::BenchRequest;
use crate::count::{self, CountRequest};
use crate::files;
use crate::go::MAX_PERFT;
use crate::lichess::{self, LichessArgs};
use crate::output::Output;
use crate::play::{PlayArgs, play};
use crate::speed::BenchRun;
use crate::text::quote;
use crate::tree::Filter;
use crate::{manual, trace, tree};

/// What the list of sub-commands does not name.
const COMMANDS: &str = "\
UCI commands may be given as arguments, one as words, several in quotes; `halcyon go --help` lists them:
  halcyon go nodes 1000000
  halcyon \"position startpos moves e2e4\" \"go movetime 1000\"";

/// A UCI chess engine. Without a sub-command it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "halcyon", version = env!("HALCYON_VERSION"), max_term_width = 100, after_help = COMMANDS)]
pub struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    /// Search a fixed set of positions; the last line is `N nodes M nps`.
    Bench {
        /// Plies to search in each position
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        depth: Option<u32>,
        /// Threads to search with; only one gives the same count every time.
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        threads: Option<u32>,
        /// Size of the transposition table in MiB.
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        hash: Option<u32>,
    },
    /// Count the leaves of the move tree.
    #[command(allow_missing_positional = true)]
    Perft {
        /// Where to begin; the start of a game if it is not given.
        fen: Option<String>,
        /// Plies to look ahead.
        #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_PERFT)))]
        depth: u32,
        /// Show the count below each move.
        #[arg(long)]
        divide: bool,
        /// Threads to count with.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
        threads: u32,
        /// MiB for a table of counts already found. Without it every leaf is visited.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
        hash: Option<u32>,
    },
    /// Print a trace that the command `trace` has written, as an indented tree.
    Tree {
        /// The trace that `trace` has written
        file: PathBuf,
        /// Only what lies on or below this line of moves, as in "e2e4 e7e5".
        #[arg(long)]
        path: Option<String>,
        /// Only nodes with at least this many plies to search, and the way to them.
        #[arg(long, allow_hyphen_values = true)]
        min_depth: Option<i32>,
        /// Only nodes that this rule ended or pruned a move in, as in null-move-cut.
        #[arg(long)]
        rule: Option<String>,
        /// Only so many plies from the root.
        #[arg(long)]
        max_ply: Option<usize>,
    },
    /// Analyse every move of a set of games, or a list of positions.
    #[command(visible_alias = "analyze")]
    Analyse(Box<AnalyseArgs>),
    /// Make puzzles of the mistakes of games.
    Puzzles(Box<PuzzlesArgs>),
    /// Say why a move is bad, with the lines that prove it.
    Why(WhyArgs),
    /// Put the results of shards together, or make other outputs of them.
    Merge(MergeArgs),
    /// Solve a suite of positions with known answers, also beside other engines.
    Suite(SuiteArgs),
    /// Make opening books of games, and look into them.
    Book(BookArgs),
    /// Play a game at the terminal.
    Play(PlayArgs),
    /// Open the board: play, analyse and watch the search in a browser.
    #[cfg(feature = "web")]
    Serve(crate::board::ServeArguments),
    /// Serve Lichess's analysis board as an external engine (tried only with a server of our own).
    LichessEngine(LichessArgs),
    /// Print a script that completes commands in a shell.
    Completions {
        /// The shell that completes words
        shell: Shell,
    },
    /// Print a manual page, as for `man -l -`.
    Man {
        /// The sub-command that it is about; the program itself if it is not given.
        task: Option<String>,
    },
    /// Print the page `docs/uci.md`
    #[command(hide = true)]
    Manual,
}

/// Does what the command line says; `None` if it says nothing.
#[must_use]
pub fn run(paint: Paint) -> Option<Result<(), String>> {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| match error.kind() {
        ErrorKind::ValueValidation => {
            let text = error.render().to_string();
            let text = in_plain_words(text.strip_prefix("error: ").unwrap_or(&text));
            clap::Error::raw(ErrorKind::ValueValidation, text).exit()
        }
        _ => error.exit(),
    });
    arguments.task.map(|task| task.run(paint))
}

/// What is wrong with a value, for people who do not know Rust's ranges.
fn in_plain_words(text: &str) -> String {
    let text = text
        .replace("invalid digit found in string", "it is not a whole number")
        .replace("cannot parse integer from empty string", "it is not a whole number")
        .replace("number too large to fit in target type", "it is too large");
    let Some((before, range)) = text.split_once(" is not in ") else { return text };
    let (range, after) = range.split_once('\n').unwrap_or((range, ""));
    let Some((from, to)) = range.split_once("..") else { return text };
    let wanted = match to.trim_start_matches('=') {
        // No bound that a person would give.
        to if to == u64::MAX.to_string() => format!("{from} or more"),
        to => format!("from {from} to {to}"),
    };
    format!("{before} is not {wanted}\n{after}")
}

impl Task {
    fn run(self, paint: Paint) -> Result<(), String> {
        let output = Output::stdout();
        match self {
            Self::Bench { depth, threads, hash } => {
                let request = BenchRequest { depth, threads, hash };
                BenchRun::new(request, engine::embedded_network())?.run(&output);
            }
            Self::Perft { fen, depth, divide, threads, hash } => {
                let position = fen.map_or(Ok(Position::startpos()), |fen| Position::from_fen(&fen));
                let position = position.map_err(|error| format!("FEN refused: {error}"))?;
                count::run(&CountRequest { position, depth, divide, threads, hash }, &output);
            }
            Self::Tree { file, path, min_depth, rule, max_ply } => {
                let path = path.unwrap_or_default();
                let path = path.split_whitespace().map(str::to_owned).collect();
                return print_tree(&file, &Filter { path, min_depth, rule, max_ply }, &output);
            }
            Self::Analyse(args) => {
                let streams = Streams { results: &mut io::stdout(), messages: &mut io::stderr() };
                return analyse(&args, NAME, streams).map_err(|error| error.to_string());
            }
            Self::Puzzles(args) => {
                let streams = Streams { results: &mut io::stdout(), messages: &mut io::stderr() };
                return puzzles(&args, NAME, streams).map_err(|error| error.to_string());
            }
            Self::Why(args) => {
                for clause in why(&args).map_err(|error| error.to_string())? {
                    output.line(&clause);
                }
            }
            Self::Merge(args) => {
                let summary = merge(&args).map_err(|error| error.to_string())?;
                output.line(printable(&summary.table(20)).trim_end());
            }
            Self::Suite(args) => {
                let mut print = |text: &str| output.line(text.trim_end());
                return suite(&args, &mut print).map_err(|error| error.to_string());
            }
            Self::Book(args) => {
                output.line(&printable(&book(&args).map_err(|error| error.to_string())?));
            }
            Self::Play(args) => return play(&args, &mut io::stdin().lock(), &output, paint),
            #[cfg(feature = "web")]
            Self::Serve(arguments) => return crate::board::serve(&arguments, &output),
            Self::LichessEngine(args) => return lichess::serve(&args, &output),
            Self::Completions { shell } => output.line(completions(shell).trim_end()),
            Self::Man { task } => output.line(man_page(task.as_deref())?.trim_end()),
            Self::Manual => output.line(manual::page().trim_end()),
        }
        Ok(())
    }
}

fn print_tree(file: &Path, filter: &Filter, output: &Output) -> Result<(), String> {
    if let Some(rule) = &filter.rule
        && !Event::ALL.iter().any(|event| event.rule() == *rule)
    {
        let known: Vec<String> = Event::ALL
            .iter()
            .filter(|event| event.ends_node() || event.group() == Group::MovePruning)
            .map(|event| event.rule())
            .collect();
        return Err(format!("no rule {}; there are {}", quote(rule), known.join(", ")));
    }
    let problem = |reason: String| format!("{}: {reason}", file.display());
    files::check_regular(file).map_err(problem)?;
    let opened = File::open(file).map_err(|error| problem(files::reason(&error)))?;
    let trace = trace::read(BufReader::new(opened)).map_err(problem)?;
    let root = Position::from_fen(&trace.header.fen)
        .map_err(|error| problem(format!("the position makes no sense: {error}")))?;
    output.line(&printable(&format!("{} to depth {}", trace.header.fen, trace.header.depth)));
    for line in tree::print(&root, &trace.nodes, filter) {
        output.line(&printable(&line));
    }
    match trace.footer {
        Some(footer) if footer.omitted > 0 => {
            output.line(&format!("{} more nodes are not in the trace", footer.omitted));
        }
        Some(_) => {}
        None => output.line("the trace was cut off here"),
    }
    output.line(&format!("\n{}", tree::LEGEND));
    Ok(())
}

fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "halcyon", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

fn man_page(task: Option<&str>) -> Result<String, String> {
    let mut whole = Arguments::command().disable_help_subcommand(true);
    whole.build();
    let command = match task {
        None => whole,
        Some(name) => whole
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| format!("no sub-command {}", quote(name)))?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(arguments: &[&str]) -> String {
        let words = std::iter::once("halcyon").chain(arguments.iter().copied());
        let error = Arguments::try_parse_from(words).err().expect("refused");
        in_plain_words(&error.render().to_string()).lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn wrong_values_are_refused_in_plain_words() {
        for (arguments, expected) in [
            (&["perft", "x"][..], "invalid value 'x' for '<DEPTH>': it is not a whole number"),
            (&["perft", "65"], "invalid value '65' for '<DEPTH>': 65 is not from 0 to 64"),
            (&["bench", "0"], "invalid value '0' for '[DEPTH]': 0 is not from 1 to 4294967295"),
            (
                &["analyse", "--nodes", "0"],
                "invalid value '0' for '--nodes <NODES>': 0 is not 1 or more",
            ),
        ] {
            assert_eq!(refusal(arguments), format!("error: {expected}"));
        }
    }
}
