//! Several runs side by side, and the parts of one run put together.

use super::report::{EngineReport, SuiteReport, TaskReport};
use crate::record::Shard;

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

/// One report of the reports of all parts of a suite, in the order of the suite.
///
/// # Errors
/// If they do not belong together, or a part is missing.
pub fn merge(mut parts: Vec<SuiteReport>) -> Result<SuiteReport, String> {
    let shard = |part: &SuiteReport| part.shard.unwrap_or(Shard { index: 1, count: 1 });
    parts.sort_by_key(|part| shard(part).index);
    let Some(first) = parts.first() else { return Err("nothing to merge".into()) };
    let settings = |part: &SuiteReport| {
        let names: Vec<String> = part.engines.iter().map(|engine| engine.name.clone()).collect();
        (part.suite.clone(), part.budget.clone(), part.threads, part.hash, names)
    };
    let mut whole = SuiteReport { shard: None, tasks: Vec::new(), ..first.clone() };
    let (count, known) = (shard(first).count, settings(first));
    for (part, index) in parts.iter().zip(1..) {
        if shard(part).count != count || settings(part) != known {
            return Err(String::from("the reports are of different runs"));
        }
        if shard(part).index != index {
            return Err(format!("part {index}/{count} is missing, or another is there twice"));
        }
    }
    if parts.len() as u64 != count {
        return Err(format!("{count} parts are wanted, not {}", parts.len()));
    }
    for part in &parts[1..] {
        for (sum, engine) in whole.engines.iter_mut().zip(&part.engines) {
            add(sum, engine);
        }
    }
    let mut tasks: Vec<_> = parts.into_iter().map(|part| part.tasks.into_iter()).collect();
    // The first part has the first task, the second the second, and so on.
    while let Some(task) = tasks[0].next() {
        whole.tasks.push(task);
        whole.tasks.extend(tasks[1..].iter_mut().filter_map(Iterator::next));
    }
    Ok(whole)
}

fn add(sum: &mut EngineReport, part: &EngineReport) {
    sum.solved += part.solved;
    sum.tasks += part.tasks;
    sum.mates += part.mates;
    sum.shortest += part.shortest;
    sum.broken_lines += part.broken_lines;
    sum.false_mates += part.false_mates;
    sum.points += part.points;
    sum.most_points += part.most_points;
    sum.nodes += part.nodes;
    sum.seconds += part.seconds;
}
