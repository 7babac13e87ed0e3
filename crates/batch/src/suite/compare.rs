//! Several runs side by side.

use super::report::{SuiteReport, TaskReport};

/// One report of several, each with a name: every engine of every run gets a row, and every task
/// the answers of all. Tasks that not all runs have are left out.
///
/// # Errors
/// If the runs have no task in common.
pub fn join(runs: &[(String, SuiteReport)]) -> Result<SuiteReport, String> {
    let Some((_, first)) = runs.first() else { return Err("nothing to compare".into()) };
    let mut whole = SuiteReport {
        suite: first.suite.clone(),
        budget: first.budget.clone(),
        threads: first.threads,
        hash: first.hash,
        ..SuiteReport::default()
    };
    if runs.iter().any(|(_, run)| run.budget != first.budget) {
        let budgets: Vec<&str> = runs.iter().map(|(_, run)| run.budget.as_str()).collect();
        whole.budget = budgets.join(" / ");
    }
    let key = |task: &TaskReport| (task.id.clone(), task.fen.clone());
    let kept: Vec<&TaskReport> = first
        .tasks
        .iter()
        .filter(|task| runs.iter().all(|(_, run)| run.tasks.iter().any(|t| key(t) == key(task))))
        .collect();
    if kept.is_empty() {
        return Err("the runs have no position in common".into());
    }
    for (name, run) in runs {
        let engines = run.engines.iter().map(|engine| {
            let mut engine = engine.clone();
            engine.name = format!("{} ({name})", engine.name);
            engine
        });
        whole.engines.extend(engines);
    }
    for task in kept {
        let same =
            runs.iter().filter_map(|(_, run)| run.tasks.iter().find(|t| key(t) == key(task)));
        let answers = same.flat_map(|task| task.answers.iter().cloned()).collect();
        whole.tasks.push(TaskReport { answers, ..task.clone() });
    }
    whole.count();
    Ok(whole)
}
