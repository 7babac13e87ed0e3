//! Tables of sums.

use std::fmt::Write;

use review::Phase;

use super::escaped;
use crate::summary::{COLUMNS, MotifTally, Summary, Tally};

/// Rows of a table; the rest is counted.
const MAX_ROWS: usize = 200;
/// Columns that a narrow screen has no room for.
const WIDE: [&str; 2] = ["moves", "acpl"];

/// Rows of tallies, with further columns before them.
fn table(heads: &[&str], rows: impl ExactSizeIterator<Item = (Vec<String>, Tally)>) -> String {
    let class = |name: &str| if WIDE.contains(&name) { " class=\"wide\"" } else { "" };
    let mut text = String::from("<div class=\"scroll\"><table><tr>");
    for name in heads.iter().chain(&COLUMNS) {
        // Writing to a string cannot fail.
        let _ = write!(text, "<th{}>{name}", class(name));
    }
    text.push_str("</tr>\n");
    let more = rows.len().saturating_sub(MAX_ROWS);
    for (cells, tally) in rows.take(MAX_ROWS) {
        text.push_str("<tr>");
        for cell in &cells {
            let _ = write!(text, "<td>{}", escaped(cell));
        }
        for (cell, name) in tally.columns().iter().zip(COLUMNS) {
            let _ = write!(text, "<td{}>{cell}", class(name));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</table></div>\n");
    if more > 0 {
        let _ = writeln!(text, "<p class=\"small\">and {more} more</p>");
    }
    text
}

pub(super) fn players(summary: &Summary) -> String {
    let ranking = summary.ranking();
    table(&["player"], ranking.iter().map(|(name, tally)| (vec![(*name).to_owned()], **tally)))
}

pub(super) fn sides(summary: &Summary) -> String {
    let rows = ["White", "Black"].into_iter().zip(summary.sides);
    let rows: Vec<_> = rows.map(|(name, tally)| (vec![name.to_owned()], tally)).collect();
    table(&["side"], rows.into_iter())
}

pub(super) fn phases(summary: &Summary) -> String {
    let rows = Phase::ALL.into_iter().zip(summary.phases);
    let rows: Vec<_> = rows.map(|(phase, tally)| (vec![phase.name().into()], tally)).collect();
    table(&["phase"], rows.into_iter())
}

/// Each opening by side, with the points that it brought.
pub(super) fn openings(summary: &Summary) -> String {
    let ranking = summary.opening_ranking();
    let rows = ranking.iter().map(|(name, is_white, sums)| {
        let side = if *is_white { "White" } else { "Black" };
        let score = sums.score().map_or(String::new(), |score| format!("{score:.0}"));
        (vec![(*name).to_owned(), side.to_owned(), score], sums.tally)
    });
    table(&["opening", "side", "score %"], rows)
}

/// The use of the clock; empty if no clock is known.
pub(super) fn clocks(summary: &Summary) -> String {
    if summary.clocks.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "<div class=\"scroll\"><table><tr><th>player<th class=\"wide\">moves<th>s / move<th>longest s\
         <th>moves hurried<th>loss % hurried<th>loss % otherwise</tr>\n",
    );
    let mean = |(count, sum): (u64, f64)| {
        if count > 0 { format!("{:.2}", sum / count as f64) } else { String::new() }
    };
    let mut players: Vec<_> = summary.clocks.iter().collect();
    players.sort_by_key(|(name, clock)| (std::cmp::Reverse(clock.moves), *name));
    for (name, clock) in players.iter().take(MAX_ROWS) {
        let _ = writeln!(
            text,
            "<tr><td>{}<td class=\"wide\">{}<td>{:.1}<td>{:.0}<td>{}<td>{}<td>{}</tr>",
            escaped(name),
            clock.moves,
            clock.seconds / clock.moves.max(1) as f64,
            clock.longest,
            clock.hurried.0,
            mean(clock.hurried),
            mean(clock.calm)
        );
    }
    text.push_str("</table></div>\n");
    text
}

/// What players missed and allowed; empty if nothing is known.
pub(super) fn motifs(summary: &Summary) -> String {
    let mut text = String::new();
    for (name, _) in summary.ranking().iter().take(MAX_ROWS) {
        let Some(tally) = summary.coach.get(*name) else { continue };
        if tally.missed.is_empty() && tally.allowed.is_empty() {
            continue;
        }
        let [missed, allowed] = [&tally.missed, &tally.allowed].map(MotifTally::words);
        let _ = writeln!(text, "<tr><td>{}<td>{missed}<td>{allowed}</tr>", escaped(name));
    }
    if text.is_empty() {
        return text;
    }
    format!(
        "<div class=\"scroll\"><table class=\"words\"><tr><th>player<th style=\"text-align:left\">missed\
         <th style=\"text-align:left\">allowed</tr>\n{text}</table></div>\n"
    )
}
