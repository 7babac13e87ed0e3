//! Moves in standard algebraic notation.

use std::fmt;

use crate::{Bitboard, File, Move, PieceType, Position, Rank, Square};

/// Why a text is not a legal move in algebraic notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SanError {
    /// It does not have the form of a move.
    Malformed,
    /// No legal move fits.
    Illegal,
    /// More than one legal move fits.
    Ambiguous,
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "not a move in algebraic notation",
            Self::Illegal => "not legal here",
            Self::Ambiguous => "fits more than one legal move",
        })
    }
}

impl std::error::Error for SanError {}

/// What a text says about a move.
struct Pattern {
    kind: PieceType,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    captures: bool,
    promotion: Option<PieceType>,
}

impl Pattern {
    /// Whether it says nothing of where the move comes from or what it takes: of a pawn, only the
    /// square ahead can be meant.
    fn is_push(&self) -> bool {
        self.file.is_none() && !self.captures
    }
}

impl Position {
    /// Writes a legal move in algebraic notation, with check and mate signs.
    #[must_use]
    pub fn to_san(&self, mv: Move) -> String {
        let mut text = if mv.is_castle() {
            String::from(if mv.to() > mv.from() { "O-O" } else { "O-O-O" })
        } else {
            self.san_body(mv)
        };
        let mut next = *self;
        next.make(mv);
        if next.is_check() {
            text.push(if next.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn san_body(&self, mv: Move) -> String {
        let kind = self.moved(mv).kind();
        let mut text = String::with_capacity(8);
        if kind == PieceType::Pawn {
            if mv.is_capture() {
                text.push(mv.from().file().letter());
            }
        } else {
            text.push(kind.letter().to_ascii_uppercase());
            text.push_str(&self.disambiguation(mv, kind));
        }
        if mv.is_capture() {
            text.push('x');
        }
        text.push_str(&mv.to().to_string());
        if let Some(kind) = mv.promotion() {
            text.push('=');
            text.push(kind.letter().to_ascii_uppercase());
        }
        text
    }

    /// As little of the origin as tells the move from others of the same kind of piece.
    fn disambiguation(&self, mv: Move, kind: PieceType) -> String {
        let rivals: Bitboard = self
            .legal_moves()
            .iter()
            .filter(|other| other.to() == mv.to())
            .map(|other| other.from())
            .filter(|&from| from != mv.from() && self.board.pieces(self.side, kind).has(from))
            .collect();
        let (file, rank) = (mv.from().file(), mv.from().rank());
        if rivals.is_empty() {
            String::new()
        } else if !rivals.meets(Bitboard::file(file)) {
            file.letter().to_string()
        } else if !rivals.meets(Bitboard::rank(rank)) {
            rank.digit().to_string()
        } else {
            mv.from().to_string()
        }
    }

    /// Reads a legal move in algebraic notation. Check and mate signs, annotation marks and the
    /// `=` of promotions may be there or not; castling may be written with zeros.
    ///
    /// # Errors
    /// Whether the text has the wrong form, or none or several legal moves fit.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let moves = self.legal_moves();
        let castle_east = match text {
            "O-O" | "0-0" => Some(true),
            "O-O-O" | "0-0-0" => Some(false),
            _ => None,
        };
        if let Some(east) = castle_east {
            let fits = |mv: &&Move| mv.is_castle() && (mv.to() > mv.from()) == east;
            return moves.iter().find(fits).copied().ok_or(SanError::Illegal);
        }
        let pattern = parse_pattern(text).ok_or(SanError::Malformed)?;
        let mut fitting = moves.iter().copied().filter(|&mv| self.fits(mv, &pattern));
        let found = fitting.next().ok_or(SanError::Illegal)?;
        if fitting.next().is_some() { Err(SanError::Ambiguous) } else { Ok(found) }
    }

    fn fits(&self, mv: Move, pattern: &Pattern) -> bool {
        !mv.is_castle()
            && mv.to() == pattern.to
            && mv.promotion() == pattern.promotion
            && self.moved(mv).kind() == pattern.kind
            && (pattern.kind != PieceType::Pawn || !pattern.is_push() || !mv.is_capture())
            && pattern.file.is_none_or(|file| mv.from().file() == file)
            && pattern.rank.is_none_or(|rank| mv.from().rank() == rank)
    }
}

fn parse_pattern(text: &str) -> Option<Pattern> {
    let mut letters: Vec<char> = text.chars().collect();
    if letters.len() > 8 {
        return None;
    }
    let kind = match *letters.first()? {
        letter @ ('N' | 'B' | 'R' | 'Q' | 'K') => {
            letters.remove(0);
            PieceType::from_letter(letter)?
        }
        _ => PieceType::Pawn,
    };
    let mut promotion = None;
    if let Some(&letter @ ('N' | 'B' | 'R' | 'Q')) = letters.last() {
        promotion = PieceType::from_letter(letter);
        letters.pop();
        if letters.last() == Some(&'=') {
            letters.pop();
        }
    }
    let rank = Rank::from_digit(letters.pop()?)?;
    let to = Square::new(File::from_letter(letters.pop()?)?, rank);
    let captures = letters.last() == Some(&'x');
    if captures {
        letters.pop();
    }
    let mut pattern = Pattern { kind, file: None, rank: None, to, captures, promotion };
    if let Some(digit) = letters.last().copied().and_then(Rank::from_digit) {
        pattern.rank = Some(digit);
        letters.pop();
    }
    if let Some(file) = letters.last().copied().and_then(File::from_letter) {
        pattern.file = Some(file);
        letters.pop();
    }
    letters.is_empty().then_some(pattern)
}
