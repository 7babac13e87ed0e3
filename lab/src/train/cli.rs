//! The sub-commands `train`, `export` and `bench-train`.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Instant;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::adam::AdamSettings;
use super::bench;
use super::checkpoint::{self, Checkpoint};
use super::config::Config;
use super::export::{RoundingError, round, rounding_error, write_network};
use super::import::load_net;
use super::net::Shape;
use super::plot::{to_chart, to_csv};
use super::schedule::{Blend, LearningRate};
use super::trainer::{Report, Trainer};
use crate::Error;
use crate::data::{
    Dataset, Loading, PackedPosition, PositionFilter, bytes_bar, print_damage, write_file,
};
use crate::say::say;

/// What a setting is if nothing is said.
const RECIPE: Config = Config::RECIPE;
/// Positions that rounding to integers looks at.
const ROUNDING_SAMPLE: usize = 20_000;
/// Positions on which the rounded network is compared with the trained one.
const COMPARISONS: usize = 10_000;

/// Trains a network on games or packed positions.
#[derive(Clone, Debug, Args)]
pub struct TrainArgs {
    /// Files of games, or (ending in .bin) of packed positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// Folder for checkpoints, loss curve and networks
    #[arg(long, short)]
    out: PathBuf,
    /// Go on from the checkpoint in the folder, with its settings
    #[arg(long)]
    resume: bool,
    /// Begin with the weights of this network file or checkpoint instead of random ones
    #[arg(long, conflicts_with = "resume")]
    from: Option<PathBuf>,
    /// Let the weights decay to those that the run began with instead of to zero
    #[arg(long, requires = "from")]
    decay_to_start: bool,
    /// Text to store in the network file
    #[arg(long, default_value = "")]
    description: String,
    #[command(flatten)]
    settings: Settings,
    /// Files of packed positions to measure with
    #[arg(long)]
    held_out: Vec<PathBuf>,
    /// Share of games to measure with instead of learning from
    #[arg(long, default_value_t = 5.0)]
    held_out_percent: f64,
    /// Measure with at most this many positions
    #[arg(long, default_value_t = 1_000_000)]
    held_out_limit: usize,
    #[command(flatten)]
    filter: PositionFilter,
}

/// The settings of a new run.
#[derive(Clone, Debug, Args)]
struct Settings {
    /// Neurons of the hidden layer, a multiple of 64
    #[arg(long, default_value_t = RECIPE.shape.hidden)]
    hidden: usize,
    /// King buckets with weights of their own: 1 or 4
    #[arg(long, default_value_t = RECIPE.shape.king_buckets.count())]
    king_buckets: usize,
    /// Output buckets by number of pieces: 1 or 8
    #[arg(long, default_value_t = RECIPE.shape.buckets)]
    buckets: usize,
    /// Positions in a batch
    #[arg(long, default_value_t = RECIPE.batch)]
    batch: usize,
    /// Passes over the data
    #[arg(long, default_value_t = RECIPE.epochs)]
    epochs: u64,
    /// Learning rate at the start
    #[arg(long, default_value_t = RECIPE.rate.start)]
    lr: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = RECIPE.rate.end)]
    lr_end: f32,
    /// Steps during which the learning rate rises to its start
    #[arg(long, default_value_t = RECIPE.rate.warm_up)]
    warm_up: u64,
    /// Share of the run, at its end, over whose steps the weights are averaged
    #[arg(long, default_value_t = RECIPE.average)]
    average: f32,
    /// Share of the game's result in the target
    #[arg(long, default_value_t = RECIPE.wdl.start)]
    wdl: f32,
    /// The share at the end, if it changes
    #[arg(long)]
    wdl_end: Option<f32>,
    /// Share of the next position's value in a score, and so on to the end of the game
    #[arg(long, default_value_t = RECIPE.td_lambda)]
    td_lambda: f64,
    /// Centipawns that make the odds e to 1 in the target; see `data fit-scale`
    #[arg(long, default_value_t = RECIPE.scale)]
    scale: f32,
    /// Weight decay
    #[arg(long, default_value_t = RECIPE.adam.decay)]
    decay: f32,
    /// Bound of all weights
    #[arg(long, default_value_t = RECIPE.adam.clip)]
    clip: f32,
    /// Measure and save this often in an epoch
    #[arg(long, default_value_t = RECIPE.reports)]
    reports: u64,
    /// Fixes everything that is random
    #[arg(long, default_value_t = RECIPE.seed)]
    seed: u64,
    /// Threads; all cores if not given
    #[arg(long)]
    threads: Option<usize>,
}

