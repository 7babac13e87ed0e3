//! What the project is made of: licences and sources of all packages.

use std::collections::BTreeSet;
use std::fs;

use crate::Failure;
use crate::shell::{self, cargo, root};

/// Runs cargo-deny with `deny.toml`; advisories only where their database can be had.
pub(crate) fn deny() -> Result<(), Failure> {
    check()?;
    if !shell::succeeds(cargo(&["deny", "--version"])) {
        shell::run(cargo(&["install", "cargo-deny", "--locked"]))?;
    }
    shell::run(cargo(&["deny", "check", "licenses", "sources", "bans"]))?;
    if shell::succeeds(cargo(&["deny", "fetch", "db"])) {
        return shell::run(cargo(&["deny", "check", "advisories"]));
    }
    println!("advisories are not checked: their database cannot be had here");
    Ok(())
}

/// Every package is from the registry or from here, with a licence that `deny.toml` allows.
pub(crate) fn check() -> Result<(), Failure> {
    let read = |name: &str| {
        fs::read_to_string(root().join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let allowed = listed(&read("deny.toml")?, "allow");
    let format = ["--prefix", "none", "--no-dedupe", "--format", "{p}\t{l}"];
    let mut tree = cargo(&[&["tree", "--workspace", "--all-features"][..], &format].concat());
    let output = tree.output().map_err(|error| format!("cargo tree: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let packages: BTreeSet<&str> = text.lines().filter(|line| line.contains('\t')).collect();
    if !output.status.success() || packages.is_empty() {
        return Err(String::from("cargo tree does not list the packages"));
    }
    let may_be_used = |line: &&str| {
        line.split_once('\t').is_some_and(|(_, licence)| is_allowed(licence, &allowed))
    };
    if let Some(package) = packages.iter().find(|line| !may_be_used(line)) {
        return Err(format!("{package} is not under a licence that deny.toml allows"));
    }
    for lock in ["Cargo.lock", "bindings/python/Cargo.lock", "fuzz/Cargo.lock", "models/Cargo.lock"]
    {
        let text = read(lock)?;
        let foreign = text.lines().find(|line| {
            line.strip_prefix("source = ").is_some_and(|source| !source.starts_with("\"registry+"))
        });
        if let Some(source) = foreign {
            return Err(format!("{lock} names another {source}"));
        }
    }
    println!("{} packages, all under licences that deny.toml allows", packages.len());
    Ok(())
}

/// The strings of a list in a TOML file.
fn listed(text: &str, name: &str) -> Vec<String> {
    let list = text.split_once(&format!("\n{name} = [")).map_or("", |(_, rest)| rest);
    let list = list.split_once(']').map_or("", |(list, _)| list);
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether a licence expression can be met with those allowed: all parts of an `AND`, one of an
/// `OR`; `AND` binds closer unless there are brackets.
fn is_allowed(licence: &str, allowed: &[String]) -> bool {
    let licence = licence.trim();
    if let Some((left, right)) = outside_brackets(licence, " AND ") {
        return is_allowed(left, allowed) && is_allowed(right, allowed);
    }
    if let Some((left, right)) =
        outside_brackets(licence, " OR ").or_else(|| outside_brackets(licence, "/"))
    {
        return is_allowed(left, allowed) || is_allowed(right, allowed);
    }
    let inner = licence.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner.map_or_else(
        || allowed.iter().any(|known| known == licence),
        |inner| is_allowed(inner, allowed),
    )
}

/// Cuts a text at the first such word that no brackets enclose.
fn outside_brackets<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).find_map(|(at, _)| {
        let before = &text[..at];
        let depth = before.matches('(').count() - before.matches(')').count();
        (depth == 0).then(|| (before, &text[at + word.len()..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licence_expressions_are_understood() {
        let allowed = ["MIT", "Apache-2.0", "Unicode-3.0"].map(String::from);
        for good in ["MIT", "MIT OR X", "X/MIT", "(MIT OR X) AND Unicode-3.0", "MIT AND Apache-2.0"]
        {
            assert!(is_allowed(good, &allowed), "{good}");
        }
        for bad in ["", "X", "MIT AND X", "(MIT OR Apache-2.0) AND X", "X OR Y"] {
            assert!(!is_allowed(bad, &allowed), "{bad}");
        }
    }

    #[test]
    fn a_list_is_read() {
        assert_eq!(listed("a\nallow = [\n \"x\",\n \"y\",\n]\n", "allow"), ["x", "y"]);
    }
}
