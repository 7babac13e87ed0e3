//! The sub-command `wdl`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use super::{Cell, Fit, Model, ResultTable};
use crate::Error;
use crate::data::{PositionFilter, bytes_bar, print_damage, read_games, write_file};
use crate::say::say;
use crate::svg::{Chart, Style};

/// Fits the chances to win, draw and lose to scores and results of games.
#[derive(Clone, Debug, Args)]
pub struct WdlArgs {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Leave out positions whose score is this many centipawns or more
    #[arg(long, default_value_t = 500)]
    max_score: u16,
    /// Leave out positions before this ply of chess
    #[arg(long, default_value_t = 16)]
    min_ply: usize,
    /// The chart to write (the one in the documentation is docs/wdl.svg)
    #[arg(long)]
    plot: Option<PathBuf>,
}

/// Fits and prints the parameters as `crates/engine/src/wdl.rs` keeps them.
///
/// # Errors
/// When a file cannot be read or written, or holds no position to fit.
pub fn wdl(args: &WdlArgs) -> Result<(), Error> {
    let filter = PositionFilter {
        max_score: args.max_score,
        min_ply: args.min_ply,
        ..PositionFilter::EVERYTHING
    };
    let bar = bytes_bar("reading");
    let mut table = ResultTable::default();
    let reports = read_games(&args.files, &bar, |stored| {
        table.add(stored.game, &filter);
        Ok(())
    })?;
    bar.finish_and_clear();
    print_damage(&reports);
    let cells = table.cells();
    if cells.is_empty() {
        return Err(Error::Request(String::from("there is no position to fit")));
    }
    let fit = Fit::of(&cells, table.material_range());
    say!("{} positions of {} games, loss {:.5}", table.positions(), table.games(), fit.loss);
    say!("{:>8} {:>8} {:>8}", "material", "half", "spread");
    for material in [78.0, 58.0, 38.0, 18.0] {
        let (half, spread) = fit.model.at(material);
        say!("{material:>8} {half:>8.1} {spread:>8.1}");
    }
    say!("{}", fit.model);
    if let Some(path) = &args.plot {
        write_file(path, chart(&cells, &fit.model).to_svg().as_bytes())?;
        say!("{}", path.display());
    }
    Ok(())
}

/// The model's chances beside those observed, by normalised score.
fn chart(cells: &[Cell], model: &Model) -> Chart {
    /// Normalised centipawns that are drawn together, and as far as they are drawn.
    const STEP: f64 = 20.0;
    const LIMIT: f64 = 400.0;
    let mut bins: BTreeMap<i64, ([f64; 3], [f64; 3], f64)> = BTreeMap::new();
    for cell in cells {
        let normalised = 100.0 * cell.score / model.at(cell.material).0;
        if normalised.abs() > LIMIT {
            continue;
        }
        let bin = bins.entry((normalised / STEP).round() as i64).or_default();
        let count: f64 = cell.results.iter().sum();
        for (index, chance) in model.chances(cell.score, cell.material).into_iter().enumerate() {
            bin.0[index] += count * chance;
            bin.1[index] += cell.results[index];
        }
        bin.2 += count;
    }
    let curve = |index: usize| {
        bins.iter().map(|(&bin, sums)| (bin as f64 * STEP, sums.0[index] / sums.2)).collect()
    };
    let observed = bins
        .iter()
        .flat_map(|(&bin, sums)| sums.1.map(|sum| (bin as f64 * STEP, sum / sums.2)))
        .collect();
    Chart::new("Chances by score", "normalised centipawns for White", "share of games")
        .with("White loses", Style::Line, curve(0))
        .with("drawn", Style::Line, curve(1))
        .with("White wins", Style::Line, curve(2))
        .with("observed", Style::Dots, observed)
}
