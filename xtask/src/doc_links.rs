//! Pages lead where they say, and the tour's quotations are what the code says.

use std::fs;
use std::path::{Path, PathBuf};

use crate::public_api::between;
use crate::shell::root;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below a folder with this ending, without what was built or fetched.
pub(crate) fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            let name = name.to_string_lossy();
            if !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_ref()) {
                files(&path, ending, found);
            }
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// The names by which headings can be linked to.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept =
                title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let mut pages = Vec::new();
    files(&root(), "md", &mut pages);
    assert!(pages.len() > 25, "{} pages", pages.len());
    for page in pages {
        let text = read(&page);
        let links = between(&text, "](", ")");
        let pictures = between(&text, "src=\"", "\"").chain(between(&text, "srcset=\"", "\""));
        for link in links.chain(pictures).filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => page.clone(),
                path => page.with_file_name(path),
            };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            let known = anchor.is_empty() || anchors(&read(&target)).iter().any(|a| a == anchor);
            assert!(known, "{}: {link} has no such heading", page.display());
        }
    }
}

#[test]
fn the_tour_is_as_the_code_is() {
    let tour = read(&root().join("docs/tour.md"));
    let engine = root().join("crates/engine/src");
    let mut code = Vec::new();
    files(&engine, "rs", &mut code);
    for path in between(&tour, "`", "`").filter(|quoted| quoted.ends_with(".rs")) {
        let is_there = root().join(path).exists() || code.iter().any(|file| file.ends_with(path));
        assert!(is_there, "{path} is no file");
    }
    let code: Vec<String> = code.iter().map(|file| read(file)).collect();
    for quotation in between(&tour, "```rust\n", "```") {
        for line in quotation.lines().map(str::trim) {
            assert!(code.iter().any(|text| text.contains(line)), "{line} is in no file");
        }
    }
    let steps = read(&engine.join("search/node.rs")).matches("// Step ").count();
    assert!(tour.contains(&format!("as {steps} numbered steps")), "there are {steps} steps");
}
