//! Puts the files of shards together, and makes every output of them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use atomic_file::{AtomicFile, unfinished};
use clap::Args;

use crate::Error;
use crate::journal::{Journal, Records};
use crate::paths;
use crate::record::{Header, Record, Shard};
use crate::render::{self, Format};
use crate::summary::Summary;

/// Puts the JSON lines of all shards together, or makes other outputs of one file.
#[derive(Clone, Debug, Args)]
pub struct MergeArgs {
    /// What `analyse` or `puzzles` has written: one whole file, or those of all shards
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the result goes, by its name: .jsonl, .pgn, .epd, .csv or .html; may be repeated
    #[arg(long, required = true)]
    out: Vec<PathBuf>,
}

/// A file and the record that comes next in it.
struct Open {
    path: PathBuf,
    records: Records,
    next: Option<Record>,
    items: Option<u64>,
}

impl Open {
    fn advance(&mut self) -> Result<(), Error> {
        self.next = self.records.next_record()?;
        if let Some(Record::End { items }) = self.next {
            self.items = Some(items);
            self.next = None;
        }
        Ok(())
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If files do not belong together, a shard is missing or not finished, or something cannot be read
/// or written.
pub fn merge(args: &MergeArgs) -> Result<Summary, Error> {
    for path in &args.out {
        Format::of(path)?;
    }
    paths::check_inputs(&args.files)?;
    paths::check_outputs(&args.files, &args.out)?;
    let mut open = Vec::new();
    let mut headers = Vec::new();
    for path in &args.files {
        let mut records = Records::open(path)?;
        headers.push(records.header()?);
        let mut file = Open { path: path.clone(), records, next: None, items: None };
        file.advance()?;
        open.push(file);
    }
    let header = common_header(&args.files, &headers)?;
    let target = args.out.iter().find(|path| Format::of(path).is_ok_and(|f| f == Format::Jsonl));
    let whole = unfinished(target.unwrap_or(&args.out[0])).with_extension("merged");
    let merged = write_whole(&mut open, &header, &whole)
        .and_then(|summary| write_outputs(&args.out, &whole, &summary).map(|()| summary));
    // Done, or it cannot be put together: either way it leaves nothing behind.
    let _ = fs::remove_file(&whole);
    merged
}

fn write_outputs(out: &[PathBuf], whole: &Path, summary: &Summary) -> Result<(), Error> {
    for path in out {
        match Format::of(path)? {
            Format::Jsonl => copy(whole, path).map_err(Error::file(path))?,
            _ => render::write_all(whole, summary, path)?,
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut target = AtomicFile::create(to)?;
    io::copy(&mut fs::File::open(from)?, &mut target)?;
    target.finish()
}

/// The header of the whole, without the division.
fn common_header(files: &[PathBuf], headers: &[Header]) -> Result<Header, Error> {
    let whole = Header { shard: None, ..headers[0].clone() };
    for (path, header) in files.iter().zip(headers) {
        if (Header { shard: None, ..header.clone() }) != whole {
            let first = files[0].display();
            return Err(Error::content(path, format!("not of the same run as {first}")));
        }
    }
    let shards: Vec<Shard> = headers.iter().filter_map(|header| header.shard).collect();
    if shards.len() != headers.len() {
        return match headers.len() {
            1 => Ok(whole),
            _ => Err(Error::Request("only files of shards can be put together".into())),
        };
    }
    let count = shards[0].count;
    if let Some(other) = shards.iter().find(|shard| shard.count != count) {
        return Err(Error::Request(format!("shards of {count} and of {} mixed", other.count)));
    }
    for index in 1..=count {
        match shards.iter().filter(|shard| shard.index == index).count() {
            1 => {}
            0 => return Err(Error::Request(format!("shard {index}/{count} is missing"))),
            _ => return Err(Error::Request(format!("shard {index}/{count} is there twice"))),
        }
    }
    Ok(whole)
}

fn write_whole(open: &mut [Open], header: &Header, target: &Path) -> Result<Summary, Error> {
    let mut journal = Journal::create(target, header, true)?;
    let mut summary = Summary::default();
    let is_divided = open.len() > 1;
    let mut seen = SeenPuzzles::default();
    loop {
        let number = |file: &Open| file.next.as_ref().and_then(Record::item);
        let first =
            open.iter_mut().filter(|file| file.next.is_some()).min_by_key(|file| number(file));
        let Some(file) = first else { break };
        if let Some(mut record) = file.next.take() {
            seen.leave_out_known(&mut record);
            summary.add(&record);
            journal.write(&record)?;
        }
        file.advance()?;
    }
    if let Some(file) = open.iter().find(|file| is_divided && file.items.is_none()) {
        return Err(Error::content(&file.path, "not finished: run it again with --resume"));
    }
    if let Some(items) = open[0].items {
        journal.write(&Record::End { items })?;
    }
    Ok(summary)
}

/// The names of puzzles that are already in the output.
#[derive(Debug, Default)]
pub(crate) struct SeenPuzzles(HashSet<String>);

impl SeenPuzzles {
    /// Those of a file of records.
    pub(crate) fn of(path: &Path) -> Result<Self, Error> {
        let mut seen = Self::default();
        let mut records = Records::open(path)?;
        while let Some(mut record) = records.next_record()? {
            seen.leave_out_known(&mut record);
        }
        Ok(seen)
    }

    /// Takes puzzles out of a record whose position has come before.
    pub(crate) fn leave_out_known(&mut self, record: &mut Record) {
        if let Record::Puzzles(game) = record {
            game.puzzles.retain(|puzzle| self.0.insert(puzzle.id.clone()));
        }
    }
}

/// Adds up a file of records.
///
/// # Errors
/// If it cannot be read.
pub fn summarise(path: &Path) -> Result<Summary, Error> {
    let mut records = Records::open(path)?;
    let mut summary = Summary::default();
    while let Some(record) = records.next_record()? {
        summary.add(&record);
    }
    Ok(summary)
}
