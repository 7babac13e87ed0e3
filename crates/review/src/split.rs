//! Cuts a stream into games, each with its number and line, in bounded memory.
//!
//! Where a game ends in a sound file is easy: a blank line after the moves. This has to find it in
//! damaged files, too: a blank line ends a game only if a result was seen or tags follow, and tags
//! begin a game even where a comment was never closed.

use std::io::{self, BufRead, Read};

use crate::fault::{FaultKind, FaultList};
use crate::tag::{is_tag, well_formed};

/// Text of a game beyond this is left out.
const MAX_GAME: usize = 4 << 20;
/// Names of tags that are remembered to see where a game without moves ends.
const MAX_NAMES: usize = 16;
/// A line is read in pieces of this length.
const MAX_PIECE: u64 = 1 << 16;

/// The text of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawGame {
    /// Its number in the stream, from 1.
    pub number: u64,
    /// The line it begins on, from 1.
    pub line: u64,
    /// The text of the game.
    pub text: Vec<u8>,
    /// What was wrong so far.
    pub faults: FaultList,
}

/// Cuts a stream into games.
pub struct Splitter<R> {
    input: R,
    /// A piece that was read and belongs to the next game.
    held: Option<Piece>,
    /// Lines read.
    lines: u64,
    games: u64,
    at_line_start: bool,
    /// Why the stream ended early, to be told after the game that it cut off.
    error: Option<io::Error>,
}

/// A line or a part of a very long one.
struct Piece {
    bytes: Vec<u8>,
    line: u64,
    begins_line: bool,
}

/// What is known about the game that is being collected.
#[derive(Default)]
struct Progress {
    has_moves: bool,
    is_too_long: bool,
    has_event: bool,
    /// Names of tags before the moves; the first few are enough to tell games apart.
    names: Vec<Vec<u8>>,
    /// A blank line stood after tags.
    blank_after_tags: bool,
    has_result: bool,
    in_comment: bool,
    /// Where a blank line stood after the moves had begun.
    blank: Option<u64>,
}

impl<R: BufRead> Splitter<R> {
    /// Reads games from `input`.
    pub fn new(input: R) -> Self {
        Self { input, held: None, lines: 0, games: 0, at_line_start: true, error: None }
    }

    /// The next game.
    ///
    /// # Errors
    /// If the stream cannot be read on. What was read of a game until then comes first.
    pub fn next_game(&mut self) -> io::Result<Option<RawGame>> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut game =
            RawGame { number: 0, line: 0, text: Vec::new(), faults: FaultList::default() };
        let mut progress = Progress::default();
        loop {
            let piece = match self.next_piece() {
                Ok(Some(piece)) => piece,
                Ok(None) => break,
                Err(error) if game.text.is_empty() => return Err(error),
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            };
            let is_blank = piece.bytes.trim_ascii().is_empty();
            if game.text.is_empty() && is_blank {
                continue;
            }
            if progress.ends_before(&piece) {
                self.held = Some(piece);
                break;
            }
            if game.text.is_empty() {
                game.line = piece.line;
            }
            if let Some(line) = progress.blank.filter(|_| !is_blank) {
                if !progress.in_comment {
                    game.faults.push(line, FaultKind::BlankLine);
                }
                progress.blank = None;
            }
            progress.take(&piece);
            if game.text.len() + piece.bytes.len() <= MAX_GAME {
                game.text.extend_from_slice(&piece.bytes);
            } else if !progress.is_too_long {
                progress.is_too_long = true;
                game.faults.push(piece.line, FaultKind::TooLong);
            }
        }
        if game.text.is_empty() {
            return Ok(None);
        }
        self.games += 1;
        game.number = self.games;
        Ok(Some(game))
    }

    fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        if let Some(piece) = self.held.take() {
            return Ok(Some(piece));
        }
        let mut bytes = Vec::new();
        let begins_line = self.at_line_start;
        self.input.by_ref().take(MAX_PIECE).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if self.lines == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        self.lines += u64::from(begins_line);
        self.at_line_start = bytes.ends_with(b"\n");
        Ok(Some(Piece { bytes, line: self.lines, begins_line }))
    }
}

