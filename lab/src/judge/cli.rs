//! The sub-command `judge`.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, available_parallelism};

use clap::Args;
use engine::{Limits, SingleThreadEngine, scale_eval};
use nnue::{AccumulatorStack, Network};

use super::measure::{Fit, PHASES, fit};
use super::set::{Judged, read_set};
use crate::Error;
use crate::data::PackedPosition;
use crate::network_file::read_network;
use crate::say::say;
use crate::train::load_net;

/// The table of a searching thread.
const HASH_MIB: usize = 16;

/// Measures how much of the truth networks and searches know.
#[derive(Clone, Debug, Args)]
pub struct JudgeArgs {
    /// Network files, or checkpoints (judged in floating point); the embedded network if none
    networks: Vec<PathBuf>,
    /// Labelled positions: EPD with the score as `ce`, as `rescore` writes it; also compressed
    #[arg(long, default_value = "data/judge.epd.gz")]
    set: PathBuf,
    /// Also searches of so many nodes, with the embedded network
    #[arg(long, value_delimiter = ',')]
    search: Vec<u64>,
    /// Use only so many positions
    #[arg(long)]
    limit: Option<usize>,
    /// Threads; all cores if not given
    #[arg(long)]
    threads: Option<usize>,
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or is not what its name says.
pub fn judge(args: &JudgeArgs) -> Result<(), Error> {
    let mut set = load_set(&args.set)?;
    if let Some(limit) = args.limit {
        set.truncate(limit);
    }
    let threads = args.threads.or_else(|| available_parallelism().ok().map(usize::from));
    let threads = threads.unwrap_or(1).max(1);
    say!("{} positions; explained variance by phase, RMS error and best scale of all", set.len());
    let columns: String = PHASES.iter().map(|phase| format!("{:>12}", phase.name)).collect();
    say!("{:<32}{columns}{:>9}{:>8}", "", "RMS", "scale");
    if args.networks.is_empty() {
        let network = Arc::clone(nnue::embedded());
        print_row("embedded network", &set, &evaluate_all(&set, &network));
    }
    for path in &args.networks {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.extension().is_some_and(|end| end == "checkpoint") {
            let (net, scale) = load_net(path)?;
            let float = |judged: &Judged| {
                let packed = PackedPosition::new(&judged.position, 0, 1);
                let score = (net.evaluate(&packed) * scale).round() as i32;
                f64::from(scale_eval(&judged.position, score).raw())
            };
            print_row(&name, &set, &set.iter().map(float).collect::<Vec<f64>>());
        } else {
            print_row(&name, &set, &evaluate_all(&set, &read_network(path)?));
        }
    }
    for &nodes in &args.search {
        let scores = search_all(&set, nodes, threads)?;
        print_row(&format!("search of {nodes} nodes"), &set, &scores);
    }
    Ok(())
}

fn load_set(path: &Path) -> Result<Vec<Judged>, Error> {
    let file = File::open(path).map_err(Error::file(path))?;
    read_set(file).map_err(|reason| Error::content(path, reason))
}

fn evaluate_all(set: &[Judged], network: &Arc<Network>) -> Vec<f64> {
    let mut accumulators = AccumulatorStack::new(Arc::clone(network));
    set.iter()
        .map(|judged| {
            accumulators.reset(&judged.position);
            let score = accumulators.evaluate(&judged.position);
            f64::from(scale_eval(&judged.position, score).raw())
        })
        .collect()
}

fn search_all(set: &[Judged], nodes: u64, threads: usize) -> Result<Vec<f64>, Error> {
    let share = set.len().div_ceil(threads).max(1);
    let parts: Result<Vec<Vec<f64>>, Error> = thread::scope(|scope| {
        let handles: Vec<_> =
            set.chunks(share).map(|part| scope.spawn(move || search_part(part, nodes))).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    Ok(parts?.concat())
}

fn search_part(set: &[Judged], nodes: u64) -> Result<Vec<f64>, Error> {
    let mut engine = SingleThreadEngine::new(HASH_MIB)
        .map_err(|error| Error::Request(format!("no memory for the table: {error}")))?;
    let score = |judged: &Judged| {
        engine.new_game();
        let found = engine.search(&engine::Game::new(judged.position), &Limits::nodes(nodes));
        found.map_or(0.0, |(line, _)| f64::from(line.score.raw()))
    };
    Ok(set.iter().map(score).collect())
}

fn print_row(name: &str, set: &[Judged], scores: &[f64]) {
    let fits: Vec<Option<Fit>> = PHASES
        .iter()
        .map(|phase| {
            let pairs: Vec<(f64, f64)> = set
                .iter()
                .zip(scores)
                .filter(|(judged, _)| {
                    let pieces = judged.position.board().occupied().count();
                    (phase.from..=phase.to).contains(&pieces)
                })
                .map(|(judged, &score)| (score, f64::from(judged.label)))
                .collect();
            fit(&pairs)
        })
        .collect();
    let cells: String = fits
        .iter()
        .map(|fit| {
            fit.map_or(format!("{:>12}", "-"), |fit| format!("{:>10.1} %", fit.explained * 100.0))
        })
        .collect();
    let whole = fits[0].map_or(String::new(), |fit| format!("{:>9.4}{:>8.0}", fit.rms, fit.scale));
    say!("{name:<32}{cells}{whole}");
}
