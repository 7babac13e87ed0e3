//! The sub-command `why`: what is wrong with a move.

use chess::Position;
use clap::Args;
use clap::builder::RangedU64ValueParser;
use engine::Game;
use review::{Analyst, explain, parse_move};

use crate::Error;
use crate::engines::{Budget, BudgetArgs, EngineConfig};

const DEFAULT_BUDGET: Budget = Budget::Nodes(500_000);

/// Says why a move is bad, or that it is not, with the lines that prove it.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Without --nodes, --depth or --movetime it takes 500000 nodes.")]
pub struct WhyArgs {
    /// The position, or `startpos`
    fen: String,
    /// The move, as in Nf3 or g1f3
    #[arg(value_name = "MOVE")]
    mv: String,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Transposition table in MiB
    #[arg(long, default_value_t = 16, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    hash: usize,
    /// Folders with Syzygy tablebases
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

/// Runs the sub-command and returns what it says, a line for each clause.
///
/// # Errors
/// If the position or the move is none, or there is no engine.
pub fn why(args: &WhyArgs) -> Result<Vec<String>, Error> {
    let position = match args.fen.as_str() {
        "startpos" => Position::startpos(),
        fen => Position::from_fen(fen)
            .map_err(|error| Error::Request(format!("FEN refused: {error}")))?,
    };
    let mv = parse_move(&position, &args.mv)
        .map_err(|error| Error::Request(format!("move {:?} refused: {error}", args.mv)))?;
    let config =
        EngineConfig { threads: 1, hash: args.hash, network: None, syzygy: args.syzygy.clone() };
    let limits = args.budget.budget().unwrap_or(DEFAULT_BUDGET).limits();
    let mut analyst = Analyst::new(config.engine()?, limits);
    let explanation = explain(&mut analyst, &Game::new(position), mv, None);
    Ok(explanation.clauses.into_iter().map(|clause| clause.text).collect())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: WhyArgs,
    }

    fn said(fen: &str, mv: &str) -> Result<Vec<String>, String> {
        let words = ["why", fen, mv, "--nodes", "3000", "--hash", "1"];
        why(&Line::parse_from(words).args).map_err(|error| error.to_string())
    }

    #[test]
    fn a_bad_move_is_explained_and_nonsense_is_refused() {
        let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
        let clauses = said(fool, "g2g4").unwrap();
        assert_eq!(clauses[0], "g4 allows mate in one: 2...Qh4#.");
        assert!(said(fool, "Ke4").unwrap_err().contains("move \"Ke4\" refused"));
        assert!(said("nonsense", "e4").unwrap_err().contains("FEN refused"));
    }
}
