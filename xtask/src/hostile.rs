//! Time and memory of reading hostile text: both must grow no faster than the text.

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::shell::{cargo, run as run_command, target, text};

/// Four times the text may cost so many times the time, and as many times the memory.
const MAX_GROWTH: f64 = 8.0;
/// Times and sizes below these are noise.
const MIN_SECONDS: f64 = 0.02;
const MIN_MEBIBYTES: f64 = 64.0;

/// Measures all texts, each in a process of its own.
pub(crate) fn run() -> Result<(), Failure> {
    run_command(cargo(&["build", "--release", "--package", "batch", "--example", "hostile"]))?;
    let program = target().join("release/examples/hostile");
    let kinds = text(Command::new(&program))?;
    println!("{:<14}{:>22}{:>22}{:>22}", "text", "1 MB", "2 MB", "4 MB");
    let mut steep = Vec::new();
    for kind in kinds.lines() {
        let costs: Vec<Cost> = [1, 2, 4]
            .into_iter()
            .map(|size| measure(&program, kind, size))
            .collect::<Result<_, _>>()?;
        let cells: String = costs
            .iter()
            .map(|cost| format!("{:>12.3} s {:>4.0} MiB", cost.seconds, cost.mebibytes))
            .collect();
        println!("{kind:<14}{cells}");
        let grows = |from: f64, to: f64, least: f64| to > MAX_GROWTH * from.max(least);
        if grows(costs[0].seconds, costs[2].seconds, MIN_SECONDS)
            || grows(costs[0].mebibytes, costs[2].mebibytes, MIN_MEBIBYTES)
        {
            steep.push(kind);
        }
    }
    match steep.len() {
        0 => Ok(()),
        _ => Err(format!("grows faster than the text: {}", steep.join(", "))),
    }
}

struct Cost {
    seconds: f64,
    mebibytes: f64,
}

fn measure(program: &Path, kind: &str, megabytes: usize) -> Result<Cost, Failure> {
    let mut child = Command::new(program);
    child.args([kind, &megabytes.to_string()]);
    let answer = text(child)?;
    let numbers: Vec<f64> =
        answer.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [seconds, mebibytes] => Ok(Cost { seconds, mebibytes }),
        _ => Err(format!("{kind}: {answer}")),
    }
}