impl Settings {
    fn config(&self) -> Result<Config, Error> {
        let shape =
            Shape::new(self.hidden, self.king_buckets, self.buckets).map_err(Error::Request)?;
        let config = Config {
            batch: self.batch,
            epochs: self.epochs,
            rate: LearningRate { start: self.lr, end: self.lr_end, warm_up: self.warm_up },
            average: self.average,
            wdl: Blend { start: self.wdl, end: self.wdl_end.unwrap_or(self.wdl) },
            td_lambda: self.td_lambda,
            scale: self.scale,
            adam: AdamSettings { decay: self.decay, clip: self.clip, ..RECIPE.adam },
            seed: self.seed,
            reports: self.reports,
            threads: self.threads.unwrap_or_else(all_cores),
            shape,
        };
        config.check().map_err(Error::Request)?;
        Ok(config)
    }
}

/// Runs `train`.
///
/// # Errors
/// When data or checkpoint cannot be used, a file cannot be written, or training diverges.
pub fn train(args: &TrainArgs) -> Result<(), Error> {
    std::fs::create_dir_all(&args.out).map_err(Error::file(&args.out))?;
    let checkpoint_path = args.out.join("latest.checkpoint");
    let (mut trainer, stored_data) = begin(args, &checkpoint_path)?;
    let data = load(args, &trainer.config)?;
    let fingerprint = data.fingerprint();
    if stored_data.is_some_and(|stored| stored != fingerprint) {
        let reason = "the checkpoint belongs to other data; to go on with new data, use --from";
        return Err(Error::content(&checkpoint_path, reason));
    }
    let count = data.train.len();
    let held_out = &data.held_out[..data.held_out.len().min(args.held_out_limit)];
    let sample = &data.train[..count.min(ROUNDING_SAMPLE)];
    let comparison = if held_out.is_empty() { sample } else { held_out };
    let comparison = &comparison[..comparison.len().min(COMPARISONS)];
    say!("{}", trainer.config.to_text());
    let bar = training_bar(&trainer, count);
    let mut since = (Instant::now(), trainer.adam.steps);
    while !trainer.is_finished(count) {
        trainer.step(&data.train);
        bar.inc(trainer.batch_size(count) as u64);
        if !trainer.is_report_due(count) {
            continue;
        }
        let elapsed = since.0.elapsed();
        let report = trainer.report(count, held_out);
        if !report.train.is_finite() {
            return Err(Error::Request(String::from("training diverged; lower the learning rate")));
        }
        let learned = (trainer.adam.steps - since.1) * trainer.batch_size(count) as u64;
        let speed = learned as f64 / elapsed.as_secs_f64();
        bar.suspend(|| say!("{}, {:.0} k/s", report_line(&trainer, &report, count), speed / 1e3));
        save(args, &trainer, (&checkpoint_path, fingerprint), sample)?;
        since = (Instant::now(), trainer.adam.steps);
    }
    bar.finish_and_clear();
    let network = round(&trainer, &args.description, sample)?;
    write_network(&network, &args.out.join("net.nnue"))?;
    let RoundingError { mean, worst } = rounding_error(&trainer, &network, comparison)?;
    say!("rounding to integers changes scores by {mean:.1} cp on average, {worst:.1} at most");
    say!("network: {}", args.out.join("net.nnue").display());
    Ok(())
}

/// A new run, or the stored one with the fingerprint of its data.
fn begin(args: &TrainArgs, checkpoint_path: &Path) -> Result<(Trainer, Option<u64>), Error> {
    if args.resume {
        let Checkpoint { trainer, data } = checkpoint::load(checkpoint_path)?;
        return Ok((trainer, Some(data)));
    }
    let mut trainer = Trainer::new(args.settings.config()?);
    if let Some(path) = &args.from {
        let (mut net, scale) = load_net(path)?;
        if net.shape != trainer.config.shape {
            let (shape, seed) = (trainer.config.shape, trainer.config.seed);
            net = net.grown(shape, seed).map_err(|reason| Error::content(path, reason))?;
        }
        net.scale_output(scale / trainer.config.scale);
        trainer.anchor = args.decay_to_start.then(|| net.clone());
        trainer.net = net;
    }
    Ok((trainer, None))
}

fn load(args: &TrainArgs, config: &Config) -> Result<Dataset, Error> {
    let loading = Loading {
        files: args.data.clone(),
        held_out_files: args.held_out.clone(),
        filter: args.filter.clone(),
        td_lambda: config.td_lambda(),
        held_out_percent: args.held_out_percent,
        seed: config.seed,
    };
    let bar = bytes_bar("loading");
    let (data, loaded) = Dataset::load(&loading, &bar)?;
    bar.finish_and_clear();
    print_damage(&loaded.files);
    let games: u64 = loaded.files.iter().map(|file| file.games).sum();
    say!(
        "{games} games ({} held out), {} positions to learn, {} to measure",
        loaded.held_out_games,
        data.train.len(),
        data.held_out.len()
    );
    if loaded.unsound > 0 {
        say!("{} packed records made no sense and were dropped", loaded.unsound);
    }
    if data.train.is_empty() {
        return Err(Error::Request(String::from("there is no position to learn from")));
    }
    Ok(data)
}

