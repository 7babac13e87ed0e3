//! The sub-command `puzzles`.

use clap::Args;

use crate::Error;
use crate::engines::Budget;
use crate::record::Task;
use crate::run::{Plan, RunArgs, Streams, run};

const DEFAULT_BUDGET: Budget = Budget::Nodes(200_000);

/// Makes puzzles of the mistakes of games.
#[derive(Clone, Debug, Args)]
#[command(after_help = "\
Examples:
  halcyon puzzles games.pgn                                  puzzles as PGN to the terminal
  halcyon puzzles games.pgn.zst --out puzzles.csv            in the columns of Lichess's puzzle file
  halcyon puzzles all.jsonl --out puzzles.pgn                from what `analyse` has found
  halcyon puzzles games.pgn --out puzzles.jsonl --resume     goes on where it was killed
  halcyon puzzles games.pgn --shard 2/8 --out part2.jsonl    one of eight machines; see `merge`

A first look at a tenth of the budget finds the mistakes; each is then looked at with all of it:
200000 nodes without --nodes, --depth or --movetime.
docs/coach.md says when a position is a puzzle.")]
pub struct PuzzlesArgs {
    #[command(flatten)]
    run: RunArgs,
}

/// Runs the sub-command. `program` is the engine's name and version.
///
/// # Errors
/// If a file cannot be read or written, or the request makes no sense. What was found until then is
/// kept.
pub fn puzzles(args: &PuzzlesArgs, program: &str, streams: Streams<'_>) -> Result<(), Error> {
    let plan = Plan {
        task: Task::Puzzles,
        budget: DEFAULT_BUDGET,
        multipv: 1,
        together: false,
        book: None,
        line_plies: 0,
    };
    run(&args.run, &plan, program, streams)
}
