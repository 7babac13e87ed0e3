//! The order of the modules in `lib.rs`: nothing imports from below itself in the list. Shared by
//! the tests of several crates.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The modules in their order, and the module each re-exported name comes from.
fn layout(lib: &str) -> (Vec<&str>, HashMap<&str, &str>) {
    let modules = lib
        .split("#[cfg(test)]")
        .flat_map(str::lines)
        .filter_map(|line| {
            let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
            line.strip_prefix("mod ")?.strip_suffix(';')
        })
        .collect();
    let mut homes = HashMap::new();
    let exports = lib.split("pub use ").skip(1).filter_map(|export| export.split(';').next());
    for (module, names) in exports.filter_map(|export| export.split_once("::")) {
        for name in names.trim_matches(['{', '}']).split(',') {
            let name = name.split(" as ").last().unwrap_or(name);
            homes.insert(name.trim(), module);
        }
    }
    (modules, homes)
}

/// The first words of everything a source imports from its own crate (`crate::`) or from the
/// module that holds it (`super::`).
fn imports(source: &str, root: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or(source);
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = code.lines().filter(is_code).collect();
    let mut names = Vec::new();
    for import in code.split(root).skip(1) {
        let (list, single) = match import.strip_prefix('{') {
            Some(list) => (list.split('}').next().unwrap_or(""), false),
            None => (import, true),
        };
        let word = |text: &str| {
            text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
        };
        if single {
            names.push(word(list));
        } else {
            names.extend(list.split(',').map(|name| word(name.trim())));
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// All sources of a module: its file and those in the folder of its name, tests left out.
fn sources(folder: &Path, module: &str) -> Vec<String> {
    let mut found: Vec<String> =
        fs::read_to_string(folder.join(format!("{module}.rs"))).into_iter().collect();
    let Ok(entries) = fs::read_dir(folder.join(module)) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_file() && name != "tests" {
            found.push(fs::read_to_string(&path).unwrap());
        }
    }
    found
}

/// Checks the modules that `file` in the crate's `src` lists; `root` is how they are imported, and
/// at least so many imports are expected.
pub(crate) fn check(manifest: &str, file: &str, root: &str, expected: usize) {
    let source = Path::new(manifest).join("src");
    let list = fs::read_to_string(source.join(file)).unwrap();
    let folder = match file {
        "lib.rs" => source,
        _ => source.join(file.trim_end_matches(".rs")),
    };
    let (modules, homes) = layout(&list);
    let mut checked = 0;
    for (depth, module) in modules.iter().enumerate() {
        for source in sources(&folder, module) {
            for name in imports(&source, root) {
                let home = homes.get(name.as_str()).copied().unwrap_or(&name);
                let Some(above) = modules.iter().position(|other| *other == home) else { continue };
                assert!(above <= depth, "{module} imports {name} of {home}, which is below it");
                checked += usize::from(above < depth);
            }
        }
    }
    assert!(checked >= expected, "only {checked} imports found in {file}");
}
