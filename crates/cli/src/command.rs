//! Commands: what they are called, what they mean, how a line becomes one.

use crate::game::{POSITION_REFUSED, PositionRequest};
use crate::go::GoRequest;
use crate::openings::OpeningsRequest;
use crate::text::{CommandError, quote, split_word};

mod inspect;
mod table;

pub use inspect::{
    Detail, Form, MAX_QUIESCENCE_PERFT, MAX_TRACE_DEPTH, StatsRequest, TraceRequest,
};
pub use table::{COMMANDS, CommandSpec, Group};

/// A command with its parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The table below says what each means.
pub enum Command {
    Uci,
    Debug(bool),
    IsReady,
    SetOption {
        name: String,
        value: Option<String>,
    },
    Register,
    NewGame,
    Position(PositionRequest),
    /// A `position` that is none.
    BadPosition(CommandError),
    Go(GoRequest),
    Stop,
    PonderHit,
    Quit,
    Display,
    Eval,
    Moves,
    See(String),
    Flip,
    Perft(u32),
    Bench(BenchRequest),
    SpeedTest(SpeedRequest),
    Openings(OpeningsRequest),
    Spsa,
    Hash(HashRequest),
    Stats(StatsRequest),
    QuiescenceStats(Form),
    QuiescenceSearch(Option<usize>),
    QuiescencePerft(u32),
    QuiescenceDebug(Detail),
    QuiescenceValidate(Option<PositionRequest>),
    Trace(TraceRequest),
    Compiler,
    License,
    Help,
    /// Moves typed without a command.
    Play(String),
    /// A FEN typed bare.
    SetUp(PositionRequest),
}

/// What `bench` was told; what is missing has a default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchRequest {
    /// Plies to search in each position.
    pub depth: Option<u32>,
    /// Threads of the search.
    pub threads: Option<u32>,
    /// Transposition table in MiB.
    pub hash: Option<u32>,
}

/// What `hash` does with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HashRequest {
    /// Write the table to it.
    Save(String),
    /// Read the table from it.
    Load(String),
}

/// What `speedtest` was told; what is missing has a default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpeedRequest {
    /// Threads of the search.
    pub threads: Option<u32>,
    /// Transposition table in MiB.
    pub hash: Option<u32>,
    /// Seconds that the test takes.
    pub seconds: Option<u32>,
}

/// A line as it was understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// What to do, if anything.
    pub command: Option<Command>,
    /// What was wrong, if anything.
    pub error: Option<CommandError>,
}

impl From<Command> for Parsed {
    fn from(command: Command) -> Self {
        Self { command: Some(command), error: None }
    }
}

impl From<CommandError> for Parsed {
    fn from(error: CommandError) -> Self {
        Self { command: None, error: Some(error) }
    }
}

/// Understands a line. Never fails: what makes no sense becomes an error.
#[must_use]
pub fn read(line: &str) -> Parsed {
    let (word, rest) = split_word(line);
    if word.is_empty() {
        return Parsed::default();
    }
    if let Some(spec) = find(word) {
        return (spec.read)(rest);
    }
    if looks_like_fen(word) {
        return Command::SetUp(PositionRequest::from_fen(line)).into();
    }
    if looks_like_move(word) {
        return Command::Play(line.to_owned()).into();
    }
    read_after_junk(word, rest)
}

/// What must follow from a line of which only the beginning is known: a search of another position would
/// mislead, and a search that is never answered would keep a program waiting.
#[must_use]
pub fn read_unreadable(start: &str, wrong: String) -> Parsed {
    match read(start).command {
        Some(Command::Position(_) | Command::BadPosition(_)) => {
            Command::BadPosition(CommandError::new(wrong, POSITION_REFUSED)).into()
        }
        Some(Command::Go(_)) => {
            let error = CommandError::new(wrong, "the search ends at depth 1");
            Parsed { command: Some(Command::Go(GoRequest::unreadable())), error: Some(error) }
        }
        _ => CommandError::new(wrong, "line ignored").into(),
    }
}

/// The standard wants unknown words before a command to be skipped.
fn read_after_junk(word: &str, rest: &str) -> Parsed {
    let unknown = format!("unknown command {}", quote(word));
    let mut text = rest;
    while !text.is_empty() {
        let (word, after) = split_word(text);
        if let Some(spec) = find(word).filter(|spec| spec.group == Group::Standard) {
            let parsed = (spec.read)(after);
            let skipped = CommandError::new(unknown, format!("{} understood", spec.name));
            return Parsed { error: parsed.error.or(Some(skipped)), ..parsed };
        }
        text = after;
    }
    CommandError::ignored(unknown).into()
}

/// Whether a word is the name of a command.
#[must_use]
pub fn is_name(word: &str) -> bool {
    find(word).is_some()
}

fn find(word: &str) -> Option<&'static CommandSpec> {
    COMMANDS.iter().find(|spec| spec.name.eq_ignore_ascii_case(word))
}

fn looks_like_fen(word: &str) -> bool {
    word.bytes().filter(|&byte| byte == b'/').count() == 7
}

/// Whether it may be a move in UCI or algebraic notation.
fn looks_like_move(word: &str) -> bool {
    let castles = word.starts_with("O-O") || word.starts_with("0-0");
    let begins =
        word.starts_with(|letter| matches!(letter, 'a'..='h' | 'N' | 'B' | 'R' | 'Q' | 'K'));
    let has_rank = word.bytes().any(|byte| matches!(byte, b'1'..=b'8'));
    word.len() <= 10 && word.is_ascii() && (castles || begins && has_rank)
}

#[cfg(test)]
mod tests;
