//! Notes which compiler builds the engine and for what, for the `compiler` command.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| String::from("rustc"));
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| String::from("rustc of unknown version"), |text| text.trim().to_owned());
    let target = env::var("TARGET").unwrap_or_default();
    let profile = env::var("PROFILE").unwrap_or_default();
    // Cargo reads these lines from a build script's standard output.
    let lines = format!(
        "cargo::rustc-env=HALCYON_COMPILER={version}\n\
         cargo::rustc-env=HALCYON_TARGET={target}\n\
         cargo::rustc-env=HALCYON_PROFILE={profile}\n\
         cargo::rerun-if-changed=build.rs\n"
    );
    std::io::Write::write_all(&mut std::io::stdout(), lines.as_bytes()).expect("cargo listens");
}
