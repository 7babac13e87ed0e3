//! Whether commits read as CONTRIBUTING.md asks for.

use crate::Failure;
use crate::shell::{command, text};

/// The longest subject.
const MAX_SUBJECT: usize = 60;
/// Folders whose code can change the search.
const SEARCH: [&str; 3] = ["crates/engine/src", "crates/nnue/src", "nets/"];

/// Checks the commits of a range that git understands.
pub(crate) fn run(range: &str) -> Result<(), Failure> {
    let hashes = text(command("git", &["rev-list", "--no-merges", range]))?;
    let mut faults = Vec::new();
    for hash in hashes.lines() {
        let message = text(command("git", &["show", "--no-patch", "--format=%B", hash]))?;
        let files = text(command("git", &["show", "--name-only", "--format=", hash]))?;
        let short = &hash[..hash.len().min(9)];
        faults.extend(judge(&message, &files).into_iter().map(|fault| format!("{short} {fault}")));
    }
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => Ok(()),
        count => Err(format!("{count} faults in the messages of {range}")),
    }
}

/// What is wrong with a message, given the names of the changed files.
fn judge(message: &str, files: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let subject = message.lines().next().unwrap_or_default();
    let length = subject.chars().count();
    if length > MAX_SUBJECT {
        faults.push(format!("the subject has {length} characters: {subject}"));
    }
    if subject.ends_with('.') {
        faults.push(format!("the subject ends with a full stop: {subject}"));
    }
    if !subject.starts_with(char::is_uppercase) {
        faults.push(format!("the subject does not begin with a capital letter: {subject}"));
    }
    let first = subject.split(' ').next().unwrap_or_default();
    if first.ends_with(':') {
        faults.push(format!("the subject has a prefix: {subject}"));
    }
    if first.ends_with("ed") || first.ends_with("ing") {
        faults.push(format!("the subject is not imperative: {subject}"));
    }
    let touches_search =
        files.lines().any(|file| SEARCH.iter().any(|folder| file.starts_with(folder)));
    let last = message.trim_end().lines().last().unwrap_or_default();
    let bench = last.strip_prefix("Bench: ");
    let says_bench = bench.is_some_and(|nodes| nodes.bytes().all(|byte| byte.is_ascii_digit()));
    if touches_search && !says_bench && last != "No functional change" {
        faults.push(format!("neither Bench: N nor No functional change at the end: {subject}"));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_judged_by_subject_and_last_line() {
        let search = "crates/engine/src/search/node.rs\n";
        assert!(judge("Reduce late quiets more\n\nWhy.\n\nBench: 12\n", search).is_empty());
        assert!(judge("Reduce late quiets more\n\nNo functional change\n", search).is_empty());
        assert!(judge("Explain the tour\n", "docs/tour.md\n").is_empty());
        assert_eq!(judge("Reduce late quiets more\n", search).len(), 1);
        assert_eq!(judge("Reduce late quiets more\n\nBench: many\n", search).len(), 1);
        for subject in ["feat: add", "Added a thing", "Add a thing.", "add a thing"] {
            assert!(!judge(subject, "README.md\n").is_empty(), "{subject}");
        }
        assert_eq!(judge(&"X".repeat(61), "README.md\n").len(), 1);
    }
}