impl Progress {
    /// Whether a new game begins with this piece.
    fn ends_before(&self, piece: &Piece) -> bool {
        let is_tag = piece.begins_line && is_tag(&piece.bytes);
        if !self.has_moves {
            let again = self.blank_after_tags && self.has_name(&piece.bytes);
            return is_tag && (self.has_event && is_event(&piece.bytes) || again);
        }
        let is_blank = piece.bytes.trim_ascii().is_empty();
        match (is_tag, self.in_comment) {
            (true, false) => true,
            (true, true) => self.blank.is_some() || is_event(&piece.bytes),
            (false, false) => {
                self.blank.is_some()
                    && !is_blank
                    && (self.has_result || piece.begins_line && begins_with_move_one(&piece.bytes))
            }
            (false, true) => false,
        }
    }

    fn take(&mut self, piece: &Piece) {
        let bytes = &piece.bytes;
        if bytes.trim_ascii().is_empty() {
            if self.has_moves && self.blank.is_none() && piece.begins_line {
                self.blank = Some(piece.line);
            }
            self.blank_after_tags |= !self.has_moves && !self.names.is_empty();
        } else if !self.has_moves && is_tag(bytes) {
            self.has_event |= is_event(bytes);
            let mut rest = bytes.trim_ascii();
            while let Some((name, _, end)) = well_formed(rest) {
                if self.names.len() < MAX_NAMES && !self.names.iter().any(|n| n == name.as_bytes())
                {
                    self.names.push(name.as_bytes().to_vec());
                }
                rest = rest[end..].trim_ascii_start();
            }
            // Moves may follow the tags on the same line.
            if !rest.is_empty() && rest[0] != b'[' {
                self.has_moves = true;
                self.scan(rest);
            }
        } else if self.in_comment || !piece.begins_line || !bytes.starts_with(b"%") {
            self.has_moves = true;
            self.scan(bytes);
        }
    }

    /// Whether the tag that a line begins with was there before.
    fn has_name(&self, line: &[u8]) -> bool {
        well_formed(line.trim_ascii())
            .is_some_and(|(name, ..)| self.names.iter().any(|known| known == name.as_bytes()))
    }

    /// Follows comments and looks for a result.
    fn scan(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            if self.in_comment {
                let Some(end) = rest.iter().position(|&byte| byte == b'}') else { return };
                self.in_comment = false;
                rest = &rest[end + 1..];
                continue;
            }
            let end = rest.iter().position(|&byte| matches!(byte, b'{' | b';'));
            let (moves, after) = rest.split_at(end.unwrap_or(rest.len()));
            self.has_result |= has_result(moves);
            match after.first() {
                Some(b'{') => {
                    self.in_comment = true;
                    rest = &after[1..];
                }
                _ => return,
            }
        }
    }
}

/// Whether a line begins with White's first move: a new game, if a blank line is before it.
fn begins_with_move_one(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"1") else { return false };
    match rest {
        [b'.', b'.', ..] => false,
        [b'.', ..] => true,
        [b' ' | b'\t', next, ..] => next.is_ascii_alphabetic(),
        _ => false,
    }
}

fn has_result(moves: &[u8]) -> bool {
    let words = moves.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')'));
    words.into_iter().any(|word| {
        matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*") || word == "\u{bd}-\u{bd}".as_bytes()
    })
}

