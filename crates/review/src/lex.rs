//! The tokens of a PGN game, each with its line.
//!
//! Every byte is looked at once, so the time is linear in the length of the text, whatever it says.
//! What means nothing is reported and left out.

use std::collections::HashSet;

use crate::fault::{FaultKind, FaultList, excerpt};
use crate::tag::{is_tag, well_formed};
use crate::tree::GameResult;

/// Tags beyond these are left out: no real game has as many.
const MAX_TAGS: usize = 1000;

/// A tag as it stands in the file.
pub(crate) struct Tag<'a> {
    pub(crate) name: &'a str,
    /// Between the quotes, with its backslashes.
    pub(crate) value: &'a [u8],
    pub(crate) line: u64,
}

/// A part of the movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A comment, without its braces.
    Comment(&'a [u8]),
    /// A numeric annotation glyph.
    Nag(u8),
    /// A variation begins.
    Open,
    /// The innermost variation ends.
    Close,
    Result(GameResult),
    /// A word that is, or looks like, a move.
    Move(&'a [u8]),
}

/// Words that annotators use and that change nothing.
const HARMLESS: [&str; 20] = [
    "+-", "-+", "=", "+=", "=+", "+/-", "-/+", "+/=", "=/+", "~", "N", "TN", "D", "e", "p", "ep",
    "ch", "++", "\u{221e}", "\u{b1}",
];

/// Walks through the text of one game: first [`tags`](Self::tags), then [`next`](Self::next).
pub(crate) struct Lexer<'a> {
    input: &'a [u8],
    at: usize,
    line: u64,
    begins_line: bool,
    pub(crate) faults: FaultList,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a [u8], line: u64) -> Self {
        Self {
            input: text.trim_ascii_end(),
            at: 0,
            line,
            begins_line: true,
            faults: FaultList::default(),
        }
    }

    /// The line that was reached.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    fn fault(&mut self, kind: FaultKind) {
        self.faults.push(self.line, kind);
    }

    /// The rest of the line, with its end.
    fn rest_of_line(&self) -> &'a [u8] {
        let rest = &self.input[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
        &rest[..end]
    }

    /// The tags before the moves.
    pub(crate) fn tags(&mut self) -> Vec<Tag<'a>> {
        let mut tags = Vec::new();
        let mut names = HashSet::new();
        while self.at < self.input.len() {
            let line = self.rest_of_line();
            if is_tag(line) || line.trim_ascii_start().starts_with(b"[") {
                let mut rest = line.trim_ascii();
                while !rest.is_empty() {
                    match well_formed(rest) {
                        Some((name, value, end)) => {
                            if !names.insert(name) {
                                self.fault(FaultKind::RepeatedTag(name.to_owned()));
                            } else if tags.len() < MAX_TAGS {
                                tags.push(Tag { name, value, line: self.line });
                            } else {
                                self.fault(FaultKind::ManyTags(MAX_TAGS));
                            }
                            rest = rest[end..].trim_ascii_start();
                        }
                        // Moves may follow the tags on the same line.
                        None if rest.first() != Some(&b'[') => {
                            self.at += line.trim_ascii_end().len() - rest.len();
                            return tags;
                        }
                        None => {
                            self.fault(FaultKind::MalformedTag(excerpt(rest)));
                            break;
                        }
                    }
                }
            } else if !line.trim_ascii().is_empty() && !line.starts_with(b"%") {
                return tags;
            }
            self.at += line.len();
            self.line += 1;
        }
        tags
    }

    /// The next token of the movetext, and its line.
    pub(crate) fn next(&mut self) -> Option<(u64, Token<'a>)> {
        while let Some(&byte) = self.input.get(self.at) {
            if self.begins_line && byte == b'%' {
                self.at += self.rest_of_line().len();
                self.line += 1;
                continue;
            }
            self.begins_line = byte == b'\n';
            let line = self.line;
            let token = match byte {
                b'\n' => {
                    self.line += 1;
                    self.skip(1)
                }
                b' ' | b'\t' | b'\r' | b'.' => self.skip(1),
                b'{' => self.comment(),
                b';' => Some(self.comment_to_end_of_line()),
                b'}' => {
                    self.fault(FaultKind::StrayBrace);
                    self.skip(1)
                }
                b'(' => self.take(1, Token::Open),
                b')' => self.take(1, Token::Close),
                b'$' => self.glyph(),
                b'!' | b'?' => self.marks(),
                b'*' => self.take(1, Token::Result(GameResult::Unknown)),
                _ => self.word(),
            };
            if let Some(token) = token {
                return Some((line, token));
            }
        }
        None
    }

    fn skip(&mut self, length: usize) -> Option<Token<'a>> {
        self.at += length;
        None
    }

    fn take(&mut self, length: usize, token: Token<'a>) -> Option<Token<'a>> {
        self.at += length;
        Some(token)
    }

    fn comment(&mut self) -> Option<Token<'a>> {
        let rest = &self.input[self.at..];
        let Some(end) = rest.iter().position(|&byte| byte == b'}') else {
            self.fault(FaultKind::OpenComment);
            self.line += lines(rest);
            return self.skip(rest.len());
        };
        self.line += lines(&rest[..end]);
        self.take(end + 1, Token::Comment(&rest[1..end]))
    }

    fn comment_to_end_of_line(&mut self) -> Token<'a> {
        let line = self.rest_of_line();
        self.line += lines(line);
        self.at += line.len();
        self.begins_line = true;
        Token::Comment(&line[1..])
    }

    fn glyph(&mut self) -> Option<Token<'a>> {
        let rest = &self.input[self.at..];
        let end = 1 + token_end(&rest[1..]);
        let digits = std::str::from_utf8(&rest[1..end]).ok();
        let number = digits.filter(|text| text.starts_with(|c: char| c.is_ascii_digit()));
        match number.and_then(|text| text.parse().ok()) {
            Some(number) => self.take(end, Token::Nag(number)),
            None => {
                self.fault(FaultKind::BadNag(excerpt(&rest[..end])));
                self.skip(end)
            }
        }
    }

    /// Exclamation and question marks: at most two have a meaning.
    fn marks(&mut self) -> Option<Token<'a>> {
        let rest = &self.input[self.at..];
        let length = rest.iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        let nag = match &rest[..length.min(2)] {
            b"!" => 1,
            b"?" => 2,
            b"!!" => 3,
            b"??" => 4,
            b"!?" => 5,
            _ => 6,
        };
        self.take(length, Token::Nag(nag))
    }

    fn word(&mut self) -> Option<Token<'a>> {
        let rest = &self.input[self.at..];
        let end = token_end(rest).max(1);
        let word = &rest[..end];
        let text = std::str::from_utf8(word).unwrap_or("\u{fffd}");
        if word.iter().all(u8::is_ascii_digit) || HARMLESS.contains(&text) {
            return self.skip(end);
        }
        let result = match plain_hyphens(text).as_str() {
            "1-0" => Some(GameResult::White),
            "0-1" => Some(GameResult::Black),
            "1/2-1/2" | "\u{bd}-\u{bd}" => Some(GameResult::Draw),
            _ => None,
        };
        if let Some(result) = result {
            return self.take(end, Token::Result(result));
        }
        if looks_like_a_move(text) {
            return self.take(end, Token::Move(word));
        }
        self.fault(FaultKind::UnknownWord(excerpt(word)));
        self.skip(end)
    }
}

