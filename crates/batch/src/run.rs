//! Going through large files: what `analyse` and `puzzles` share.

mod args;
mod header;
mod messages;

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use review::{Analyst, Book};

use crate::engines::{Budget, EngineConfig};
use crate::journal::{self, Journal};
use crate::merge::{SeenPuzzles, summarise};
use crate::paths::{self, STDIN};
use crate::record::{Header, Record, Task};
use crate::render::{self, Format};
use crate::summary::Summary;
use crate::text::counted;
use crate::uci_engine::{UciConfig, UciSearcher};
use crate::work::{self, ReadSummary, Work};
use crate::{Error, printable};
pub(crate) use args::RunArgs;
use header::{difference, header};
use messages::{TYPE_GAMES, faults, speed, time_left};

/// What messages call standard output.
const STDOUT: &str = "standard output";

/// Players in the table at the end.
const MAX_PLAYERS: usize = 20;

/// Where messages and results go.
pub struct Streams<'a> {
    /// Where results go without `--out`.
    pub results: &'a mut dyn Write,
    /// What people want to know meanwhile.
    pub messages: &'a mut dyn Write,
}

/// How a command goes through its files, beyond what [`RunArgs`] say.
pub(crate) struct Plan<'a> {
    /// What is done with each item.
    pub(crate) task: Task,
    /// What is spent on a position if the arguments do not say.
    pub(crate) budget: Budget,
    /// Lines for each position.
    pub(crate) multipv: usize,
    /// All threads search the same position.
    pub(crate) together: bool,
    /// The book whose moves are not judged, and its name.
    pub(crate) book: Option<(&'a Path, Book)>,
    /// Longest variation that is written.
    pub(crate) line_plies: usize,
}

