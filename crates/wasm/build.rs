//! Gives the module a stack for the deepest line of a search, and leaves out the names of functions
//! where nobody looks for them.

use std::env;

/// Half a kilobyte is left for each of the plies that a line can have, many times over.
const STACK_BYTES: usize = 8 << 20;

fn main() {
    let mut lines = String::from("cargo::rerun-if-changed=build.rs\n");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        lines += &format!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK_BYTES}\n");
        if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
            lines += "cargo::rustc-link-arg-cdylib=--strip-all\n";
        }
    }
    // Cargo reads these lines from a build script's standard output.
    std::io::Write::write_all(&mut std::io::stdout(), lines.as_bytes()).expect("cargo listens");
}