/// The text with all kinds of hyphens and dashes as `-`.
pub(crate) fn plain_hyphens(text: &str) -> String {
    text.replace(['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'], "-")
}

/// Whether a word is meant as a move: there is a square in it, or it is castling, a pass, or a pawn's
/// capture that names only the files. What follows such a word depends on it.
fn looks_like_a_move(text: &str) -> bool {
    let word = text.as_bytes();
    let is_file = |byte: u8| (b'a'..=b'h').contains(&byte.to_ascii_lowercase());
    let has_square = word.windows(2).any(|pair| is_file(pair[0]) && pair[1].is_ascii_digit());
    let plain = plain_hyphens(text);
    let castles = matches!(plain.as_bytes(), [b'O' | b'o' | b'0', b'-', b'O' | b'o' | b'0', ..]);
    let captures = match word {
        [from @ b'a'..=b'h', to @ b'a'..=b'h']
        | [from @ b'a'..=b'h', b'x' | b':', to @ b'a'..=b'h'] => from.abs_diff(*to) == 1,
        _ => false,
    };
    has_square || castles || captures || is_pass(text)
}

/// Whether a word is one of the ways to write a null move: `--`, `Z0`, `0000` and so on.
#[must_use]
pub fn is_pass(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "null" | "@@@@" | "0000")
}

/// Where a word ends.
fn token_end(bytes: &[u8]) -> usize {
    let ends = |&byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'{' | b'}' | b'(' | b')' | b'!' | b'?' | b'$' | b';' | b'.' | b'*')
    };
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

fn lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(u64, Token<'_>)> {
        let mut lexer = Lexer::new(text.as_bytes(), 1);
        assert_eq!(lexer.tags().len(), 0);
        std::iter::from_fn(|| lexer.next()).collect()
    }

    #[test]
    fn everything_that_can_stand_among_moves_is_told_apart() {
        let text = "1.e4! {a\nb} (1. d4 $14 +-) e5?? ; c\n% no\n2... 1-0";
        assert_eq!(
            tokens(text),
            [
                (1, Token::Move(b"e4")),
                (1, Token::Nag(1)),
                (1, Token::Comment(b"a\nb")),
                (2, Token::Open),
                (2, Token::Move(b"d4")),
                (2, Token::Nag(14)),
                (2, Token::Close),
                (2, Token::Move(b"e5")),
                (2, Token::Nag(4)),
                (2, Token::Comment(b" c\n")),
                (4, Token::Result(GameResult::White)),
            ]
        );
    }

    #[test]
    fn words_that_stand_for_moves_are_never_stepped_over() {
        for word in ["ed", "exd", "Z0", "--", "o-o", "0\u{2011}0", "g1f3", "Nf9", "a8Q"] {
            assert_eq!(tokens(word), [(1, Token::Move(word.as_bytes()))], "{word}");
        }
        for word in ["N", "ep", "=", "12", "hello"] {
            assert_eq!(tokens(word), [], "{word}");
        }
    }
}
