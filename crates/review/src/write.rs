//! Games as PGN text, in the form that the standard asks programs to write.

use chess::{Color, Position};

use crate::tag::is_tag;
use crate::tree::{GameTree, Line};

/// Lines of moves end before this where they can.
const WIDTH: usize = 79;

/// The tags that come first, in this order, and what stands there if nothing is known.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The game as PGN, with a blank line at its end.
#[must_use]
pub fn write_pgn(game: &GameTree) -> String {
    let mut text = String::new();
    for (name, unknown) in ROSTER {
        let value =
            if name == "Result" { game.result.text() } else { game.tag(name).unwrap_or(unknown) };
        push_tag(&mut text, name, value);
    }
    let start = game.start.to_fen();
    if start != Position::startpos().to_fen() {
        push_tag(&mut text, "SetUp", "1");
        push_tag(&mut text, "FEN", &start);
    }
    let is_written = |name: &str| {
        ROSTER.iter().any(|(known, _)| *known == name) || matches!(name, "SetUp" | "FEN")
    };
    for (name, value) in game.tags.iter().filter(|(name, _)| !is_written(name)) {
        push_tag(&mut text, name, value);
    }
    text.push('\n');
    let mut moves = Wrapped::default();
    push_line(&mut moves, &game.main, game.start);
    moves.push(game.result.text());
    text.push_str(&moves.finish());
    text.push_str("\n\n");
    text
}

fn push_tag(text: &mut String, name: &str, value: &str) {
    text.push_str(&format!("[{name} \""));
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            letter if letter.is_control() => text.push(' '),
            letter => text.push(letter),
        }
    }
    text.push_str("\"]\n");
}

/// Words on lines of limited width.
#[derive(Default)]
struct Wrapped {
    text: String,
    column: usize,
    /// What stands before the next word without a blank.
    prefix: String,
}

impl Wrapped {
    fn push(&mut self, word: &str) {
        let word = std::mem::take(&mut self.prefix) + word;
        let length = word.chars().count();
        // A line that begins like a tag would be taken for the next game's, even in a comment.
        let may_begin_line = !is_tag(word.as_bytes());
        if self.column > 0 && self.column + 1 + length > WIDTH && may_begin_line {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&word);
        self.column += length;
    }

    /// Puts text before the next word.
    fn open(&mut self, text: &str) {
        self.prefix.push_str(text);
    }

    /// Puts text right after the last word.
    fn close(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.len();
    }

    fn finish(self) -> String {
        self.text
    }
}

fn push_line(text: &mut Wrapped, line: &Line, start: Position) {
    let mut position = start;
    push_comments(text, &line.comments);
    let mut needs_number = true;
    for ply in &line.plies {
        match position.side_to_move() {
            Color::White => text.push(&format!("{}.", position.fullmove())),
            Color::Black if needs_number => text.push(&format!("{}...", position.fullmove())),
            Color::Black => {}
        }
        text.push(&ply.mv.map_or_else(|| String::from("--"), |mv| position.to_san(mv)));
        for nag in &ply.nags {
            text.push(&format!("${nag}"));
        }
        push_comments(text, &ply.comments);
        for variation in &ply.variations {
            text.open("(");
            push_line(text, variation, position);
            text.close(")");
        }
        needs_number = !ply.comments.is_empty() || !ply.variations.is_empty();
        ply.play(&mut position);
    }
}

fn push_comments(text: &mut Wrapped, comments: &[String]) {
    for comment in comments {
        let comment = comment.replace('}', ")");
        let mut words = comment.split_whitespace().peekable();
        if words.peek().is_none() {
            continue;
        }
        text.open("{");
        // A command such as [%clk 0:01:00] must not be torn apart.
        let mut command = String::new();
        for word in words {
            let is_whole = !word.starts_with("[%") || word.contains(']');
            if command.is_empty() && is_whole {
                text.push(word);
                continue;
            }
            if !command.is_empty() {
                command.push(' ');
            }
            command.push_str(word);
            if word.contains(']') {
                text.push(&std::mem::take(&mut command));
            }
        }
        if !command.is_empty() {
            text.push(&command);
        }
        text.close("}");
    }
}
