//! Chooses the network to embed: `EVALFILE` if it is set, as test servers do, or the project's own.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    // Asked for when the script runs, not when it is compiled: checkouts that share a target folder share the
    // compiled script, and each must embed its own network.
    let here =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the package's folder"));
    let path = match env::var_os("EVALFILE") {
        Some(file) if !file.is_empty() => PathBuf::from(file),
        // A published package has the network in its own folder.
        _ => ["../../nets/halcyon.nnue", "halcyon.nnue"]
            .map(|place| here.join(place))
            .into_iter()
            .find(|path| path.exists())
            .unwrap_or_else(|| here.join("../../nets/halcyon.nnue")),
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
