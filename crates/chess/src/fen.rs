//! Positions as text: FEN with standard, X-FEN and Shredder-FEN castling fields.

use std::fmt;

use crate::{
    Bitboard, Board, Color, File, Piece, PieceType, Position, PositionError, Rank, Setup, Square,
};

/// Why a text is not the FEN of a legal position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// There is no placement field.
    Empty,
    /// The placement does not have eight ranks.
    Ranks(usize),
    /// This rank does not have eight squares.
    RankLength(Rank),
    /// A character of the placement is neither piece nor digit.
    Piece(char),
    /// The side to move is neither `w` nor `b`.
    Side(String),
    /// The castling field is malformed.
    Castling(String),
    /// The en-passant field is neither `-` nor a square of the third or sixth rank.
    EnPassant(String),
    /// A move counter is not a number.
    Counter(String),
    /// The text is well formed, but the position is not legal.
    Position(PositionError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the FEN is empty"),
            Self::Ranks(1) => f.write_str("the placement has 1 rank instead of 8"),
            Self::Ranks(count) => write!(f, "the placement has {count} ranks instead of 8"),
            Self::RankLength(rank) => {
                write!(f, "rank {} does not have 8 squares", rank.digit())
            }
            Self::Piece(letter) => write!(f, "{letter:?} is not a piece"),
            Self::Side(text) => write!(f, "side to move {text:?} is neither w nor b"),
            Self::Castling(text) => write!(f, "castling field {text:?} is malformed"),
            Self::EnPassant(text) => write!(f, "en-passant field {text:?} is malformed"),
            Self::Counter(text) => write!(f, "move counter {text:?} is not a number"),
            Self::Position(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FenError {}

impl From<PositionError> for FenError {
    fn from(error: PositionError) -> Self {
        Self::Position(error)
    }
}

impl Position {
    /// Reads a FEN. Fields after the placement may be missing (`w - - 0 1` is assumed); text
    /// after the counters, as in EPD, is ignored.
    ///
    /// # Errors
    /// What is wrong with the text, or with the position it describes.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let mut fields = fen.split_ascii_whitespace();
        let board = parse_board(fields.next().ok_or(FenError::Empty)?)?;
        let side = match fields.next() {
            None | Some("w") => Color::White,
            Some("b") => Color::Black,
            Some(other) => return Err(FenError::Side(excerpt(other))),
        };
        let castling = fields.next().map_or(Ok(Bitboard::EMPTY), |text| {
            parse_castling(text, &board).ok_or_else(|| FenError::Castling(excerpt(text)))
        })?;
        let en_passant = match fields.next() {
            None | Some("-") => None,
            Some(text) => Some(
                Square::parse(text)
                    .filter(|square| matches!(square.rank(), Rank::R3 | Rank::R6))
                    .ok_or_else(|| FenError::EnPassant(excerpt(text)))?,
            ),
        };
        // In EPD operations follow at once; they do not begin with a digit.
        let mut counter = |default| match fields.next() {
            None => Ok(default),
            Some(text) => parse_counter(text).ok_or_else(|| FenError::Counter(excerpt(text))),
        };
        let (halfmove_clock, fullmove) = match counter(0) {
            Ok(halfmove_clock) => (halfmove_clock, counter(1)?),
            Err(_) if looks_like_epd(fen) => (0, 1),
            Err(error) => return Err(error),
        };
        let setup = Setup { board, side, castling, en_passant, halfmove_clock, fullmove };
        Ok(Self::from_setup(setup)?)
    }

    /// Writes the FEN with `KQkq` where that says which rook is meant, and the rook's file (as
    /// X-FEN wants it) where it does not.
    #[must_use]
    pub fn to_fen(&self) -> String {
        self.write_fen(Self::xfen_letter)
    }

    /// Writes the FEN with the files of the castling rooks (Shredder-FEN).
    #[must_use]
    pub fn to_shredder_fen(&self) -> String {
        self.write_fen(|_, rook| rook.file().letter())
    }

    fn write_fen(&self, castling_letter: impl Fn(&Self, Square) -> char) -> String {
        let mut fen = placement(&self.board);
        fen.push_str(if self.side == Color::White { " w " } else { " b " });
        if self.castling.is_empty() {
            fen.push('-');
        }
        for color in Color::ALL {
            // The king's side first.
            let rooks = self.castling & Bitboard::rank(Rank::R1.relative_to(color));
            let mut rooks: Vec<Square> = rooks.into_iter().collect();
            rooks.reverse();
            for rook in rooks {
                let letter = castling_letter(self, rook);
                fen.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        match self.en_passant {
            Some(square) => fen.push_str(&format!(" {square}")),
            None => fen.push_str(" -"),
        }
        fen.push_str(&format!(" {} {}", self.halfmove_clock, self.fullmove));
        fen
    }

    /// `k` or `q` if the rook is the outermost on its side of the king, else its file.
    fn xfen_letter(&self, rook: Square) -> char {
        let color = if rook.rank() == Rank::R1 { Color::White } else { Color::Black };
        let king = self.board.king(color);
        if outermost_rook(&self.board, color, rook > king) != Some(rook) {
            return rook.file().letter();
        }
        if rook > king { 'k' } else { 'q' }
    }
}

fn looks_like_epd(fen: &str) -> bool {
    fen.split_ascii_whitespace().nth(4).is_some_and(|operation| {
        operation.len() >= 2 && operation.starts_with(|letter: char| letter.is_ascii_alphabetic())
    }) && fen.contains(';')
}

/// A text for an error message, kept short.
fn excerpt(text: &str) -> String {
    text.chars().take(24).collect()
}

/// Reads a counter; a number too large to hold is the largest that can be held.
fn parse_counter(text: &str) -> Option<u16> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u16::MAX))
}

