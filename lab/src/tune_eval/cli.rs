//! The sub-command `tune-eval`.

use std::path::PathBuf;

use clap::Args;

use super::{
    Descent, Goal, Loading, Prior, Samples, Weight, current_weights, load, loss, recentre, rescale,
    rounded, run_of, write_table,
};
use crate::Error;
use crate::data::{Criterion, PositionFilter, bytes_bar, print_damage, write_file};
use crate::say::say;

/// Tunes the weights of the hand-made evaluation.
#[derive(Clone, Debug, Args)]
pub struct TuneArgs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The table file to write (the engine's is crates/engine/src/eval/weights.rs)
    #[arg(long, short)]
    out: Option<PathBuf>,
    /// Share of the game's result in what is learnt, from 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.5)]
    wdl: f32,
    /// Centipawns that make the odds e to 1, in place of those fitted to scores and results
    #[arg(long)]
    scale: Option<f32>,
    /// Multiply all weights at the end so that a pawn has this value in the endgame
    #[arg(long)]
    pawn: Option<f32>,
    /// Take no further game once there are this many positions
    #[arg(long, default_value_t = 20_000_000)]
    positions: usize,
    /// Share of games to measure with instead of learning from, in percent
    #[arg(long, default_value_t = 5.0)]
    held_out_percent: f64,
    /// How often to go through all positions
    #[arg(long, default_value_t = 12)]
    epochs: usize,
    /// Positions a step
    #[arg(long, default_value_t = 8192)]
    batch: usize,
    /// Centipawns that a weight moves in a step at first
    #[arg(long, default_value_t = 1.0)]
    rate: f32,
    /// How far a weight is expected to stray from its start, in centipawns; 0 for freely
    #[arg(long, default_value_t = 150.0)]
    stray: f32,
    /// How far an entry of mobility or danger is expected to stray from its neighbour; 0 for freely
    #[arg(long, default_value_t = 10.0)]
    neighbour: f32,
    /// Threads to use
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Fixes the random order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    filter: PositionFilter,
}

/// Tunes and, if asked to, writes the table file.
///
/// # Errors
/// When a file cannot be read or written, or there is no position to learn from.
pub fn tune_eval(args: &TuneArgs) -> Result<(), Error> {
    if !(0.0..=1.0).contains(&args.wdl) {
        return Err(Error::Request(String::from("the share of the result is from 0 to 1")));
    }
    let bar = bytes_bar("reading");
    let loading = Loading {
        files: args.files.clone(),
        filter: args.filter.clone(),
        held_out_percent: args.held_out_percent,
        positions: args.positions,
    };
    let ([train, held_out], reports) = load(&loading, &bar)?;
    bar.finish_and_clear();
    print_damage(&reports);
    let Some(fit) = train.score_table().fit(Criterion::Likelihood) else {
        return Err(Error::Request(String::from("there is no position to learn from")));
    };
    let goal = Goal { result_share: args.wdl, scale: args.scale.unwrap_or(fit.scale as f32) };
    say!("{} positions of {} games to learn from", train.len(), train.games);
    say!("{} positions of {} games held out", held_out.len(), held_out.games);
    say!("K = {:.1} (scores and results fit {:.1})", goal.scale, fit.scale);

    let start = current_weights();
    let mut weights = start.clone();
    let print = |name: &str, weights: &[Weight]| {
        let (learnt, other) = (loss(&train, weights, goal), loss(&held_out, weights, goal));
        say!("{name:<10} loss {learnt:.6}, held out {other:.6}");
    };
    print("start", &weights);
    let descent = Descent {
        samples: &train,
        goal,
        prior: &Prior::new(&start, args.stray, args.neighbour, train.games),
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        threads: args.threads,
        seed: args.seed,
    };
    descent.run(&mut weights, |epoch, weights| {
        // Five lines are enough to see how it goes.
        if epoch % args.epochs.div_ceil(5) == 0 || epoch == args.epochs {
            print(&format!("epoch {epoch}"), weights);
        }
    });
    finish(args, &train, &mut weights);
    let whole = rounded(&weights);
    if args.pawn.is_none() {
        print("rounded", &whole);
    }
    if let Some(path) = &args.out {
        write_file(path, write_table(&whole).as_bytes())?;
        say!("{}", path.display());
    }
    Ok(())
}

/// Tidies the weights, brings them to the wanted size and says what men are worth.
fn finish(args: &TuneArgs, train: &Samples, weights: &mut [Weight]) {
    let usage = train.usage(weights.len());
    recentre(weights, &usage);
    let Some(material) = run_of("material") else { return };
    if let Some(pawn) = args.pawn {
        let factor = pawn / weights[material.first][1];
        rescale(weights, factor);
        say!("all weights multiplied by {factor:.3}");
    }
    let mut before = current_weights();
    recentre(&mut before, &usage);
    say!("{:<8} {:>12} {:>12}", "", "before", "after");
    let names = ["pawn", "knight", "bishop", "rook", "queen"];
    for (name, place) in names.into_iter().zip(material.places()) {
        let text = |[middlegame, endgame]: Weight| format!("{middlegame:.0}, {endgame:.0}");
        say!("{name:<8} {:>12} {:>12}", text(before[place]), text(weights[place]));
    }
}
