//! What the documentation of public items must say at least.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::root;

/// A comment with so few words repeats a name and says nothing.
const TOO_FEW_WORDS: usize = 3;

/// The Rust files below a folder, without tests.
fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" {
            sources(&path, files);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            files.push(path);
        }
    }
}

/// The comments of public items that are too short, with the number of their line.
fn short_comments(code: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut comment, mut begins) = (Vec::new(), 0);
    // How far the public enum or trait is indented whose members are public.
    let mut body: Option<usize> = None;
    for (index, line) in code.lines().enumerate() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if let Some(words) = text.strip_prefix("///") {
            if comment.is_empty() {
                begins = index + 1;
            }
            comment.extend(words.split_whitespace());
            continue;
        }
        if text.starts_with("#[") {
            continue;
        }
        if body == Some(indent) && text.starts_with('}') {
            body = None;
        }
        let is_public = text.starts_with("pub ") || body.is_some_and(|outer| indent > outer);
        if is_public && !comment.is_empty() && comment.len() <= TOO_FEW_WORDS {
            found.push((begins, comment.join(" ")));
        }
        if (text.starts_with("pub enum ") || text.starts_with("pub trait ")) && text.ends_with('{')
        {
            body = Some(indent);
        }
        comment.clear();
    }
    found
}

#[test]
fn the_documentation_of_public_items_says_more_than_their_name() {
    let mut files = Vec::new();
    for krate in fs::read_dir(root().join("crates")).expect("the crates").flatten() {
        sources(&krate.path().join("src"), &mut files);
    }
    sources(&root().join("lab").join("src"), &mut files);
    assert!(files.len() > 200, "{} files", files.len());
    let mut short = Vec::new();
    for file in files {
        let code = fs::read_to_string(&file).expect("a source");
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (line, text) in short_comments(code) {
            short.push(format!("{}:{line}: {text}", file.display()));
        }
    }
    assert!(short.is_empty(), "{}", short.join("\n"));
}

#[test]
fn short_comments_are_found_where_items_are_public() {
    let code = "\
/// A kind.
pub enum Kind {
    /// One.
    #[default]
    One,
    /// Two of them, together.
    Two { index: usize },
}
/// Its name.
const NAME: &str = \"kind\";
/// A kind.
/// It has three lines.
pub struct Other {
    /// Its name.
    name: u32,
    /// Its number.
    pub number: u32,
}
";
    let found: Vec<usize> = short_comments(code).into_iter().map(|(line, _)| line).collect();
    assert_eq!(found, [1, 3, 16]);
}
