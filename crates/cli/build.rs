//! Notes which compiler builds the engine and for what, for the `compiler` command, and of which
//! commit, if whoever builds it says so.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| String::from("rustc"));
    let compiler = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| String::from("rustc of unknown version"), |text| text.trim().to_owned());
    let target = env::var("TARGET").unwrap_or_default();
    let profile = env::var("PROFILE").unwrap_or_default();
    let package = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match env::var("HALCYON_COMMIT") {
        Ok(commit) if !commit.is_empty() => format!("{package}-{commit}"),
        _ => package,
    };
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default().replace(',', " ");
    // Cargo reads these lines from a build script's standard output.
    let lines = format!(
        "cargo::rustc-env=HALCYON_COMPILER={compiler}\n\
         cargo::rustc-env=HALCYON_TARGET={target}\n\
         cargo::rustc-env=HALCYON_PROFILE={profile}\n\
         cargo::rustc-env=HALCYON_VERSION={version}\n\
         cargo::rustc-env=HALCYON_FEATURES={features}\n\
         cargo::rerun-if-env-changed=HALCYON_COMMIT\n\
         cargo::rerun-if-changed=build.rs\n"
    );
    std::io::Write::write_all(&mut std::io::stdout(), lines.as_bytes()).expect("cargo listens");
}
