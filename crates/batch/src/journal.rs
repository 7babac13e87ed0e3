//! The file of JSON lines while it is written and when it is read again.
//!
//! Every record is one line and one write, in the order of the items. So whenever a run is killed,
//! the file holds whole records and at most one piece of a line at its end; to resume is to cut
//! that off and to go on after the last item.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::record::{Header, MAX_RECORD, Record};
use crate::text::no_record;

/// A journal that is being written.
pub struct Journal {
    file: File,
    path: PathBuf,
}

/// What a journal holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// How it was made.
    pub header: Header,
    /// The last item in it.
    pub last_item: u64,
    /// Whether the run came to its end.
    pub is_finished: bool,
    /// Where the last whole line ends.
    length: u64,
}

impl State {
    /// That of a run that has not begun.
    #[must_use]
    pub fn new(header: &Header) -> Self {
        Self { header: header.clone(), last_item: 0, is_finished: false, length: 0 }
    }
}

impl Journal {
    /// Begins a journal. What was there before is replaced; a link only if that was asked for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path, header: &Header, may_replace: bool) -> Result<Self, Error> {
        if !may_replace && path.is_symlink() {
            return Err(Error::content(path, "is a link, not a journal"));
        }
        let file = OpenOptions::new().create(true).write(true).truncate(false).open(path);
        let file = file.map_err(Error::file(path))?;
        lock(&file, path)?;
        // Only now: another run may have been writing to it.
        file.set_len(0).map_err(Error::file(path))?;
        let mut journal = Self { file, path: path.to_path_buf() };
        journal.write(&Record::Header(Box::new(header.clone())))?;
        Ok(journal)
    }

    /// Goes on with a journal after what it holds.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn resume(path: &Path, state: &State) -> Result<Self, Error> {
        let mut file = OpenOptions::new().write(true).open(path).map_err(Error::file(path))?;
        lock(&file, path)?;
        file.set_len(state.length).map_err(Error::file(path))?;
        file.seek(SeekFrom::End(0)).map_err(Error::file(path))?;
        Ok(Self { file, path: path.to_path_buf() })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, record: &Record) -> Result<(), Error> {
        self.file.write_all(line(record).as_bytes()).map_err(Error::file(&self.path))
    }
}

/// Refuses a journal that a run is writing to.
///
/// # Errors
/// If there is such a run, or the file cannot be opened.
pub fn check_free(path: &Path) -> Result<(), Error> {
    let file = OpenOptions::new().write(true).open(path).map_err(Error::file(path))?;
    lock(&file, path)
}

/// Keeps other runs from writing to the same journal.
fn lock(file: &File, path: &Path) -> Result<(), Error> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::content(path, "another run is writing to it")),
        // Some file systems have no locks; then nobody is worse off than without them.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// A record as a line of JSON.
#[must_use]
pub fn line(record: &Record) -> String {
    // These types have no keys or numbers that JSON cannot hold.
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// Reads the records of a journal, one by one.
pub struct Records {
    input: BufReader<File>,
    path: PathBuf,
    line: u64,
    /// Where the last whole record ended.
    length: u64,
}

impl Records {
    /// Opens a journal.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::file(path))?;
        Ok(Self { input: BufReader::new(file), path: path.to_path_buf(), line: 0, length: 0 })
    }

    /// The next record. A piece of a line at the end is as if it were not there.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is not a record.
    pub fn next_record(&mut self) -> Result<Option<Record>, Error> {
        let mut text = Vec::new();
        let mut line = self.input.by_ref().take(MAX_RECORD);
        line.read_until(b'\n', &mut text).map_err(Error::file(&self.path))?;
        if text.len() as u64 == MAX_RECORD {
            let reason = format!("line {} is longer than any record", self.line + 1);
            return Err(Error::content(&self.path, reason));
        }
        if text.last() != Some(&b'\n') {
            return Ok(None);
        }
        self.line += 1;
        let record = serde_json::from_slice(&text)
            .map_err(|error| Error::content(&self.path, no_record(self.line, &error)))?;
        self.length += text.len() as u64;
        Ok(Some(record))
    }

    /// The header, which must come first.
    ///
    /// # Errors
    /// If there is none.
    pub fn header(&mut self) -> Result<Header, Error> {
        match self.next_record()? {
            Some(Record::Header(header)) => Ok(*header),
            _ => Err(Error::content(&self.path, "not a file that `halcyon analyse` has written")),
        }
    }
}

/// What a journal holds; `None` if there is no file, or not even a header in it.
///
/// # Errors
/// If it cannot be read or is something else.
pub fn state(path: &Path) -> Result<Option<State>, Error> {
    if !path.exists() {
        return Ok(None);
    }
    let mut records = Records::open(path)?;
    let Some(first) = records.next_record()? else { return Ok(None) };
    let Record::Header(header) = first else {
        return Err(Error::content(path, "not a file that `halcyon analyse` has written"));
    };
    let mut state = State { length: records.length, ..State::new(&header) };
    while let Some(record) = records.next_record()? {
        if state.is_finished {
            return Err(Error::content(path, format!("line {}: after the end", records.line)));
        }
        state.is_finished = matches!(record, Record::End { .. });
        if let Some(item) = record.item() {
            let belongs = |item: u64| state.header.shard.is_none_or(|shard| shard.has(item));
            let expected = (state.last_item + 1..).find(|&item| belongs(item));
            // A selection leaves items out; without one there are no gaps.
            let is_next = match state.header.selection {
                Some(_) => item > state.last_item && belongs(item),
                None => expected == Some(item),
            };
            if !is_next {
                let reason = format!(
                    "line {}: item {item} instead of {}; the file was changed",
                    records.line,
                    expected.unwrap_or_default()
                );
                return Err(Error::content(path, reason));
            }
            state.last_item = item;
        }
        state.length = records.length;
    }
    Ok(Some(state))
}
