//! A row for each move or position.

use std::fmt::Write;

use review::Eval;

use super::first_move;
use crate::record::{GameRecord, LineRecord, PositionRecord};

const COLUMNS: &str = "item,file,game,line,white,black,result,number,side,san,uci,fen,eval,mate,\
                       best,loss,centipawn_loss,accuracy,judgement,phase,book,depth,nodes,pv,\
                       eco,opening,clock,spent";

/// The names of the columns: those of every file, and three more for each further line.
pub(super) fn head(multipv: usize) -> String {
    let mut text = String::from(COLUMNS);
    for index in 2..=multipv {
        // Writing to a string cannot fail.
        let _ = write!(text, ",eval{index},mate{index},pv{index}");
    }
    text.push('\n');
    text
}

/// The columns of the lines from the second on.
fn further_lines(lines: &[LineRecord], multipv: usize) -> String {
    let mut text = String::new();
    for index in 1..multipv {
        let line = lines.get(index);
        let uci = line.map_or("", |line| line.uci.as_str());
        let _ = write!(text, ",{},{uci}", score_columns(line.map(|line| line.eval)));
    }
    text
}

pub(super) fn quoted(text: &str) -> String {
    // Spreadsheets take a cell that begins so for a formula.
    let guard = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{guard}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{guard}{text}")
    }
}

/// The columns `eval` in pawns and `mate` in moves, of which one is empty.
fn score_columns(eval: Option<Eval>) -> String {
    match eval {
        Some(Eval::Cp(cp)) => format!("{:.2},", f64::from(cp) / 100.0),
        Some(Eval::Mate(moves)) => format!(",{moves}"),
        Some(Eval::Over(_)) | None => String::from(","),
    }
}

pub(super) fn csv_of_game(game: &GameRecord, multipv: usize) -> String {
    let [file, white, black] = [&game.file, game.tag("White"), game.tag("Black")].map(quoted);
    let opening = game.opening.as_ref();
    let eco = quoted(opening.map_or("", |opening| opening.eco.as_str()));
    let opening = quoted(opening.map_or("", |opening| opening.name.as_str()));
    let mut text = String::new();
    for ply in &game.plies {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{},{file},{},{},{white},{black},{},{},{},{},{},{},{},{},{:.2},{},{:.1},{},{},{},{},{},{},{eco},{opening},{},{}{}",
            game.item,
            game.game,
            game.line,
            game.result,
            ply.number,
            if ply.white { "white" } else { "black" },
            ply.san,
            ply.uci,
            ply.fen,
            score_columns(Some(ply.eval)),
            first_move(&ply.lines),
            ply.loss,
            ply.centipawn_loss,
            ply.accuracy,
            ply.judgement.map_or(String::new(), |judgement| judgement.name().to_lowercase()),
            ply.phase.name(),
            if ply.book { "book" } else { "" },
            ply.depth,
            ply.nodes,
            ply.lines.first().map_or("", |line| line.uci.as_str()),
            ply.clock.map_or(String::new(), |seconds| seconds.to_string()),
            ply.spent.map_or(String::new(), |seconds| seconds.to_string()),
            further_lines(&ply.lines, multipv)
        );
    }
    text
}

pub(super) fn csv_of_position(position: &PositionRecord, multipv: usize) -> String {
    let PositionRecord { item, line, depth, nodes, .. } = position;
    let [file, fen] = [&position.file, &position.fen].map(|text| quoted(text));
    let (score, best) = (score_columns(position.eval), first_move(&position.lines));
    let uci = position.lines.first().map_or("", |line| line.uci.as_str());
    let more = further_lines(&position.lines, multipv);
    format!(
        "{item},{file},,{line},,,,,,,,{fen},{score},{best},,,,,,,{depth},{nodes},{uci},,,,{more}\n"
    )
}
