//! From the text of a game to its tree, through `pgn-reader`.

use std::ops::ControlFlow;

use chess::{Color, Outcome as BoardOutcome, Position, SanError};
use pgn_reader::shakmaty::{Color as SanColor, KnownOutcome, Outcome};
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use crate::fault::{Fault, FaultKind};
use crate::split::RawGame;
use crate::sweep::{Swept, sweep};
use crate::tree::{GameResult, GameTree, Line, Ply};

/// Variations within variations to this depth are kept.
const MAX_DEPTH: usize = 32;
/// Of one game no more faults than this are told.
const MAX_FAULTS: usize = 20;

/// Reads a game as far as it makes sense, and says what does not. There is no game if it does not
/// begin with a position of chess.
#[must_use]
pub fn read(raw: &RawGame) -> (Option<GameTree>, Vec<Fault>) {
    let swept = sweep(raw);
    let mut visitor = Builder { swept: &swept, faults: raw.faults.clone() };
    visitor.faults.extend_from_slice(&swept.faults);
    let mut reader = Reader::build(&swept.text[..])
        .set_supported_tag_line_length(swept.text.len())
        .set_supported_comment_length(swept.text.len())
        .finish();
    // Reading from memory cannot fail, and text without content is no game for the reader.
    let game = match reader.read_game(&mut visitor) {
        Ok(Some(game)) => game,
        Ok(None) | Err(_) => Some(GameTree::new(Position::startpos())),
    };
    let mut faults = visitor.faults;
    if let Some(game) = &game
        && game.main.plies.is_empty()
        && game.result == GameResult::Unknown
    {
        faults.retain(|fault| fault.kind != FaultKind::NoResult);
        faults.push(Fault { line: raw.line, kind: FaultKind::NoMoves });
    }
    faults.sort_by_key(|fault| fault.line);
    if faults.len() > MAX_FAULTS {
        let more = FaultKind::More(faults.len() - MAX_FAULTS);
        faults.truncate(MAX_FAULTS);
        faults.push(Fault { line: swept.last_line, kind: more });
    }
    (game, faults)
}

/// Builds the tree of one game.
struct Builder<'a> {
    swept: &'a Swept,
    faults: Vec<Fault>,
}

/// The game as far as it was read.
struct Movetext {
    tree: GameTree,
    /// Moves met, wherever they stood.
    moves_met: usize,
    outcome: Option<GameResult>,
    /// The main line and the variations that are open.
    frames: Vec<Frame>,
}

struct Frame {
    line: Line,
    /// Before the last move of the line.
    before: Position,
    position: Position,
    /// Nothing is taken in any more.
    is_over: bool,
}

impl Frame {
    fn new(position: Position, is_over: bool) -> Self {
        Self { line: Line::default(), before: position, position, is_over }
    }
}

impl Builder<'_> {
    fn fault(&mut self, line: u64, kind: FaultKind) {
        self.faults.push(Fault { line, kind });
    }

    fn tag_line(&self, name: &str) -> u64 {
        let known = self.swept.tags.iter().find(|(known, _)| known == name);
        known.map_or(self.swept.last_line, |&(_, line)| line)
    }

    /// Where the text is now: at the last move met.
    fn line_now(&self, movetext: &Movetext) -> u64 {
        let met = self.swept.moves.get(movetext.moves_met.saturating_sub(1));
        met.map_or(self.swept.last_line, |word| word.line)
    }

    fn start(&mut self, tags: &[(String, String)]) -> Option<Position> {
        let value = |name: &str| tags.iter().find(|(known, _)| known == name).map(|(_, v)| v);
        if let Some(variant) = value("Variant")
            && !is_chess(variant)
        {
            let kind = FaultKind::OtherVariant(variant.clone());
            self.fault(self.tag_line("Variant"), kind);
            return None;
        }
        let Some(fen) = value("FEN") else { return Some(Position::startpos()) };
        match Position::from_fen(fen) {
            Ok(position) => Some(position),
            Err(reason) => {
                self.fault(self.tag_line("FEN"), FaultKind::BadStart(reason.to_string()));
                None
            }
        }
    }

    fn check_result(&mut self, movetext: &Movetext, result: Option<GameResult>) {
        let (last, line) = (self.swept.last_line, self.tag_line("Result"));
        let tag = movetext.tree.tag("Result").map(str::to_owned);
        let Some(result) = result else {
            self.fault(last, FaultKind::NoResult);
            return;
        };
        if let Some(tag) = tag.filter(|tag| tag != result.text() && tag != "*") {
            self.fault(line, FaultKind::ResultTag(tag));
        }
        let on_board = match movetext.frames[0].position.outcome() {
            Some(BoardOutcome::Win(Color::White)) => GameResult::White,
            Some(BoardOutcome::Win(Color::Black)) => GameResult::Black,
            Some(BoardOutcome::Draw) => GameResult::Draw,
            None => return,
        };
        if result != GameResult::Unknown && on_board != result {
            self.fault(last, FaultKind::ResultBoard(on_board.text()));
        }
    }
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

/// A tag's value without the backslashes before quotes and backslashes. The reader's own way trips
/// over one right after the other.
fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut bytes = raw.iter().copied().peekable();
    let mut value = Vec::with_capacity(raw.len());
    while let Some(byte) = bytes.next() {
        let escaped = bytes.next_if(|&next| byte == b'\\' && matches!(next, b'\\' | b'"'));
        value.push(escaped.unwrap_or(byte));
    }
    value
}

type Flow<T = ()> = ControlFlow<Option<GameTree>, T>;

