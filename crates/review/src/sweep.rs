//! Sweeps the text of a game before `pgn-reader` sees it.
//!
//! That reader steps over whatever it does not understand, without a word, and does not know lines.
//! So everything that it would step over is found here first, reported with its line and blanked
//! out, and for every move that is left the line is kept: the reader's n-th move is the n-th here.

use pgn_reader::SanPlus;

use crate::fault::{Fault, FaultKind, excerpt};
use crate::split::{RawGame, is_name, is_tag};

/// A game ready for the reader.
pub(crate) struct Swept {
    /// The text: tags, a blank line, and everything else on one line.
    pub(crate) text: Vec<u8>,
    /// The lines of the tags.
    pub(crate) tags: Vec<(String, u64)>,
    /// The moves in the order in which the reader will come to them.
    pub(crate) moves: Vec<MoveWord>,
    /// What was wrong.
    pub(crate) faults: Vec<Fault>,
    /// The last line.
    pub(crate) last_line: u64,
}

/// A word that the reader will take for a move.
pub(crate) struct MoveWord {
    pub(crate) line: u64,
    /// The word that stood there, if it was no move and a pass stands in for it.
    pub(crate) instead_of: Option<String>,
}

/// Words that annotators use and that change nothing.
const HARMLESS: [&str; 20] = [
    "+-", "-+", "=", "+=", "=+", "+/-", "-/+", "+/=", "=/+", "~", "N", "TN", "D", "e", "p", "ep",
    "ch", "++", "\u{221e}", "\u{b1}",
];

/// Sweeps a game.
pub(crate) fn sweep(raw: &RawGame) -> Swept {
    let mut sweeper = Sweeper {
        input: raw.text.trim_ascii_end(),
        at: 0,
        line: raw.line,
        swept: Swept {
            text: Vec::with_capacity(raw.text.len() + 2),
            tags: Vec::new(),
            moves: Vec::new(),
            faults: Vec::new(),
            last_line: raw.line,
        },
        open: Vec::new(),
    };
    sweeper.tags();
    sweeper.swept.text.extend_from_slice(b"\n");
    sweeper.movetext();
    sweeper.swept.text.push(b'\n');
    sweeper.swept.last_line = sweeper.line;
    sweeper.swept
}

struct Sweeper<'a> {
    input: &'a [u8],
    at: usize,
    line: u64,
    swept: Swept,
    /// The lines of the variations that are open.
    open: Vec<u64>,
}

impl Sweeper<'_> {
    fn fault(&mut self, line: u64, kind: FaultKind) {
        self.swept.faults.push(Fault { line, kind });
    }

    /// The rest of the line, with its end.
    fn rest_of_line(&self) -> &[u8] {
        let rest = &self.input[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
        &rest[..end]
    }

    fn tags(&mut self) {
        while self.at < self.input.len() {
            let line = self.rest_of_line();
            let length = line.len();
            if is_tag(line) || line.trim_ascii_start().starts_with(b"[") {
                let mut rest = line.trim_ascii().to_vec();
                while !rest.is_empty() {
                    match well_formed(&rest) {
                        Some((name, end)) => {
                            self.tag(&rest[..end], name);
                            rest = rest[end..].trim_ascii_start().to_vec();
                        }
                        // Moves may follow the tags on the same line.
                        None if rest.first() != Some(&b'[') => {
                            self.at += length - rest.len() - trailing(self.rest_of_line());
                            return;
                        }
                        None => {
                            let kind = FaultKind::MalformedTag(excerpt(&rest));
                            self.fault(self.line, kind);
                            break;
                        }
                    }
                }
            } else if !line.trim_ascii().is_empty() && !line.starts_with(b"%") {
                return;
            }
            self.at += length;
            self.line += 1;
        }
    }

    fn tag(&mut self, text: &[u8], name: String) {
        if self.swept.tags.iter().any(|(known, _)| *known == name) {
            self.fault(self.line, FaultKind::RepeatedTag(name));
            return;
        }
        self.swept.text.extend_from_slice(text);
        self.swept.text.push(b'\n');
        self.swept.tags.push((name, self.line));
    }

    fn movetext(&mut self) {
        let mut begins_line = true;
        while let Some(&byte) = self.input.get(self.at) {
            if begins_line && byte == b'%' {
                self.at += self.rest_of_line().len();
                self.line += 1;
                continue;
            }
            begins_line = byte == b'\n';
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.blank(1);
                }
                b' ' | b'\t' | b'\r' | b'.' => self.blank(1),
                b'{' => self.comment(),
                b';' => {
                    self.comment_to_end_of_line();
                    begins_line = true;
                }
                b'}' => {
                    self.fault(self.line, FaultKind::StrayBrace);
                    self.blank(1);
                }
                b'(' => {
                    self.open.push(self.line);
                    self.keep(1);
                }
                b')' if self.open.pop().is_some() => self.keep(1),
                b')' => {
                    self.fault(self.line, FaultKind::StrayParenthesis);
                    self.blank(1);
                }
                b'$' => self.glyph(),
                b'!' | b'?' => self.marks(),
                b'*' => self.keep(1),
                _ => self.word(),
            }
        }
        for line in std::mem::take(&mut self.open) {
            self.fault(line, FaultKind::OpenVariation);
        }
    }

    fn blank(&mut self, length: usize) {
        self.swept.text.resize(self.swept.text.len() + length, b' ');
        self.at += length;
    }

    fn keep(&mut self, length: usize) {
        self.swept.text.extend_from_slice(&self.input[self.at..self.at + length]);
        self.swept.text.push(b' ');
        self.at += length;
    }

    fn comment(&mut self) {
        let rest = &self.input[self.at..];
        let Some(end) = rest.iter().position(|&byte| byte == b'}') else {
            self.fault(self.line, FaultKind::OpenComment);
            self.line += lines(rest);
            self.at = self.input.len();
            // Whatever is open was meant to be closed in what is lost.
            self.open.clear();
            return;
        };
        let comment = &rest[..=end];
        self.swept.text.extend(comment.iter().map(|&byte| match byte {
            b'\n' | b'\r' | b'\t' => b' ',
            other => other,
        }));
        self.line += lines(comment);
        self.at += comment.len();
    }

    fn comment_to_end_of_line(&mut self) {
        let line = self.rest_of_line();
        let comment: Vec<u8> = line[1..]
            .trim_ascii()
            .iter()
            .map(|&byte| if byte == b'}' { b')' } else { byte })
            .collect();
        let length = line.len();
        self.line += lines(line);
        self.swept.text.push(b'{');
        self.swept.text.extend_from_slice(&comment);
        self.swept.text.push(b'}');
        self.at += length;
    }

    fn glyph(&mut self) {
        let rest = &self.input[self.at..];
        let end = 1 + token_end(&rest[1..]);
        let number = std::str::from_utf8(&rest[1..end]).ok().and_then(|text| text.parse().ok());
        if number.is_some_and(|_: u8| rest[1].is_ascii_digit()) {
            self.keep(end);
        } else {
            self.fault(self.line, FaultKind::BadNag(excerpt(&rest[..end])));
            self.blank(end);
        }
    }

    /// Exclamation and question marks: at most two have a meaning.
    fn marks(&mut self) {
        let rest = &self.input[self.at..];
        let length = rest.iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        self.keep(length.min(2));
        self.blank(length - length.min(2));
    }

    fn word(&mut self) {
        let rest = &self.input[self.at..];
        let end = token_end(rest).max(1);
        let word = &rest[..end];
        match classify(word) {
            Word::Ignored => self.blank(end),
            Word::Result => self.keep(end),
            Word::Move => {
                self.swept.moves.push(MoveWord { line: self.line, instead_of: None });
                self.keep(end);
            }
            Word::Broken => {
                let instead_of = Some(excerpt(word));
                self.swept.moves.push(MoveWord { line: self.line, instead_of });
                self.swept.text.extend_from_slice(b"-- ");
                self.at += end;
            }
            Word::Unknown => {
                let kind = FaultKind::UnknownWord(excerpt(word));
                self.fault(self.line, kind);
                self.blank(end);
            }
        }
    }
}

