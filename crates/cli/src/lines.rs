//! Lines of bytes from somewhere, made into text without trusting them.

use std::io::{BufRead, ErrorKind};

/// No command is longer than this; what follows is read and thrown away.
pub const MAX_LINE: usize = 4 << 20;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Text without blanks, NUL bytes or a byte-order mark around it.
    Text(String),
    /// A line that cannot be read.
    Unreadable {
        /// What is wrong with it.
        problem: Problem,
        /// Its beginning, as far as it can be told: whoever sent it may wait for an answer.
        start: String,
    },
}

/// Why a line cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Bytes that are not UTF-8.
    NotText,
    /// More than [`MAX_LINE`] bytes.
    TooLong,
}

/// So much of an unreadable line is kept: enough for the name of a command.
const START: usize = 64;

/// Reads lines until the input ends or fails.
pub struct Lines<R> {
    input: R,
}

impl<R: BufRead> Lines<R> {
    /// Reads lines from `input`.
    pub fn new(input: R) -> Self {
        Self { input }
    }

    /// The bytes up to the next line end, at most one more than are allowed.
    fn read(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        let mut begun = false;
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return begun.then_some(line),
            };
            if buffer.is_empty() {
                return begun.then_some(line);
            }
            begun = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = end.unwrap_or(buffer.len());
            let room = (MAX_LINE + 1).saturating_sub(line.len());
            line.extend_from_slice(&buffer[..part.min(room)]);
            self.input.consume(end.map_or(part, |end| end + 1));
            if end.is_some() {
                return Some(line);
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let bytes = self.read()?;
        if bytes.len() > MAX_LINE {
            return Some(unreadable(Problem::TooLong, &bytes));
        }
        Some(match String::from_utf8(bytes) {
            Ok(text) => Line::Text(trimmed(&text)),
            Err(error) => unreadable(Problem::NotText, error.as_bytes()),
        })
    }
}

fn unreadable(problem: Problem, bytes: &[u8]) -> Line {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(START)]);
    Line::Unreadable { problem, start: trimmed(&start) }
}

fn trimmed(text: &str) -> String {
    let blank = |letter: char| letter.is_whitespace() || matches!(letter, '\0' | '\u{feff}');
    text.trim_matches(blank).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<Line> {
        Lines::new(bytes).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn line_ends_blanks_and_nul_bytes_are_cut_off() {
        assert_eq!(
            lines(b"uci\r\n\tisready \n\0stop\0\n"),
            [text("uci"), text("isready"), text("stop")]
        );
        assert_eq!(lines(b"\xef\xbb\xbfuci\n\n"), [text("uci"), text("")]);
    }

    #[test]
    fn a_last_line_without_line_end_counts() {
        assert_eq!(lines(b"uci\nquit"), [text("uci"), text("quit")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn bytes_that_are_not_text_do_not_end_the_input() {
        let start = String::from("\u{fffd}\u{fffd}\0\u{fffd}(");
        let line = Line::Unreadable { problem: Problem::NotText, start };
        assert_eq!(lines(b"\xff\xfe\0\xc3(\nuci\n"), [line, text("uci")]);
    }

    #[test]
    fn a_line_beyond_the_limit_is_dropped_whole() {
        let mut bytes = vec![b'x'; MAX_LINE];
        bytes.push(b'\n');
        assert!(matches!(&lines(&bytes)[..], [Line::Text(_)]));
        let mut bytes = vec![b'x'; 2 * MAX_LINE];
        bytes.extend(b"\nuci\n");
        let line = Line::Unreadable { problem: Problem::TooLong, start: "x".repeat(START) };
        assert_eq!(lines(&bytes), [line, text("uci")]);
    }
}
