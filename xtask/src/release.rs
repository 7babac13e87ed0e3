//! How the program is built for other people's machines.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::shell::{self, cargo, target};

/// Processors that a release must run on. Those of x86-64 since 2009 count bits in one step; what
/// newer ones can do is found out when the program starts.
pub(crate) const CPU: &str =
    if cfg!(target_arch = "x86_64") { "-C target-cpu=x86-64-v2" } else { "-C target-cpu=generic" };

/// The engine for all machines.
pub(crate) fn portable() -> Result<PathBuf, Failure> {
    engine(&target().join("builds/portable"), CPU)
}

/// Builds the engine without sub-commands and board, with these flags, in a folder of its own.
pub(crate) fn engine(folder: &Path, flags: &str) -> Result<PathBuf, Failure> {
    let engine = ["build", "--release", "--package", "halcyon", "--no-default-features"];
    build(cargo(&engine), folder, flags)
}

/// Lets a call of cargo build with these flags in a folder of its own, and says where the program is.
fn build(mut cargo: Command, folder: &Path, flags: &str) -> Result<PathBuf, Failure> {
    cargo.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", folder);
    shell::run(cargo)?;
    Ok(folder.join("release").join(if cfg!(windows) { "halcyon.exe" } else { "halcyon" }))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::shell::root;

    /// What a tag would name is what every file says.
    #[test]
    fn all_files_agree_about_the_version() {
        let version = env!("CARGO_PKG_VERSION");
        let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
        let changes = read("CHANGELOG.md");
        let heading = changes.lines().find(|line| line.starts_with("## ")).unwrap();
        assert!(heading.starts_with(&format!("## {version} (")), "{heading}");
        assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
        for workspace in ["bindings/python", "fuzz", "models"] {
            let manifest = read(&format!("{workspace}/Cargo.toml"));
            assert!(manifest.contains(&format!("\nversion = \"{version}\"\n")), "{workspace}");
        }
    }
}
