//! Which of two builds of the engine is faster, on a machine that others use as well.

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::shell;

/// How often each is measured: short runs, so that some meet a quiet moment.
const ROUNDS: usize = 40;
const DEPTH: &str = "7";
/// The mean of so many of the best runs counts.
const BEST: usize = 5;

/// The speed of the second as a share of that of the first. They take turns.
pub(crate) fn ratio(first: (&str, &Path), second: (&str, &Path)) -> Result<f64, Failure> {
    let mut speeds = [Vec::new(), Vec::new()];
    let mut nodes = None;
    for _ in 0..ROUNDS {
        for (speeds, (name, program)) in speeds.iter_mut().zip([first, second]) {
            let (count, nps) = bench(program)?;
            if *nodes.get_or_insert(count) != count {
                return Err(format!("{name} visits other nodes"));
            }
            speeds.push(nps);
        }
    }
    let [ours, theirs] = speeds.map(best);
    println!("{:<10}{ours:>10.0} nodes per second\n{:<10}{theirs:>10.0}", first.0, second.0);
    println!("{:.1} % (mean of the best {BEST} of {ROUNDS})", 100.0 * theirs / ours);
    Ok(theirs / ours)
}

fn best(mut speeds: Vec<f64>) -> f64 {
    speeds.sort_by(|one, other| other.total_cmp(one));
    speeds[..BEST].iter().sum::<f64>() / BEST as f64
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
