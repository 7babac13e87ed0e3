//! How much is left on the board, in the coarse count that people use.

use chess::{PieceType, Position};

/// Material of both sides together: 1 for a pawn, 3 for a knight or bishop, 5 for a rook, 9 for a
/// queen. 78 at the start of a game.
#[must_use]
pub fn material(position: &Position) -> u32 {
    const VALUES: [(PieceType, u32); 5] = [
        (PieceType::Pawn, 1),
        (PieceType::Knight, 3),
        (PieceType::Bishop, 3),
        (PieceType::Rook, 5),
        (PieceType::Queen, 9),
    ];
    VALUES.iter().map(|&(kind, value)| value * position.board().kind(kind).count()).sum()
}

#[test]
fn the_start_has_seventy_eight() {
    assert_eq!(material(&Position::startpos()), 78);
}
