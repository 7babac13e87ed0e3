//! The order of the modules in `lib.rs`: nothing imports from below itself in the list.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The modules in their order, and the module each re-exported name comes from.
fn layout(lib: &str) -> (Vec<&str>, HashMap<&str, &str>) {
    let modules = lib
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    let exports = lib.lines().filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';'));
    let mut homes = HashMap::new();
    for (module, names) in exports.filter_map(|export| export.split_once("::")) {
        for name in names.trim_matches(['{', '}']).split(',') {
            homes.insert(name.trim(), module);
        }
    }
    (modules, homes)
}

/// The first words of everything a source imports from its own crate.
fn imports(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or(source);
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = code.lines().filter(is_code).collect();
    let mut names = Vec::new();
    for import in code.split("crate::").skip(1) {
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

#[test]
fn modules_import_only_from_those_above_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(folder.join("lib.rs")).unwrap();
    let (modules, homes) = layout(&lib);
    assert!(modules.len() > 15 && homes.len() > 20, "lib.rs could not be read");
    let mut checked = 0;
    for (depth, module) in modules.iter().enumerate() {
        let source = fs::read_to_string(folder.join(format!("{module}.rs"))).unwrap();
        for name in imports(&source) {
            let home = homes.get(name.as_str()).copied().unwrap_or(&name);
            let above = modules.iter().position(|other| *other == home);
            assert!(above.is_some_and(|above| above < depth), "{module} imports {name} of {home}");
            checked += 1;
        }
    }
    assert!(checked > 60, "only {checked} imports found");
}