impl Visitor for Builder<'_> {
    type Tags = Vec<(String, String)>;
    type Movetext = Movetext;
    type Output = Option<GameTree>;

    fn begin_tags(&mut self) -> Flow<Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> Flow {
        let name = String::from_utf8_lossy(name).trim().to_owned();
        tags.push((name, decode(&unescape(value.as_bytes()))));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> Flow<Movetext> {
        let Some(start) = self.start(&tags) else { return ControlFlow::Break(None) };
        let mut tree = GameTree::new(start);
        tree.tags = tags;
        let frames = vec![Frame::new(start, false)];
        ControlFlow::Continue(Movetext { tree, moves_met: 0, outcome: None, frames })
    }

    fn san(&mut self, movetext: &mut Movetext, san: SanPlus) -> Flow {
        let word = self.swept.moves.get(movetext.moves_met);
        movetext.moves_met += 1;
        let line = word.map_or(self.swept.last_line, |word| word.line);
        let is_main = movetext.frames.len() == 1;
        let has_ended = is_main && movetext.outcome.is_some();
        let Some(frame) = movetext.frames.last_mut().filter(|frame| !frame.is_over) else {
            return ControlFlow::Continue(());
        };
        let text = san.san.to_string();
        let kind = match (has_ended, word.and_then(|word| word.instead_of.clone())) {
            (true, _) => FaultKind::MovesAfterResult,
            (false, Some(word)) => FaultKind::NotAMove(word),
            (false, None) if text == "--" => FaultKind::NullMove,
            (false, None) => match frame.position.parse_san(&text) {
                Ok(mv) => {
                    frame.before = frame.position;
                    frame.position.make(mv);
                    frame.line.plies.push(Ply::new(mv));
                    return ControlFlow::Continue(());
                }
                Err(SanError::Ambiguous) => FaultKind::Ambiguous(text),
                Err(SanError::Illegal) => FaultKind::Illegal(text),
                Err(SanError::Malformed) => FaultKind::NotAMove(text),
            },
        };
        frame.is_over = true;
        self.fault(line, kind);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, movetext: &mut Movetext, nag: Nag) -> Flow {
        if let Some(frame) = movetext.frames.last_mut().filter(|frame| !frame.is_over)
            && let Some(ply) = frame.line.plies.last_mut()
        {
            ply.nags.push(nag.0);
        }
        ControlFlow::Continue(())
    }

    fn comment(&mut self, movetext: &mut Movetext, comment: RawComment<'_>) -> Flow {
        let text = decode(comment.as_bytes());
        let text = text.trim();
        if let Some(frame) = movetext.frames.last_mut().filter(|frame| !frame.is_over)
            && !text.is_empty()
        {
            let comments = match frame.line.plies.last_mut() {
                Some(ply) => &mut ply.comments,
                None => &mut frame.line.comments,
            };
            comments.push(text.to_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, movetext: &mut Movetext) -> Flow<Skip> {
        let line = self.line_now(movetext);
        let depth = movetext.frames.len();
        let Some(frame) = movetext.frames.last() else {
            return ControlFlow::Continue(Skip(false));
        };
        let (before, mut is_over) = (frame.before, frame.is_over);
        if !is_over && frame.line.plies.is_empty() {
            self.fault(line, FaultKind::EarlyVariation);
            is_over = true;
        } else if !is_over && depth > MAX_DEPTH {
            self.fault(line, FaultKind::DeepVariation);
            is_over = true;
        }
        movetext.frames.push(Frame::new(before, is_over));
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, movetext: &mut Movetext) -> Flow {
        close(&mut movetext.frames);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, movetext: &mut Movetext, outcome: Outcome) -> Flow {
        if movetext.frames.len() > 1 {
            return ControlFlow::Continue(());
        }
        if movetext.outcome.is_some() {
            self.fault(self.line_now(movetext), FaultKind::SecondResult);
            return ControlFlow::Continue(());
        }
        movetext.outcome = Some(match outcome {
            Outcome::Known(KnownOutcome::Decisive { winner: SanColor::White }) => GameResult::White,
            Outcome::Known(KnownOutcome::Decisive { winner: SanColor::Black }) => GameResult::Black,
            Outcome::Known(KnownOutcome::Draw) => GameResult::Draw,
            Outcome::Unknown => GameResult::Unknown,
        });
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut movetext: Movetext) -> Option<GameTree> {
        while movetext.frames.len() > 1 {
            close(&mut movetext.frames);
        }
        let result = movetext.outcome;
        // A game that breaks off in the middle has no result on paper that could be checked.
        if !movetext.frames[0].is_over || result.is_some() {
            self.check_result(&movetext, result);
        }
        let tagged = match movetext.tree.tag("Result") {
            Some("1-0") => GameResult::White,
            Some("0-1") => GameResult::Black,
            Some("1/2-1/2") => GameResult::Draw,
            _ => GameResult::Unknown,
        };
        let mut tree = movetext.tree;
        tree.result = result.unwrap_or(tagged);
        tree.main = movetext.frames.swap_remove(0).line;
        Some(tree)
    }
}

/// Ends the innermost variation and hangs it on the move that it replaces.
fn close(frames: &mut Vec<Frame>) {
    if frames.len() < 2 {
        return;
    }
    if let Some(frame) = frames.pop()
        && !frame.line.plies.is_empty()
        && let Some(ply) = frames.last_mut().and_then(|parent| parent.line.plies.last_mut())
    {
        ply.variations.push(frame.line);
    }
}
