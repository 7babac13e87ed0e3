//! The sub-command `head`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use nnue::Network;

use super::batch::Target;
use super::export::write_network;
use super::head::{HeadSettings, HeadTrainer, examples};
use super::schedule::LearningRate;
use crate::Error;
use crate::data::{Dataset, Loading, PositionFilter, TdLambda, bytes_bar, print_damage};
use crate::network_file::read_network;
use crate::say::say;

const USUAL: HeadSettings = HeadSettings::USUAL;

/// Trains the head of a network.
#[derive(Clone, Debug, Args)]
pub struct HeadArgs {
    /// Files of games, or (ending in .bin) of packed positions
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The network that gets the head; one that it has is replaced
    #[arg(long)]
    from: PathBuf,
    /// The network file to write
    #[arg(long, short)]
    out: PathBuf,
    /// Text to store in it instead of what is there
    #[arg(long)]
    description: Option<String>,
    /// Passes over the data
    #[arg(long, default_value_t = USUAL.epochs)]
    epochs: u64,
    /// Positions in a batch
    #[arg(long, default_value_t = USUAL.batch)]
    batch: usize,
    /// Learning rate at the start
    #[arg(long, default_value_t = USUAL.rate.start)]
    lr: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = USUAL.rate.end)]
    lr_end: f32,
    /// Weight decay
    #[arg(long, default_value_t = USUAL.decay)]
    decay: f32,
    /// Share of the game's result in the target
    #[arg(long, default_value_t = 0.0)]
    wdl: f32,
    /// Share of the next position's value in a score, and so on to the end of the game
    #[arg(long, default_value_t = 0.5)]
    td_lambda: f64,
    /// Fixes everything that is random
    #[arg(long, default_value_t = USUAL.seed)]
    seed: u64,
    #[command(flatten)]
    filter: PositionFilter,
}

/// Runs the sub-command.
///
/// # Errors
/// When data or network cannot be read, or the result not be written.
pub fn head(args: &HeadArgs) -> Result<(), Error> {
    let mut parameters = read_network(&args.from)?.parameters();
    parameters.head = None;
    if let Some(description) = &args.description {
        parameters.description.clone_from(description);
    }
    let invalid = |error: nnue::FormatError| Error::content(&args.from, error.to_string());
    let body = Arc::new(Network::new(&parameters).map_err(invalid)?);
    let scale = parameters.score_scale as f32;
    let loading = Loading {
        files: args.data.clone(),
        held_out_files: Vec::new(),
        filter: args.filter.clone(),
        td_lambda: TdLambda { share: args.td_lambda, scale: f64::from(scale) },
        held_out_percent: 5.0,
        seed: args.seed,
    };
    let bar = bytes_bar("loading");
    let (data, loaded) = Dataset::load(&loading, &bar)?;
    bar.finish_and_clear();
    print_damage(&loaded.files);
    let learned = examples(data.train.iter(), &body, scale);
    let held_out = examples(data.held_out.iter(), &body, scale);
    say!("{} positions to learn, {} to measure", learned.len(), held_out.len());
    if learned.is_empty() {
        return Err(Error::Request(String::from("there is no position to learn from")));
    }
    let settings = HeadSettings {
        epochs: args.epochs,
        batch: args.batch,
        rate: LearningRate { start: args.lr, end: args.lr_end, warm_up: 0 },
        decay: args.decay,
        seed: args.seed,
    };
    let mut trainer = HeadTrainer::new(settings, Target { scale, wdl: args.wdl }, &learned);
    say!("without a head: held out {:.6}", trainer.measure(&held_out));
    trainer.run(&learned, |epoch, loss| say!("epoch {epoch}: loss {loss:.6}"));
    say!("with the head: held out {:.6}", trainer.measure(&held_out));
    parameters.head = Some(trainer.quantised());
    write_network(&parameters, &args.out)?;
    say!("network: {}", args.out.display());
    Ok(())
}
