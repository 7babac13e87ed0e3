//! From the text of a game to its tree.

use chess::{Color, FenError, Move, Outcome as BoardOutcome, Position, PositionError, SanError};

use crate::fault::{Fault, FaultKind, FaultList, excerpt};
use crate::lex::{Lexer, Tag, Token, is_pass, plain_hyphens};
use crate::split::RawGame;
use crate::tree::{GameResult, GameTree, Line, Ply};

/// Variations within variations to this depth are kept.
const MAX_DEPTH: usize = 32;

/// Reads a game as far as it makes sense, and says what does not. There is no game if it does not
/// begin with a position of chess.
#[must_use]
pub fn read(raw: &RawGame) -> (Option<GameTree>, Vec<Fault>) {
    read_game(raw, false)
}

/// Reads a game as [`read`] does, but takes null moves (`--`, `Z0`) for what they are: a side passes.
/// They are common in the lines of annotators and in lessons.
#[must_use]
pub fn read_with_passes(raw: &RawGame) -> (Option<GameTree>, Vec<Fault>) {
    read_game(raw, true)
}

fn read_game(raw: &RawGame, may_pass: bool) -> (Option<GameTree>, Vec<Fault>) {
    let mut lexer = Lexer::new(&raw.text, raw.line);
    let tags = lexer.tags();
    let mut faults = raw.faults.clone();
    let Some(start) = start(&tags, &mut faults) else {
        faults.extend(std::mem::take(&mut lexer.faults));
        return (None, faults.into_sorted(lexer.line()));
    };
    let mut builder = Builder { may_pass, ..Builder::new(start, faults) };
    while let Some((line, token)) = lexer.next() {
        builder.take(line, token);
    }
    let last_line = lexer.line();
    builder.faults.extend(lexer.faults);
    let result_line = tags.iter().find(|tag| tag.name == "Result").map(|tag| tag.line);
    builder.tree.tags =
        tags.iter().map(|tag| (tag.name.to_owned(), decode(&unescape(tag.value)))).collect();
    let (game, mut faults) = builder.finish(result_line.unwrap_or(last_line), last_line);
    if game.main.plies.is_empty() && game.result == GameResult::Unknown {
        faults.forget(&FaultKind::NoResult);
        faults.push(raw.line, FaultKind::NoMoves);
    }
    (Some(game), faults.into_sorted(last_line))
}

/// The position that the tags say the game begins with.
fn start(tags: &[Tag<'_>], faults: &mut FaultList) -> Option<Position> {
    let tag = |name: &str| tags.iter().find(|tag| tag.name == name);
    if let Some(variant) = tag("Variant") {
        let name = decode(&unescape(variant.value));
        if !is_chess(&name) {
            faults.push(variant.line, FaultKind::OtherVariant(excerpt(name.as_bytes())));
            return None;
        }
    }
    let Some(fen) = tag("FEN") else { return Some(Position::startpos()) };
    let text = decode(&unescape(fen.value));
    match Position::from_fen(&text) {
        Ok(position) => Some(position),
        Err(FenError::Position(PositionError::Castling(_))) => {
            faults.push(fen.line, FaultKind::StaleCastling);
            without_stale_castling(&text)
        }
        Err(reason) => {
            faults.push(fen.line, FaultKind::BadStart(reason.to_string()));
            None
        }
    }
}

/// The position with as many of its castling rights as it allows.
fn without_stale_castling(fen: &str) -> Option<Position> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let with = |rights: &str| {
        let mut fields = fields.clone();
        *fields.get_mut(2)? = if rights.is_empty() { "-" } else { rights };
        Position::from_fen(&fields.join(" ")).ok()
    };
    let mut kept = String::new();
    for letter in fields.get(2)?.chars() {
        let more = format!("{kept}{letter}");
        if with(&more).is_some() {
            kept = more;
        }
    }
    with(&kept)
}

/// Builds the tree of one game.
struct Builder {
    tree: GameTree,
    outcome: Option<GameResult>,
    /// The main line and the variations that are open.
    frames: Vec<Frame>,
    /// Open variations that are left out, within the last frame.
    skipped: usize,
    faults: FaultList,
    /// Null moves are taken in.
    may_pass: bool,
}

