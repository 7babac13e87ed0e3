//! The sub-command `analyse`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use review::{Analyst, Book};

use crate::Error;
use crate::engines::{Budget, BudgetArgs, Equipment};
use crate::input::STDIN;
use crate::journal::{self, Journal};
use crate::merge::summarise;
use crate::record::{Header, Input, Record, Shard};
use crate::render::{self, Format};
use crate::summary::Summary;
use crate::work::{self, Tidings, Work};

/// Players in the table at the end.
const MAX_PLAYERS: usize = 20;
const DEFAULT_BUDGET: Budget = Budget::Nodes(100_000);

/// Lets the engine look at every move of every game, or at every position of a list.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  halcyon analyse games.pgn                                  annotated games to the terminal
  halcyon analyse games.pgn.zst --nodes 20000 --out games.annotated.pgn --out report.html
  halcyon analyse games.pgn --out all.jsonl --resume         goes on where it was killed
  halcyon analyse games.pgn --shard 2/8 --out part2.jsonl    one of eight machines; see `merge`

docs/analysis.md tells more.")]
pub struct AnalyseArgs {
    /// PGN files, or EPD or FEN lists; also .zst, .gz and .bz2; - for standard input
    #[arg(default_value = STDIN)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    budget: BudgetArgs,
    /// How many best lines to find
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Threads: each looks at a game of its own [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// All threads think about the same position
    #[arg(long)]
    together: bool,
    /// Table of each search in MiB
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// A network file for the engine
    #[arg(long)]
    network: Option<PathBuf>,
    /// A Polyglot book; moves in it are not judged
    #[arg(long)]
    book: Option<PathBuf>,
    /// Longest line that is written into a game, in moves of either side
    #[arg(long, default_value_t = 10)]
    line_plies: usize,
    /// Where results go, by the name: .pgn, .epd, .jsonl, .csv or .html; may be repeated
    #[arg(long)]
    out: Vec<PathBuf>,
    /// The form of results on standard output, if there is no --out
    #[arg(long, value_enum, conflicts_with = "out")]
    format: Option<Format>,
    /// Go on where a run with the same outputs was interrupted
    #[arg(long)]
    resume: bool,
    /// Begin anew even if an interrupted run could be resumed
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Only every n-th item, beginning with the i-th, as i/n
    #[arg(long)]
    shard: Option<Shard>,
    /// No progress bar, no summary
    #[arg(long)]
    quiet: bool,
}

/// Where messages and results go.
pub struct Streams<'a> {
    /// Results.
    pub results: &'a mut dyn Write,
    /// What people want to know meanwhile.
    pub messages: &'a mut dyn Write,
}

/// Runs the sub-command. `program` is the engine's name and version.
///
/// # Errors
/// If a file cannot be read or written, or the request makes no sense. What was found until then is
/// kept.
pub fn analyse(args: &AnalyseArgs, program: &str, streams: Streams<'_>) -> Result<(), Error> {
    let formats: Vec<Format> =
        args.out.iter().map(|path| Format::of(path)).collect::<Result<_, _>>()?;
    if args.format == Some(Format::Html) {
        return Err(Error::Request("a report needs a file: --out report.html".into()));
    }
    if args.out.is_empty() && args.resume {
        return Err(Error::Request(
            "--resume needs --out: standard output cannot be resumed".into(),
        ));
    }
    for path in &args.out {
        if args.files.contains(path) {
            return Err(Error::Request(format!("{} would be overwritten", path.display())));
        }
    }
    let book = args.book.as_deref().map(read_book).transpose()?;
    let run = Run { args, book: book.as_ref(), header: header(args, program) };
    match args.out.first() {
        None => run.to_stream(streams),
        Some(first) => {
            let jsonl = formats.iter().position(|&format| format == Format::Jsonl);
            let journal = match jsonl {
                Some(index) => args.out[index].clone(),
                None => with_suffix(first, ".journal"),
            };
            run.to_files(&journal, jsonl.is_some(), streams)
        }
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Reads a Polyglot book.
///
/// # Errors
/// If it cannot be read or is none.
pub fn read_book(path: &Path) -> Result<Book, Error> {
    let bytes = std::fs::read(path).map_err(Error::file(path))?;
    Book::new(bytes).map_err(|error| Error::content(path, error.to_string()))
}

impl AnalyseArgs {
    fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    fn budget(&self) -> Budget {
        self.budget.budget().unwrap_or(DEFAULT_BUDGET)
    }
}

fn header(args: &AnalyseArgs, program: &str) -> Header {
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    let input = |path: &PathBuf| Input {
        name: name(path),
        bytes: path.metadata().ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len()),
    };
    Header {
        program: program.to_owned(),
        budget: args.budget().describe(),
        multipv: args.multipv.into(),
        search_threads: if args.together { args.threads() } else { 1 },
        hash: args.hash,
        network: args.network.as_ref().map(name),
        book: args.book.as_ref().map(name),
        line_plies: args.line_plies,
        inputs: args.files.iter().map(input).collect(),
        shard: args.shard,
    }
}

/// A run with all it needs.
struct Run<'a> {
    args: &'a AnalyseArgs,
    book: Option<&'a Book>,
    header: Header,
}

