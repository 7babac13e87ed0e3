//! The report: one file that needs nothing else, with graphs drawn as SVG.

use std::io::{self, Write};
use std::path::Path;

use review::{Eval, Judgement, Phase};

use crate::Error;
use crate::journal::Records;
use crate::record::{GameRecord, Header, PlyRecord, Record};
use crate::summary::{COLUMNS, Summary, Tally};

/// Games with a graph of their own; a page with more would be slow to open.
const MAX_GAMES: u64 = 500;
/// Players in the table.
const MAX_PLAYERS: usize = 200;

/// Why a report could not be made.
pub(crate) enum Trouble {
    Reading(Error),
    Writing(io::Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Reading(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Writing(error)
    }
}

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8886;--white:#e9e4d8;--black:#5b5349;--inaccuracy:#d9a520;\
--mistake:#dd7a1e;--blunder:#cc3333;--bar:#4a7fb5}\
body{font:15px/1.45 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.2rem}\
table{border-collapse:collapse;width:100%}td,th{padding:.25rem .6rem;text-align:right;\
border-bottom:1px solid var(--line)}th:first-child,td:first-child{text-align:left}\
.cards{display:flex;flex-wrap:wrap;gap:.8rem}.card{border:1px solid var(--line);border-radius:.5rem;\
padding:.6rem 1rem}.card b{display:block;font-size:1.3rem}\
.game{border-top:1px solid var(--line);padding:.8rem 0}.game header{display:flex;flex-wrap:wrap;\
gap:.3rem 1rem;justify-content:space-between}svg{width:100%;height:auto;display:block}\
.moves{margin:.4rem 0 0;font-size:.9rem}.Inaccuracy{color:var(--inaccuracy)}\
.Mistake{color:var(--mistake)}.Blunder{color:var(--blunder)}.fault{color:var(--blunder)}\
.small{opacity:.75;font-size:.88rem}";

/// Writes the report.
pub(crate) fn write(
    records: &Path,
    summary: &Summary,
    output: &mut dyn Write,
) -> Result<(), Trouble> {
    let mut records = Records::open(records)?;
    let header = records.header()?;
    write!(
        output,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Analysis by Halcyon</title>\
         <style>{STYLE}</style></head><body>\n<h1>Analysis by Halcyon</h1>\n{}",
        about(&header)
    )?;
    write!(output, "{}", cards(summary))?;
    if summary.moves > 0 {
        write!(output, "<h2>Players</h2>\n{}", players(summary))?;
        write!(output, "<h2>Phases</h2>\n{}", phases(summary))?;
        write!(output, "<h2>Win chance lost per move</h2>\n{}", losses(summary))?;
    }
    let mut shown = 0;
    let mut has_positions = false;
    while let Some(record) = records.next_record()? {
        match record {
            Record::Game(game) if shown < MAX_GAMES => {
                if shown == 0 {
                    writeln!(output, "<h2>Games</h2>")?;
                }
                shown += 1;
                write!(output, "{}", game_section(&game))?;
            }
            Record::Position(position) if shown < MAX_GAMES => {
                shown += 1;
                if !has_positions {
                    has_positions = true;
                    writeln!(output, "<h2>Positions</h2>")?;
                }
                let eval = position.eval.map_or(String::new(), |eval| eval.to_string());
                let line = position.lines.first().map_or("", |line| line.san.as_str());
                let fault = position.fault.as_deref().unwrap_or_default();
                writeln!(
                    output,
                    "<div class=\"game\"><code>{}</code><br><b>{eval}</b> {} \
                     <span class=\"fault\">{}</span></div>",
                    escaped(&position.fen),
                    escaped(line),
                    escaped(fault)
                )?;
            }
            _ => {}
        }
    }
    let left = (summary.games + summary.positions).saturating_sub(shown);
    if left > 0 {
        writeln!(output, "<p class=\"small\">and {left} more, not shown here</p>")?;
    }
    writeln!(output, "</body></html>")?;
    Ok(())
}

/// Text as it may stand in a page.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            letter => safe.push(letter),
        }
    }
    safe
}

fn about(header: &Header) -> String {
    let names: Vec<String> = header.inputs.iter().map(|input| escaped(&input.name)).collect();
    format!(
        "<p class=\"small\">{} · {} · {}</p>\n",
        names.join(", "),
        escaped(&header.budget),
        escaped(&header.program)
    )
}

