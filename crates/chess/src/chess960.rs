//! Start positions: chess, and the 960 of Chess960 by their usual numbers.

use crate::{Bitboard, Board, Color, File, Piece, PieceType, Position, Rank, Setup, Square};

/// The pieces of the first rank for a Chess960 number from 0 to 959 (Scharnagl's numbering, in
/// which 518 is the start of chess).
fn back_rank(number: u16) -> [PieceType; 8] {
    let mut rank = [None; 8];
    let number = usize::from(number % 960);
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    put_on_free(&mut rank, number / 16 % 6, PieceType::Queen);
    // The two knights: ten ways to choose two of the five squares left.
    let pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = pairs[number / 96];
    put_on_free(&mut rank, second, PieceType::Knight);
    put_on_free(&mut rank, first, PieceType::Knight);
    for piece in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        put_on_free(&mut rank, 0, piece);
    }
    rank.map(|piece| piece.unwrap_or(PieceType::Pawn))
}

fn put_on_free(rank: &mut [Option<PieceType>; 8], count: usize, piece: PieceType) {
    if let Some(slot) = rank.iter_mut().filter(|slot| slot.is_none()).nth(count) {
        *slot = Some(piece);
    }
}

fn start(white: u16, black: u16) -> Position {
    let mut board = Board::EMPTY;
    let mut castling = Bitboard::EMPTY;
    for (color, number) in [(Color::White, white), (Color::Black, black)] {
        for (file, kind) in File::ALL.into_iter().zip(back_rank(number)) {
            let square = Square::new(file, Rank::R1.relative_to(color));
            board.put(Piece::new(color, kind), square);
            board.put(
                Piece::new(color, PieceType::Pawn),
                Square::new(file, Rank::R2.relative_to(color)),
            );
            if kind == PieceType::Rook {
                castling = castling.with(square);
            }
        }
    }
    let setup = Setup {
        board,
        side: Color::White,
        castling,
        en_passant: None,
        halfmove_clock: 0,
        fullmove: 1,
    };
    Position::from_setup(setup).expect("every start position is legal")
}

impl Position {
    /// The start of a game of chess.
    #[must_use]
    pub fn startpos() -> Self {
        chess960(518)
    }
}

/// The Chess960 start position with this number; numbers from 960 on wrap around.
///
/// ```
/// assert_eq!(chess::chess960(518), chess::Position::startpos());
/// ```
#[must_use]
pub fn chess960(number: u16) -> Position {
    start(number, number)
}

/// A start position of double Chess960, where the sides have different arrays.
#[must_use]
pub fn double_chess960(white: u16, black: u16) -> Position {
    start(white, black)
}