struct Frame {
    line: Line,
    /// Where in the file it began.
    began: u64,
    /// Before the last move of the line.
    before: Position,
    position: Position,
    /// Nothing is taken in any more.
    is_over: bool,
}

impl Frame {
    fn new(position: Position, began: u64) -> Self {
        Self { line: Line::default(), began, before: position, position, is_over: false }
    }
}

impl Builder {
    fn new(start: Position, faults: FaultList) -> Self {
        Self {
            tree: GameTree::new(start),
            outcome: None,
            frames: vec![Frame::new(start, 0)],
            skipped: 0,
            faults,
            may_pass: false,
        }
    }

    /// The innermost line, if it is still taken in.
    fn current(&mut self) -> Option<&mut Frame> {
        if self.skipped > 0 {
            return None;
        }
        self.frames.last_mut().filter(|frame| !frame.is_over)
    }

    fn take(&mut self, line: u64, token: Token<'_>) {
        match token {
            Token::Move(word) => self.word(line, word),
            Token::Nag(nag) => {
                if let Some(ply) = self.current().and_then(|frame| frame.line.plies.last_mut()) {
                    ply.nags.push(nag);
                }
            }
            Token::Comment(text) => self.comment(text),
            Token::Open => self.open(line),
            Token::Close => self.close(line),
            Token::Result(result) => self.result(line, result),
        }
    }

    fn word(&mut self, line: u64, word: &[u8]) {
        let may_pass = self.may_pass;
        let has_ended = self.frames.len() == 1 && self.outcome.is_some();
        let Some(frame) = self.current() else { return };
        let text = String::from_utf8_lossy(word);
        let kind = if has_ended {
            FaultKind::MovesAfterResult
        } else if is_pass(&text) {
            // Whoever is in check, or has no move at all, cannot pass either.
            if may_pass && !frame.position.is_check() && frame.position.outcome().is_none() {
                frame.before = frame.position;
                frame.position.make_null();
                frame.line.plies.push(Ply::pass());
                return;
            }
            FaultKind::NullMove
        } else {
            match parse_move(&frame.position, &text) {
                Ok(mv) => {
                    frame.before = frame.position;
                    frame.position.make(mv);
                    frame.line.plies.push(Ply::new(mv));
                    return;
                }
                Err(SanError::Ambiguous) => FaultKind::Ambiguous(excerpt(word)),
                Err(SanError::Illegal) => FaultKind::Illegal(excerpt(word)),
                Err(SanError::Malformed) => FaultKind::NotAMove(excerpt(word)),
            }
        };
        frame.is_over = true;
        self.faults.push(line, kind);
    }

    fn comment(&mut self, text: &[u8]) {
        let Some(frame) = self.current() else { return };
        let text = decode(text).replace(['\n', '\r', '\t'], " ");
        let text = text.trim();
        if !text.is_empty() {
            let comments = match frame.line.plies.last_mut() {
                Some(ply) => &mut ply.comments,
                None => &mut frame.line.comments,
            };
            comments.push(text.to_owned());
        }
    }

    fn open(&mut self, line: u64) {
        let depth = self.frames.len();
        let kind = match self.current() {
            None => None,
            Some(frame) if frame.line.plies.is_empty() => Some(FaultKind::EarlyVariation),
            Some(_) if depth > MAX_DEPTH => Some(FaultKind::DeepVariation),
            Some(frame) => {
                let frame = Frame::new(frame.before, line);
                self.frames.push(frame);
                return;
            }
        };
        self.skipped += 1;
        if let Some(kind) = kind {
            self.faults.push(line, kind);
        }
    }

