//! The modules stand in order, from the bottom up.

#[path = "../../chess/tests/support/module_order.rs"]
mod module_order;

#[test]
fn modules_import_only_from_those_above_them() {
    module_order::check(env!("CARGO_MANIFEST_DIR"), "lib.rs", "crate::", 20);
}