/// Goes through the files as planned. `program` is the engine's name and version.
///
/// # Errors
/// If a file cannot be read or written, or the request makes no sense. What was found until then is
/// kept.
pub(crate) fn run(
    args: &RunArgs,
    plan: &Plan<'_>,
    program: &str,
    streams: Streams<'_>,
) -> Result<(), Error> {
    let formats: Vec<Format> =
        args.out.iter().map(|path| Format::of(path)).collect::<Result<_, _>>()?;
    if args.format == Some(Format::Html) {
        return Err(Error::Request("a report needs a file: --out report.html".into()));
    }
    if plan.task == Task::Puzzles && formats.contains(&Format::Html) {
        return Err(Error::Request("puzzles have no report: .pgn, .csv, .epd or .jsonl".into()));
    }
    if args.out.is_empty() && args.resume {
        return Err(Error::Request(
            "--resume needs --out: standard output cannot be resumed".into(),
        ));
    }
    paths::check_inputs(&args.files)?;
    paths::check_outputs(&args.files, &args.out)?;
    if args.files.iter().any(|file| file.as_os_str() == STDIN) && io::stdin().is_terminal() {
        // If nobody reads messages, nobody types either.
        let _ = writeln!(streams.messages, "{TYPE_GAMES}");
    }
    let engine = Run::other_engine(args, plan)?;
    let annotator = engine.clone().unwrap_or_else(|| program.to_owned());
    let run = Run { args, plan, header: header(args, plan, program, engine), annotator };
    match args.out.first() {
        None => run.to_stream(streams),
        Some(first) => {
            let jsonl = formats.iter().position(|&format| format == Format::Jsonl);
            let journal = match jsonl {
                Some(index) => args.out[index].clone(),
                None => with_suffix(first, ".journal"),
            };
            if jsonl.is_none() {
                paths::check_outputs(&args.files, std::slice::from_ref(&journal))?;
            }
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
    let bytes = paths::read_whole(path)?;
    Book::new(bytes).map_err(|error| Error::content(path, error.to_string()))
}

/// A run with all it needs.
struct Run<'a> {
    args: &'a RunArgs,
    plan: &'a Plan<'a>,
    header: Header,
    /// Whose judgements the games carry.
    annotator: String,
}

impl Run<'_> {
    fn budget(&self) -> Budget {
        self.args.budget.budget().unwrap_or(self.plan.budget)
    }

    /// How another engine is started, if one was asked for.
    fn uci_config(args: &RunArgs, plan: &Plan<'_>) -> Option<UciConfig> {
        Some(UciConfig {
            command: args.engine.clone()?,
            options: args.engine_option.clone(),
            threads: if plan.together { args.threads() } else { 1 },
            hash: args.hash,
            syzygy: args.syzygy.clone(),
        })
    }

    /// The name and the options of the other engine. It is started once to find out, so that what is
    /// wrong with it is said before anything is written.
    fn other_engine(args: &RunArgs, plan: &Plan<'_>) -> Result<Option<String>, Error> {
        let Some(config) = Self::uci_config(args, plan) else { return Ok(None) };
        let mut text = config.start()?.name().to_owned();
        for (name, value) in &config.options {
            text.push_str(&format!(", {name}={value}"));
        }
        Ok(Some(text))
    }

    fn analysts(&self) -> Result<Vec<Analyst>, Error> {
        let threads = self.args.threads();
        let (count, search_threads) = if self.plan.together { (1, threads) } else { (threads, 1) };
        if let Some(config) = Self::uci_config(self.args, self.plan) {
            let (lines, limits) = (self.plan.multipv, self.budget().limits());
            let analyst = |_| {
                let searcher = UciSearcher::new(config.clone(), lines)?;
                Ok(Analyst::with_searcher(Box::new(searcher), lines, limits.clone()))
            };
            return (0..count).map(analyst).collect();
        }
        let config = EngineConfig {
            threads: search_threads,
            hash: self.args.hash,
            network: self.args.network.clone(),
            syzygy: self.args.syzygy.clone(),
        };
        let limits = self.budget().limits();
        (0..count)
            .map(|_| {
                let mut engine = config.engine()?;
                engine.settings_mut().multipv = self.plan.multipv;
                Ok(Analyst::new(engine, limits.clone()))
            })
            .collect()
    }

    fn to_stream(&self, streams: Streams<'_>) -> Result<(), Error> {
        match self.write_stream(streams) {
            // Whoever reads the results has seen enough.
            Err(Error::File { path, source })
                if path.as_os_str() == STDOUT && source.kind() == ErrorKind::BrokenPipe =>
            {
                Ok(())
            }
            done => done,
        }
    }

    fn write_stream(&self, streams: Streams<'_>) -> Result<(), Error> {
        let Streams { results, messages } = streams;
        let failed = |error| Error::file(Path::new(STDOUT))(error);
        let head = self.args.format.map(|format| render::head(format, &self.header));
        results.write_all(head.unwrap_or_default().as_bytes()).map_err(failed)?;
        let mut summary = Summary::default();
        let format = self.args.format;
        let read =
            self.work(0, (&mut SeenPuzzles::default(), &mut summary), messages, &mut |record| {
                let format = format.unwrap_or(match record {
                    Record::Position(_) => Format::Epd,
                    _ => Format::Pgn,
                });
                let text = render::text(format, &self.header, record);
                results.write_all(text.as_bytes()).and_then(|()| results.flush()).map_err(failed)
            })?;
        self.conclude(&read, &summary, messages)
    }

    fn to_files(&self, path: &Path, is_output: bool, streams: Streams<'_>) -> Result<(), Error> {
        let messages = streams.messages;
        let state = if self.args.force {
            None
        } else {
            journal::state(path).or_else(|error| self.other(error, is_output))?
        };
        let (mut journal, done) = match state {
            Some(state) if self.args.resume => {
                if state.header != self.header {
                    return Err(Error::content(path, difference(&self.header, &state.header)));
                }
                (Some(Journal::resume(path, &state)?).filter(|_| !state.is_finished), state)
            }
            Some(state) if !state.is_finished => {
                journal::check_free(path)?;
                return Err(Error::content(
                    path,
                    "an interrupted run: --resume goes on with it, --force starts over",
                ));
            }
            _ => {
                let journal = Journal::create(path, &self.header, is_output || self.args.force)?;
                (Some(journal), journal::State::new(&self.header))
            }
        };
        let mut read = ReadSummary::default();
        if let Some(journal) = &mut journal {
            if done.last_item > 0 {
                self.say(messages, &format!("resuming after item {}", done.last_item));
            }
            let mut unused = Summary::default();
            let mut known = SeenPuzzles::of(path)?;
            let start = done.last_item;
            read = self.work(start, (&mut known, &mut unused), messages, &mut |record| {
                journal.write(record)
            })?;
            journal.write(&Record::End { items: read.items })?;
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
        self.conclude(&read, &summary, messages)
    }

    /// A file of the same name that is something else is only replaced if it was named as an output
    /// and nobody wants to resume.
    fn other(&self, error: Error, is_output: bool) -> Result<Option<journal::State>, Error> {
        if self.args.resume || !is_output { Err(error) } else { Ok(None) }
    }

    fn say(&self, messages: &mut dyn Write, text: &str) {
        if !self.args.quiet {
            // If nobody reads messages the work still counts.
            let _ = writeln!(messages, "{}", printable(text.trim_end()));
        }
    }

    fn work(
        &self,
        done: u64,
        (known, summary): (&mut SeenPuzzles, &mut Summary),
        messages: &mut dyn Write,
        keep: &mut dyn FnMut(&Record) -> Result<(), Error>,
    ) -> Result<ReadSummary, Error> {
        let progress = Arc::new(AtomicU64::new(0));
        let work = Work {
            inputs: &self.args.files,
            shard: self.args.shard,
            done,
            task: self.plan.task,
            budget: self.budget(),
            book: self.plan.book.as_ref().map(|(_, book)| book),
            selection: &self.args.selection,
            line_plies: self.plan.line_plies,
            annotator: &self.annotator,
            progress: Arc::clone(&progress),
        };
        let bar = self.bar();
        let begun = Instant::now();
        let (mut items, mut plies, mut nodes) = (0_u64, 0_u64, 0_u64);
        let mut seen = SeenPuzzles::default();
        std::mem::swap(&mut seen, known);
        let read = work::run(&work, self.analysts()?, |mut record, bytes| {
            seen.leave_out_known(&mut record);
            for message in faults(&record) {
                bar.suspend(|| self.say(messages, &message));
            }
            match &record {
                Record::Game(game) => {
                    plies += game.plies.len() as u64;
                    nodes += game.plies.iter().map(|ply| ply.nodes).sum::<u64>();
                }
                Record::Position(position) => nodes += position.nodes,
                Record::Puzzles(game) => {
                    plies += game.moves;
                    nodes += game.nodes;
                }
                Record::Header(_) | Record::End { .. } => {}
            }
            keep(&record)?;
            summary.add(&record);
            items += 1;
            bar.set_position(bytes);
            bar.set_message(format!("{items} done, {}", speed(items, begun.elapsed())));
            Ok(())
        })?;
        bar.finish_and_clear();
        let time = begun.elapsed();
        if items == 0 {
            return Ok(read);
        }
        self.say(
            messages,
            &format!(
                "{}, {}, {} in {:.1} s: {}, {:.1} moves and {:.0} knodes a second",
                counted(items, "item"),
                counted(plies, "move"),
                counted(nodes, "node"),
                time.as_secs_f64(),
                speed(items, time),
                plies as f64 / time.as_secs_f64().max(1e-9),
                nodes as f64 / time.as_secs_f64().max(1e-9) / 1000.0
            ),
        );
        Ok(read)
    }

    fn bar(&self) -> ProgressBar {
        let total = work::total_bytes(&self.args.files);
        let (bar, template) = match total {
            _ if self.args.quiet => return ProgressBar::hidden(),
            Some(total) => (ProgressBar::new(total), "{bar:30} {percent}% {msg}{left}"),
            None => (ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"),
        };
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("left", time_left));
        bar.set_message("0 done");
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    }

    fn conclude(
        &self,
        read: &ReadSummary,
        summary: &Summary,
        messages: &mut dyn Write,
    ) -> Result<(), Error> {
        let table = summary.table(MAX_PLAYERS);
        if !table.is_empty() {
            self.say(messages, &table);
        }
        let mut errors: Vec<String> = read.errors.iter().map(ToString::to_string).collect();
        // A part of the input may hold nothing; that is no reason to stop the others.
        if errors.is_empty() && self.args.shard.is_none() {
            errors.extend(summary.nothing(read.items).map(str::to_owned));
        }
        if read.items > 0 && summary.games + summary.positions == 0 {
            self.say(messages, "nothing in the input was selected");
        }
        if errors.is_empty() { Ok(()) } else { Err(Error::Request(errors.join("\n"))) }
    }
}