impl Run<'_> {
    fn analysts(&self) -> Result<Vec<Analyst>, Error> {
        let threads = self.args.threads();
        let (count, search_threads) = if self.args.together { (1, threads) } else { (threads, 1) };
        let equipment = Equipment {
            threads: search_threads,
            hash: self.args.hash,
            network: self.args.network.clone(),
        };
        let limits = self.args.budget().limits();
        (0..count)
            .map(|_| {
                let mut engine = equipment.engine()?;
                engine.settings_mut().multipv = self.args.multipv.into();
                Ok(Analyst::new(engine, limits.clone()))
            })
            .collect()
    }

    fn to_stream(&self, streams: Streams<'_>) -> Result<(), Error> {
        let Streams { results, messages } = streams;
        let failed = |error| Error::file(Path::new("standard output"))(error);
        results.write_all(self.args.format.map_or("", render::head).as_bytes()).map_err(failed)?;
        let mut summary = Summary::default();
        if self.args.format == Some(Format::Jsonl) {
            let line = journal::line(&Record::Header(self.header.clone()));
            results.write_all(line.as_bytes()).map_err(failed)?;
        }
        let format = self.args.format;
        let tidings = self.work(0, &mut summary, messages, &mut |record| {
            let format = format.unwrap_or(match record {
                Record::Position(_) => Format::Epd,
                _ => Format::Pgn,
            });
            let text = render::text(format, record);
            results.write_all(text.as_bytes()).and_then(|()| results.flush()).map_err(failed)
        })?;
        self.conclude(&tidings, &summary, messages)
    }

    fn to_files(&self, path: &Path, is_output: bool, streams: Streams<'_>) -> Result<(), Error> {
        let messages = streams.messages;
        let state = if self.args.force {
            None
        } else {
            journal::state(path).or_else(|error| self.other(error))?
        };
        let (mut journal, done) = match state {
            Some(state) if self.args.resume => {
                if state.header != self.header {
                    return Err(Error::content(path, self.difference(&state.header)));
                }
                (Some(Journal::resume(path, &state)?).filter(|_| !state.is_finished), state)
            }
            Some(state) if !state.is_finished => {
                return Err(Error::content(
                    path,
                    "an interrupted run: --resume goes on with it, --force begins anew",
                ));
            }
            _ => {
                let journal = Journal::create(path, &self.header)?;
                (Some(journal), journal::State::new(&self.header))
            }
        };
        let mut tidings = Tidings::default();
        if let Some(journal) = &mut journal {
            if done.last_item > 0 {
                self.say(messages, &format!("resuming after item {}", done.last_item));
            }
            let mut unused = Summary::default();
            tidings = self
                .work(done.last_item, &mut unused, messages, &mut |record| journal.write(record))?;
            journal.write(&Record::End { items: tidings.items })?;
        }
        // What an earlier run found counts as well.
        let summary = summarise(path)?;
        for target in &self.args.out {
            if Format::of(target)? != Format::Jsonl {
                render::write_all(path, &summary, target)?;
            }
        }
        for copy in self.args.out.iter().filter(|out| out.as_path() != path) {
            if Format::of(copy)? == Format::Jsonl {
                std::fs::copy(path, copy).map_err(Error::file(copy))?;
            }
        }
        if !is_output {
            std::fs::remove_file(path).map_err(Error::file(path))?;
        }
        self.conclude(&tidings, &summary, messages)
    }

    /// A file of the same name that is something else is only replaced if nobody wants to resume.
    fn other(&self, error: Error) -> Result<Option<journal::State>, Error> {
        if self.args.resume { Err(error) } else { Ok(None) }
    }

    fn difference(&self, found: &Header) -> String {
        let (ours, theirs) = (
            serde_json::to_value(&self.header).unwrap_or_default(),
            serde_json::to_value(found).unwrap_or_default(),
        );
        let names: Vec<&str> = ["program", "budget", "multipv", "search_threads", "hash"]
            .into_iter()
            .chain(["network", "book", "line_plies", "inputs", "shard"])
            .filter(|name| ours.get(name) != theirs.get(name))
            .collect();
        format!(
            "the interrupted run was another one (different: {}); --force begins anew",
            names.join(", ")
        )
    }

    fn say(&self, messages: &mut dyn Write, text: &str) {
        if !self.args.quiet {
            // If nobody reads messages the work still counts.
            let _ = writeln!(messages, "{}", text.trim_end());
        }
    }

    fn work(
        &self,
        done: u64,
        summary: &mut Summary,
        messages: &mut dyn Write,
        keep: &mut dyn FnMut(&Record) -> Result<(), Error>,
    ) -> Result<Tidings, Error> {
        let progress = Arc::new(AtomicU64::new(0));
        let work = Work {
            inputs: &self.args.files,
            shard: self.args.shard,
            done,
            book: self.book,
            line_plies: self.args.line_plies,
            progress: Arc::clone(&progress),
        };
        let bar = self.bar();
        let begun = Instant::now();
        let (mut items, mut plies, mut nodes) = (0_u64, 0_u64, 0_u64);
        let tidings = work::run(&work, self.analysts()?, |record| {
            for message in faults(&record) {
                bar.suspend(|| self.say(messages, &message));
            }
            match &record {
                Record::Game(game) => {
                    plies += game.plies.len() as u64;
                    nodes += game.plies.iter().map(|ply| ply.nodes).sum::<u64>();
                }
                Record::Position(position) => nodes += position.nodes,
                Record::Header(_) | Record::End { .. } => {}
            }
            keep(&record)?;
            summary.add(&record);
            items += 1;
            bar.set_position(progress.load(Relaxed));
            bar.set_message(format!("{items} done, {}", speed(items, begun.elapsed())));
            Ok(())
        })?;
        bar.finish_and_clear();
        let time = begun.elapsed();
        self.say(
            messages,
            &format!(
                "{items} items, {plies} moves, {nodes} nodes in {:.1} s: {}, {:.1} moves and {:.0} \
                 knodes a second",
                time.as_secs_f64(),
                speed(items, time),
                plies as f64 / time.as_secs_f64().max(1e-9),
                nodes as f64 / time.as_secs_f64().max(1e-9) / 1000.0
            ),
        );
        Ok(tidings)
    }

    fn bar(&self) -> ProgressBar {
        let total = work::total_bytes(&self.args.files);
        let (bar, template) = match total {
            _ if self.args.quiet => return ProgressBar::hidden(),
            Some(total) => (ProgressBar::new(total), "{bar:30} {percent}% {msg}, {eta} left"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"),
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    }

    fn conclude(
        &self,
        tidings: &Tidings,
        summary: &Summary,
        messages: &mut dyn Write,
    ) -> Result<(), Error> {
        self.say(messages, &summary.table(MAX_PLAYERS));
        let troubles: Vec<String> = tidings.troubles.iter().map(ToString::to_string).collect();
        if troubles.is_empty() { Ok(()) } else { Err(Error::Request(troubles.join("\n"))) }
    }
}

fn speed(items: u64, time: Duration) -> String {
    let rate = items as f64 / time.as_secs_f64().max(1e-9);
    if rate >= 1.0 { format!("{rate:.1} a second") } else { format!("{:.1} a minute", 60.0 * rate) }
}

/// What is said about the text of an item.
fn faults(record: &Record) -> Vec<String> {
    match record {
        Record::Game(game) => {
            let place = format!("{}: game {}", game.file, game.game);
            let faults = game.faults.iter();
            faults.map(|fault| format!("{place}, line {}: {}", fault.line, fault.text)).collect()
        }
        Record::Position(position) => {
            let place = format!("{}: line {}", position.file, position.line);
            position.fault.iter().map(|fault| format!("{place}: {fault}")).collect()
        }
        Record::Header(_) | Record::End { .. } => Vec::new(),
    }
}
