//! Reading games from files that may be damaged.
//!
//! A reader yields every whole, legal game. Where the bytes are none, it looks for the next place
//! where a whole legal game begins, goes on from there and remembers what it skipped.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use batch::input::decompressed;
use indicatif::ProgressBar;

use super::game::{Game, GameError, MAX_GAME_SIZE};
use super::packed::is_packed_file;
use crate::Error;

/// Bytes that are no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where in the file.
    pub offset: u64,
    /// How many bytes were skipped.
    pub skipped: u64,
    /// What is wrong there.
    pub reason: GameError,
}

/// A game as it lies in a file.
pub struct StoredGame<'a> {
    /// The game that was read.
    pub game: &'a Game,
    /// The bytes that it has in the file.
    pub bytes: &'a [u8],
    /// Where its bytes begin in the file.
    pub offset: u64,
}

/// Reads games one after the other in bounded memory.
pub struct GameReader<R> {
    input: R,
    buffer: Vec<u8>,
    /// Where in `buffer` the next game begins.
    start: usize,
    /// Where in the file `buffer` begins.
    base: u64,
    at_end: bool,
    game: Option<Game>,
    damage: Vec<Damage>,
}

/// After damage a game must have this many moves to be believed: bytes that are none can look like
/// a start position and a move or two.
const CREDIBLE: usize = 4;

/// How much is read at a time.
const CHUNK: usize = 1 << 20;

impl<R: Read> GameReader<R> {
    /// A reader from the start of `input`.
    pub fn new(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            start: 0,
            base: 0,
            at_end: false,
            game: None,
            damage: Vec::new(),
        }
    }

    /// What was skipped so far.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// The next whole game, or `None` at the end.
    ///
    /// # Errors
    /// When the input itself fails; damage is not an error.
    pub fn next_game(&mut self) -> io::Result<Option<StoredGame<'_>>> {
        self.fill()?;
        let mut begin = self.start;
        if begin == self.buffer.len() {
            return Ok(None);
        }
        let found = match Game::decode(&self.buffer[begin..]) {
            Ok(found) => Some(found),
            Err(reason) => {
                let offset = self.base + begin as u64;
                let found = self.resume()?;
                begin = self.start;
                let skipped = self.base + begin as u64 - offset;
                self.damage.push(Damage { offset, skipped, reason });
                found
            }
        };
        let Some((game, size)) = found else { return Ok(None) };
        self.start = begin + size;
        Ok(Some(StoredGame {
            game: self.game.insert(game),
            bytes: &self.buffer[begin..begin + size],
            offset: self.base + begin as u64,
        }))
    }

    /// Steps over damage to the next place where a credible game begins, or to the end.
    fn resume(&mut self) -> io::Result<Option<(Game, usize)>> {
        loop {
            self.start += 1;
            self.fill()?;
            if self.start >= self.buffer.len() {
                self.start = self.buffer.len();
                return Ok(None);
            }
            match Game::decode(&self.buffer[self.start..]) {
                Ok(found) if found.0.moves.len() >= CREDIBLE => return Ok(Some(found)),
                _ => {}
            }
        }
    }

    /// Makes sure that a whole game is in the buffer, unless the input ends.
    fn fill(&mut self) -> io::Result<()> {
        if self.at_end || self.buffer.len() - self.start >= MAX_GAME_SIZE {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.base += self.start as u64;
        self.start = 0;
        let wanted = MAX_GAME_SIZE + CHUNK - self.buffer.len();
        let before = self.buffer.len();
        let read = self.input.by_ref().take(wanted as u64).read_to_end(&mut self.buffer);
        if read.as_ref().is_err_and(is_torn) {
            let offset = self.base + self.buffer.len() as u64;
            self.damage.push(Damage { offset, skipped: 0, reason: GameError::Compression });
        } else {
            read?;
        }
        self.at_end = self.buffer.len() - before < wanted;
        Ok(())
    }
}

/// Whether an error speaks of the data and not of the file: so decompression fails.
fn is_torn(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// What was found in one file of games.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// The file that was read.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
    /// Games that could be read whole.
    pub games: u64,
    /// Moves of these games.
    pub plies: u64,
    /// What was skipped, and why.
    pub damage: Vec<Damage>,
}

impl FileReport {
    /// A report of a file of which nothing has been read yet.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_path_buf(), bytes: 0, games: 0, plies: 0, damage: Vec::new() }
    }
}

/// Reads all games of some files in order. The bar, if shown, counts bytes.
///
/// # Errors
/// When a file cannot be read, or `visit` fails.
pub fn read_games(
    paths: &[PathBuf],
    bar: &ProgressBar,
    mut visit: impl FnMut(&StoredGame) -> Result<(), Error>,
) -> Result<Vec<FileReport>, Error> {
    bar.set_length(paths.iter().filter_map(|path| path.metadata().ok()).map(|m| m.len()).sum());
    let mut done = 0;
    let mut reports = Vec::new();
    for path in paths {
        let mut reader = open_games(path)?;
        let mut report = FileReport::new(path);
        while let Some(stored) = reader.next_game().map_err(Error::file(path))? {
            visit(&stored)?;
            report.games += 1;
            report.plies += stored.game.moves.len() as u64;
            if report.games.is_multiple_of(256) {
                bar.set_position(done + stored.offset);
            }
        }
        report.bytes = reader.base + reader.buffer.len() as u64;
        report.damage = reader.damage;
        done += report.bytes;
        bar.set_position(done);
        reports.push(report);
    }
    Ok(reports)
}

/// A file of games, which may be compressed.
pub type GameFile = GameReader<Box<dyn BufRead + Send>>;

/// Opens a file of games, plain or compressed.
///
/// # Errors
/// When it cannot be opened, or its name says that it holds packed positions.
pub fn open_games(path: &Path) -> Result<GameFile, Error> {
    if is_packed_file(path) {
        return Err(Error::content(path, "holds packed positions, not games"));
    }
    let input = File::open(path).and_then(decompressed).map_err(Error::file(path))?;
    Ok(GameReader::new(input))
}
