//! Files as they come: plain or compressed, games or positions, or standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bzip2::bufread::MultiBzDecoder;
use flate2::bufread::MultiGzDecoder;
use review::{RawGame, Splitter};
use ruzstd::decoding::StreamingDecoder;

use crate::Error;
pub use crate::paths::STDIN;
use crate::record::{GameRecord, MAX_RECORD, Record};
use crate::text::no_record;

const BUFFER: usize = 1 << 16;
/// What one buffer of a compressed file becomes should fit, so that progress is measured well.
const UNPACKED_BUFFER: usize = 1 << 20;

/// One thing to look at.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A game as text.
    Game(RawGame),
    /// A line with a position.
    Position {
        /// The line, from 1.
        line: u64,
        /// The line's text, without its end.
        text: String,
    },
    /// A game that `analyse` has looked at.
    Reviewed(Box<GameRecord>),
}

/// A file that is read item by item.
pub enum Items {
    /// A file of games.
    Games(Splitter<Box<dyn BufRead + Send>>),
    /// A position on every line.
    Positions(Lines),
    /// What `analyse` has written.
    Records(Lines),
}

/// Lines, with their numbers.
pub struct Lines {
    input: Box<dyn BufRead + Send>,
    line: u64,
}

impl Items {
    /// Opens a file, or standard input for `-`. The bytes of the file whose items were returned are
    /// added to `progress`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path, progress: Arc<AtomicU64>) -> Result<Self, Error> {
        let raw: Box<dyn Read + Send> = match path.to_str() {
            Some(STDIN) => Box::new(io::stdin()),
            _ => Box::new(File::open(path).map_err(Error::file(path))?),
        };
        Metered::new(raw, progress).and_then(Self::sorted).map_err(Error::file(path))
    }

    /// Reads plain or compressed bytes.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn new(input: impl Read + Send + 'static) -> io::Result<Self> {
        Self::sorted(unpacked(input)?)
    }

    fn sorted(mut input: impl BufRead + Send + 'static) -> io::Result<Self> {
        let start = input.fill_buf()?;
        let is_positions = begins_with_position(start);
        let is_records = start.starts_with(RECORDS);
        let input: Box<dyn BufRead + Send> = Box::new(input);
        Ok(if is_records {
            Self::Records(Lines { input, line: 0 })
        } else if is_positions {
            Self::Positions(Lines { input, line: 0 })
        } else {
            Self::Games(Splitter::new(input))
        })
    }

    /// The next item.
    ///
    /// # Errors
    /// If the file cannot be read on.
    pub fn next_item(&mut self) -> io::Result<Option<Item>> {
        match self {
            Self::Games(splitter) => Ok(splitter.next_game()?.map(Item::Game)),
            Self::Positions(lines) => lines.next_position(),
            Self::Records(lines) => lines.next_game(),
        }
    }
}

/// A line with a position is shorter than this; the text of one that is not ends here.
pub(crate) const MAX_POSITION: usize = 1 << 16;

/// Reads a line, or the beginning of one that is longer than `most`; `false` if something is left of it.
fn read_line(input: &mut dyn BufRead, bytes: &mut Vec<u8>, most: u64) -> io::Result<bool> {
    input.take(most).read_until(b'\n', bytes)?;
    Ok(bytes.last() == Some(&b'\n') || (bytes.len() as u64) < most)
}

/// How a file of records begins.
const RECORDS: &[u8] = b"{\"kind\":\"header\"";

impl Lines {
    /// The next game of a file of records; other records are passed over.
    fn next_game(&mut self) -> io::Result<Option<Item>> {
        loop {
            let mut bytes = Vec::new();
            if !read_line(&mut self.input, &mut bytes, MAX_RECORD)? {
                let reason = format!("line {} is longer than any record", self.line + 1);
                return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
            }
            // A piece of a line at the end is what a killed run leaves.
            if bytes.last() != Some(&b'\n') {
                return Ok(None);
            }
            self.line += 1;
            match serde_json::from_slice(&bytes) {
                Ok(Record::Game(game)) => return Ok(Some(Item::Reviewed(game))),
                Ok(_) => {}
                Err(error) => {
                    let reason = no_record(self.line, &error);
                    return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
                }
            }
        }
    }

    fn next_position(&mut self) -> io::Result<Option<Item>> {
        loop {
            let mut bytes = Vec::new();
            // Of a line that is too long the beginning is kept, which is enough to refuse it.
            if !read_line(&mut self.input, &mut bytes, MAX_POSITION as u64)? {
                self.input.skip_until(b'\n')?;
            }
            if bytes.is_empty() {
                return Ok(None);
            }
            self.line += 1;
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_start_matches('\u{feff}').trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(Item::Position { line: self.line, text: text.to_owned() }));
            }
        }
    }
}

