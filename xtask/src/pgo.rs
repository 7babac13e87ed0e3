//! A build that knows where the engine spends its time, because it has watched it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::shell::{self, command, target};
use crate::{release, speed};

const MISSING: &str = "\
llvm-profdata is missing. It comes with the tool chain, as a component of its own:

  rustup component add llvm-tools

An llvm-profdata of the system serves as well, if it is not older than the LLVM of rustc
(`rustc --version --verbose` says which).";

/// Builds the engine three times: as ever, watching itself, and with what was seen.
pub(crate) fn run() -> Result<(), Failure> {
    let profdata = find_profdata().ok_or(MISSING)?;
    let folder = target().join("builds/pgo");
    let seen = folder.join("seen");
    if seen.exists() {
        fs::remove_dir_all(&seen).map_err(|error| error.to_string())?;
    }
    let plain = release::portable()?;
    let watch = format!("{} -C profile-generate={}", release::CPU, seen.display());
    let watching = release::engine(&folder.join("watching"), &watch)?;
    let profile = folder.join("halcyon.profdata");
    watch_bench(Command::new(watching), &profdata, &seen, &profile)?;
    let learnt = format!("{} -C profile-use={}", release::CPU, profile.display());
    let program = release::engine(&folder.join("learnt"), &learnt)?;
    speed::ratio(("plain", &plain), ("learnt", &program))?;
    println!("{}", program.display());
    Ok(())
}

/// Lets a program that counts where it goes run its bench, and writes what it counted to `profile`.
pub(crate) fn watch_bench(
    mut program: Command,
    profdata: &Path,
    seen: &Path,
    profile: &Path,
) -> Result<(), Failure> {
    program.arg("bench");
    shell::text(program)?;
    let mut merge = Command::new(profdata);
    merge.arg("merge").arg("-o").arg(profile).arg(seen);
    shell::run(merge)
}

/// The one of the tool chain, or one of the system.
pub(crate) fn find_profdata() -> Option<PathBuf> {
    let sysroot = shell::text(command("rustc", &["--print", "sysroot"])).ok()?;
    let version = shell::text(command("rustc", &["--version", "--verbose"])).ok()?;
    let word = |name: &str| {
        version.lines().find_map(|line| line.strip_prefix(name)).map(|word| word.trim().to_owned())
    };
    let host = word("host:")?;
    let own =
        PathBuf::from(sysroot.trim()).join("lib/rustlib").join(host).join("bin/llvm-profdata");
    let llvm = word("LLVM version:")?;
    let major = llvm.split('.').next()?;
    let known = [own, format!("llvm-profdata-{major}").into(), "llvm-profdata".into()];
    known.into_iter().find(|path| {
        let mut command = Command::new(path);
        command.arg("--version");
        shell::succeeds(command)
    })
}
