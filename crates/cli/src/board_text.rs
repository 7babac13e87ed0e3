//! Boards as text.

use chess::{Board, Color, File, Move, Piece, PieceType, Position, Rank, Square};

const RESET: &str = "\x1b[0m";
const LIGHT: &str = "\x1b[48;5;180m";
const DARK: &str = "\x1b[48;5;137m";
const LAST: &str = "\x1b[48;5;143m";
const WHITE_MAN: &str = "\x1b[1;38;5;231m";
const BLACK_MAN: &str = "\x1b[1;38;5;16m";

/// Whether a picture is drawn in colour: only for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Letters and lines of ASCII.
    Plain,
    /// Coloured squares, for a terminal.
    Coloured,
}

/// The board with its pieces, White below.
#[must_use]
pub fn board(board: &Board, paint: Paint) -> String {
    match paint {
        Paint::Plain => plain(board),
        Paint::Coloured => coloured(board),
    }
}

fn plain(board: &Board) -> String {
    let rule = format!("  {}+\n", "+---".repeat(8));
    let mut text = rule.clone();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.digit());
        for file in File::ALL {
            text.push_str(" | ");
            text.push(letter(board, Square::new(file, rank)));
        }
        text.push_str(" |\n");
        text.push_str(&rule);
    }
    text.push_str("    a   b   c   d   e   f   g   h\n");
    // The gap after the rank's digit belongs to the first bar.
    text
}

fn coloured(board: &Board) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.digit());
        text.push(' ');
        for file in File::ALL {
            let square = Square::new(file, rank);
            let is_dark = (file as usize + rank as usize).is_multiple_of(2);
            let piece = board.piece_at(square);
            let is_black = piece.is_some_and(|piece| piece.color() == Color::Black);
            text.push_str(if is_dark { DARK } else { LIGHT });
            text.push_str(if is_black { BLACK_MAN } else { WHITE_MAN });
            text.extend([' ', letter(board, square), ' ']);
            text.push_str(RESET);
        }
        text.push('\n');
    }
    text.push_str("   a  b  c  d  e  f  g  h\n");
    text
}

fn letter(board: &Board, square: Square) -> char {
    board.piece_at(square).map_or(' ', Piece::letter)
}

/// The board with figurines, seen from this side; the squares of the last move are marked.
#[must_use]
pub fn figurines(board: &Board, view: Color, last: Option<Move>, paint: Paint) -> String {
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    if view == Color::White {
        ranks.reverse();
    } else {
        files.reverse();
    }
    let mut text = String::new();
    for rank in ranks {
        text.push_str(&format!("  {} ", rank.digit()));
        for file in files {
            let square = Square::new(file, rank);
            let is_last = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
            let piece = board.piece_at(square);
            let is_dark = (file as usize + rank as usize).is_multiple_of(2);
            match paint {
                Paint::Plain => {
                    let empty = if is_dark { '\u{b7}' } else { ' ' };
                    let (left, right) = if is_last { ('(', ')') } else { (' ', ' ') };
                    text.extend([left, piece.map_or(empty, figurine), right]);
                }
                Paint::Coloured => {
                    let is_black = piece.is_some_and(|piece| piece.color() == Color::Black);
                    let ground = if is_dark { DARK } else { LIGHT };
                    text.push_str(if is_last { LAST } else { ground });
                    text.push_str(if is_black { BLACK_MAN } else { WHITE_MAN });
                    // The full figures are drawn best; the colour tells whose they are.
                    let figure =
                        piece.map_or(' ', |piece| figurine(Piece::new(Color::Black, piece.kind())));
                    text.extend([' ', figure, ' ']);
                    text.push_str(RESET);
                }
            }
        }
        text.push('\n');
    }
    text.push_str("    ");
    files.iter().for_each(|file| text.extend([' ', file.letter(), ' ']));
    text.push('\n');
    text
}

fn figurine(piece: Piece) -> char {
    let white = match piece.kind() {
        PieceType::King => '\u{2654}',
        PieceType::Queen => '\u{2655}',
        PieceType::Rook => '\u{2656}',
        PieceType::Bishop => '\u{2657}',
        PieceType::Knight => '\u{2658}',
        PieceType::Pawn => '\u{2659}',
    };
    // Black's figures follow six places behind.
    let offset = if piece.color() == Color::White { 0 } else { 6 };
    char::from_u32(white as u32 + offset).unwrap_or(white)
}

/// The board with a number below each piece, in hundredths.
#[must_use]
pub fn contributions(position: &Position, value: impl Fn(Square) -> Option<i32>) -> String {
    let rule = format!("{}+\n", "+-------".repeat(8));
    let mut text = rule.clone();
    for rank in Rank::ALL.into_iter().rev() {
        let mut numbers = String::new();
        for file in File::ALL {
            let square = Square::new(file, rank);
            text.push_str(&format!("|   {}   ", letter(position.board(), square)));
            numbers.push_str(&format!("|{:^7}", value(square).map_or(String::new(), pawns)));
        }
        text.push_str(&format!("|\n{numbers}|\n{rule}"));
    }
    text
}

/// Centipawns in pawns, with sign.
#[must_use]
pub fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_looks_like_a_board() {
        let text = board(Position::startpos().board(), Paint::Plain);
        assert!(text.contains("8 | r | n | b | q | k | b | n | r |\n"), "{text}");
        assert!(text.contains("4 |   |   |   |   |   |   |   |   |\n"), "{text}");
        assert_eq!(text.lines().count(), 18);
        assert!(!text.contains('\x1b'));
    }

    #[test]
    fn colours_end_where_the_board_ends() {
        let text = board(Position::startpos().board(), Paint::Coloured);
        assert_eq!(text.matches(RESET).count(), 64);
        assert_eq!(text.lines().count(), 9);
    }

    #[test]
    fn figurines_turn_with_the_view_and_mark_the_last_move() {
        let mut position = Position::startpos();
        let mv = position.parse_san("e4").unwrap();
        position.make(mv);
        let white = figurines(position.board(), Color::White, Some(mv), Paint::Plain);
        assert_eq!(
            white.lines().next(),
            Some(
                "  8  \u{265c}  \u{265e}  \u{265d}  \u{265b}  \u{265a}  \u{265d}  \u{265e}  \u{265c} "
            )
        );
        assert!(white.contains("(\u{2659})"), "{white}");
        let black = figurines(position.board(), Color::Black, Some(mv), Paint::Plain);
        assert!(black.starts_with("  1  \u{2656}"), "{black}");
        assert!(black.ends_with(" h  g  f  e  d  c  b  a \n"), "{black}");
        let coloured = figurines(position.board(), Color::White, None, Paint::Coloured);
        assert_eq!(coloured.matches(RESET).count(), 64);
    }

    #[test]
    fn numbers_stand_below_their_men() {
        let text =
            contributions(&Position::startpos(), |square| (square == Square::A1).then_some(-512));
        assert!(text.contains("| -5.12 |"), "{text}");
    }
}
