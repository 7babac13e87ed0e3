//! Archives for people who do not build: made twice, and the same both times.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::openbench::export;
use crate::release;
use crate::shell::{self, cargo, command, target};

const SHELLS: [(&str, &str); 4] = [
    ("bash", "halcyon.bash"),
    ("zsh", "_halcyon"),
    ("fish", "halcyon.fish"),
    ("powershell", "halcyon.ps1"),
];
const SUBCOMMANDS: [&str; 8] =
    ["analyse", "bench", "book", "merge", "perft", "play", "serve", "suite"];

/// What both builds must agree about.
struct Release {
    /// The name of the archive without its ending.
    name: String,
    /// The commit, in short.
    commit: String,
    /// When the commit was made: the age of every file.
    time: String,
}

/// Builds the last commit twice from scratch, and keeps one of the two equal archives.
pub(crate) fn run() -> Result<(), Failure> {
    let git = |arguments: &[&str]| {
        shell::text(command("git", arguments)).map(|text| text.trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let time = git(&["log", "-1", "--format=%ct"])?;
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let name = format!("halcyon-{}-{commit}-{os}-{arch}", env!("CARGO_PKG_VERSION"));
    let release = Release { name, commit, time };
    let folder = target().join("dist");
    let first = make(&folder, &release)?;
    let kept = folder.join("first.tar.gz");
    fs::rename(&first, &kept).map_err(|error| error.to_string())?;
    let second = make(&folder, &release)?;
    let read = |path: &Path| fs::read(path).map_err(|error| error.to_string());
    if read(&kept)? != read(&second)? {
        return Err(format!("{} and {} differ", kept.display(), second.display()));
    }
    fs::remove_file(kept).map_err(|error| error.to_string())?;
    let archive = second.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut sums = Command::new("sha256sum");
    sums.arg(&archive).current_dir(&folder);
    let sums = shell::text(sums)?;
    fs::write(folder.join("SHA256SUMS"), &sums).map_err(|error| error.to_string())?;
    println!("\nbuilt twice, the same both times:\n{}{}", sums, second.display());
    Ok(())
}

/// Builds from an export of the commit and packs what people need.
fn make(folder: &Path, release: &Release) -> Result<PathBuf, Failure> {
    let source = folder.join("source");
    export(&source)?;
    let built = build(&source, release)?;
    let packed = folder.join(&release.name);
    if packed.exists() {
        fs::remove_dir_all(&packed).map_err(|error| error.to_string())?;
    }
    for inner in ["man", "completions"] {
        fs::create_dir_all(packed.join(inner)).map_err(|error| error.to_string())?;
    }
    let program = packed.join(built.file_name().unwrap_or_default());
    let copy = |from: &Path, to: &Path| {
        fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
    };
    copy(&built, &program)?;
    for file in ["README.md", "LICENSE", "CHANGELOG.md"] {
        copy(&source.join(file), &packed.join(file))?;
    }
    let ask = |arguments: &[&str], file: PathBuf| {
        let mut command = Command::new(&program);
        command.args(arguments);
        let text = shell::text(command)?;
        fs::write(file, text).map_err(|error| error.to_string())
    };
    ask(&["man"], packed.join("man/halcyon.1"))?;
    for task in SUBCOMMANDS {
        ask(&["man", task], packed.join(format!("man/halcyon-{task}.1")))?;
    }
    for (shell, file) in SHELLS {
        ask(&["completions", shell], packed.join("completions").join(file))?;
    }
    pack(folder, release)
}

/// Nothing of the place where it is built may get into the program.
fn build(source: &Path, release: &Release) -> Result<PathBuf, Failure> {
    let home = std::env::var("CARGO_HOME")
        .map_or_else(|_| std::env::home_dir().unwrap_or_default().join(".cargo"), PathBuf::from);
    let flags = format!(
        "{} --remap-path-prefix={}=halcyon --remap-path-prefix={}=cargo",
        release::CPU,
        source.display(),
        home.display()
    );
    let mut build = cargo(&["build", "--release", "--locked", "--package", "halcyon"]);
    build.current_dir(source);
    build.env("HALCYON_COMMIT", &release.commit).env("SOURCE_DATE_EPOCH", &release.time);
    release::build(build, &source.join("target"), &flags)
}

/// One archive with files of one age and of nobody, in the order of their names.
fn pack(folder: &Path, release: &Release) -> Result<PathBuf, Failure> {
    let archive = folder.join(format!("{}.tar.gz", release.name));
    let mut tar = Command::new("tar");
    tar.current_dir(folder)
        .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"])
        .arg("--mode=u=rwX,go=rX")
        .arg(format!("--mtime=@{}", release.time))
        .args(["--use-compress-program", "gzip -n9", "-cf"])
        .args([archive.as_os_str(), release.name.as_ref()]);
    shell::text(tar)?;
    Ok(archive)
}
