//! What is known about the barest endings. Games end by agreement long before them, so a network
//! that learned from games has hardly seen any.

use chess::{Bitboard, Board, Color, File, PieceType, Position, Rank, Square};

/// Added when the enemy has a bare king and we can mate it.
const BARE_KING_WIN: i32 = 400;
/// For each step that a bare king is away from the centre.
const EDGE_STEP: i32 = 20;
/// For each step that a bare king is nearer to a corner in which bishop and knight can mate.
const CORNER_STEP: i32 = 40;
/// For each step that the winning king is nearer to the bare one.
const KING_STEP: i32 = 12;

/// Corrects a score for the side to move where one side cannot win, or can only win by mating a
/// bare king.
#[inline]
pub(crate) fn correct(position: &Position, score: i32) -> i32 {
    let board = position.board();
    let us = position.side_to_move();
    let hopeful = if score > 0 { us } else { !us };
    if !board.pieces(hopeful, PieceType::Pawn).any() && is_too_little(board, hopeful) {
        return 0;
    }
    if !is_bare(board, us) && !is_bare(board, !us) {
        return score;
    }
    if is_wrong_corner(board, hopeful) {
        return 0;
    }
    score + mop_up(board, us) - mop_up(board, !us)
}

fn is_bare(board: &Board, color: Color) -> bool {
    !board.color(color).many()
}

/// Without pawns: at most one minor piece, or two knights, which mate nobody who defends.
fn is_too_little(board: &Board, color: Color) -> bool {
    let heavy = board.pieces(color, PieceType::Rook) | board.pieces(color, PieceType::Queen);
    let bishops = board.pieces(color, PieceType::Bishop);
    let minors = bishops | board.pieces(color, PieceType::Knight);
    heavy.is_empty() && (!minors.many() || (bishops.is_empty() && minors.count() == 2))
}

/// Pawns on one edge file and bishops that do not control its last square, against a bare king
/// that holds that square.
fn is_wrong_corner(board: &Board, color: Color) -> bool {
    let pawns = board.pieces(color, PieceType::Pawn);
    let file = match pawns {
        set if set.is_empty() => return false,
        set if set.minus(Bitboard::file(File::A)).is_empty() => File::A,
        set if set.minus(Bitboard::file(File::H)).is_empty() => File::H,
        _ => return false,
    };
    let bishops = board.pieces(color, PieceType::Bishop);
    let others = board.color(color).minus(pawns | bishops);
    let corner = Square::new(file, Rank::R8.relative_to(color));
    is_bare(board, !color)
        && !others.many()
        && !bishops.meets(squares_like(corner))
        && board.king(!color).distance(corner) <= 1
}

/// All squares of the colour of this one.
fn squares_like(square: Square) -> Bitboard {
    if Bitboard::LIGHT.has(square) { Bitboard::LIGHT } else { !Bitboard::LIGHT }
}

/// Helps a side that has mating material against a bare king to make progress.
fn mop_up(board: &Board, color: Color) -> i32 {
    if !is_bare(board, !color) || !can_mate(board, color) {
        return 0;
    }
    let king = board.king(!color);
    let near = 7 - board.king(color).distance(king) as i32;
    let corner = match bishop_and_knight(board, color) {
        Some(bishop) => CORNER_STEP * towards_corner(king, bishop),
        None => EDGE_STEP * (off_center(king.file().index()) + off_center(king.rank().index())),
    };
    BARE_KING_WIN + corner + KING_STEP * near
}

fn can_mate(board: &Board, color: Color) -> bool {
    let own = |kind| board.pieces(color, kind);
    let bishops = own(PieceType::Bishop);
    let knights = own(PieceType::Knight);
    let pair = bishops.meets(Bitboard::LIGHT) && bishops.minus(Bitboard::LIGHT).any();
    (own(PieceType::Rook) | own(PieceType::Queen)).any()
        || pair
        || (bishops.any() && knights.any())
        || knights.count() > 2
}

