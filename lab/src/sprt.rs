//! The sub-commands `sprt` and `pair-worker`: matches of one set of parameters against another.

use std::cell::{Cell, RefCell};
use std::io::{stdin, stdout};
use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::Error;
use crate::book::Book;
use crate::match_play::{
    NodeClock, PairRequest, Sprt, Tally, Thinking, Variant, Verdict, Workers, serve,
};
use crate::network_file::read_network;
use crate::say::say;

/// How a match is played.
#[derive(Clone, Debug, Args)]
pub struct MatchArgs {
    /// Nodes for each move
    #[arg(long, default_value_t = 5000, conflicts_with = "movetime")]
    pub nodes: u64,
    /// Milliseconds for each move
    #[arg(long)]
    pub movetime: Option<u64>,
    /// A clock for each player that runs by nodes: nodes for the game + nodes for each move
    #[arg(long, value_name = "NODES+NODES", conflicts_with_all = ["nodes", "movetime"])]
    pub clock: Option<NodeClock>,
    /// Openings, an EPD file [default: random moves]
    #[arg(long)]
    pub book: Option<PathBuf>,
    /// Seed of the order of openings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Processes that play games side by side
    #[arg(long, default_value_t = 1)]
    pub concurrency: usize,
    /// Network to evaluate with
    #[arg(long)]
    pub network: Option<PathBuf>,
}

impl MatchArgs {
    /// What the players may spend.
    #[must_use]
    pub fn thinking(&self) -> Thinking {
        match (self.clock, self.movetime) {
            (Some(clock), _) => Thinking::Clock(clock),
            (None, Some(milliseconds)) => Thinking::Time(milliseconds),
            (None, None) => Thinking::Nodes(self.nodes),
        }
    }

    /// The openings.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn book(&self) -> Result<Book, Error> {
        match &self.book {
            Some(path) => Book::open(path, self.seed),
            None => Ok(Book::random(self.seed)),
        }
    }

    /// The processes.
    ///
    /// # Errors
    /// If one cannot be started.
    pub fn workers(&self) -> Result<Workers, Error> {
        Workers::start(self.concurrency, self.network.as_deref())
    }
}

/// Tests whether a change of parameters makes the engine stronger (needs a build with --features
/// tune). For two programs, use fastchess with -sprt.
#[derive(Clone, Debug, Args)]
pub struct SprtArgs {
    /// The change: name=value, separated by commas
    #[arg(long, value_delimiter = ',', required = true)]
    new: Vec<String>,
    /// What it is compared with [default: the engine as it is]
    #[arg(long, value_delimiter = ',')]
    base: Vec<String>,
    /// The gain that would not be worth it, in Elo
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    elo0: f64,
    /// The gain that would, in Elo
    #[arg(long, default_value_t = 5.0, allow_hyphen_values = true)]
    elo1: f64,
    /// How often a change without worth may pass
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often a change of worth may fail
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Give up after so many games
    #[arg(long, default_value_t = 40_000)]
    games: usize,
    #[command(flatten)]
    games_of: MatchArgs,
}

/// After how many games a match that shows no bar tells how it stands.
const TOLD_EVERY: u64 = 100;

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read, a worker fails, or parameters are fixed in this build.
pub fn sprt(args: &SprtArgs) -> Result<(), Error> {
    let test = Sprt { elo0: args.elo0, elo1: args.elo1, alpha: args.alpha, beta: args.beta };
    let shares = [args.alpha, args.beta];
    if args.elo0 >= args.elo1 || shares.iter().any(|share| !(*share > 0.0 && *share < 0.5)) {
        let wrong = "--elo0 must be below --elo1, --alpha and --beta between 0 and 0.5";
        return Err(Error::Request(wrong.into()));
    }
    let (new, base) = (Variant::parse(&args.new)?, Variant::parse(&args.base)?);
    let (book, thinking) = (args.games_of.book()?, args.games_of.thinking());
    let mut workers = args.games_of.workers()?;
    let pairs = args.games.div_ceil(2);
    let bar = ProgressBar::new(pairs as u64);
    bar.set_style(
        ProgressStyle::with_template("{pos}/{len} pairs, {msg}, {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let (tally, asked) = (RefCell::new(Tally::default()), Cell::new(0));
    workers.run(
        || {
            let number = asked.get();
            let open = test.verdict(&tally.borrow()) == Verdict::Open;
            (open && number < pairs).then(|| {
                asked.set(number + 1);
                let variants = [new.clone(), base.clone()];
                PairRequest { id: number, fen: book.opening(number), thinking, variants }
            })
        },
        |_, result| {
            tally.borrow_mut().add(result.points);
            let tally = tally.borrow();
            let state = describe(&test, &tally);
            // A file shows no bar, and keeps what was seen if the match is ended early.
            if bar.is_hidden() && tally.games() % TOLD_EVERY == 0 {
                say!("{} games, {state}", tally.games());
            }
            bar.inc(1);
            bar.set_message(state);
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    let tally = tally.into_inner();
    say!("{}", describe(&test, &tally));
    say!("{} games, pairs by half points {:?}", tally.games(), tally.pairs);
    say!(
        "{}",
        match test.verdict(&tally) {
            Verdict::Accepted => "accepted: the change makes the engine stronger",
            Verdict::Rejected => "rejected: the change is not worth it",
            Verdict::Open => "not decided: more games are needed",
        }
    );
    Ok(())
}

fn describe(test: &Sprt, tally: &Tally) -> String {
    let (low, high) = test.bounds();
    let elo = tally
        .elo()
        .map_or_else(String::new, |elo| format!("{:+.1} ± {:.1} Elo, ", elo.difference, elo.error));
    let [wins, draws, losses] = tally.games;
    format!("{elo}+{wins} ={draws} -{losses}, LLR {:.2} ({low:.2} to {high:.2})", test.ratio(tally))
}

/// Plays pairs that are asked for on standard input.
#[derive(Clone, Debug, Args)]
pub struct WorkerArgs {
    /// Network to evaluate with
    #[arg(long)]
    network: Option<PathBuf>,
}

/// Runs the sub-command `pair-worker`.
///
/// # Errors
/// When a line makes no sense or the network cannot be read.
pub fn pair_worker(args: &WorkerArgs) -> Result<(), Error> {
    let network = args.network.as_deref().map(read_network).transpose()?;
    serve(stdin().lock(), stdout().lock(), network.as_ref())
}
