//! A training run in a file, to go on from later.
//!
//! The file begins with lines of text (the settings, the loss curve) up to a line `end`; then come
//! the parameters and the optimiser's moments as 32-bit floats, and a hash of everything.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::adam::{Adam, Moments};
use super::batch::Loss;
use super::config::{Config, setting};
use super::net::{BLOCK, Net, Row};
use super::trainer::{Report, Trainer};
use crate::Error;
use crate::data::write_file;
use crate::rng::hash_bytes;

const FIRST_LINE: &str = "halcyon-checkpoint 2";
const LAST_LINE: &str = "\nend\n";

/// A run of training as it is stored.
pub struct Checkpoint {
    /// The run with its weights and moments.
    pub trainer: Trainer,
    /// The fingerprint of the training set.
    pub data: u64,
}

/// Writes a run to a file; an older file is replaced only when the new one is complete.
///
/// # Errors
/// When the file cannot be written.
pub fn save(path: &Path, trainer: &Trainer, data: u64) -> Result<(), Error> {
    let mut text = format!("{FIRST_LINE}\n{}", trainer.config.to_text());
    let averaged = trainer.average.as_ref().map_or(0, |(_, steps)| *steps);
    let _ = writeln!(text, "averaged {averaged}");
    let _ = writeln!(text, "anchored {}", trainer.anchor.is_some());
    let _ = writeln!(text, "data {data}\nsteps {}", trainer.adam.steps);
    let recent = trainer.recent;
    let _ = writeln!(text, "recent-positions {}\nrecent-loss {}", recent.positions, recent.blend);
    for report in &trainer.reports {
        let _ = writeln!(text, "report {}", report_to_text(report));
    }
    let mut bytes = text.into_bytes();
    bytes.extend(&LAST_LINE.as_bytes()[1..]);
    let Adam { own, shared, .. } = &trainer.adam;
    let parts = [&trainer.net.rows, &own.mean, &own.square, &shared.mean, &shared.square];
    let average = trainer.average.iter().flat_map(|(net, _)| &net.rows);
    let anchor = trainer.anchor.iter().flat_map(|net| &net.rows);
    for row in parts.into_iter().flatten().chain(average).chain(anchor) {
        bytes.extend(row.0.iter().flat_map(|value| value.to_le_bytes()));
    }
    let hash = hash_bytes(&bytes);
    bytes.extend(hash.to_le_bytes());
    write_file(path, &bytes)
}

/// Reads a run from a file.
///
/// # Errors
/// When the file cannot be read or is damaged.
pub fn load(path: &Path) -> Result<Checkpoint, Error> {
    let bytes = fs::read(path).map_err(Error::file(path))?;
    parse(&bytes).map_err(|reason| Error::content(path, reason))
}

fn parse(bytes: &[u8]) -> Result<Checkpoint, String> {
    if !bytes.starts_with(FIRST_LINE.as_bytes()) {
        return Err(String::from("not a checkpoint"));
    }
    let damaged = || String::from("the checkpoint is damaged");
    let (content, hash) = bytes.split_last_chunk::<8>().ok_or_else(damaged)?;
    if hash_bytes(content) != u64::from_le_bytes(*hash) {
        return Err(damaged());
    }
    let end = content
        .windows(LAST_LINE.len())
        .position(|window| window == LAST_LINE.as_bytes())
        .ok_or_else(damaged)?;
    let text = str::from_utf8(&content[..end]).map_err(|_| damaged())?;
    let config = Config::from_text(text)?;
    let shape = config.shape;
    let (all, shared) = (shape.rows(), shape.shared_rows());
    let mut numbers = content[end + LAST_LINE.len()..].as_chunks::<4>().0;
    let averaged: u64 = setting(text, "averaged").unwrap_or(0);
    let anchored: bool = setting(text, "anchored").unwrap_or(false);
    let nets = 3 + usize::from(averaged > 0) + usize::from(anchored);
    if numbers.len() != (nets * all + 2 * shared) * BLOCK {
        return Err(damaged());
    }
    let mut next = |rows: usize| {
        let (part, rest) = numbers.split_at(rows * BLOCK);
        numbers = rest;
        read_rows(part)
    };
    let net = Net { shape, rows: next(all) };
    let adam = Adam {
        settings: config.adam,
        steps: setting(text, "steps")?,
        own: Moments { mean: next(all), square: next(all) },
        shared: Moments { mean: next(shared), square: next(shared) },
    };
    let average = (averaged > 0).then(|| (Net { shape, rows: next(all) }, averaged));
    let anchor = anchored.then(|| Net { shape, rows: next(all) });
    let mut trainer = Trainer::with_state(config, net, adam);
    (trainer.average, trainer.anchor) = (average, anchor);
    trainer.recent.positions = setting(text, "recent-positions")?;
    trainer.recent.blend = setting(text, "recent-loss")?;
    trainer.reports = text
        .lines()
        .filter_map(|line| line.strip_prefix("report "))
        .map(|line| report_from_text(line).ok_or_else(damaged))
        .collect::<Result<_, _>>()?;
    Ok(Checkpoint { trainer, data: setting(text, "data")? })
}

fn read_rows(numbers: &[[u8; 4]]) -> Vec<Row> {
    let (rows, _) = numbers.as_chunks::<BLOCK>();
    rows.iter().map(|row| Row(row.map(f32::from_le_bytes))).collect()
}

fn report_to_text(report: &Report) -> String {
    let Report { steps, positions, rate, wdl, train, held_out } = report;
    let mut text = format!("{steps} {positions} {rate} {wdl} {train}");
    if let Some(loss) = held_out {
        let _ = write!(text, " {} {} {} {}", loss.positions, loss.blend, loss.score, loss.result);
    }
    text
}

fn report_from_text(line: &str) -> Option<Report> {
    let words: Vec<&str> = line.split(' ').collect();
    let held_out = match words.get(5..) {
        Some([positions, blend, score, result]) => Some(Loss {
            positions: positions.parse().ok()?,
            blend: blend.parse().ok()?,
            score: score.parse().ok()?,
            result: result.parse().ok()?,
        }),
        _ => None,
    };
    Some(Report {
        steps: words.first()?.parse().ok()?,
        positions: words.get(1)?.parse().ok()?,
        rate: words.get(2)?.parse().ok()?,
        wdl: words.get(3)?.parse().ok()?,
        train: words.get(4)?.parse().ok()?,
        held_out,
    })
}
