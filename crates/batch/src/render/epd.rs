//! Positions as EPD lines.

use std::fmt::Write;

use review::Eval;

use super::first_move;
use crate::record::PositionRecord;

/// The operations of an EPD line. A semicolon inside a string does not end one.
fn split_operations(text: &str) -> Vec<&str> {
    let mut operations = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (index, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                operations.push(text[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    operations.push(text[start..].trim());
    operations
}

/// The line with what was found: score (for the side to move), depth, nodes, best move and line.
pub(super) fn epd(position: &PositionRecord) -> String {
    let (Some(eval), None) = (position.eval, &position.fault) else { return String::new() };
    let fields: Vec<&str> = position.fen.split(' ').take(4).collect();
    let is_black = fields.get(1) == Some(&"b");
    let sign = |value: i32| if is_black { -i64::from(value) } else { i64::from(value) };
    let mut text = fields.join(" ");
    let is_own = |opcode: &str| {
        let name = opcode.trim_end_matches(|letter: char| letter.is_ascii_digit());
        ["ce", "dm", "acd", "acn", "pm", "pv"].contains(&opcode)
            || (name != opcode && ["ce", "pv"].contains(&name))
    };
    let theirs = split_operations(&position.operations).into_iter().filter(|operation| {
        let opcode = operation.split(' ').next().unwrap_or_default();
        !operation.is_empty() && !is_own(opcode)
    });
    for operation in theirs {
        let _ = write!(text, " {operation};");
    }
    let centipawns = |eval: Eval| match eval {
        Eval::Cp(cp) => Some(sign(cp)),
        Eval::Mate(moves) if sign(moves) > 0 => Some(32767 - (2 * sign(moves) - 1)),
        Eval::Mate(moves) => Some(-32767 - 2 * sign(moves)),
        Eval::Over(_) => None,
    };
    if let Some(score) = centipawns(eval) {
        let _ = write!(text, " ce {score};");
    }
    if let Eval::Mate(moves) = eval
        && sign(moves) > 0
    {
        let _ = write!(text, " dm {};", sign(moves));
    }
    let _ = write!(text, " acd {}; acn {};", position.depth, position.nodes);
    if let Some(line) = position.lines.first() {
        let _ = write!(text, " pm {}; pv {};", first_move(&position.lines), line.san);
    }
    // The standard knows one line; the others have its opcodes with their number.
    for (index, line) in position.lines.iter().enumerate().skip(1) {
        let score = centipawns(line.eval).unwrap_or_default();
        let _ = write!(text, " ce{0} {score}; pv{0} {1};", index + 1, line.san);
    }
    text.push('\n');
    text
}
