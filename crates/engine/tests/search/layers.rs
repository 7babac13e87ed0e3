//! The modules stand in order, from the bottom up, in the crate and within the search.

#[path = "../../../chess/tests/support/module_order.rs"]
mod module_order;

const CRATE: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn modules_import_only_from_those_above_them() {
    module_order::check(CRATE, "lib.rs", "crate::", 100);
}

#[test]
fn the_parts_of_the_search_import_only_from_those_above_them() {
    module_order::check(CRATE, "search.rs", "super::", 60);
}

#[test]
fn no_file_is_too_long_to_read_in_one_go() {
    fn check(folder: &std::path::Path) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                check(&path);
            } else {
                let lines = std::fs::read_to_string(&path).unwrap().lines().count();
                assert!(lines <= 400, "{} has {lines} lines", path.display());
            }
        }
    }
    check(&std::path::Path::new(CRATE).join("src"));
}