fn save(
    args: &TrainArgs,
    trainer: &Trainer,
    (path, fingerprint): (&Path, u64),
    sample: &[PackedPosition],
) -> Result<(), Error> {
    checkpoint::save(path, trainer, fingerprint)?;
    write_file(&args.out.join("loss.csv"), to_csv(&trainer.reports).as_bytes())?;
    write_file(&args.out.join("loss.svg"), to_chart(&trainer.reports).to_svg().as_bytes())?;
    if trainer.last_report_is_best() {
        let network = round(trainer, &args.description, sample)?;
        write_network(&network, &args.out.join("best.nnue"))?;
    }
    Ok(())
}

fn report_line(trainer: &Trainer, report: &Report, count: usize) -> String {
    let epochs = report.steps as f64 / trainer.epoch_steps(count) as f64;
    let held_out = report.held_out.map_or(String::new(), |loss| {
        let (blend, score, result) = (loss.blend, loss.score, loss.result);
        format!(", held out {blend:.6} (score {score:.6}, result {result:.6})")
    });
    let (train, rate) = (report.train, report.rate);
    format!("epoch {epochs:.2}: rate {rate:.2e}, loss {train:.6}{held_out}")
}

fn training_bar(trainer: &Trainer, count: usize) -> ProgressBar {
    let batch = trainer.batch_size(count) as u64;
    let bar = ProgressBar::new(trainer.total_steps(count) * batch);
    let template = "{bar:30} {percent:>3}% {human_pos} positions, {per_sec}, {eta} left";
    bar.set_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    bar.set_position(trainer.adam.steps * batch);
    bar.reset_eta();
    bar
}

/// Writes the network of a checkpoint as a network file.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// The checkpoint
    checkpoint: PathBuf,
    /// The network file
    #[arg(long, short)]
    out: PathBuf,
    /// Text to store in it
    #[arg(long, default_value = "")]
    description: String,
    /// Games or packed positions to keep the scores close on; plain rounding without
    #[arg(long)]
    data: Vec<PathBuf>,
}

/// Runs `export`.
///
/// # Errors
/// When the checkpoint or the data cannot be read, or the network not be written.
pub fn export(args: &ExportArgs) -> Result<(), Error> {
    let trainer = checkpoint::load(&args.checkpoint)?.trainer;
    let loading = Loading {
        files: args.data.clone(),
        held_out_files: Vec::new(),
        filter: PositionFilter::default(),
        td_lambda: trainer.config.td_lambda(),
        held_out_percent: 5.0,
        seed: trainer.config.seed,
    };
    let (data, loaded) = Dataset::load(&loading, &bytes_bar("loading"))?;
    print_damage(&loaded.files);
    let sample = &data.train[..data.train.len().min(ROUNDING_SAMPLE)];
    let network = round(&trainer, &args.description, sample)?;
    write_network(&network, &args.out)?;
    say!("{}: after {} steps", args.out.display(), trainer.adam.steps);
    Ok(())
}

/// Measures how many positions a second are learned.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Hidden sizes to measure
    #[arg(long, value_delimiter = ',', default_value = "128,256")]
    hidden: Vec<usize>,
    /// King buckets
    #[arg(long, default_value_t = RECIPE.shape.king_buckets.count())]
    king_buckets: usize,
    /// Output buckets
    #[arg(long, default_value_t = RECIPE.shape.buckets)]
    buckets: usize,
    /// Threads; all cores if not given
    #[arg(long)]
    threads: Option<usize>,
    /// Positions in a batch
    #[arg(long, default_value_t = RECIPE.batch)]
    batch: usize,
    /// Seconds for each size
    #[arg(long, default_value_t = 3.0)]
    seconds: f64,
}

/// Runs `bench-train`.
///
/// # Errors
/// When a size is not supported.
pub fn bench_train(args: &BenchArgs) -> Result<(), Error> {
    let threads = args.threads.unwrap_or_else(all_cores);
    for &hidden in &args.hidden {
        let shape = Shape::new(hidden, args.king_buckets, args.buckets).map_err(Error::Request)?;
        let speed = bench::measure(shape, threads, args.batch.max(1), args.seconds);
        let idle = speed
            .per_busy_second()
            .map_or(String::new(), |rate| format!(", {:.2} M/s of processor time", rate / 1e6));
        say!(
            "hidden {hidden}, {} king buckets, {} output buckets, {threads} threads: {:.2} M positions/s{idle}",
            args.king_buckets,
            args.buckets,
            speed.per_second() / 1e6
        );
    }
    Ok(())
}

fn all_cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}