    fn close(&mut self, line: u64) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if self.frames.len() > 1 {
            self.end_variation();
        } else {
            self.faults.push(line, FaultKind::StrayParenthesis);
        }
    }

    /// Ends the innermost variation and hangs it on the move that it replaces.
    fn end_variation(&mut self) {
        if let Some(frame) = self.frames.pop()
            && !frame.line.plies.is_empty()
            && let Some(ply) =
                self.frames.last_mut().and_then(|parent| parent.line.plies.last_mut())
        {
            ply.variations.push(frame.line);
        }
    }

    fn result(&mut self, line: u64, result: GameResult) {
        if self.frames.len() > 1 || self.skipped > 0 {
            return;
        }
        if self.outcome.is_some() {
            self.faults.push(line, FaultKind::SecondResult);
        } else {
            self.outcome = Some(result);
        }
    }

    /// The game, and what was wrong with it.
    fn finish(mut self, result_line: u64, last_line: u64) -> (GameTree, FaultList) {
        for _ in 0..self.skipped {
            self.faults.push(last_line, FaultKind::OpenVariation);
        }
        while self.frames.len() > 1 {
            let began = self.frames[self.frames.len() - 1].began;
            self.faults.push(began, FaultKind::OpenVariation);
            self.end_variation();
        }
        let result = self.outcome;
        // A game that breaks off in the middle has no result that could be checked.
        if !self.frames[0].is_over || result.is_some() {
            self.check_result(result, result_line, last_line);
        }
        let tagged = match self.tree.tag("Result") {
            Some("1-0") => GameResult::White,
            Some("0-1") => GameResult::Black,
            Some("1/2-1/2") => GameResult::Draw,
            _ => GameResult::Unknown,
        };
        self.tree.result = result.unwrap_or(tagged);
        self.tree.main = self.frames.swap_remove(0).line;
        (self.tree, self.faults)
    }

    fn check_result(&mut self, result: Option<GameResult>, tag_line: u64, last_line: u64) {
        let Some(result) = result else {
            self.faults.push(last_line, FaultKind::NoResult);
            return;
        };
        let tag = self.tree.tag("Result").filter(|tag| *tag != result.text() && *tag != "*");
        if let Some(tag) = tag {
            let kind = FaultKind::ResultTag(excerpt(tag.as_bytes()));
            self.faults.push(tag_line, kind);
        }
        let on_board = match self.frames[0].position.outcome() {
            Some(BoardOutcome::Win(Color::White)) => GameResult::White,
            Some(BoardOutcome::Win(Color::Black)) => GameResult::Black,
            Some(BoardOutcome::Draw) => GameResult::Draw,
            None => return,
        };
        if result != GameResult::Unknown && on_board != result {
            self.faults.push(last_line, FaultKind::ResultBoard(on_board.text()));
        }
    }
}

/// Reads a move in algebraic notation, short or long, in UCI text, or in one of the usual older
/// forms: `o-o`, `e2-e4`, `exd6ep`, `a8(Q)` as `a8Q`.
///
/// # Errors
/// As [`Position::parse_san`].
pub fn parse_move(position: &Position, text: &str) -> Result<Move, SanError> {
    let text = plain_hyphens(text);
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    if let [b'o' | b'O' | b'0', b'-', ..] = text.as_bytes() {
        return position.parse_san(&text.replace(['o', '0'], "O"));
    }
    let text = text.strip_suffix("e.p").or_else(|| text.strip_suffix("ep")).unwrap_or(text);
    // `bxa6e.p.` comes here as `bxa6e`.
    let text = match text.as_bytes() {
        [b'a'..=b'h', b'x', b'a'..=b'h', b'3' | b'6', b'e'] => &text[..4],
        _ => text,
    };
    let joined = text.replace('-', "");
    let refusal = match position.parse_san(&joined) {
        Ok(mv) => return Ok(mv),
        Err(refusal) => refusal,
    };
    position.parse_uci(&joined.to_ascii_lowercase()).map_err(|_| refusal)
}

fn is_chess(variant: &str) -> bool {
    let name: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    let names = ["standard", "chess", "chess960", "fischerandom", "fischerrandom", "frc", "normal"];
    let other = ["fromposition", "fromcustomposition", "doublechess960", "dfrc"];
    let name = name.to_ascii_lowercase();
    names.iter().chain(&other).any(|known| *known == name)
}

/// Text is UTF-8, or Latin-1 as the standard of PGN has it.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A tag's value without the backslashes before quotes and backslashes.
fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut bytes = raw.iter().copied().peekable();
    let mut value = Vec::with_capacity(raw.len());
    while let Some(byte) = bytes.next() {
        let escaped = bytes.next_if(|&next| byte == b'\\' && matches!(next, b'\\' | b'"'));
        value.push(escaped.unwrap_or(byte));
    }
    value
}