/// The bishop, if this side has exactly bishop and knight.
fn bishop_and_knight(board: &Board, color: Color) -> Option<Square> {
    let bishops = board.pieces(color, PieceType::Bishop);
    let knights = board.pieces(color, PieceType::Knight);
    let exact = board.color(color).count() == 3 && !bishops.many() && knights.any();
    if exact { bishops.first() } else { None }
}

/// 0 on the two centre lines to 3 at the edge.
fn off_center(line: usize) -> i32 {
    if line < 4 { 3 - line as i32 } else { line as i32 - 4 }
}

/// 0 on the long diagonal of the other colour to 7 in the corners of the bishop's colour.
fn towards_corner(king: Square, bishop: Square) -> i32 {
    let king = if Bitboard::LIGHT.has(bishop) { king.flip_file() } else { king };
    (7 - king.file().index() as i32 - king.rank().index() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrected(fen: &str, score: i32) -> i32 {
        correct(&Position::from_fen(fen).expect("the test's position is legal"), score)
    }

    #[test]
    fn material_that_cannot_win_is_worth_nothing() {
        for fen in [
            "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
            "8/8/4k3/4p3/8/8/4K3/4B3 w - - 0 1",
        ] {
            assert_eq!(corrected(fen, 300), 0, "{fen}");
        }
        // The pawn can win, and so can three knights.
        assert_eq!(corrected("8/8/4k3/4p3/8/8/4K3/4B3 w - - 0 1", -90), -90);
        assert!(corrected("8/8/4k3/8/8/3KNN2/5N2/8 w - - 0 1", 300) > 300);
    }

    #[test]
    fn wrong_bishop_with_an_edge_pawn_is_drawn() {
        // a8 is light: the bishop on c1 never controls it, the one on e2 does.
        assert_eq!(corrected("k7/8/8/P7/8/8/3K4/2B5 w - - 0 1", 500), 0);
        assert_eq!(corrected("k7/8/8/P7/8/8/3KB3/8 w - - 0 1", 500), 500);
        // A king that is too far away does not hold the corner.
        assert_eq!(corrected("8/8/8/P7/6k1/8/3K4/2B5 w - - 0 1", 500), 500);
    }

    #[test]
    fn bare_kings_are_driven_to_where_they_are_mated() {
        for piece in ["R", "Q"] {
            let middle = corrected(&format!("8/8/8/3k4/8/3K4/7{piece}/8 w - - 0 1"), 500);
            let edge = corrected(&format!("3k4/8/3K4/8/8/8/7{piece}/8 w - - 0 1"), 500);
            assert!(edge > middle && middle > 500, "{piece}");
        }
        // The dark-squared bishop mates in a1 or h8, not in a8.
        let right = corrected("7k/8/5K2/8/8/8/8/2B4N w - - 0 1", 500);
        let wrong = corrected("k7/8/2K5/8/8/8/8/2B4N w - - 0 1", 500);
        assert!(right > wrong + 100, "{right} against {wrong}");
    }

    #[test]
    fn both_sides_and_colours_are_treated_alike() {
        for fen in [
            "7k/8/5K2/8/8/8/8/2B4N w - - 0 1",
            "k7/8/8/P7/8/8/3K4/2B5 w - - 0 1",
            "8/8/8/3k4/8/3K4/7R/8 w - - 0 1",
            "8/8/4k3/8/8/3KNN2/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect("legal");
            for score in [-300, 0, 300] {
                let expected = correct(&position, score);
                assert_eq!(correct(&position.color_flipped(), score), expected, "{fen}");
            }
        }
    }

    #[test]
    fn positions_with_something_on_both_sides_keep_their_score() {
        for fen in [Position::startpos().to_fen(), "3k4/8/8/8/8/8/r3R3/4K3 w - - 0 1".into()] {
            assert_eq!(corrected(&fen, 57), 57);
        }
    }
}
