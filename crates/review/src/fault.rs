//! What can be wrong with a PGN game.

use std::fmt;

/// Something wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line of the file, from 1.
    pub line: u64,
    /// What is wrong with the text.
    pub kind: FaultKind,
}

/// What is wrong. Texts are as they stand in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A tag does not have the form `[Name "value"]`.
    MalformedTag(String),
    /// There are more tags than this.
    ManyTags(usize),
    /// A tag that was there before.
    RepeatedTag(String),
    /// The tag `FEN` holds no legal position, for this reason.
    BadStart(String),
    /// The tag `FEN` has castling rights that its position does not allow.
    StaleCastling,
    /// The tag `Variant` names another game.
    OtherVariant(String),
    /// A comment is never closed.
    OpenComment,
    /// A brace closes nothing.
    StrayBrace,
    /// A variation is never closed.
    OpenVariation,
    /// A parenthesis closes nothing.
    StrayParenthesis,
    /// A variation comes before the first move.
    EarlyVariation,
    /// Variations within variations within variations.
    DeepVariation,
    /// A `$` without a number up to 255.
    BadNag(String),
    /// A word that looks like a move and is none.
    NotAMove(String),
    /// A move that is not legal.
    Illegal(String),
    /// A move that fits several legal ones.
    Ambiguous(String),
    /// A null move, which chess does not know.
    NullMove,
    /// A word that means nothing.
    UnknownWord(String),
    /// A blank line within the moves.
    BlankLine,
    /// There are neither moves nor a result.
    NoMoves,
    /// The game does not end with a result.
    NoResult,
    /// There is more than one result.
    SecondResult,
    /// There are moves after the result.
    MovesAfterResult,
    /// The result is not the one of the tag, which is this.
    ResultTag(String),
    /// The board says otherwise: this is the result there.
    ResultBoard(&'static str),
    /// The game has more text than any real one.
    TooLong,
    /// So many faults more.
    More(usize),
}

/// What a fault costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Nothing but the faulty piece itself.
    Piece,
    /// The rest of the line or variation.
    Rest,
    /// The whole game is left out.
    Game,
}

impl FaultKind {
    /// How much of the game is lost by it.
    #[must_use]
    pub fn cost(&self) -> Cost {
        match self {
            Self::BadStart(_) | Self::OtherVariant(_) => Cost::Game,
            Self::OpenComment
            | Self::NotAMove(_)
            | Self::Illegal(_)
            | Self::Ambiguous(_)
            | Self::NullMove
            | Self::MovesAfterResult
            | Self::TooLong => Cost::Rest,
            _ => Cost::Piece,
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MalformedTag(text) => write!(f, "{text} is not of the form [Name \"value\"]"),
            Self::ManyTags(limit) => write!(f, "more than {limit} tags; the rest is left out"),
            Self::StaleCastling => {
                write!(f, "the FEN has castling rights that its position does not allow")
            }
            Self::RepeatedTag(name) => write!(f, "the tag {name} was there before"),
            Self::BadStart(reason) => write!(f, "the FEN is no legal position: {reason}"),
            Self::OtherVariant(name) => write!(f, "the variant {name} is not chess"),
            Self::OpenComment => write!(f, "a comment begins here and never ends"),
            Self::StrayBrace => write!(f, "}} without a comment before it"),
            Self::OpenVariation => write!(f, "a variation begins here and never ends"),
            Self::StrayParenthesis => write!(f, ") without a variation before it"),
            Self::EarlyVariation => write!(f, "a variation before the first move"),
            Self::DeepVariation => write!(f, "variations are nested too deeply"),
            Self::BadNag(text) => write!(f, "{text} is not a glyph between $0 and $255"),
            Self::NotAMove(text) => write!(f, "{text} is not a move"),
            Self::Illegal(text) => write!(f, "{text} is not legal here"),
            Self::Ambiguous(text) => write!(f, "{text} fits more than one legal move"),
            Self::NullMove => write!(f, "a null move is not legal chess"),
            Self::UnknownWord(text) => write!(f, "{text} is neither a move nor a comment"),
            Self::BlankLine => write!(f, "a blank line within the moves"),
            Self::NoMoves => write!(f, "no moves"),
            Self::NoResult => write!(f, "no result at the end"),
            Self::SecondResult => write!(f, "a second result"),
            Self::MovesAfterResult => write!(f, "moves after the result"),
            Self::ResultTag(tag) => write!(f, "the result differs from the tag, {tag}"),
            Self::ResultBoard(result) => write!(f, "the last position is {result}"),
            Self::TooLong => write!(f, "the game has too much text"),
            Self::More(count) => write!(f, "and {count} faults more"),
        }?;
        match self.cost() {
            Cost::Piece => Ok(()),
            Cost::Rest => f.write_str("; what follows is left out"),
            Cost::Game => f.write_str("; the game is left out"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

/// Of one game no more faults than this are reported.
const MAX_FAULTS: usize = 20;

/// The first faults of a game, and how many more there are: hostile text cannot make it grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultList {
    list: Vec<Fault>,
    more: usize,
}

impl FaultList {
    /// Takes a fault in.
    pub fn push(&mut self, line: u64, kind: FaultKind) {
        if self.list.len() < MAX_FAULTS {
            self.list.push(Fault { line, kind });
        } else {
            self.more += 1;
        }
    }

    /// Takes in all faults of another list.
    pub fn extend(&mut self, other: Self) {
        for fault in other.list {
            self.push(fault.line, fault.kind);
        }
        self.more += other.more;
    }

    /// The kind of the last fault that was kept.
    #[must_use]
    pub fn last(&self) -> Option<&FaultKind> {
        self.list.last().map(|fault| &fault.kind)
    }

    /// Drops the faults of a kind.
    pub fn forget(&mut self, kind: &FaultKind) {
        self.list.retain(|fault| fault.kind != *kind);
    }

    /// The faults in the order of lines; if there are too many, the last says how many are missing.
    #[must_use]
    pub fn into_sorted(mut self, last_line: u64) -> Vec<Fault> {
        self.list.sort_by_key(|fault| fault.line);
        if self.more > 0 {
            self.list.push(Fault { line: last_line, kind: FaultKind::More(self.more) });
        }
        self.list
    }
}

/// The longest piece of a file's text that a message repeats.
const EXCERPT: usize = 30;

/// Text from a file for a message: short, on one line, printable.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut short = String::from('"');
    let mut letters = text.chars();
    for letter in letters.by_ref().take(EXCERPT) {
        if letter.is_control() {
            short.extend(letter.escape_default());
        } else {
            short.push(letter);
        }
    }
    short.push_str(if letters.next().is_some() { "...\"" } else { "\"" });
    short
}
