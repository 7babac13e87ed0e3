//! Gives every task to every player.

use indicatif::{ProgressBar, ProgressStyle};

use super::epd::{Task, Wanted};
use super::judge::judge;
use super::player::Player;
use super::report::SuiteReport;
use crate::engines::Budget;
use crate::{Error, printable};

/// How a suite is run.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What may be spent on a position.
    pub budget: Budget,
    /// How far from the centipawns asked for an answer may be.
    pub tolerance: i32,
    /// Whether a progress bar is shown.
    pub progress: bool,
}

/// Gives the tasks to the players, one after the other, and counts what they solve.
///
/// # Errors
/// If a player does not answer.
pub fn run(
    tasks: &[Task],
    players: &mut [Box<dyn Player>],
    request: Request,
    report: &mut SuiteReport,
) -> Result<(), Error> {
    let bar =
        if request.progress { ProgressBar::new(tasks.len() as u64) } else { ProgressBar::hidden() };
    bar.set_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    report.begin(players);
    for task in tasks {
        let mate = match task.wanted {
            Wanted::Mate(moves) => Some(moves.unsigned_abs()),
            Wanted::Best(_) | Wanted::Avoid(_) | Wanted::Score(_) => None,
        };
        report.begin_task(task);
        for (index, player) in players.iter_mut().enumerate() {
            let answer = player.solve(&task.position, request.budget, mate)?;
            report.add(index, task, &answer, &judge(task, &answer, request.tolerance));
        }
        bar.set_message(printable(&report.standing()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
