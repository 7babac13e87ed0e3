//! Charts drawn as SVG.

use std::fmt::Write;

use review::{Eval, Phase};

use super::escaped;
use crate::record::GameRecord;
use crate::summary::{Summary, Tally};

/// Bad moves of each phase per hundred moves, one bar each.
pub(super) fn phases(summary: &Summary) -> String {
    let rate = |tally: &Tally, count: u64| 100.0 * count as f64 / tally.moves.max(1) as f64;
    let bad = |tally: &Tally| {
        [
            (rate(tally, tally.inaccuracies), "inaccuracy"),
            (rate(tally, tally.mistakes), "mistake"),
            (rate(tally, tally.blunders), "blunder"),
        ]
    };
    let sum = |tally: &Tally| bad(tally).iter().map(|(rate, _)| rate).sum::<f64>();
    let most = summary.phases.iter().map(sum).fold(1.0_f64, f64::max);
    let mut text = String::from(
        "<svg class=\"chart\" viewBox=\"0 0 380 84\" role=\"img\" aria-label=\"bad moves by \
         phase\">\n",
    );
    for (index, (phase, tally)) in Phase::ALL.into_iter().zip(&summary.phases).enumerate() {
        let y = index * 28;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<text x=\"0\" y=\"{}\" font-size=\"12\" fill=\"currentColor\">{}</text>",
            y + 17,
            phase.name()
        );
        let mut x = 80.0;
        for (rate, name) in bad(tally) {
            let width = 230.0 * rate / most;
            let _ = writeln!(
                text,
                "<rect x=\"{x:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"18\" \
                 fill=\"var(--{name})\"><title>{rate:.1} of 100 moves: {name}</title></rect>",
                y + 4
            );
            x += width;
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" font-size=\"12\" fill=\"currentColor\">{:.1} %</text>",
            x + 6.0,
            y + 17,
            sum(tally)
        );
    }
    text.push_str("</svg>\n");
    text
}

/// How often moves lost how much of the chance to win.
pub(super) fn losses(summary: &Summary) -> String {
    const NAMES: [&str; 7] =
        ["nothing", "to 1 %", "to 2 %", "to 5 %", "to 10 %", "to 15 %", "more"];
    let total = summary.losses.iter().sum::<u64>().max(1) as f64;
    let most = summary.losses.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut text = String::from(
        "<svg class=\"chart\" viewBox=\"0 0 380 150\" role=\"img\" aria-label=\"win chance lost \
         per move\">\n",
    );
    for (index, (count, name)) in summary.losses.iter().zip(NAMES).enumerate() {
        let (x, height) = (4 + index * 54, 100.0 * *count as f64 / most);
        let (middle, share) = (x + 22, 100.0 * *count as f64 / total);
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"44\" height=\"{height:.1}\" \
             fill=\"var(--bar)\"/><g font-size=\"11\" text-anchor=\"middle\" \
             fill=\"currentColor\"><text x=\"{middle}\" y=\"{:.1}\">{share:.1} %</text>\
             <text x=\"{middle}\" y=\"138\">{name}</text></g>",
            122.0 - height,
            117.0 - height,
        );
    }
    text.push_str("</svg>\n");
    text
}

const WIDTH: f64 = 900.0;

/// White's chances over the game, with a dot on every bad move.
pub(super) fn graph(game: &GameRecord) -> String {
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
        "<svg class=\"graph\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" \
         role=\"img\" aria-label=\"White's chances\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         fill=\"var(--black)\"/><polygon points=\"0,{HEIGHT} {} {WIDTH},{HEIGHT}\" \
         fill=\"var(--white)\"/><line x1=\"0\" y1=\"{y}\" x2=\"{WIDTH}\" y2=\"{y}\" \
         stroke=\"#888\" stroke-dasharray=\"4 4\" vector-effect=\"non-scaling-stroke\"/>\n",
        points.join(" "),
        y = HEIGHT / 2.0
    );
    for (index, ply) in game.plies.iter().enumerate() {
        let Some(judgement) = ply.judgement else { continue };
        // A line without length has round ends and stays round however the graph is stretched.
        let _ = writeln!(
            text,
            "<path d=\"M{:.1} {:.1}h0\" stroke=\"var(--{})\" stroke-width=\"9\" \
             stroke-linecap=\"round\" vector-effect=\"non-scaling-stroke\"><title>{}{} {} \
             ({})</title></path>",
            (index + 1) as f64 * step,
            height(ply.eval),
            judgement.name().to_lowercase(),
            ply.number,
            if ply.white { "." } else { "..." },
            escaped(&ply.san),
            ply.eval
        );
    }
    text.push_str("</svg>\n");
    text
}

/// Seconds spent on each move, White's upwards and Black's downwards; empty if none is known.
pub(super) fn times(game: &GameRecord) -> String {
    const HALF: f64 = 22.0;
    let most = game.plies.iter().filter_map(|ply| ply.spent).fold(0.0, f64::max);
    if most <= 0.0 {
        return String::new();
    }
    let step = WIDTH / game.plies.len() as f64;
    let mut text = format!(
        "<svg class=\"times\" viewBox=\"0 0 {WIDTH} {}\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"time spent on each move, at most {most:.0} seconds\">\n",
        2.0 * HALF
    );
    for (index, ply) in game.plies.iter().enumerate() {
        let Some(spent) = ply.spent.filter(|spent| *spent > 0.0) else { continue };
        let height = (HALF * spent / most).max(0.5);
        let y = if ply.white { HALF - height } else { HALF };
        let dots = if ply.white { "." } else { "..." };
        let _ = writeln!(
            text,
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height:.1}\" \
             fill=\"var(--bar)\"><title>{}{dots} {}: {spent:.1} s</title></rect>",
            index as f64 * step,
            0.8 * step,
            ply.number,
            escaped(&ply.san)
        );
    }
    text.push_str("</svg>\n");
    text
}
