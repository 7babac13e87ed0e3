//! The order of modules, and the page that describes it.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::doc_links::files;
use crate::shell::root;

/// A crate and the modules of its `lib.rs`, in their order.
struct Crate {
    name: String,
    source: PathBuf,
    modules: Vec<String>,
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All library crates of the workspace.
fn crates() -> Vec<Crate> {
    let folders = fs::read_dir(root().join("crates")).expect("there are crates");
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.expect("readable").path()).collect();
    folders.push(root().join("lab"));
    folders.sort();
    let with_library = folders.into_iter().filter(|folder| folder.join("src/lib.rs").exists());
    with_library
        .map(|folder| {
            let source = folder.join("src");
            let modules = read(&source.join("lib.rs"))
                .lines()
                .filter_map(|line| {
                    let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
                    Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
                })
                .collect();
            let name = folder.file_name().expect("a folder has a name").to_string_lossy();
            Crate { name: name.into_owned(), source, modules }
        })
        .collect()
}

/// The code of a module and of those below its folder, without tests.
fn code(source: &Path, module: &str) -> String {
    let mut code = String::new();
    let file = source.join(format!("{module}.rs"));
    if file.exists() {
        code.push_str(read(&file).split("#[cfg(test)]").next().unwrap_or_default());
    }
    let mut folders = vec![source.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" {
                code.push_str(read(&path).split("#[cfg(test)]").next().unwrap_or_default());
            }
        }
    }
    code
}

fn uses(code: &str, module: &str) -> bool {
    let path = format!("crate::{module}");
    code.match_indices(&path).any(|(at, _)| {
        // `crate::board` is not `crate::board_text`.
        !code[at + path.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
    })
}

#[test]
fn a_module_uses_only_those_above_it() {
    let crates = crates();
    assert!(crates.len() >= 10, "{} crates", crates.len());
    for Crate { name, source, modules } in &crates {
        for (index, module) in modules.iter().enumerate() {
            let code = code(source, module);
            for other in &modules[index + 1..] {
                let below = uses(&code, other);
                assert!(!below, "{name}: {module} uses {other}, which stands below it");
            }
        }
    }
}

#[test]
fn the_page_on_architecture_names_every_module() {
    let page = read(&root().join("docs/architecture.md"));
    for Crate { name, modules, .. } in crates() {
        assert!(page.contains(&format!("`crates/{name}`")) || page.contains(&format!("`{name}`")));
        if modules.is_empty() {
            continue;
        }
        let title = format!("## Inside `{name}`\n");
        let (_, rest) = page.split_once(&title).unwrap_or_else(|| panic!("no section {title}"));
        let section = rest.split("\n## ").next().unwrap_or_default();
        let words: Vec<&str> = section.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for module in modules.iter().filter(|module| *module != "testing") {
            assert!(words.contains(&module.as_str()), "{name}: {module} is not named");
        }
    }
}

#[test]
fn the_way_from_go_to_bestmove_is_as_it_is_drawn() {
    let page = read(&root().join("docs/architecture.md"));
    let (_, rest) = page.split_once("### From `go` to `bestmove`\n").expect("a heading");
    let drawing = rest.split("```").nth(1).expect("a drawing");
    let (mut functions, mut files) = (0, HashSet::new());
    for line in drawing.lines().filter(|line| line.contains(".rs")) {
        let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let paths: Vec<&str> = words.iter().copied().filter(|word| word.ends_with(".rs")).collect();
        let code: String = paths
            .iter()
            .map(|path| match path.strip_prefix("cli/") {
                Some(path) => read(&root().join("crates/cli/src").join(path)),
                None => read(&root().join("crates/engine/src").join(path)),
            })
            .collect();
        let names = words.iter().take_while(|word| !word.ends_with(".rs"));
        for name in names.filter(|name| name.is_ascii()) {
            let name = name.rsplit("::").next().unwrap_or_default();
            let is_there = ['(', '<'].iter().any(|next| code.contains(&format!("fn {name}{next}")));
            assert!(is_there, "{name} is not in {paths:?}");
            functions += 1;
        }
        files.extend(paths);
    }
    let count = format!("{functions} functions in {} files", files.len());
    assert!(page.contains(&count), "the page does not say {count}");
}

#[test]
fn no_rust_file_is_longer_than_it_may_be() {
    let mut sources = Vec::new();
    files(&root(), "rs", &mut sources);
    assert!(sources.len() > 300, "{} files", sources.len());
    for file in sources {
        let lines = read(&file).lines().count();
        assert!(lines <= 400, "{}: {lines} lines", file.display());
    }
}
