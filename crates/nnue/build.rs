//! Chooses the network to embed: `EVALFILE` if it is set, as test servers do, or the project's own.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../nets/halcyon.nnue");
    let path = match env::var_os("EVALFILE") {
        Some(file) if !file.is_empty() => PathBuf::from(file),
        _ => PathBuf::from(own),
    };
    let path = match path.canonicalize() {
        Ok(path) => path,
        Err(error) => {
            println!("cargo::error=the network {} cannot be read: {error}", path.display());
            return;
        }
    };
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-env=HALCYON_NETWORK={}", path.display());
}
