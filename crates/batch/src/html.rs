//! The report: one file that needs nothing else, with graphs and boards drawn as SVG.

mod charts;
mod diagram;
mod tables;
mod replay;
mod game;

use std::io::{self, Write};
use std::path::Path;

use crate::Error;
use crate::journal::Records;
use crate::record::{Header, PositionRecord, Record};
use crate::summary::{Summary, Tally};
use crate::text::noun;
use game::game_section;

/// Games with a graph of their own; a page with more would be slow to open.
const MAX_GAMES: u64 = 500;

/// Why a report could not be made.
pub(crate) enum ReportError {
    Reading(Error),
    Writing(io::Error),
}

impl From<Error> for ReportError {
    fn from(error: Error) -> Self {
        Self::Reading(error)
    }
}

impl From<io::Error> for ReportError {
    fn from(error: io::Error) -> Self {
        Self::Writing(error)
    }
}

const STYLE: &str = include_str!("html/style.css");

/// Writes the report.
pub(crate) fn write(
    records: &Path,
    summary: &Summary,
    output: &mut dyn Write,
) -> Result<(), ReportError> {
    let mut records = Records::open(records)?;
    let header = records.header()?;
    write!(
        output,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Analysis by Halcyon</title>\
         <style>{STYLE}</style></head><body>\n<h1>Analysis by Halcyon</h1>\n{}",
        about(&header)
    )?;
    write!(output, "{}", cards(summary))?;
    if summary.moves > 0 {
        output.write_all(diagram::definitions().as_bytes())?;
        output.write_all(LEGEND.as_bytes())?;
        let openings = match summary.protagonist() {
            Some(name) => format!("Openings of {}", escaped(name)),
            None => String::from("Openings"),
        };
        for (title, text) in [
            ("Players", tables::players(summary)),
            ("White and Black", tables::sides(summary)),
            (&openings, tables::openings(summary)),
            ("Phases", tables::phases(summary) + &charts::phases(summary)),
            ("Win chance lost per move", charts::losses(summary)),
            ("Use of the clock", tables::clocks(summary)),
            ("Motifs missed and allowed", tables::motifs(summary)),
        ] {
            if !text.is_empty() {
                write!(output, "<h2>{title}</h2>\n{text}")?;
            }
        }
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
                output.write_all(position_section(&position).as_bytes())?;
            }
            _ => {}
        }
    }
    let left = (summary.games + summary.positions).saturating_sub(shown);
    if left > 0 {
        writeln!(output, "<p class=\"small\">and {left} more, not shown here</p>")?;
    }
    if summary.games > 0 {
        writeln!(output, "<script>\n{}</script>", replay::SCRIPT)?;
    }
    writeln!(output, "</body></html>")?;
    Ok(())
}

/// What signs, columns and colours mean.
const LEGEND: &str = "\
<details class=\"legend\"><summary>What the signs and numbers mean</summary><dl>
<dt class=\"Inaccuracy\">?!</dt><dd>inaccuracy: 5 % of the chance to win lost</dd>
<dt class=\"Mistake\">?</dt><dd>mistake: 10 % lost</dd>
<dt class=\"Blunder\">??</dt><dd>blunder: 15 % lost</dd>
<dt>score</dt><dd>in pawns from White\u{2019}s side, before → after the move; #3 is mate in three</dd>
<dt>accuracy</dt><dd>100 if nothing was lost; the mean over games</dd>
<dt>loss %</dt><dd>of the chance to win, per move</dd>
<dt>acpl</dt><dd>average centipawn loss: hundredths of a pawn lost per move</dd>
<dt>score %</dt><dd>points of the games: a win counts 1, a draw ½</dd>
<dt>hurried</dt><dd>with less than a tenth of the clock left</dd>
<dt>graph</dt><dd>the light area is White\u{2019}s chance to win; dots are bad moves; the bars below are \
the time for each move, White\u{2019}s upwards</dd>
<dt>diagram</dt><dd>the position before the move, the mover at the bottom; red: the move played, green: \
the best one</dd>
<dt>play through</dt><dd>under every game: click, or use the arrow keys; arrows show a bad move to come \
and the best one</dd>
</dl></details>
";

fn position_section(position: &PositionRecord) -> String {
    let fault = position.fault.as_deref().unwrap_or_default();
    let mut text = format!(
        "<div class=\"game\"><code>{}</code> <span class=\"fault\">{}</span>\n",
        escaped(&position.fen),
        escaped(fault)
    );
    for line in &position.lines {
        text.push_str(&format!("<br><b>{}</b> {}\n", line.eval, escaped(&line.san)));
    }
    if let (Some(eval), []) = (position.eval, &position.lines[..]) {
        text.push_str(&format!("<br><b>{eval}</b>\n"));
    }
    text.push_str("</div>\n");
    text
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
    let engine = header.engine.as_deref().unwrap_or(&header.program);
    format!(
        "<p class=\"small\">{} · {} · {}</p>\n",
        names.join(", "),
        escaped(&header.budget),
        escaped(engine)
    )
}

fn cards(summary: &Summary) -> String {
    let count = |count: u64, singular: &str| card(&count.to_string(), &noun(count, singular));
    let sum = |of: fn(&Tally) -> u64| summary.phases.iter().map(of).sum::<u64>();
    let mut cards = Vec::new();
    if summary.games > 0 {
        let [white, black, draws, _] = summary.results;
        let results = format!("{white} – {draws} – {black}");
        cards.push(count(summary.games, "game"));
        cards.push(count(summary.moves, "move"));
        cards.push(card(&results, "White won – drawn – Black won"));
        cards.push(count(sum(|tally| tally.inaccuracies), "inaccuracy"));
        cards.push(count(sum(|tally| tally.mistakes), "mistake"));
        cards.push(count(sum(|tally| tally.blunders), "blunder"));
    }
    if summary.positions > 0 {
        cards.push(count(summary.positions, "position"));
    }
    if summary.faulty > 0 {
        cards.push(card(&summary.faulty.to_string(), "damaged"));
    }
    format!("<div class=\"cards\">{}</div>\n", cards.concat())
}

/// A number of its own, with what it counts.
fn card(value: &str, name: &str) -> String {
    format!("<div class=\"card\"><b>{value}</b>{name}</div>")
}