fn parse_board(text: &str) -> Result<Board, FenError> {
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(FenError::Ranks(ranks));
    }
    let mut board = Board::EMPTY;
    for (rank, row) in Rank::ALL.into_iter().rev().zip(text.split('/')) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(piece) = Piece::from_letter(letter) {
                if file > 7 {
                    return Err(FenError::RankLength(rank));
                }
                board.put(piece, Square::new(File::from_index(file), rank));
                file += 1;
            } else {
                match letter {
                    '1'..='8' => file += letter as usize - '0' as usize,
                    '0' | '9' => return Err(FenError::RankLength(rank)),
                    _ => return Err(FenError::Piece(letter)),
                }
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(rank));
        }
    }
    Ok(board)
}

fn outermost_rook(board: &Board, color: Color, east: bool) -> Option<Square> {
    let home = Bitboard::rank(Rank::R1.relative_to(color));
    let king = board.king(color);
    let beside = |rook: &Square| (*rook > king) == east;
    let rooks = (board.pieces(color, PieceType::Rook) & home).into_iter().filter(beside);
    if east { rooks.max() } else { rooks.min() }
}

fn parse_castling(text: &str, board: &Board) -> Option<Bitboard> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Some(rooks);
    }
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::R1.relative_to(color);
        let corner = |file| Square::new(file, rank);
        // A right without a king or rook to go with it is kept here and refused, with its
        // reason, when the position is checked.
        let rook = match letter.to_ascii_lowercase() {
            'k' => outermost_rook(board, color, true).unwrap_or(corner(File::H)),
            'q' => outermost_rook(board, color, false).unwrap_or(corner(File::A)),
            file => corner(File::from_letter(file)?),
        };
        if rooks.has(rook) {
            return None;
        }
        rooks = rooks.with(rook);
    }
    Some(rooks)
}

/// The placement field.
fn placement(board: &Board) -> String {
    let mut text = String::with_capacity(80);
    for rank in Rank::ALL.into_iter().rev() {
        let mut gap = 0;
        for file in File::ALL {
            let Some(piece) = board.piece_at(Square::new(file, rank)) else {
                gap += 1;
                continue;
            };
            if gap > 0 {
                text.push_str(&gap.to_string());
                gap = 0;
            }
            text.push(piece.letter());
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        if rank != Rank::R1 {
            text.push('/');
        }
    }
    text
}
