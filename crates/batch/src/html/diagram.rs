//! Boards drawn as SVG, with pieces of our own.

use std::fmt::Write;

use chess::{Color, Move, PieceType, Position, Square};

/// The shapes of the pieces, once for the whole page.
pub(super) const PIECES: &str = include_str!("pieces.svg");

/// A square is so many units wide.
const UNIT: i32 = 100;

/// The definitions that all diagrams use: pieces, and the board from either side.
pub(super) fn definitions() -> String {
    let mut text = String::from("<svg width=\"0\" height=\"0\" aria-hidden=\"true\">\n");
    text.push_str(PIECES);
    for bottom in [Color::White, Color::Black] {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "<defs><g id=\"{}\"><path fill=\"#eeddc0\" d=\"M0 0h800v800H0z\"/><path \
             fill=\"#b28a63\" d=\"",
            board_name(bottom)
        );
        for square in Square::all().filter(|square| is_dark(*square)) {
            let (x, y) = corner(square, bottom);
            let _ = write!(text, "M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z");
        }
        text.push_str("\"/><g font-size=\"22\" fill=\"#6b4d2f\">");
        for index in 0..8_u8 {
            let (file, rank) = match bottom {
                Color::White => (b'a' + index, b'8' - index),
                Color::Black => (b'h' - index, b'1' + index),
            };
            let at = i32::from(index) * UNIT;
            let _ = write!(
                text,
                "<text x=\"{}\" y=\"794\">{}</text><text x=\"4\" y=\"{}\">{}</text>",
                at + 84,
                char::from(file),
                at + 22,
                char::from(rank)
            );
        }
        text.push_str("</g></g></defs>\n");
    }
    text.push_str("</svg>\n");
    text
}

fn board_name(bottom: Color) -> &'static str {
    match bottom {
        Color::White => "board-w",
        Color::Black => "board-b",
    }
}

fn is_dark(square: Square) -> bool {
    (square.file() as usize + square.rank() as usize).is_multiple_of(2)
}

/// The upper left corner of a square.
fn corner(square: Square, bottom: Color) -> (i32, i32) {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    match bottom {
        Color::White => (file * UNIT, (7 - rank) * UNIT),
        Color::Black => ((7 - file) * UNIT, rank * UNIT),
    }
}

/// A position, seen from the side to move, with arrows for the move that was played and the best one.
pub(super) fn diagram(position: &Position, played: Move, best: Option<Move>) -> String {
    let bottom = position.side_to_move();
    let mut text = format!(
        "<svg class=\"board\" viewBox=\"0 0 800 800\" role=\"img\"><title>{}</title>\
         <use href=\"#{}\"/>",
        position.to_fen(),
        board_name(bottom)
    );
    for color in [Color::White, Color::Black] {
        let class = if color == Color::White { 'w' } else { 'b' };
        let _ = write!(text, "<g class=\"{class}\">");
        for kind in PieceType::ALL {
            for square in position.board().kind(kind) & position.board().color(color) {
                let (x, y) = corner(square, bottom);
                let _ = write!(text, "<use href=\"#{}\" x=\"{x}\" y=\"{y}\"/>", letter(kind));
            }
        }
        text.push_str("</g>");
    }
    if let Some(best) = best.filter(|best| *best != played) {
        text.push_str(&arrow(best, bottom, "best"));
    }
    text.push_str(&arrow(played, bottom, "blunder"));
    text.push_str("</svg>\n");
    text
}

fn letter(kind: PieceType) -> char {
    match kind {
        PieceType::Pawn => 'P',
        PieceType::Knight => 'N',
        PieceType::Bishop => 'B',
        PieceType::Rook => 'R',
        PieceType::Queen => 'Q',
        PieceType::King => 'K',
    }
}

/// An arrow from the middle of one square to that of another.
fn arrow(mv: Move, bottom: Color, color: &str) -> String {
    let middle = |square| {
        let (x, y) = corner(square, bottom);
        (f64::from(x + UNIT / 2), f64::from(y + UNIT / 2))
    };
    let (from, to) = (middle(mv.from()), middle(mv.to()));
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    let (dx, dy) = (dx / length, dy / length);
    // Along and across the arrow.
    let point = |along: f64, across: f64| {
        format!("{:.0} {:.0}", from.0 + along * dx - across * dy, from.1 + along * dy + across * dx)
    };
    let neck = length - 42.0;
    let corners = [
        point(18.0, 9.0),
        point(neck, 9.0),
        point(neck, 28.0),
        point(length, 0.0),
        point(neck, -28.0),
        point(neck, -9.0),
        point(18.0, -9.0),
    ];
    format!("<path d=\"M{}z\" fill=\"var(--{color})\" opacity=\".8\"/>", corners.join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_stands_on_its_square_as_the_mover_sees_it() {
        let mut position = Position::startpos();
        let e4 = position.parse_uci("e2e4").unwrap();
        let text = diagram(&position, e4, position.parse_uci("d2d4").ok());
        assert_eq!(text.matches("<use href=\"#P\"").count(), 16, "{text}");
        assert!(text.contains("<g class=\"w\"><use href=\"#P\" x=\"0\" y=\"600\"/>"), "{text}");
        assert_eq!((text.matches("--best").count(), text.matches("--blunder").count()), (1, 1));
        position.make(e4);
        let e5 = position.parse_uci("e7e5").unwrap();
        let text = diagram(&position, e5, Some(e5));
        assert!(text.contains("<use href=\"#K\" x=\"300\" y=\"700\"/></g>"), "{text}");
        assert!(!text.contains("--best"), "{text}");
        assert!(definitions().contains("id=\"board-b\"") && is_dark(Square::A1));
    }
}
