//! The header of a run, and what makes two of them differ.

use std::path::PathBuf;

use super::{Plan, RunArgs};
use crate::record::{Header, Input};

pub(super) fn header(
    args: &RunArgs,
    plan: &Plan<'_>,
    program: &str,
    engine: Option<String>,
) -> Header {
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    let input = |path: &PathBuf| Input {
        name: name(path),
        bytes: path.metadata().ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len()),
    };
    Header {
        program: program.to_owned(),
        task: plan.task,
        engine,
        budget: args.budget.budget().unwrap_or(plan.budget).describe(),
        multipv: plan.multipv,
        search_threads: if plan.together { args.threads() } else { 1 },
        hash: args.hash,
        network: args.network.as_ref().map(name),
        book: plan.book.as_ref().map(|(path, _)| path.to_string_lossy().into_owned()),
        syzygy: args.syzygy.clone(),
        selection: Some(args.selection.to_string()).filter(|text| !text.is_empty()),
        line_plies: plan.line_plies,
        inputs: args.files.iter().map(input).collect(),
        shard: args.shard,
    }
}

/// Says in which fields an interrupted run differs from this one.
pub(super) fn difference(header: &Header, found: &Header) -> String {
    let (ours, theirs) = (
        serde_json::to_value(header).unwrap_or_default(),
        serde_json::to_value(found).unwrap_or_default(),
    );
    let names: Vec<&str> =
        ["program", "task", "engine", "budget", "multipv", "search_threads", "hash"]
            .into_iter()
            .chain(["network", "book", "syzygy", "selection", "line_plies", "inputs", "shard"])
            .filter(|name| ours.get(name) != theirs.get(name))
            .collect();
    format!(
        "the interrupted run was another one (different: {}); --force starts over",
        names.join(", ")
    )
}
