//! Every output besides JSON lines is made from the records.

mod csv;
mod epd;
mod puzzle;

use std::io::Write;
use std::path::Path;

use atomic_file::AtomicFile;

use crate::Error;
use crate::html;
use crate::journal::{Records, line};
use crate::record::{Header, LineRecord, Record, Task};
use crate::summary::Summary;
use csv::{csv_of_game, csv_of_position};
use epd::epd;
use puzzle::{PUZZLE_HEAD, puzzle_csv, puzzle_epd, puzzle_pgn};

/// The form of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Annotated games or puzzles.
    Pgn,
    /// Positions with scores and lines.
    Epd,
    /// Everything, one JSON object on a line.
    Jsonl,
    /// A line for each move or position.
    Csv,
    /// A report for people.
    Html,
}

impl Format {
    /// The form that the name of a file asks for.
    ///
    /// # Errors
    /// If the name asks for none.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let extension =
            path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("pgn") => Ok(Self::Pgn),
            Some("epd") => Ok(Self::Epd),
            Some("jsonl" | "ndjson") => Ok(Self::Jsonl),
            Some("csv") => Ok(Self::Csv),
            Some("html" | "htm") => Ok(Self::Html),
            _ => Err(Error::Request(format!(
                "{}: an output is named .pgn, .epd, .jsonl, .csv or .html",
                path.display()
            ))),
        }
    }
}

/// What comes before the first record.
#[must_use]
pub fn head(format: Format, header: &Header) -> String {
    match (format, header.task) {
        (Format::Csv, Task::Analyse) => csv::head(header.multipv),
        (Format::Csv, Task::Puzzles) => String::from(PUZZLE_HEAD),
        (Format::Jsonl, _) => line(&Record::Header(Box::new(header.clone()))),
        _ => String::new(),
    }
}

/// A record of a run with this header in a form; empty where it has no place. A report is not made record by record.
#[must_use]
pub fn text(format: Format, header: &Header, record: &Record) -> String {
    match (format, record) {
        (Format::Jsonl, record) => line(record),
        (Format::Pgn, Record::Game(game)) => game.pgn.clone(),
        (Format::Epd, Record::Position(position)) => epd(position),
        (Format::Csv, Record::Game(game)) => csv_of_game(game, header.multipv),
        (Format::Csv, Record::Position(position)) => csv_of_position(position, header.multipv),
        (Format::Pgn, Record::Puzzles(game)) => {
            game.puzzles.iter().map(|p| puzzle_pgn(game, p)).collect()
        }
        (Format::Epd, Record::Puzzles(game)) => game.puzzles.iter().map(puzzle_epd).collect(),
        (Format::Csv, Record::Puzzles(game)) => {
            game.puzzles.iter().map(|p| puzzle_csv(game, p)).collect()
        }
        _ => String::new(),
    }
}

/// Makes an output of a whole file of records, all of it or nothing.
///
/// # Errors
/// If the records cannot be read or the output cannot be written.
pub fn write_all(records: &Path, summary: &Summary, target: &Path) -> Result<(), Error> {
    let format = Format::of(target)?;
    let mut output = AtomicFile::create(target).map_err(Error::file(target))?;
    if format == Format::Html {
        html::write(records, summary, &mut output).map_err(|error| match error {
            html::ReportError::Reading(error) => error,
            html::ReportError::Writing(error) => Error::file(target)(error),
        })?;
    } else {
        let mut write = |text: &str| output.write_all(text.as_bytes());
        let mut records = Records::open(records)?;
        let header = records.header()?;
        write(&head(format, &header)).map_err(Error::file(target))?;
        while let Some(record) = records.next_record()? {
            write(&text(format, &header, &record)).map_err(Error::file(target))?;
        }
    }
    output.finish().map_err(Error::file(target))
}

fn first_move(lines: &[LineRecord]) -> &str {
    lines.first().and_then(|line| line.san.split(' ').next()).unwrap_or_default()
}
