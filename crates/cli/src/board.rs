//! The sub-command `serve`: the board in a browser.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use batch::engines::open_tablebases;
use batch::read_book;
use clap::Args;
use server::Options;

use crate::output::Output;

/// How to serve the board.
#[derive(Args)]
pub struct ServeArguments {
    /// Port to listen at, 0 for any free one [default: 8960, or a free one if that is taken]
    #[arg(long)]
    port: Option<u16>,
    /// Show the board in the browser at once.
    #[arg(long)]
    open: bool,
    /// Address to listen at. Where others can reach it, --token is needed.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Secret that opens the page; other users of the machine can read it here, but not in HALCYON_TOKEN
    /// [default: HALCYON_TOKEN, or a new one at each start]
    #[arg(long)]
    token: Option<String>,
    /// Searches that run at the same time [default: one for each processor, 8 at most]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    engines: Option<u16>,
    /// Threads of each search.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Transposition table of each search in MiB.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Boards that may be open at the same time.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    clients: u16,
    /// Minutes after which an analysis that nobody touches ends.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    idle: u32,
    /// A Polyglot book that the engine plays from
    #[arg(long)]
    book: Option<PathBuf>,
    /// Folders with Syzygy tablebases for the engine
    #[arg(long, value_name = "FOLDERS")]
    syzygy: Option<String>,
}

/// Serves until Ctrl-C.
///
/// # Errors
/// Why the server cannot start, for people.
pub fn serve(arguments: &ServeArguments, output: &Output) -> Result<(), String> {
    let book = arguments.book.as_deref().map(read_book).transpose();
    let tablebases = arguments.syzygy.as_deref().map(open_tablebases).transpose();
    let defaults = Options::default();
    let options = Options {
        host: arguments.host.clone(),
        port: arguments.port,
        token: arguments.token.clone(),
        engines: arguments.engines.map_or(defaults.engines, usize::from),
        threads: usize::from(arguments.threads),
        hash: usize::try_from(arguments.hash).unwrap_or(defaults.hash),
        clients: usize::from(arguments.clients),
        idle: Duration::from_secs(60 * u64::from(arguments.idle)),
        book: book.map_err(|error| error.to_string())?,
        tablebases: tablebases.map_err(|error| error.to_string())?,
    };
    let server = server::start(&options).map_err(|problem| problem.to_string())?;
    output.line(&format!("The board is at\n\n    {}\n\nCtrl-C ends it.", server.url()));
    if arguments.open
        && let Err(error) = open::that_detached(server.url())
    {
        // The address is there to be copied.
        let _ = writeln!(io::stderr(), "halcyon: cannot open a browser: {error}");
    }
    server.run().map_err(|problem| problem.to_string())
}
