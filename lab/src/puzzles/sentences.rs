//! What the coach says about mistakes of real games, and whether longer searches agree.

use std::path::PathBuf;

use batch::engines::EngineConfig;
use clap::Args;
use engine::{Game, Limits};
use review::{Analyst, Claim, confirm, explain};

use super::file::read;
use crate::Error;
use crate::say::say;

/// Explains the mistakes that puzzles begin with, and searches every clause again.
#[derive(Clone, Debug, Args)]
pub struct SentencesArgs {
    /// A file with the columns of Lichess's puzzle file
    file: PathBuf,
    /// Only every n-th puzzle
    #[arg(long, default_value_t = 8)]
    every: usize,
    /// Nodes for each search of an explanation
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
    /// Nodes for each search that checks a clause
    #[arg(long, default_value_t = 200_000)]
    again: u64,
    /// Print all sentences, not only clauses that were not confirmed
    #[arg(long)]
    print: bool,
}

/// Runs the command.
///
/// # Errors
/// If the file cannot be read.
pub fn run(args: &SentencesArgs) -> Result<(), Error> {
    let puzzles = read(&args.file)?;
    let config = EngineConfig { threads: 1, hash: 16, network: None, syzygy: None };
    let mut coach = Analyst::new(config.engine()?, Limits::nodes(args.nodes));
    let mut judge = Analyst::new(config.engine()?, Limits::nodes(args.again));
    let (mut mistakes, mut clauses, mut confirmed, mut preferences) = (0, 0, 0, 0);
    for puzzle in puzzles.iter().step_by(args.every.max(1)) {
        let game = Game::new(puzzle.start);
        coach.forget();
        let explanation = explain(&mut coach, &game, puzzle.moves[0], None);
        mistakes += 1;
        if args.print {
            say!("{}  {}", puzzle.id, explanation.text());
        }
        let only_prefers = |claim: &Claim| matches!(claim, Claim::Prefers { .. });
        preferences +=
            usize::from(explanation.clauses.iter().all(|clause| only_prefers(&clause.claim)));
        for clause in &explanation.clauses {
            clauses += 1;
            judge.forget();
            if confirm(&mut judge, clause) {
                confirmed += 1;
            } else {
                say!("not confirmed: {} {}  {}", puzzle.id, puzzle.start.to_fen(), clause.text);
            }
        }
    }
    say!(
        "{mistakes} mistakes, {clauses} clauses at {} nodes; {confirmed} confirmed at {} nodes; \
         {preferences} mistakes with nothing but a preference",
        args.nodes,
        args.again
    );
    Ok(())
}
