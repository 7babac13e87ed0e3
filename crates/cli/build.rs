//! Notes which compiler builds the engine and for what, for the `compiler` command, and from which
//! commit, for `--version`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

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
    let (commit, watched) = commit();
    let version = commit.map_or_else(|| package.clone(), |commit| format!("{package} ({commit})"));
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default().replace(',', " ");
    // Cargo reads these lines from a build script's standard output.
    let lines = format!(
        "cargo::rustc-env=HALCYON_COMPILER={compiler}\n\
         cargo::rustc-env=HALCYON_TARGET={target}\n\
         cargo::rustc-env=HALCYON_PROFILE={profile}\n\
         cargo::rustc-env=HALCYON_VERSION={version}\n\
         cargo::rustc-env=HALCYON_FEATURES={features}\n\
         {watched}\
         cargo::rerun-if-env-changed=HALCYON_COMMIT\n\
         cargo::rerun-if-changed=build.rs\n"
    );
    std::io::Write::write_all(&mut std::io::stdout(), lines.as_bytes()).expect("cargo listens");
}

/// The commit, in short, and what cargo has to watch to notice another one. Whoever builds from an
/// archive names it in `HALCYON_COMMIT`; a checkout asks git; a published package has a note of
/// cargo's.
fn commit() -> (Option<String>, String) {
    let shortened = |text: &str| text.trim().chars().take(10).collect::<String>();
    if let Some(commit) = env::var("HALCYON_COMMIT").ok().filter(|commit| !commit.is_empty()) {
        return (Some(shortened(&commit)), String::new());
    }
    let here = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    if let Ok(note) = fs::read_to_string(Path::new(&here).join(".cargo_vcs_info.json")) {
        let sha = note.split_once("\"sha1\": \"").map(|(_, rest)| shortened(rest));
        return (sha, String::new());
    }
    // A copy without history, inside another checkout, must not take that one's commit.
    if !Path::new(&here).join("../../.git").exists() {
        return (None, String::new());
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).current_dir(&here).output().ok()?;
        let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
        Some(text.trim().to_owned())
    };
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]);
    let watched = log.filter(|log| Path::new(log).exists());
    let watched = watched.map(|log| format!("cargo::rerun-if-changed={log}\n"));
    (git(&["rev-parse", "HEAD"]).map(|sha| shortened(&sha)), watched.unwrap_or_default())
}
