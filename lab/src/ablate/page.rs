//! The page `docs/ablations.md` and its chart.

use std::fmt::Write as _;

use super::chart::{Bar, draw};
use super::journal::{Journal, RunSettings};
use super::measure::Measured;
use super::techniques::{TECHNIQUES, Technique};
use crate::match_play::{Elo, Tally};

/// What a technique's match says about it, with the sign of the technique.
fn worth(technique: &Technique, tally: &Tally) -> Option<Elo> {
    tally.elo().map(|elo| Elo { difference: technique.worth(elo.difference), error: elo.error })
}

/// The page and the chart.
pub(super) fn write(
    settings: &RunSettings,
    evaluation: &str,
    command: &str,
    journal: &Journal,
) -> (String, String) {
    let mut rows: Vec<(&Technique, Tally, Option<Elo>)> = TECHNIQUES
        .iter()
        .map(|technique| {
            let tally = journal.tally(technique.name);
            (technique, tally, worth(technique, &tally))
        })
        .filter(|(technique, _, elo)| {
            elo.is_some() || journal.measured.contains_key(technique.name)
        })
        .collect();
    rows.sort_by(|a, b| {
        let value =
            |row: &(&Technique, Tally, Option<Elo>)| row.2.map_or(f64::MIN, |elo| elo.difference);
        value(b).total_cmp(&value(a))
    });
    let bars: Vec<Bar> = rows
        .iter()
        .filter_map(|(technique, _, elo)| {
            elo.map(|elo| Bar {
                name: technique.title.to_owned(),
                value: elo.difference,
                error: elo.error,
                on: technique.default_on,
            })
        })
        .collect();
    let chart = draw("Elo with the technique, against the engine without it", &bars);
    let mut page = introduction(settings, evaluation, command);
    let base = journal.measured.get("").copied();
    page.push_str(
        "| technique | default | Elo | games (+ = -) | nodes | solved | what it is for | published |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (technique, tally, elo) in &rows {
        let measured = journal.measured.get(technique.name).copied();
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            technique.title,
            if technique.default_on { "on" } else { "off" },
            elo.map_or_else(String::new, |elo| format!(
                "{:+.0} ± {:.0}",
                elo.difference, elo.error
            )),
            games(technique, tally),
            nodes(technique, measured, base),
            solved(technique, measured, base),
            technique.purpose,
            technique.published,
        );
    }
    page.push_str(&conclusions(&rows));
    (page, chart)
}

fn introduction(settings: &RunSettings, evaluation: &str, command: &str) -> String {
    format!(
        "# What each technique is worth\n\n\
         <!-- Written by `halcyon-lab ablate`; run it again instead of changing this page. -->\n\n\
         Every technique of the search has parameters, and a value of them that turns it off. Each \
         row is a\nmatch of the engine as it is against the engine with that one thing in the other \
         state: **Elo** is what\nplaying with the technique gains over playing without it, with the \
         error that 95 of 100 matches stay\nwithin. Games are counted from the side that plays with \
         the technique.\n\n\
         **Nodes** is the size of the tree with the technique as a share of the tree without it, to \
         depth {} on\nthe positions of `halcyon bench`; **solved** counts the positions of {} \
         ({} of them, {} nodes\neach) with and without.\n\n\
         Players: {}, {evaluation}, {},\na table of 4 MiB, each opening with both colours. Games are decided \
         when both players see a difference of ten pawns for six plies. A fixed number of nodes \
         leaves out\nwhat a technique costs in time, and short games favour what works at shallow \
         depth: compare the\nrows with each other rather than with other engines. The last column \
         has what others found in theirs.\n\n```\n{command}\n```\n\n![chart](ablations.svg)\n\n",
        settings.depth,
        if settings.suite.is_empty() { "no suite" } else { &settings.suite },
        settings.suite_size,
        settings.suite_nodes,
        settings.version,
        settings.thinking.describe(),
    )
}

fn games(technique: &Technique, tally: &Tally) -> String {
    let [mut wins, draws, mut losses] = tally.games;
    if technique.default_on {
        std::mem::swap(&mut wins, &mut losses);
    }
    match tally.games() {
        0 => String::new(),
        count => format!("{count} (+{wins} ={draws} -{losses})"),
    }
}

