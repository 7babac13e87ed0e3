//! The sub-command `levels`.

use std::fs;
use std::path::PathBuf;

use clap::Args;
use engine::{LEVELS, Level};
use indicatif::{ProgressBar, ProgressStyle};

use super::fit::fit;
use super::journal::{Conditions, Journal};
use super::page;
use super::play::Anchors;
use super::run::{AnchorPlan, open_pairs, plan, play};
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
    /// Another ladder to measure, as the file levels.txt of an earlier run has it [default: the
    /// program's own]
    #[arg(long)]
    ladder: Option<PathBuf>,
    /// Games of each level with the next one
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// An engine with UCI_Elo, whose scale is taken: its command
    #[arg(long, requires = "anchors")]
    anchor: Option<String>,
    /// Strengths of that engine, each with its nodes for a move, if not --movetime: 1350:20000,2400.
    /// The mean of their names sets the scale. One with a third number, the strength that it is
    /// expected to have, plays as a guest: 2000:20000:2600
    #[arg(long, value_delimiter = ',', value_parser = anchor, requires = "anchor")]
    anchors: Vec<AnchorPlan>,
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

/// A strength, and after colons nodes and the strength that is expected.
fn anchor(text: &str) -> Result<AnchorPlan, String> {
    let wrong = || String::from("ELO, ELO:NODES or ELO:NODES:EXPECTED is wanted, as in 1350:20000");
    let mut parts = text.split(':').map(|part| part.parse::<u32>().map_err(|_| wrong()));
    let elo = parts.next().ok_or_else(wrong)??;
    let nodes = parts.next().transpose()?.map(u64::from);
    let guest = parts.next().transpose()?;
    parts.next().map_or(Ok(AnchorPlan { elo, nodes, guest }), |_| Err(wrong()))
}

/// The ladder to measure.
fn ladder(args: &LevelsArgs) -> Result<Vec<Level>, Error> {
    let Some(path) = &args.ladder else { return Ok(LEVELS.to_vec()) };
    let text = fs::read_to_string(path).map_err(Error::file(path))?;
    page::read_ladder(&text).ok_or_else(|| {
        Error::content(path, "lines such as level(500, 360, 17, 74.0, 17.6) are wanted, upwards")
    })
}

/// After how many pairs a run that shows no bar tells how far it is.
const TOLD_EVERY: u64 = 100;

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or written, the anchor fails, or a level is not on the ladder.
pub fn levels(args: &LevelsArgs) -> Result<(), Error> {
    let ladder = ladder(args)?;
    let mut levels = args.levels.clone();
    if levels.is_empty() {
        levels.extend(ladder.iter().map(|level| level.elo));
    }
    levels.sort_unstable();
    levels.dedup();
    let (lowest, highest) = (ladder[0].elo, ladder[ladder.len() - 1].elo);
    if let Some(wrong) = levels.iter().find(|elo| !(lowest..=highest).contains(elo)) {
        let reason = format!("{wrong}: levels are from {lowest} to {highest}");
        return Err(Error::Request(reason));
    }
    let book = match &args.book {
        Some(path) => Book::open(path, args.seed)?,
        None => Book::random(args.seed),
    };
    let conditions = Conditions {
        version: env!("CARGO_PKG_VERSION").into(),
        ladder: hash_bytes(format!("{ladder:?}").as_bytes()),
        book: book.fingerprint(),
        anchor: args.anchor.clone(),
        movetime: args.movetime,
    };
    let nodes =
        args.anchors.iter().filter_map(|anchor| Some((anchor.elo, anchor.nodes?))).collect();
    let anchors = Anchors { command: args.anchor.clone(), nodes, movetime: args.movetime };
    fs::create_dir_all(&args.out).map_err(Error::file(&args.out))?;
    let mut journal = Journal::open(&args.out.join("levels.jsonl"), &conditions)?;
    let open = open_pairs(&plan(&levels, &args.anchors, [args.games, args.anchor_games]), &journal);
    let bar = ProgressBar::new(open.len() as u64);
    bar.set_style(
        ProgressStyle::with_template("{pos}/{len} pairs, {elapsed}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    play(&open, &book, (&ladder, &anchors), args.threads, |pair| {
        journal.add(&pair)?;
        bar.inc(1);
        if bar.is_hidden() && bar.position().is_multiple_of(TOLD_EVERY) {
            say!("{} of {} pairs", bar.position(), open.len());
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    let sets_scale = args.anchors.iter().filter(|anchor| anchor.guest.is_none());
    let scale: Vec<u32> = sets_scale.map(|anchor| anchor.elo).collect();
    let ratings = fit(&journal.scores, &scale);
    let tables = page::tables(&ratings, &journal.scores);
    let constants = page::constants(&ratings, &ladder);
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
        let plan = |elo, nodes, guest| Ok(AnchorPlan { elo, nodes, guest });
        assert_eq!(anchor("1350:1"), plan(1350, Some(1), None));
        assert_eq!(anchor("2000"), plan(2000, None, None));
        assert_eq!(anchor("2000:20000:2600"), plan(2000, Some(20_000), Some(2600)));
        for wrong in ["", "x", "1350:", "1350:x", ":3", "-1", "1:2:3:4"] {
            assert!(anchor(wrong).is_err(), "{wrong}");
        }
    }
}
