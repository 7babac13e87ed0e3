//! A game of the report: its graph, its clocks, and what went wrong.

use std::fmt::Write;

use chess::Position;
use review::Judgement;

use super::charts::{graph, times};
use super::diagram::diagram;
use super::escaped;
use super::replay::replay;
use crate::record::{GameRecord, PlyRecord};

/// Moves of a line that are shown.
const LINE_PLIES: usize = 8;

pub(super) fn game_section(game: &GameRecord) -> String {
    let side = |name: &str, accuracy: Option<f64>| {
        let accuracy = accuracy.map_or(String::new(), |value| format!(" ({value:.1} %)"));
        format!("<b>{}</b>{accuracy}", escaped(game.tag(name)))
    };
    let opening = game.opening.as_ref().map_or(String::new(), |opening| {
        format!("{} {} · ", escaped(&opening.eco), escaped(&opening.name))
    });
    let mut text = format!(
        "<div class=\"game\"><header><span>{} – {} &nbsp; {}</span>\
         <span class=\"small\">{opening}{} {} · game {} · line {}</span></header>\n",
        side("White", game.white.accuracy),
        side("Black", game.black.accuracy),
        game.result,
        escaped(game.tag("Event")),
        escaped(game.tag("Date")),
        game.game,
        game.line
    );
    if !game.plies.is_empty() {
        text.push_str(&graph(game));
        text.push_str(&times(game));
        text.push_str(&replay(game));
    }
    let judged = |is_blunder: bool| {
        game.plies.iter().filter(move |ply| match ply.judgement {
            Some(judgement) => (judgement == Judgement::Blunder) == is_blunder,
            None => false,
        })
    };
    for ply in judged(true) {
        text.push_str(&blunder(ply));
    }
    let others: String =
        judged(false).map(|ply| format!("<li>{}</li>\n", described(ply))).collect();
    if !others.is_empty() {
        let count = judged(false).count();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<details class=\"moves\"><summary>{count} smaller mistakes</summary>\n\
             <ul>{others}</ul></details>"
        );
    }
    for fault in &game.faults {
        let _ = writeln!(
            text,
            "<div class=\"small fault\">line {}: {}</div>",
            fault.line,
            escaped(&fault.text)
        );
    }
    text.push_str("</div>\n");
    text
}

/// A diagram with what is to be said about the move.
fn blunder(ply: &PlyRecord) -> String {
    let board = Position::from_fen(&ply.fen).ok().and_then(|position| {
        let played = position.parse_uci(&ply.uci).ok()?;
        let best = ply.lines.first().and_then(|line| line.uci.split(' ').next());
        Some(diagram(&position, played, best.and_then(|text| position.parse_uci(text).ok())))
    });
    let (board, words) = (board.unwrap_or_default(), described(ply));
    format!("<div class=\"blunder\">{board}<div>{words}</div></div>\n")
}

/// A bad move in words: what it did to the score, why, and the lines that were better.
fn described(ply: &PlyRecord) -> String {
    let Some(judgement) = ply.judgement else { return String::new() };
    let mark = match judgement {
        Judgement::Inaccuracy => "?!",
        Judgement::Mistake => "?",
        Judgement::Blunder => "??",
    };
    let dots = if ply.white { "." } else { "..." };
    let before = ply.lines.first().map_or(String::new(), |line| format!("{} → ", line.eval));
    let mut text = format!(
        "<b class=\"{}\">{}{dots} {}{mark}</b> {before}{}",
        judgement.name(),
        ply.number,
        escaped(&ply.san),
        ply.eval
    );
    if let Some(clock) = ply.clock {
        let (minutes, seconds) = ((clock / 60.0).floor(), clock % 60.0);
        let _ = write!(
            text,
            " <span class=\"small\">clock {minutes:.0}:{:02.0}</span>",
            seconds.floor()
        );
    }
    for clause in &ply.why {
        let _ = write!(text, " {}", escaped(&clause.text));
    }
    for (index, line) in ply.lines.iter().enumerate() {
        if line.uci.split(' ').next() == Some(&ply.uci) {
            continue;
        }
        let moves: Vec<&str> = line.san.split(' ').take(LINE_PLIES).collect();
        let _ = write!(
            text,
            "<div class=\"small\">{}: {} ({})</div>",
            if index == 0 { "best" } else { "or" },
            escaped(&moves.join(" ")),
            line.eval
        );
    }
    text
}
