//! The sub-command `spsa`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use engine::params::{FINAL_RATE, PARAMS, Param};
use indicatif::{ProgressBar, ProgressStyle};

use super::climb::{Climb, Dimension};
use crate::Error;
use crate::data::write_file;
use crate::match_play::PairRequest;
use crate::say::say;
use crate::sprt::MatchArgs;

/// Tunes parameters of the search by self-play (needs a build with --features tune).
#[derive(Clone, Debug, Args)]
pub struct SpsaArgs {
    /// The parameters, separated by commas
    #[arg(long, value_delimiter = ',')]
    params: Vec<String>,
    /// Steps in all, those of earlier runs with this file included; each plays two games
    #[arg(long, default_value_t = 5000)]
    steps: usize,
    /// Rate of learning at the end; a short run needs a higher one
    #[arg(long, default_value_t = FINAL_RATE)]
    rate: f64,
    /// File that keeps the state, to go on with after an interruption
    #[arg(long, short, default_value = "spsa.json")]
    out: PathBuf,
    /// Print all parameters in the form that tuning servers read, and do nothing
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    games_of: MatchArgs,
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be read or written, a worker fails, or parameters are fixed in this build.
pub fn spsa(args: &SpsaArgs) -> Result<(), Error> {
    if args.list {
        for param in PARAMS {
            say!("{}", param.line());
        }
        return Ok(());
    }
    let mut climb = load(args)?;
    climb.variant().check()?;
    let (book, thinking) = (args.games_of.book()?, args.games_of.thinking());
    let mut workers = args.games_of.workers()?;
    let bar = ProgressBar::new(args.steps as u64);
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} steps, {msg}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_position(climb.done as u64);
    let mut next = climb.done;
    let state = RefCell::new(&mut climb);
    // Answers may come out of order; they are learnt from in order, so that a run can be repeated.
    let mut waiting = HashMap::new();
    workers.run(
        || {
            (next < args.steps).then(|| {
                let (id, variants) = (next, state.borrow().players(next));
                next += 1;
                PairRequest { id, fen: book.opening(id), thinking, variants }
            })
        },
        |id, result| {
            waiting.insert(id, f64::from(result.points[0] + result.points[1]) - 2.0);
            let mut climb = state.borrow_mut();
            while let Some(points) = waiting.remove(&climb.done) {
                let step = climb.done;
                climb.learn(step, points);
                bar.set_position(climb.done as u64);
                bar.set_message(describe(&climb));
                save(&args.out, &climb)?;
            }
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    for dimension in &climb.dimensions {
        say!("{:<28}{:>6} -> {:.1}", dimension.name, dimension.start, dimension.value);
    }
    let changes: Vec<String> =
        climb.variant().0.iter().map(|(name, value)| format!("{name}={value}")).collect();
    say!("to confirm it: halcyon-lab sprt --new {}", changes.join(","));
    Ok(())
}

fn find(name: &str) -> Result<&'static Param, Error> {
    let found = PARAMS.iter().find(|param| param.name == name);
    found.ok_or_else(|| Error::Request(format!("there is no parameter {name:?}; see spsa --list")))
}

/// The state of an earlier run, or a new one.
fn load(args: &SpsaArgs) -> Result<Climb, Error> {
    let path = &args.out;
    let dimensions: Vec<Dimension> = args
        .params
        .iter()
        .map(|name| find(name).map(Dimension::new))
        .collect::<Result<_, Error>>()?;
    if !path.exists() {
        if dimensions.is_empty() {
            return Err(Error::Request("name parameters with --params; see spsa --list".into()));
        }
        return Ok(Climb::new(dimensions, args.steps, args.games_of.seed, args.rate));
    }
    let text = fs::read_to_string(path).map_err(Error::file(path))?;
    let climb: Climb =
        serde_json::from_str(&text).map_err(|error| Error::content(path, error.to_string()))?;
    let names = |dimensions: &[Dimension]| -> Vec<String> {
        dimensions.iter().map(|dimension| dimension.name.clone()).collect()
    };
    let same = dimensions.is_empty() || names(&dimensions) == names(&climb.dimensions);
    let same = same
        && climb.steps == args.steps
        && climb.seed == args.games_of.seed
        && climb.final_rate == args.rate;
    if !same {
        let reason = "it belongs to a run with other parameters, steps, seed or rate; name another \
                      file with --out";
        return Err(Error::content(path, reason));
    }
    Ok(climb)
}

/// Writes the state so that a run that is killed leaves the old or the new one.
fn save(path: &Path, climb: &Climb) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(climb)
        .map_err(|error| Error::content(path, error.to_string()))?;
    write_file(path, (text + "\n").as_bytes())
}

fn describe(climb: &Climb) -> String {
    let show = |dimension: &Dimension| format!("{} {:.1}", dimension.name, dimension.value);
    climb.dimensions.iter().take(4).map(show).collect::<Vec<_>>().join(", ")
}
