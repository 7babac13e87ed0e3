//! What the coach's sentences cost beside the review that they belong to.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use batch::engines::EngineConfig;
use clap::Args;
use engine::{Game, Limits};
use review::{Analyst, GameTree, Splitter, explain, judge, play_or_pass, read};

use crate::Error;
use crate::processor_time::processor_time;
use crate::say::say;

/// Reviews games and explains their mistakes, and tells how long each took.
#[derive(Clone, Debug, Args)]
pub struct CostArgs {
    /// A PGN file
    file: PathBuf,
    /// Games to look at, from the first
    #[arg(long, default_value_t = 20)]
    games: usize,
    /// Nodes for each search
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Print all sentences
    #[arg(long)]
    print: bool,
}

/// How long something takes, in processor time if that is known.
fn timed<T>(act: impl FnOnce() -> T) -> (Duration, T) {
    let (before, begun) = (processor_time(), Instant::now());
    let result = act();
    let passed = match (before, processor_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => begun.elapsed(),
    };
    (passed, result)
}

/// What was done and how long it took.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    games: usize,
    positions: usize,
    mistakes: usize,
    review: Duration,
    words: Duration,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read.
pub fn run(args: &CostArgs) -> Result<(), Error> {
    let file = File::open(&args.file).map_err(Error::file(&args.file))?;
    let mut splitter = Splitter::new(BufReader::new(file));
    let config = EngineConfig { threads: 1, hash: 16, network: None, syzygy: None };
    let mut analyst = Analyst::new(config.engine()?, Limits::nodes(args.nodes));
    let mut cost = Cost::default();
    while cost.games < args.games {
        let Some(raw) = splitter.next_game().map_err(Error::file(&args.file))? else { break };
        let (Some(tree), _) = read(&raw) else { continue };
        for text in cost.add(&mut analyst, &tree) {
            if args.print {
                say!("{text}");
            }
        }
    }
    let (review, words) = (cost.review.as_secs_f64(), cost.words.as_secs_f64());
    say!(
        "{} games, {} positions of {} nodes in {review:.1} s of processor time; \
         {} mistakes explained in {words:.1} s: {:.1} % more",
        cost.games,
        cost.positions,
        args.nodes,
        cost.mistakes,
        100.0 * words / review.max(1e-9)
    );
    Ok(())
}

impl Cost {
    /// Reviews a game as `analyse` does and explains its mistakes; returns the sentences.
    fn add(&mut self, analyst: &mut Analyst, tree: &GameTree) -> Vec<String> {
        let (took, (looks, review)) = timed(|| {
            let looks = analyst.looks(tree, |_| true).unwrap_or_default();
            let review = judge(tree, &looks, 0);
            (looks, review)
        });
        self.review += took;
        self.games += 1;
        self.positions += looks.len();
        let (took, texts) = timed(|| {
            let mut texts = Vec::new();
            let mut game = Game::new(tree.start);
            for (index, (ply, judged)) in tree.main.plies.iter().zip(&review.plies).enumerate() {
                if judged.judgement.is_some()
                    && let Some(mv) = ply.mv
                {
                    let known = Some((&looks[index], &looks[index + 1]));
                    texts.push(explain(analyst, &game, mv, known).text());
                }
                play_or_pass(&mut game, ply.mv);
            }
            texts
        });
        self.words += took;
        self.mistakes += texts.len();
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_of_a_game_is_explained_and_counted() {
        let pgn = "1. f3 e5 2. g4 Qh4# 0-1\n";
        let raw = Splitter::new(pgn.as_bytes()).next_game().unwrap().unwrap();
        let (tree, _) = read(&raw);
        let config = EngineConfig { threads: 1, hash: 1, network: None, syzygy: None };
        let mut analyst = Analyst::new(config.engine().unwrap(), Limits::nodes(3000));
        let mut cost = Cost::default();
        let texts = cost.add(&mut analyst, &tree.unwrap());
        assert_eq!((cost.games, cost.positions, cost.mistakes), (1, 5, texts.len()));
        assert!(texts.iter().any(|text| text.starts_with("g4 allows mate in one")), "{texts:?}");
    }
}
