//! The modules stand in order, from the bottom up.

use std::fs;
use std::path::Path;

#[test]
fn a_module_uses_only_those_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let root = fs::read_to_string(source.join("lib.rs")).unwrap();
    let modules: Vec<&str> = root
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert!(modules.len() > 10);
    for (index, module) in modules.iter().enumerate() {
        let text = fs::read_to_string(source.join(format!("{module}.rs"))).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for other in &modules[index..] {
            let uses = code.contains(&format!("crate::{other}"));
            assert!(!uses, "{module} uses {other}, which stands below it");
        }
    }
}
