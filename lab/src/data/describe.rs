//! Games and positions as text for people.

use std::fmt::Write as _;

use chess::Color;

use super::game::Game;
use super::packed::PackedPosition;

/// A game as text: start, result, and every move with its score in pawns.
#[must_use]
pub fn describe_game(game: &Game) -> String {
    let mut text = format!("{}  {}\n", game.start.to_fen(), game.result);
    let mut column = 0;
    let end = game.replay(|position, scored| {
        let number = match position.side_to_move() {
            Color::White => format!("{}. ", position.fullmove()),
            Color::Black if column == 0 => format!("{}... ", position.fullmove()),
            Color::Black => String::new(),
        };
        let score = f64::from(scored.white_score) / 100.0;
        let word = format!("{number}{} ({score:+.2}) ", position.to_san(scored.mv));
        column += word.len();
        text.push_str(&word);
        if column > 90 {
            text.push('\n');
            column = 0;
        }
    });
    let _ = writeln!(text, "\n{}", end.to_fen());
    text
}

/// A packed position as text: FEN with the mover as White, score and points.
#[must_use]
pub fn describe_position(packed: &PackedPosition) -> String {
    match packed.to_position() {
        Ok(position) => {
            format!("{} | {} | {:.1}", position.to_fen(), packed.score, packed.points())
        }
        Err(reason) => format!("(bad record: {reason})"),
    }
}
