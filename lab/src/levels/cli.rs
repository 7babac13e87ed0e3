//! The sub-command `levels`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use engine::{LEVELS, MAX_ELO, MIN_ELO};
use indicatif::{ProgressBar, ProgressStyle};

use super::fit::fit;
use super::journal::{Conditions, Journal};
use super::page;
use super::play::Anchors;
use super::run::{open_pairs, plan, play};
use crate::Error;
use crate::book::Book;
use crate::rng::hash_bytes;
use crate::say::say;

/// Measures how strong the levels below full strength are, and fits the ladder to their names.
#[derive(Clone, Debug, Args)]
pub struct LevelsArgs {
    /// Levels to measure, by their Elo [default: all rungs of the ladder]
    #[arg(long, value_delimiter = ',')]
    levels: Vec<u32>,
    /// Games of each level with the next one
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// An engine with UCI_Elo, whose scale is taken: its command
    #[arg(long, requires = "anchors")]
    anchor: Option<String>,
    /// Strengths of that engine, each with its nodes for a move, if not --movetime: 1350:20000,2400
    #[arg(long, value_delimiter = ',', value_parser = anchor, requires = "anchor")]
    anchors: Vec<(u32, Option<u64>)>,
    /// Games of each level with the anchors near it
    #[arg(long, default_value_t = 200)]
    anchor_games: usize,
    /// Milliseconds of the anchors for a move, where no nodes are given
    #[arg(long, default_value_t = 50)]
    movetime: u64,
    /// Openings, an EPD file [default: random moves]
    #[arg(long)]
    book: Option<PathBuf>,
    /// Seed of the order of openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Folder for the journal, the tables, the picture and the constants
    #[arg(long, default_value = "levels")]
    out: PathBuf,
}

/// A strength, and after a colon nodes.
fn anchor(text: &str) -> Result<(u32, Option<u64>), String> {
    let (elo, nodes) = text.split_once(':').map_or((text, None), |(elo, nodes)| (elo, Some(nodes)));
    let wrong = |_| String::from("an Elo is wanted, with nodes or not, as in 1350:20000 or 2000");
    let nodes = nodes.map(str::parse).transpose().map_err(wrong)?;
    Ok((elo.parse().map_err(wrong)?, nodes))
}

/// After how many pairs a run that shows no bar tells how far it is.
const TOLD_EVERY: u64 = 100;

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or written, the anchor fails, or a level is not on the ladder.
pub fn levels(args: &LevelsArgs) -> Result<(), Error> {
    let mut levels = args.levels.clone();
    if levels.is_empty() {
        levels.extend(LEVELS.map(|level| level.elo));
    }
    levels.sort_unstable();
    levels.dedup();
    if let Some(wrong) = levels.iter().find(|elo| !(MIN_ELO..=MAX_ELO).contains(elo)) {
        let reason = format!("{wrong}: levels are from {MIN_ELO} to {MAX_ELO}");
        return Err(Error::Request(reason));
    }
    let book = match &args.book {
        Some(path) => Book::open(path, args.seed)?,
        None => Book::random(args.seed),
    };
    let conditions = Conditions {
        version: env!("CARGO_PKG_VERSION").into(),
        ladder: hash_bytes(format!("{LEVELS:?}").as_bytes()),
        book: book.fingerprint(),
        anchor: args.anchor.clone(),
        movetime: args.movetime,
    };
    let nodes = args.anchors.iter().filter_map(|&(elo, nodes)| Some((elo, nodes?))).collect();
    let anchors = Anchors { command: args.anchor.clone(), nodes, movetime: args.movetime };
    let elos: Vec<u32> = args.anchors.iter().map(|&(elo, _)| elo).collect();
    fs::create_dir_all(&args.out).map_err(Error::file(&args.out))?;
    let mut journal = Journal::open(&args.out.join("levels.jsonl"), &conditions)?;
    let open = open_pairs(&plan(&levels, &elos, [args.games, args.anchor_games]), &journal);
    let bar = ProgressBar::new(open.len() as u64);
    bar.set_style(
        ProgressStyle::with_template("{pos}/{len} pairs, {elapsed}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    play(&open, &book, &anchors, args.threads, |pair| {
        journal.add(&pair)?;
        bar.inc(1);
        if bar.is_hidden() && bar.position().is_multiple_of(TOLD_EVERY) {
            say!("{} of {} pairs", bar.position(), open.len());
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let ratings = fit(&journal.scores);
    let tables = page::tables(&ratings, &journal.scores);
    let rungs = LEVELS.map(|level| level.elo);
    let constants = page::constants(&ratings, &rungs);
    for (name, text) in [
        ("levels.md", &tables),
        ("levels.svg", &page::picture(&ratings)),
        ("levels.txt", &constants),
    ] {
        let path = args.out.join(name);
        fs::write(&path, text).map_err(Error::file(&path))?;
    }
    say!("{tables}\nThe ladder as it should be:\n{constants}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read_with_and_without_nodes() {
        assert_eq!(anchor("1350:1"), Ok((1350, Some(1))));
        assert_eq!(anchor("2000"), Ok((2000, None)));
        for wrong in ["", "x", "1350:", "1350:x", ":3", "-1"] {
            assert!(anchor(wrong).is_err(), "{wrong}");
        }
    }
}