enum Word {
    Ignored,
    Result,
    Move,
    /// It looks like a move, so what comes after it cannot be trusted.
    Broken,
    Unknown,
}

fn classify(word: &[u8]) -> Word {
    let text = std::str::from_utf8(word).unwrap_or("\u{fffd}");
    if word.iter().all(u8::is_ascii_digit) || HARMLESS.contains(&text) {
        return Word::Ignored;
    }
    let plain = text.replace(['\u{2013}', '\u{2014}'], "-");
    match plain.as_str() {
        "1-0" | "0-1" | "1/2-1/2" | "\u{bd}-\u{bd}" => return Word::Result,
        _ => {}
    }
    if matches!(plain.trim_end_matches(['+', '#']), "0-0" | "0-0-0") {
        return Word::Move;
    }
    let is_move = !word[0].is_ascii_digit() && SanPlus::from_ascii(word).is_ok();
    match (is_move, looks_like_a_move(word)) {
        (true, _) => Word::Move,
        (false, true) => Word::Broken,
        (false, false) => Word::Unknown,
    }
}

/// Whether there is a square in it, or it begins like castling.
fn looks_like_a_move(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| {
        (b'a'..=b'h').contains(&pair[0].to_ascii_lowercase()) && pair[1].is_ascii_digit()
    };
    let castles = matches!(word, [b'O' | b'o' | b'0', b'-', b'O' | b'o' | b'0', ..]);
    castles || word.windows(2).any(is_square)
}

/// Where a word ends, as `pgn-reader` sees it.
fn token_end(bytes: &[u8]) -> usize {
    let ends = |&byte: &u8| {
        matches!(
            byte,
            b' ' | b'\t'
                | b'\n'
                | b'\r'
                | b'{'
                | b'}'
                | b'('
                | b')'
                | b'!'
                | b'?'
                | b'$'
                | b';'
                | b'.'
                | b'*'
        )
    };
    bytes.iter().position(ends).unwrap_or(bytes.len())
}

fn lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&byte| byte == b'\n').count() as u64
}

fn trailing(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_end().len()
}

/// The name of the tag that a text begins with, and the tag's length.
fn well_formed(text: &[u8]) -> Option<(String, usize)> {
    let inner = text.strip_prefix(b"[")?;
    let name_end = inner.iter().position(|byte| !is_name(*byte))?;
    let name =
        String::from_utf8(inner[..name_end].to_vec()).ok().filter(|name| !name.is_empty())?;
    let mut at = 1 + name_end;
    at += text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if text.get(at) != Some(&b'"') {
        return None;
    }
    at += 1;
    loop {
        match text.get(at)? {
            b'\\' => at += 2,
            b'"' => break,
            _ => at += 1,
        }
    }
    at += 1;
    at += text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (text.get(at) == Some(&b']')).then_some((name, at + 1))
}