fn cards(summary: &Summary) -> String {
    let mut text = String::from("<div class=\"cards\">");
    let mut card = |value: String, name: &str| {
        text.push_str(&format!("<div class=\"card\"><b>{value}</b>{name}</div>"));
    };
    if summary.games > 0 {
        card(summary.games.to_string(), "games");
        card(summary.moves.to_string(), "moves");
        let [white, black, draws, _] = summary.results;
        card(format!("{white} – {draws} – {black}"), "White won – drawn – Black won");
        let sum = |of: fn(&Tally) -> u64| summary.phases.iter().map(of).sum::<u64>().to_string();
        card(sum(|tally| tally.inaccuracies), "inaccuracies");
        card(sum(|tally| tally.mistakes), "mistakes");
        card(sum(|tally| tally.blunders), "blunders");
    }
    if summary.positions > 0 {
        card(summary.positions.to_string(), "positions");
    }
    if summary.faulty > 0 {
        card(summary.faulty.to_string(), "damaged");
    }
    text.push_str("</div>\n");
    text
}

fn table(first: &str, rows: impl Iterator<Item = (String, Tally)>) -> String {
    let mut text = format!("<table><tr><th>{first}<th>{}</tr>\n", COLUMNS.join("<th>"));
    for (name, tally) in rows {
        let cells = tally.columns().join("<td>");
        text.push_str(&format!("<tr><td>{}<td>{cells}</tr>\n", escaped(&name)));
    }
    text.push_str("</table>\n");
    text
}

fn players(summary: &Summary) -> String {
    let ranking = summary.ranking();
    let rows = ranking.iter().take(MAX_PLAYERS).map(|(name, tally)| ((*name).to_owned(), **tally));
    let mut text = table("player", rows);
    if ranking.len() > MAX_PLAYERS {
        let more = ranking.len() - MAX_PLAYERS;
        text.push_str(&format!("<p class=\"small\">and {more} more</p>\n"));
    }
    text
}

fn phases(summary: &Summary) -> String {
    let rows = Phase::ALL.into_iter().zip(summary.phases);
    let mut text = table("phase", rows.clone().map(|(phase, tally)| (phase.name().into(), tally)));
    // Bad moves of each phase per hundred moves, one bar each.
    let rate = |tally: &Tally, count: u64| 100.0 * count as f64 / tally.moves.max(1) as f64;
    let bad = |tally: &Tally| {
        [
            (rate(tally, tally.inaccuracies), "inaccuracy"),
            (rate(tally, tally.mistakes), "mistake"),
            (rate(tally, tally.blunders), "blunder"),
        ]
    };
    let sums = rows.clone().map(|(_, tally)| bad(&tally).iter().map(|(rate, _)| rate).sum::<f64>());
    let most = sums.fold(1.0_f64, f64::max);
    text.push_str("<svg viewBox=\"0 0 600 84\" role=\"img\" aria-label=\"bad moves by phase\">\n");
    for (index, (phase, tally)) in rows.enumerate() {
        let y = index * 28;
        text.push_str(&format!(
            "<text x=\"0\" y=\"{}\" font-size=\"12\" fill=\"currentColor\">{}</text>\n",
            y + 17,
            phase.name()
        ));
        let mut x = 90.0;
        for (rate, name) in bad(&tally) {
            let width = 420.0 * rate / most;
            text.push_str(&format!(
                "<rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"18\" \
                 fill=\"var(--{name})\"><title>{rate:.1} of 100 moves: {name}</title></rect>\n",
                y + 4
            ));
            x += width;
        }
        let sum: f64 = bad(&tally).iter().map(|(rate, _)| rate).sum();
        text.push_str(&format!(
            "<text x=\"{:.1}\" y=\"{}\" font-size=\"12\" fill=\"currentColor\">{sum:.1} %</text>\n",
            x + 6.0,
            y + 17
        ));
    }
    text.push_str("</svg>\n");
    text
}

fn losses(summary: &Summary) -> String {
    const NAMES: [&str; 7] =
        ["nothing", "to 1 %", "to 2 %", "to 5 %", "to 10 %", "to 15 %", "more"];
    let total = summary.losses.iter().sum::<u64>().max(1) as f64;
    let most = summary.losses.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut text = String::from(
        "<svg viewBox=\"0 0 600 150\" role=\"img\" aria-label=\"how much moves gave away\">\n",
    );
    for (index, (count, name)) in summary.losses.iter().zip(NAMES).enumerate() {
        let (x, height) = (10 + index * 84, 100.0 * *count as f64 / most);
        text.push_str(&format!(
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"60\" height=\"{height:.1}\" fill=\"var(--bar)\"/>\
             <text x=\"{}\" y=\"{:.1}\" font-size=\"12\" text-anchor=\"middle\" \
             fill=\"currentColor\">{:.1} %</text>\
             <text x=\"{}\" y=\"140\" font-size=\"12\" text-anchor=\"middle\" \
             fill=\"currentColor\">{name}</text>\n",
            120.0 - height,
            x + 30,
            114.0 - height,
            100.0 * *count as f64 / total,
            x + 30
        ));
    }
    text.push_str("</svg>\n");
    text
}