fn is_event(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"[Event ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::Fault;

    fn split(text: &str) -> Vec<RawGame> {
        let mut splitter = Splitter::new(text.as_bytes());
        std::iter::from_fn(|| splitter.next_game().unwrap()).collect()
    }

    fn lines(text: &str) -> Vec<u64> {
        split(text).iter().map(|game| game.line).collect()
    }

    #[test]
    fn games_end_at_a_blank_line_after_the_result() {
        assert_eq!(lines("1. e4 *\n\n1. d4 *\n"), [1, 3]);
        assert_eq!(
            lines("\u{feff}\n\n[Event \"a\"]\n\n1. e4 *\n\n\n\n[Event \"b\"]\n\n*\n"),
            [3, 9]
        );
        assert_eq!(lines("1. e4 *\n[Event \"b\"]\n\n1. d4 *\n"), [1, 2]);
        assert_eq!(lines(""), [0; 0]);
        assert_eq!(lines("\r\n\r\n  \n"), [0; 0]);
    }

    #[test]
    fn a_blank_line_within_the_moves_is_reported_and_ends_nothing() {
        let games = split("[Event \"a\"]\n\n1. e4\n\n1... e5 *\n\n[Event \"b\"]\n\n*\n");
        assert_eq!(games.len(), 2);
        let faults = games[0].faults.clone().into_sorted(9);
        assert_eq!(faults, [Fault { line: 4, kind: FaultKind::BlankLine }]);
        assert_eq!(games[1].line, 7);
    }

    #[test]
    fn games_without_result_or_event_are_told_apart() {
        assert_eq!(lines("1. e4 e5\n\n1. d4 d5\n"), [1, 3]);
        assert_eq!(lines("1. e4\n\n1... e5\n\n2. d4\n"), [1]);
        assert_eq!(lines("[White \"a\"]\n\n[White \"b\"]\n\n1. e4 *\n"), [1, 3]);
        assert_eq!(lines("[White \"a\"]\n[Black \"b\"]\n\n[Date \"c\"]\n\n1. e4 *\n"), [1]);
        let same_line = "  [Variant \"Standard\"] 1. e4 e5 {a}\n\n";
        let headers = "[Variant \"Standard\"]\n1. e4 e5 {b}\n\n";
        assert_eq!(lines(&format!("{same_line}{headers}\n  1. e4 e5 {{c}}\n")), [1, 3, 7]);
    }

    #[test]
    fn hostile_text_does_not_collect_faults_without_end() {
        let text = format!("[Event \"x\"]\n1. e4\n{}", "a\n\n".repeat(100_000));
        let games = split(&text);
        assert_eq!(games.len(), 1);
        let faults = games[0].faults.clone().into_sorted(1);
        assert_eq!(faults.len(), 21);
        assert_eq!(faults[20].kind, FaultKind::More(100_000 - 1 - 20));
    }

    #[test]
    fn names_of_tags_may_begin_with_a_figure() {
        let text = "[Event \"a\"]\n[1White \"b\"]\n[_x \"c\"]\n\n1. e4 *\n";
        assert_eq!(lines(&format!("{text}\n{text}")), [1, 7]);
    }

    #[test]
    fn tags_begin_a_game_even_in_an_open_comment() {
        assert_eq!(lines("1. e4 {oh\n\n[Event \"b\"]\n\n1. d4 *\n"), [1, 3]);
        assert_eq!(lines("1. e4 {oh\n[%clk 1:00]\n} *\n\n1. d4 *\n"), [1, 5]);
        assert_eq!(lines("[Event \"a\"]\n[Event \"b\"]\n\n*\n"), [1, 2]);
    }

    #[test]
    fn a_result_in_a_comment_does_not_count() {
        assert_eq!(lines("1. e4 {1-0 ; here}\n\n1... e5 ; 1-0\n\n2. d4 *\n\n*\n"), [1, 7]);
    }

    #[test]
    fn endless_text_is_cut_off() {
        let mut text = vec![b'x'; MAX_GAME * 2];
        text.extend_from_slice(b"\n\n[Event \"b\"]\n\n*\n");
        let mut splitter = Splitter::new(&text[..]);
        let first = splitter.next_game().unwrap().unwrap();
        assert!(first.text.len() <= MAX_GAME);
        assert_eq!(first.faults.into_sorted(9).len(), 1);
        let second = splitter.next_game().unwrap().unwrap();
        assert_eq!((second.number, second.line), (2, 3));
    }
}
