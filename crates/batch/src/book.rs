//! The sub-command `book`.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use chess::Position;
use clap::{Args, Subcommand};
use review::{BookMaker, read_with_passes};

use crate::Error;
use crate::input::{Item, Items};
use crate::paths;
use crate::run::read_book;
use crate::text::counted;

/// Makes opening books of games, and looks into them.
#[derive(Clone, Debug, Args)]
pub struct BookArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Clone, Debug, Subcommand)]
enum Task {
    /// Make a Polyglot book of games
    Make {
        /// PGN files; also .zst, .gz and .bz2; - for standard input
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where the book goes
        #[arg(long)]
        out: PathBuf,
        /// Moves of either side from the beginning of each game
        #[arg(long, default_value_t = 30)]
        plies: usize,
        /// Leave out moves that were played in fewer games
        #[arg(long, default_value_t = 2)]
        min_games: u32,
    },
    /// Show the moves that a book knows
    Show {
        /// The book, in Polyglot's format
        file: PathBuf,
        /// A position; the start of a game if it is not given
        #[arg(long)]
        fen: Option<String>,
        /// Moves from there, as in: e4 e5 Nf3
        moves: Vec<String>,
    },
}

/// Runs the sub-command and says what it came to.
///
/// # Errors
/// If a file cannot be read or written, or a position or move makes no sense.
pub fn book(args: &BookArgs) -> Result<String, Error> {
    match &args.task {
        Task::Make { files, out, plies, min_games } => {
            paths::check_inputs(files)?;
            paths::check_outputs(files, std::slice::from_ref(out))?;
            let mut maker = BookMaker::default();
            let (mut games, mut faulty) = (0_u64, 0_u64);
            for path in files {
                let mut items = Items::open(path, Arc::default())?;
                while let Some(item) = items.next_item().map_err(Error::file(path))? {
                    let Item::Game(raw) = item else {
                        return Err(Error::content(path, "positions instead of games"));
                    };
                    let (tree, faults) = read_with_passes(&raw);
                    games += 1;
                    faulty += u64::from(!faults.is_empty());
                    if let Some(tree) = tree {
                        maker.add(&tree, *plies);
                    }
                }
            }
            let book = maker.finish(*min_games);
            if book.is_empty() {
                let games = counted(games, "game");
                let reason = format!("no move was played in {min_games} of {games}: no book");
                return Err(Error::Request(reason));
            }
            atomic_file::write(out, book.bytes()).map_err(Error::file(out))?;
            Ok(format!(
                "{}: {} of {} ({faulty} of them damaged)",
                out.display(),
                counted(book.len() as u64, "move"),
                counted(games, "game")
            ))
        }
        Task::Show { file, fen, moves } => {
            let book = read_book(file)?;
            let position = position(fen.as_deref(), moves)?;
            let known = book.moves(&position);
            let total: u32 = known.iter().map(|known| u32::from(known.weight)).sum();
            let moves = counted(book.len() as u64, "move");
            let mut text = format!("{moves} in the book, {} here\n", known.len());
            for known in known {
                let share = 100.0 * f64::from(known.weight) / f64::from(total.max(1));
                let san = position.to_san(known.mv);
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{san:8} {:6}  {share:5.1} %", known.weight);
            }
            Ok(text.trim_end().to_owned())
        }
    }
}

fn position(fen: Option<&str>, moves: &[String]) -> Result<Position, Error> {
    let start = fen.map_or(Ok(Position::startpos()), Position::from_fen);
    let mut position = start.map_err(|error| Error::Request(format!("FEN refused: {error}")))?;
    for text in moves {
        let mv = position
            .parse_san(text)
            .or_else(|error| position.parse_uci(text).map_err(|_| error))
            .map_err(|error| Error::Request(format!("{text}: {error}")))?;
        position.make(mv);
    }
    Ok(position)
}