/// Counts the bytes that are read.
struct Counted {
    input: Box<dyn Read + Send>,
    count: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

/// Text of a file, with its share of the file's bytes, packed or not. What lies in a buffer does not
/// count: a short file is in one from the beginning.
struct Metered {
    input: Unpacked,
    /// Bytes that were read from the file.
    read: Arc<AtomicU64>,
    /// Bytes of text that were taken.
    taken: u64,
    /// Where the progress stood when the file was opened.
    start: u64,
    progress: Arc<AtomicU64>,
}

impl Metered {
    fn new(input: Box<dyn Read + Send>, progress: Arc<AtomicU64>) -> io::Result<Self> {
        let read = Arc::default();
        let input = unpacked(Counted { input, count: Arc::clone(&read) })?;
        Ok(Self { input, read, taken: 0, start: progress.load(Relaxed), progress })
    }
}

impl BufRead for Metered {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.input.consume(count);
        self.taken += count as u64;
        let unpacked = self.taken + self.input.buffer().len() as u64;
        let share = self.taken as f64 / unpacked.max(1) as f64;
        let bytes = (self.read.load(Relaxed) as f64 * share) as u64;
        // The share of packed text is an estimate, which may fall a little.
        self.progress.fetch_max(self.start + bytes, Relaxed);
    }
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

type Unpacked = BufReader<Box<dyn Read + Send>>;

/// What is in a stream that may be compressed with Zstandard, gzip or bzip2. Looks at the first
/// bytes, not at the name: a stream has none.
///
/// # Errors
/// If these cannot be read.
pub fn decompressed(input: impl Read + Send + 'static) -> io::Result<Box<dyn BufRead + Send>> {
    Ok(Box::new(unpacked(input)?))
}

fn unpacked(input: impl Read + Send + 'static) -> io::Result<Unpacked> {
    let input: Box<dyn Read + Send> = Box::new(input);
    let mut input = BufReader::with_capacity(BUFFER, input);
    let start = input.fill_buf()?;
    let unsupported = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidData, what));
    if start.starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0]) {
        return unsupported("xz archives are not read; unpack it first");
    }
    if start.starts_with(b"PK\x03\x04") {
        return unsupported("zip archives are not read; unpack it first");
    }
    if start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff]) {
        return unsupported("the text is UTF-16; save it as UTF-8");
    }
    let packed: Box<dyn Read + Send> =
        if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) || is_skippable_frame(start) {
            Box::new(Zstd { input: Some(input), frame: None })
        } else if start.starts_with(&[0x1f, 0x8b]) {
            Box::new(MultiGzDecoder::new(input))
        } else if start.starts_with(b"BZh") {
            Box::new(MultiBzDecoder::new(input))
        } else {
            return Ok(input);
        };
    Ok(BufReader::with_capacity(UNPACKED_BUFFER, packed))
}

fn is_skippable_frame(start: &[u8]) -> bool {
    matches!(start, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

type Frame<R> = StreamingDecoder<R, ruzstd::decoding::FrameDecoder>;

/// Zstandard, one frame after the other.
struct Zstd<R: BufRead> {
    /// Where the next frame comes from, between frames.
    input: Option<R>,
    frame: Option<Frame<R>>,
}

impl<R: BufRead> Zstd<R> {
    /// Begins the next frame that holds something; `false` at the end.
    fn next_frame(&mut self, mut input: R) -> io::Result<bool> {
        loop {
            let start = input.fill_buf()?;
            if start.is_empty() {
                self.input = Some(input);
                return Ok(false);
            }
            if !is_skippable_frame(start) {
                self.frame = Some(StreamingDecoder::new(input).map_err(io::Error::other)?);
                return Ok(true);
            }
            let mut header = [0; 8];
            input.read_exact(&mut header)?;
            let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]);
            io::copy(&mut input.by_ref().take(u64::from(length)), &mut io::sink())?;
        }
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(input) = self.input.take()
                && !self.next_frame(input)?
            {
                return Ok(0);
            }
            let Some(frame) = &mut self.frame else { return Ok(0) };
            let count = frame.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.input = self.frame.take().map(StreamingDecoder::into_inner);
        }
    }
}

/// Whether the first word of the first line is a placement.
fn begins_with_position(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or("");
    let word = line.split_whitespace().next().unwrap_or("");
    word.matches('/').count() == 7
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    const GAMES: usize = 40;

    fn games() -> Vec<u8> {
        let game = |number: usize| {
            format!("[Event \"{number}\"]\n\n1. e4 e5 2. Nf3 Nc6 {{{number}}} *\n\n")
        };
        (100..100 + GAMES).map(game).collect::<String>().into_bytes()
    }

    /// How far progress is from the share of the games that were read, at most.
    fn worst_progress(file: Vec<u8>) -> f64 {
        let (before, size) = (1000, file.len() as u64);
        let progress = Arc::new(AtomicU64::new(before));
        let metered = Metered::new(Box::new(Cursor::new(file)), Arc::clone(&progress)).unwrap();
        let mut items = Items::sorted(metered).unwrap();
        let (mut read, mut worst) = (0, 0.0_f64);
        while items.next_item().unwrap().is_some() {
            read += 1;
            let share = (progress.load(Relaxed) - before) as f64 / size as f64;
            worst = worst.max((share - read as f64 / GAMES as f64).abs());
        }
        assert_eq!((read, progress.load(Relaxed)), (GAMES, before + size));
        worst
    }

    #[test]
    fn a_line_that_is_too_long_is_one_item_and_takes_no_memory() {
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
        let long = format!("{fen} c0 \"{}\";\n", "x".repeat(3 * MAX_POSITION));
        let text = format!("{fen}\n{long}\n{fen}\n");
        let mut items = Items::new(Cursor::new(text.into_bytes())).unwrap();
        let mut found = Vec::new();
        while let Some(Item::Position { line, text }) = items.next_item().unwrap() {
            found.push((line, text.len()));
        }
        assert_eq!(found, [(1, fen.len()), (2, MAX_POSITION), (4, fen.len())]);
        let mut bytes = Vec::new();
        let endless = &mut BufReader::new(io::repeat(b'x'));
        assert!(!read_line(endless, &mut bytes, 1000).unwrap());
        assert_eq!(bytes.len(), 1000);
    }

    #[test]
    fn progress_is_that_of_the_items_and_not_of_buffers() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&games()).unwrap();
        let mut bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip.write_all(&games()).unwrap();
        for file in [games(), gzip.finish().unwrap(), bzip.finish().unwrap()] {
            let worst = worst_progress(file);
            assert!(worst < 0.05, "{worst}");
        }
    }
}
