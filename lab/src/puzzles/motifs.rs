//! How often the motifs that the coach finds are those that Lichess names.

use std::collections::BTreeMap;
use std::path::PathBuf;

use batch::engines::EngineConfig;
use clap::Args;
use engine::Limits;
use review::{Analyst, ForcedLine, Motif, motifs, zugzwang};

use super::file::{Puzzle, read};
use crate::Error;
use crate::say::say;

/// Themes with fewer examples do not count in the average.
const LEAST_EXAMPLES: usize = 10;

/// Compares the motifs of puzzles with their themes.
#[derive(Clone, Debug, Args)]
pub struct MotifsArgs {
    /// A file with the columns of Lichess's puzzle file
    file: PathBuf,
    /// List the puzzles on which this theme differs
    #[arg(long, value_name = "THEME")]
    differences: Option<String>,
    /// Look for zugzwang, too: it takes searches, of so many nodes each
    #[arg(long)]
    nodes: Option<u64>,
}

/// How often a theme was found and named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Puzzles in which it was found and named.
    pub both: usize,
    /// Puzzles in which it was found, but not named.
    pub found: usize,
    /// Puzzles in which it was named, but not found.
    pub named: usize,
}

impl Agreement {
    /// Puzzles that have the theme.
    #[must_use]
    pub fn examples(self) -> usize {
        self.both + self.named
    }

    /// The share of the found ones that are named.
    #[must_use]
    pub fn precision(self) -> f64 {
        ratio(self.both, self.both + self.found)
    }

    /// The share of the named ones that are found.
    #[must_use]
    pub fn recall(self) -> f64 {
        ratio(self.both, self.both + self.named)
    }

    /// The harmonic mean of both.
    #[must_use]
    pub fn f1(self) -> f64 {
        ratio(2 * self.both, 2 * self.both + self.found + self.named)
    }
}

fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The names of the motifs of a puzzle; zugzwang only if searches prove it.
fn found(puzzle: &Puzzle, analyst: Option<&mut Analyst>) -> Vec<&'static str> {
    let Some(line) = ForcedLine::after(puzzle.start, &puzzle.moves) else { return Vec::new() };
    let mut findings = motifs(&line);
    findings.extend(analyst.and_then(|analyst| zugzwang(analyst, &line)));
    findings.iter().map(|finding| finding.motif.name()).collect()
}

/// Counts by theme, over all themes that are named or found anywhere.
#[must_use]
pub fn compare(puzzles: &[Puzzle], mut analyst: Option<Analyst>) -> BTreeMap<String, Agreement> {
    let mut themes: BTreeMap<String, Agreement> = BTreeMap::new();
    for puzzle in puzzles {
        let found = found(puzzle, analyst.as_mut());
        for name in &found {
            let agreement = themes.entry((*name).to_owned()).or_default();
            if puzzle.themes.iter().any(|theme| theme == name) {
                agreement.both += 1;
            } else {
                agreement.found += 1;
            }
        }
        for theme in puzzle.themes.iter().filter(|theme| !found.contains(&theme.as_str())) {
            themes.entry(theme.clone()).or_default().named += 1;
        }
    }
    themes
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read.
pub fn run(args: &MotifsArgs) -> Result<(), Error> {
    let puzzles = read(&args.file)?;
    let mut analyst = match args.nodes {
        Some(nodes) => {
            let config = EngineConfig { threads: 1, hash: 16, network: None, syzygy: None };
            Some(Analyst::new(config.engine()?, Limits::nodes(nodes)))
        }
        None => None,
    };
    if let Some(theme) = &args.differences {
        for puzzle in &puzzles {
            let found = found(puzzle, analyst.as_mut()).contains(&theme.as_str());
            let named = puzzle.themes.contains(theme);
            if found != named {
                let word = if found { "only found" } else { "only named" };
                let castling = review::castling_form(&puzzle.start);
                let moves: Vec<String> =
                    puzzle.moves.iter().map(|mv| mv.to_uci(castling)).collect();
                say!("{word}  {}  {}  {}", puzzle.id, puzzle.start.to_fen(), moves.join(" "));
            }
        }
        return Ok(());
    }
    let themes = compare(&puzzles, analyst);
    say!("{} puzzles", puzzles.len());
    say!(
        "{:22}{:>9}{:>9}{:>11}{:>8}{:>8}",
        "theme",
        "examples",
        "found",
        "precision",
        "recall",
        "F1"
    );
    let mut rows: Vec<_> = themes.iter().collect();
    rows.sort_by_key(|(name, agreement)| (std::cmp::Reverse(agreement.examples()), *name));
    let mut counted = Vec::new();
    for (name, agreement) in rows {
        let known = Motif::from_name(name).is_some();
        let mark = if known { "" } else { "  not a motif" };
        say!(
            "{name:22}{:>9}{:>9}{:>11.3}{:>8.3}{:>8.3}{mark}",
            agreement.examples(),
            agreement.both + agreement.found,
            agreement.precision(),
            agreement.recall(),
            agreement.f1()
        );
        if agreement.examples() >= LEAST_EXAMPLES {
            counted.push(agreement.f1());
        }
    }
    let mean = counted.iter().sum::<f64>() / counted.len().max(1) as f64;
    say!(
        "mean F1 over {} themes with at least {LEAST_EXAMPLES} examples: {mean:.3}",
        counted.len()
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_recall_and_f1_of_counts() {
        let agreement = Agreement { both: 6, found: 2, named: 4 };
        assert_eq!((agreement.precision(), agreement.recall()), (0.75, 0.6));
        assert!((agreement.f1() - 2.0 * 0.75 * 0.6 / 1.35).abs() < 1e-12);
        assert_eq!(Agreement::default().f1(), 0.0);
    }
}
