//! The sub-command `data`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use super::{
    Adjudication, Criterion, Edited, Extractor, FileReport, GameFilter, Oddity, Output,
    PositionFilter, ScoreTable, Shuffle, Stats, copy_games, describe_game, describe_position,
    drop_duplicates, examine, interleave, is_held_out, is_packed_file, open_games, read_games,
    read_packed, write_file,
};
use crate::Error;
use crate::say::say;

/// Looks after files of games and of training positions.
#[derive(Clone, Debug, Args)]
pub struct DataArgs {
    #[command(subcommand)]
    command: Command,
}

/// Files to read.
#[derive(Clone, Debug, Args)]
struct Inputs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Files to read and a file to write.
#[derive(Clone, Debug, Args)]
struct InputsAndOutput {
    #[command(flatten)]
    inputs: Inputs,
    /// The file to write
    #[arg(long, short)]
    out: PathBuf,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Count games, moves and the positions a filter keeps
    Count {
        #[command(flatten)]
        inputs: Inputs,
        #[command(flatten)]
        filter: PositionFilter,
    },
    /// Check that every move is legal and every result fits its game
    Verify {
        #[command(flatten)]
        inputs: Inputs,
        #[command(flatten)]
        adjudication: Adjudication,
    },
    /// Put games, or packed positions (.bin), in random order
    Shuffle {
        #[command(flatten)]
        files: InputsAndOutput,
        /// Memory to use, in MiB
        #[arg(long, default_value_t = 1024)]
        memory: u64,
        /// Fixes the order
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Mix the games of several files evenly, each file's order kept
    Interleave {
        #[command(flatten)]
        files: InputsAndOutput,
        /// Fixes the order
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Join files of games, leaving out what is damaged
    Merge(InputsAndOutput),
    /// Keep some games
    Filter {
        #[command(flatten)]
        files: InputsAndOutput,
        #[command(flatten)]
        filter: GameFilter,
    },
    /// Keep the first of games with the same moves
    Dedup(InputsAndOutput),
    /// Print games, or packed positions (.bin), as text
    Inspect {
        /// The file
        file: PathBuf,
        /// Games or positions to pass over
        #[arg(long, default_value_t = 0)]
        skip: usize,
        /// Games or positions to print
        #[arg(long, short = 'n', default_value_t = 1)]
        count: usize,
    },
    /// Write the positions of games as packed records (the `bulletformat` chess record)
    Convert {
        #[command(flatten)]
        files: InputsAndOutput,
        /// A file for the positions of held-out games
        #[arg(long)]
        held_out: Option<PathBuf>,
        /// Share of games to hold out, if a file for them is given
        #[arg(long, default_value_t = 5.0)]
        held_out_percent: f64,
        #[command(flatten)]
        filter: PositionFilter,
    },
    /// Draw histograms of scores, phases, lengths and results as SVG
    Plot {
        #[command(flatten)]
        inputs: Inputs,
        /// The folder to write them to
        #[arg(long, short)]
        out: PathBuf,
        #[command(flatten)]
        filter: PositionFilter,
    },
    /// Fit the scale between scores and results
    FitScale {
        #[command(flatten)]
        inputs: Inputs,
        /// A chart of the fit to write, as SVG
        #[arg(long)]
        plot: Option<PathBuf>,
        #[command(flatten)]
        filter: PositionFilter,
    },
}

/// Runs a `data` command.
///
/// # Errors
/// When a file cannot be read or written, or `verify` finds something wrong.
pub fn run(args: &DataArgs) -> Result<(), Error> {
    match &args.command {
        Command::Count { inputs, filter } => {
            let stats = gather(inputs, filter)?;
            print_stats(&stats);
            Ok(())
        }
        Command::Verify { inputs, adjudication } => verify(inputs, *adjudication),
        Command::Shuffle { files, memory, seed } => shuffle(files, *memory, *seed),
        Command::Interleave { files, seed } => {
            edit(files, |inputs, out, bar| interleave(inputs, out, *seed, bar))
        }
        Command::Merge(files) => {
            edit(files, |inputs, out, bar| copy_games(inputs, out, bar, |_| true))
        }
        Command::Filter { files, filter } => {
            edit(files, |inputs, out, bar| copy_games(inputs, out, bar, |game| filter.keeps(game)))
        }
        Command::Dedup(files) => edit(files, drop_duplicates),
        Command::Inspect { file, skip, count } => inspect(file, *skip, *count),
        Command::Convert { files, held_out, held_out_percent, filter } => {
            convert(files, held_out.as_deref(), *held_out_percent, filter)
        }
        Command::Plot { inputs, out, filter } => plot(inputs, out, filter),
        Command::FitScale { inputs, plot, filter } => fit_scale(inputs, plot.as_deref(), filter),
    }
}

/// A progress bar for reading files.
#[must_use]
pub fn bytes_bar(what: &'static str) -> ProgressBar {
    let template = "{msg} {bar:30} {percent:>3}% {bytes_per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style).with_message(what)
}

/// Says where files are damaged.
pub fn print_damage(reports: &[FileReport]) {
    /// More than these are only counted.
    const SHOWN: usize = 10;
    for report in reports {
        let path = report.path.display();
        for damage in report.damage.iter().take(SHOWN) {
            let (offset, skipped, reason) = (damage.offset, damage.skipped, &damage.reason);
            say!("{path}: damaged at byte {offset}: {reason}; {skipped} bytes skipped");
        }
        if report.damage.len() > SHOWN {
            say!("{path}: damaged in {} places in all", report.damage.len());
        }
    }
}

fn gather(inputs: &Inputs, filter: &PositionFilter) -> Result<Stats, Error> {
    let bar = bytes_bar("reading");
    let mut stats = Stats::new(filter.clone());
    let reports = read_games(&inputs.files, &bar, |stored| {
        stats.add(stored.game);
        Ok(())
    })?;
    bar.finish_and_clear();
    print_damage(&reports);
    Ok(stats)
}

fn print_stats(stats: &Stats) {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let [black, drawn, white] = stats.results;
    say!("games      {}", stats.games);
    say!(
        "moves      {} ({:.1} a game)",
        stats.plies,
        stats.plies as f64 / stats.games.max(1) as f64
    );
    say!("kept       {} ({:.1} %)", stats.kept, share(stats.kept, stats.plies));
    say!("White won  {white} ({:.1} %)", share(white, stats.games));
    say!("drawn      {drawn} ({:.1} %)", share(drawn, stats.games));
    say!("Black won  {black} ({:.1} %)", share(black, stats.games));
}

fn verify(inputs: &Inputs, adjudication: Adjudication) -> Result<(), Error> {
    let bar = bytes_bar("verifying");
    let mut found = [0u64; Oddity::ALL.len()];
    let mut first = [None; Oddity::ALL.len()];
    let mut games = 0u64;
    let reports = read_games(&inputs.files, &bar, |stored| {
        let kind = examine(stored.game, adjudication);
        if let Some(index) = Oddity::ALL.iter().position(|&oddity| Some(oddity) == kind) {
            found[index] += 1;
            first[index].get_or_insert(games);
        }
        games += 1;
        Ok(())
    })?;
    bar.finish_and_clear();
    print_damage(&reports);
    say!("{games} games, every move legal");
    for ((oddity, count), first) in Oddity::ALL.iter().zip(found).zip(first) {
        if let Some(first) = first {
            say!("{count} games: {oddity} (the first is game {first})");
        }
    }
    let places: usize = reports.iter().map(|report| report.damage.len()).sum();
    match (places, found.iter().sum::<u64>()) {
        (0, 0) => Ok(()),
        (places, odd) => Err(Error::Request(format!("{places} damaged places, {odd} odd games"))),
    }
}

fn shuffle(files: &InputsAndOutput, memory: u64, seed: u64) -> Result<(), Error> {
    let shuffle = Shuffle {
        files: files.inputs.files.clone(),
        out: files.out.clone(),
        memory: memory << 20,
        seed,
    };
    let bar = bytes_bar("shuffling");
    let reports = shuffle.run(&bar)?;
    bar.finish_and_clear();
    print_damage(&reports);
    Ok(())
}

fn edit(
    files: &InputsAndOutput,
    action: impl FnOnce(&[PathBuf], &Path, &ProgressBar) -> Result<Edited, Error>,
) -> Result<(), Error> {
    let bar = bytes_bar("copying");
    let edited = action(&files.inputs.files, &files.out, &bar)?;
    bar.finish_and_clear();
    print_damage(&edited.files);
    let read: u64 = edited.files.iter().map(|file| file.games).sum();
    say!("{} of {read} games written to {}", edited.written, files.out.display());
    Ok(())
}

fn inspect(file: &Path, skip: usize, count: usize) -> Result<(), Error> {
    if is_packed_file(file) {
        let mut index = 0;
        read_packed(file, |position| {
            if (skip..skip.saturating_add(count)).contains(&index) {
                say!("{}", describe_position(&position));
            }
            index += 1;
        })?;
        return Ok(());
    }
    let mut reader = open_games(file)?;
    let mut index = 0;
    while let Some(stored) = reader.next_game().map_err(Error::file(file))? {
        if index >= skip.saturating_add(count) {
            break;
        }
        if index >= skip {
            say!("game {index}, byte {}", stored.offset);
            say!("{}", describe_game(stored.game));
        }
        index += 1;
    }
    Ok(())
}

fn convert(
    files: &InputsAndOutput,
    held_out: Option<&Path>,
    percent: f64,
    filter: &PositionFilter,
) -> Result<(), Error> {
    let bar = bytes_bar("converting");
    let mut extractor = Extractor::new(filter.clone());
    let mut train = Output::create(&files.out)?;
    let mut test = held_out.map(Output::create).transpose()?;
    let mut counts = [0u64; 2];
    let mut bytes = Vec::new();
    let reports = read_games(&files.inputs.files, &bar, |stored| {
        bytes.clear();
        extractor.extract(stored.game, |position| bytes.extend(position.to_bytes()));
        let positions = (bytes.len() / super::PACKED_SIZE) as u64;
        match &mut test {
            Some(test) if is_held_out(stored.game.identity(), percent) => {
                counts[1] += positions;
                test.write(&bytes)
            }
            _ => {
                counts[0] += positions;
                train.write(&bytes)
            }
        }
    })?;
    train.finish()?;
    test.map_or(Ok(()), Output::finish)?;
    bar.finish_and_clear();
    print_damage(&reports);
    say!("{} positions written, {} held out", counts[0], counts[1]);
    Ok(())
}

fn plot(inputs: &Inputs, out: &Path, filter: &PositionFilter) -> Result<(), Error> {
    let stats = gather(inputs, filter)?;
    std::fs::create_dir_all(out).map_err(Error::file(out))?;
    for (name, chart) in stats.charts() {
        let path = out.join(name).with_extension("svg");
        write_file(&path, chart.to_svg().as_bytes())?;
        say!("{}", path.display());
    }
    Ok(())
}

fn fit_scale(inputs: &Inputs, plot: Option<&Path>, filter: &PositionFilter) -> Result<(), Error> {
    let bar = bytes_bar("reading");
    let mut table = ScoreTable::default();
    let mut extractor = Extractor::new(filter.clone());
    let (packed, games): (Vec<_>, Vec<_>) =
        inputs.files.iter().cloned().partition(|path| is_packed_file(path));
    let reports = read_games(&games, &bar, |stored| {
        extractor.extract(stored.game, |position| table.add(&position));
        Ok(())
    })?;
    for path in &packed {
        read_packed(path, |position| table.add(&position))?;
    }
    bar.finish_and_clear();
    print_damage(&reports);
    let fits = table.fit(Criterion::Squares).zip(table.fit(Criterion::Likelihood));
    let Some((squares, likelihood)) = fits else {
        return Err(Error::Request(String::from("there is no position to fit to")));
    };
    say!("{} positions", table.positions());
    say!("K = {:.1} by squared error ({:.6})", squares.scale, squares.error);
    say!("K = {:.1} by likelihood ({:.6})", likelihood.scale, likelihood.error);
    say!("{:>8} {:>10} {:>9} {:>9}", "score", "positions", "points", "by K");
    for bin in table.bins(100) {
        let expected = super::scale::logistic(bin.score / squares.scale);
        say!("{:>8.0} {:>10} {:>9.4} {:>9.4}", bin.score, bin.count, bin.points, expected);
    }
    if let Some(path) = plot {
        write_file(path, table.chart(squares.scale).to_svg().as_bytes())?;
    }
    Ok(())
}
