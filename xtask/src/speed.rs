//! Which of two builds of the engine is faster, on a machine that others use as well.

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::shell;

/// How often each is measured: in short runs, so that a pair of neighbours meets the same machine.
const ROUNDS: usize = 40;
const DEPTH: &str = "7";

/// The speed of the second as a share of that of the first: the median over pairs of runs that
/// follow each other. What slows the machine for longer than a run slows both of a pair, and who
/// begins changes from pair to pair.
pub(crate) fn ratio(first: (&str, &Path), second: (&str, &Path)) -> Result<f64, Failure> {
    let mut speeds = [Vec::new(), Vec::new()];
    let mut nodes = None;
    for round in 0..ROUNDS {
        for turn in 0..2 {
            let which = (round + turn) % 2;
            let (name, program) = [first, second][which];
            let (count, nps) = bench(program)?;
            if *nodes.get_or_insert(count) != count {
                return Err(format!("{name} visits other nodes"));
            }
            speeds[which].push(nps);
        }
    }
    let shares = speeds[0].iter().zip(&speeds[1]).map(|(first, second)| second / first).collect();
    let share = median(shares);
    for ((name, _), speeds) in [first, second].into_iter().zip(speeds) {
        println!("{name:<10}{:>10.0} nodes per second", median(speeds));
    }
    println!("{:.1} % (median of {ROUNDS} pairs of runs)", 100.0 * share);
    Ok(share)
}

/// The middle one, or the mean of the two in the middle.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    (values[(values.len() - 1) / 2] + values[values.len() / 2]) / 2.0
}

fn bench(program: &Path) -> Result<(u64, f64), Failure> {
    let mut command = Command::new(program);
    command.args(["bench", DEPTH]);
    let text = shell::text(command)?;
    reading(&text).ok_or_else(|| format!("{} says {text}", program.display()))
}

/// The nodes and the nodes per second that the last line of a bench tells.
pub(crate) fn reading(text: &str) -> Option<(u64, f64)> {
    let words: Vec<&str> = text.lines().last()?.split(' ').collect();
    match words[..] {
        [nodes, "nodes", nps, "nps"] => nodes.parse().ok().zip(nps.parse().ok()),
        _ => None,
    }
}