/// With and without the technique, whichever of them is the default.
fn sides<T>(technique: &Technique, switched: T, base: T) -> (T, T) {
    if technique.default_on { (base, switched) } else { (switched, base) }
}

fn nodes(technique: &Technique, measured: Option<Measured>, base: Option<Measured>) -> String {
    let (Some(switched), Some(base)) = (measured, base) else { return String::new() };
    let (with, without) = sides(technique, switched, base);
    let share = 100.0 * with.nodes as f64 / without.nodes.max(1) as f64;
    let sign = match (with.capped, without.capped) {
        (0, 0) => "",
        (0, _) => "< ",
        (..) => "about ",
    };
    format!("{sign}{share:.0} %")
}

fn solved(technique: &Technique, measured: Option<Measured>, base: Option<Measured>) -> String {
    let (Some(switched), Some(base)) = (measured, base) else { return String::new() };
    let (with, without) = sides(technique, switched, base);
    format!("{} / {}", with.solved, without.solved)
}

/// Which defaults the matches contradict.
fn conclusions(rows: &[(&Technique, Tally, Option<Elo>)]) -> String {
    let mut text = String::from("\n## What follows\n\n");
    let sure = |elo: &Elo| elo.difference.abs() > elo.error;
    let list = |wanted: &dyn Fn(&Technique, &Elo) -> bool| -> Vec<String> {
        rows.iter()
            .filter_map(|(technique, _, elo)| elo.map(|elo| (technique, elo)))
            .filter(|(technique, elo)| wanted(technique, elo))
            .map(|(technique, _)| technique.title.to_owned())
            .collect()
    };
    let cases = [
        (
            "Worth their place, beyond the error",
            list(&|t, e| t.default_on && sure(e) && e.difference > 0.0),
        ),
        ("On, and neither gain nor loss is proven", list(&|t, e| t.default_on && !sure(e))),
        (
            "Off, and rightly or at no proven cost",
            list(&|t, e| !t.default_on && (!sure(e) || e.difference < 0.0)),
        ),
        (
            "Contradicting their default: to be confirmed by a longer match, then changed",
            list(&|t, e| sure(e) && (e.difference > 0.0) != t.default_on),
        ),
    ];
    for (settings, names) in cases {
        let names = if names.is_empty() { String::from("none") } else { names.join(", ") };
        let _ = writeln!(text, "- **{settings}:** {names}.");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::journal::Entry;
    use super::*;
    use crate::match_play::Thinking;

    #[test]
    fn a_technique_that_wins_by_being_there_has_a_positive_row() {
        let path = std::env::temp_dir().join(format!("halcyon-page-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let settings = RunSettings {
            version: String::from("Halcyon"),
            thinking: Thinking::Nodes(100),
            book: 1,
            depth: 8,
            suite: String::from("wac.epd"),
            suite_size: 300,
            suite_nodes: 1000,
        };
        let mut journal = Journal::open(&path, &settings).unwrap();
        for number in 0..20 {
            // The switched engine loses without the reductions, and loses with check extensions.
            for technique in ["lmr", "check-extension"] {
                let points = [u8::from(number % 3 == 0), 0];
                let technique = technique.to_owned();
                journal.add(&Entry::Pair { technique, number, points }).unwrap();
            }
        }
        let measure = |nodes| Measured { nodes, capped: 0, solved: 3 };
        for (technique, nodes) in [("", 100), ("lmr", 400)] {
            let (technique, measured) = (technique.to_owned(), measure(nodes));
            journal.add(&Entry::Measured { technique, measured }).unwrap();
        }
        let (page, chart) = write(&settings, "by hand", "command", &journal);
        std::fs::remove_file(&path).unwrap();
        let row = |title: &str| page.lines().find(|line| line.contains(title)).unwrap().to_owned();
        let lmr = row("| Late move reductions");
        assert!(lmr.contains("| on | +") && lmr.contains("40 (+33 =7 -0)") && lmr.contains("25 %"));
        let checks = row("| Check extension");
        assert!(checks.contains("| off | -") && checks.contains("40 (+0 =7 -33)"), "{checks}");
        assert!(page.contains("Worth their place, beyond the error:** Late move reductions."));
        assert!(chart.contains("Late move reductions"));
    }
}