/// Why a move was bad, as an item of a list.
fn sentences(ply: &PlyRecord) -> Option<String> {
    let judgement = ply.judgement.filter(|_| !ply.why.is_empty())?;
    let words: Vec<String> = ply.why.iter().map(|clause| escaped(&clause.text)).collect();
    let dots = if ply.white { "." } else { "..." };
    Some(format!(
        "<li><b class=\"{}\">{}{dots}</b> {}</li>",
        judgement.name(),
        ply.number,
        words.join(" ")
    ))
}

fn game_section(game: &GameRecord) -> String {
    let side = |name: &str, accuracy: Option<f64>| {
        let accuracy = accuracy.map_or(String::new(), |value| format!(" ({value:.1} %)"));
        format!("<b>{}</b>{accuracy}", escaped(game.tag(name)))
    };
    let mut text = format!(
        "<div class=\"game\"><header><span>{} – {} &nbsp; {}</span>\
         <span class=\"small\">{} {} · game {} · line {}</span></header>\n",
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
    }
    let judged: Vec<String> = game.plies.iter().filter_map(judged_move).collect();
    if !judged.is_empty() {
        text.push_str(&format!(
            "<details class=\"moves\"><summary>{} moves to look at</summary>{}</details>\n",
            judged.len(),
            judged.join(" ")
        ));
    }
    let said: Vec<String> = game.plies.iter().filter_map(sentences).collect();
    if !said.is_empty() {
        text.push_str(&format!("<ul class=\"moves\">{}</ul>\n", said.concat()));
    }
    for fault in &game.faults {
        text.push_str(&format!(
            "<div class=\"small fault\">line {}: {}</div>\n",
            fault.line,
            escaped(&fault.text)
        ));
    }
    text.push_str("</div>\n");
    text
}

fn judged_move(ply: &PlyRecord) -> Option<String> {
    let judgement = ply.judgement?;
    let mark = match judgement {
        Judgement::Inaccuracy => "?!",
        Judgement::Mistake => "?",
        Judgement::Blunder => "??",
    };
    let dots = if ply.white { "." } else { "..." };
    let best = ply.lines.first().map_or("", |line| line.san.as_str());
    let best: Vec<&str> = best.split(' ').take(8).collect();
    Some(format!(
        "<div><span class=\"{}\">{}{dots} {}{mark}</span> {} <span class=\"small\">better: \
         {}</span></div>",
        judgement.name(),
        ply.number,
        escaped(&ply.san),
        ply.eval,
        escaped(&best.join(" "))
    ))
}

/// White's chances over the game, with a dot on every bad move.
fn graph(game: &GameRecord) -> String {
    const WIDTH: f64 = 900.0;
    const HEIGHT: f64 = 110.0;
    let evals: Vec<Eval> =
        game.start.into_iter().chain(game.plies.iter().map(|ply| ply.eval)).collect();
    let step = WIDTH / (evals.len().max(2) - 1) as f64;
    let height = |eval: Eval| HEIGHT * (1.0 - eval.white_chance());
    let points: Vec<String> = evals
        .iter()
        .enumerate()
        .map(|(index, &eval)| format!("{:.1},{:.1}", index as f64 * step, height(eval)))
        .collect();
    let mut text = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"White's chances\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         fill=\"var(--black)\"/><polygon points=\"0,{HEIGHT} {} {WIDTH},{HEIGHT}\" \
         fill=\"var(--white)\"/><line x1=\"0\" y1=\"{y}\" x2=\"{WIDTH}\" y2=\"{y}\" \
         stroke=\"#888\" stroke-dasharray=\"4 4\"/>\n",
        points.join(" "),
        y = HEIGHT / 2.0
    );
    for (index, ply) in game.plies.iter().enumerate() {
        let Some(judgement) = ply.judgement else { continue };
        text.push_str(&format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"var(--{})\" stroke=\"#fff\">\
             <title>{}{} {} ({})</title></circle>\n",
            (index + 1) as f64 * step,
            height(ply.eval),
            judgement.name().to_lowercase(),
            ply.number,
            if ply.white { "." } else { "..." },
            escaped(&ply.san),
            ply.eval
        ));
    }
    text.push_str("</svg>\n");
    text
}
