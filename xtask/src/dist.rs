//! Archives and packages for people who do not build: made twice, in two folders, and the same both
//! times.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::openbench::{self, export};
use crate::pgo;
use crate::platform::{PLATFORMS, Platform};
use crate::sbom;
use crate::shell::{self, Steps, cargo, command, target};

const SHELLS: [(&str, &str); 4] = [
    ("bash", "halcyon.bash"),
    ("zsh", "_halcyon"),
    ("fish", "halcyon.fish"),
    ("powershell", "halcyon.ps1"),
];
/// A program may have this many bytes.
const LIMIT: u64 = 12_000_000;

/// What all builds of a release agree about.
struct Release {
    /// The commit, in short.
    commit: String,
    /// When the commit was made, in seconds: the age of every file.
    time: String,
    /// The same as people write it.
    date: String,
}

impl Release {
    fn of_last_commit() -> Result<Self, Failure> {
        let git = |arguments: &[&str]| {
            let mut git = command("git", arguments);
            git.env("TZ", "UTC");
            shell::text(git).map(|text| text.trim().to_owned())
        };
        let format = "--date=format-local:%Y-%m-%dT%H:%M:%SZ";
        Ok(Self {
            commit: git(&["rev-parse", "--short=10", "HEAD"])?,
            time: git(&["log", "-1", "--format=%ct"])?,
            date: git(&["log", "-1", format, "--format=%cd"])?,
        })
    }

    /// The name of an archive without its ending.
    fn name(platform: &Platform) -> String {
        format!("halcyon-{}-{}", env!("CARGO_PKG_VERSION"), platform.name)
    }
}

/// Builds the last commit for these platforms, or for all that can be built and run here.
pub(crate) fn run(names: &[&str]) -> Result<(), Failure> {
    let chosen: Vec<&Platform> = if names.is_empty() {
        PLATFORMS.iter().collect()
    } else {
        names.iter().map(|name| Platform::named(name)).collect::<Result<_, _>>()?
    };
    let release = Release::of_last_commit()?;
    let folder = folder();
    let mut steps = Steps::default();
    let mut skipped = Vec::new();
    for platform in chosen {
        match platform.missing() {
            Some(need) if names.is_empty() => {
                skipped.push(format!("skipped: {} ({need})", platform.name));
            }
            Some(need) => return Err(format!("{} needs: {need}", platform.name)),
            None => steps.step(platform.name, || make(&folder, platform, &release))?,
        }
    }
    steps.summary();
    skipped.iter().for_each(|line| println!("{line}"));
    sum_up(&folder)
}

/// Where archives are, and the programs in them.
pub(crate) fn folder() -> PathBuf {
    target().join("dist")
}

/// The unpacked program of a platform, if it was made.
pub(crate) fn program(platform: &Platform) -> Option<PathBuf> {
    let program = folder().join(Release::name(platform)).join(platform.program());
    program.exists().then_some(program)
}

/// The program of the last release that runs on this system as it is, if it was made.
pub(crate) fn native_program() -> Option<PathBuf> {
    PLATFORMS.iter().find(|platform| platform.is_native()).and_then(program)
}

/// Checksums of everything that others get.
fn sum_up(folder: &Path) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut files: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| [".tar.gz", ".zip", ".deb"].iter().any(|ending| name.ends_with(ending)))
        .collect();
    files.sort();
    let mut sums = Command::new("sha256sum");
    sums.args(&files).current_dir(folder);
    let sums = shell::text(sums)?;
    fs::write(folder.join("SHA256SUMS"), &sums).map_err(|error| error.to_string())?;
    println!("\nin {}:\n{sums}", folder.display());
    Ok(())
}

/// Makes what people on a platform get, twice, compares the bytes, and runs the program.
fn make(folder: &Path, platform: &Platform, release: &Release) -> Result<(), Failure> {
    let work = folder.join(platform.name);
    let sources = [work.join("first"), work.join("second/of/two")];
    for source in &sources {
        export(source)?;
    }
    let profile = profile(&work, &sources[0], platform, release)?;
    let mut made = Vec::new();
    for source in &sources {
        let program = build(source, platform, release, profile.as_deref())?;
        made.push(pack(source, &program, platform, release)?);
    }
    let [first, second] = &made[..] else { return Err("two builds make two packs".into()) };
    for (one, other) in first.iter().zip(second) {
        let read = |path: &Path| fs::read(path).map_err(|error| error.to_string());
        if read(one)? != read(other)? {
            return Err(format!("{} and {} differ", one.display(), other.display()));
        }
        let name = one.file_name().unwrap_or_default();
        fs::copy(one, folder.join(name)).map_err(|error| error.to_string())?;
        println!("built twice, the same both times: {}", name.to_string_lossy());
    }
    let name = Release::name(platform);
    replace_folder(&sources[0].join("target/packed").join(&name), &folder.join(&name))?;
    let program = program(platform).ok_or("the program is not where it was put")?;
    check(platform, &program, release)?;
    // Sources and objects of three builds are gigabytes.
    fs::remove_dir_all(&work).map_err(|error| error.to_string())
}

fn replace_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    if to.exists() {
        fs::remove_dir_all(to).map_err(|error| error.to_string())?;
    }
    fs::rename(from, to).map_err(|error| format!("{}: {error}", from.display()))
}

/// Builds the program for a platform. Nothing of the place where it is built may get into it.
fn build(
    source: &Path,
    platform: &Platform,
    release: &Release,
    profile: Option<&Path>,
) -> Result<PathBuf, Failure> {
    let flags = profile.map(|profile| format!("-C profile-use={}", profile.display()));
    build_with(source, platform, release, &flags.unwrap_or_default())
}

fn build_with(
    source: &Path,
    platform: &Platform,
    release: &Release,
    more: &str,
) -> Result<PathBuf, Failure> {
    let home = std::env::var("CARGO_HOME")
        .map_or_else(|_| std::env::home_dir().unwrap_or_default().join(".cargo"), PathBuf::from);
    // Cargo names folders as the system does.
    let source = source.canonicalize().map_err(|error| error.to_string())?;
    let flags = format!(
        "{} --remap-path-prefix={}=halcyon --remap-path-prefix={}=cargo {more}",
        platform.flags,
        source.display(),
        home.display()
    );
    let folder = source.join("target");
    let mut build = cargo(&["build", "--release", "--locked", "--package", "halcyon"]);
    build.args(["--target", platform.triple]).current_dir(&source);
    build.env("RUSTFLAGS", flags).env("CARGO_TARGET_DIR", &folder);
    build.env("HALCYON_COMMIT", &release.commit).env("SOURCE_DATE_EPOCH", &release.time);
    shell::run(build)?;
    Ok(folder.join(platform.triple).join("release").join(platform.program()))
}

/// What is seen of the program at work, where Rust can watch programs of that platform.
fn profile(
    work: &Path,
    source: &Path,
    platform: &Platform,
    release: &Release,
) -> Result<Option<PathBuf>, Failure> {
    let print = ["--print", "target-libdir", "--target", platform.triple];
    let libraries = shell::text(command("rustc", &print))?;
    let has_runtime = fs::read_dir(libraries.trim()).is_ok_and(|entries| {
        entries
            .flatten()
            .any(|file| file.file_name().to_string_lossy().contains("profiler_builtins"))
    });
    let Some(profdata) = pgo::find_profdata().filter(|_| has_runtime) else {
        println!("{} is built without a profile: Rust cannot watch its programs", platform.name);
        return Ok(None);
    };
    let work = work.canonicalize().map_err(|error| error.to_string())?;
    let (seen, profile) = (work.join("seen"), work.join("halcyon.profdata"));
    let generate = format!("-C profile-generate={}", seen.display());
    let watching = build_with(source, platform, release, &generate)?;
    pgo::watch_bench(platform.call(&watching)?, &profdata, &seen, &profile)?;
    Ok(Some(profile))
}

/// Packs what people need; returns the files they get.
fn pack(
    source: &Path,
    program: &Path,
    platform: &Platform,
    release: &Release,
) -> Result<Vec<PathBuf>, Failure> {
    let (name, packed) = (Release::name(platform), source.join("target/packed"));
    let folder = packed.join(&name);
    for inner in ["man", "completions", "docs"] {
        fs::create_dir_all(folder.join(inner)).map_err(|error| error.to_string())?;
    }
    let copy = |from: &Path, to: &Path| {
        fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
    };
    let write = |name: &str, text: String| {
        fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    copy(program, &folder.join(platform.program()))?;
    for file in ["README.md", "LICENSE", "CHANGELOG.md"] {
        copy(&source.join(file), &folder.join(file))?;
    }
    // The pages that the README leads to.
    for page in fs::read_dir(source.join("docs")).map_err(|error| error.to_string())?.flatten() {
        let name = page.file_name();
        if name.to_string_lossy().ends_with(".md") {
            copy(&page.path(), &folder.join("docs").join(name))?;
        }
    }
    let mut packages = sbom::linked(source, "halcyon", platform.triple)?;
    packages.extend(sbom::bundled(&source.join("crates/server/page"))?);
    write("sbom.cdx.json", sbom::cyclonedx("halcyon", &packages, &release.date))?;
    write("THIRD-PARTY.md", sbom::licences(&packages)?)?;
    let ask = |arguments: &[&str]| {
        let mut command = platform.call(program)?;
        command.args(arguments);
        shell::text(command)
    };
    write("man/halcyon.1", ask(&["man"])?)?;
    for task in subcommands(&ask(&["--help"])?) {
        write(&format!("man/halcyon-{task}.1"), ask(&["man", &task])?)?;
    }
    for (shell, file) in SHELLS {
        write(&format!("completions/{file}"), ask(&["completions", shell])?)?;
    }
    let archive = if platform.is_windows() {
        zip(&packed, &name, release)?
    } else {
        tar(&packed, &name, release)?
    };
    let mut made = vec![archive];
    if let Some(architecture) = platform.debian {
        made.push(debian(source, &folder, platform, architecture, release)?);
    }
    Ok(made)
}

/// The sub-commands that the program's help lists.
fn subcommands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned))
        .filter(|name| !name.is_empty() && name != "help")
        .collect()
}

/// One archive with files of one age and of nobody, in the order of their names.
fn tar(folder: &Path, name: &str, release: &Release) -> Result<PathBuf, Failure> {
    let archive = folder.join(format!("{name}.tar.gz"));
    let mut tar = Command::new("tar");
    tar.current_dir(folder)
        .args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"])
        .arg("--mode=u=rwX,go=rX")
        .arg(format!("--mtime=@{}", release.time))
        .args(["--use-compress-program", "gzip -n9", "-cf"])
        .arg(format!("{name}.tar.gz"))
        .arg(name);
    shell::text(tar)?;
    Ok(archive)
}

/// The same for systems that prefer it.
fn zip(folder: &Path, name: &str, release: &Release) -> Result<PathBuf, Failure> {
    let mut find = Command::new("find");
    find.args([name, "-exec", "touch", "-h", "-d"]).arg(format!("@{}", release.time));
    find.args(["{}", "+", "-type", "f", "-print"]).current_dir(folder).env("TZ", "UTC");
    let files = shell::text(find)?;
    let mut files: Vec<&str> = files.lines().collect();
    files.sort_unstable();
    let mut zip = Command::new("zip");
    zip.args(["-X", "-9", "-q", &format!("{name}.zip")]).args(files);
    zip.current_dir(folder).env("TZ", "UTC");
    shell::text(zip)?;
    Ok(folder.join(format!("{name}.zip")))
}

/// A package for Debian, with what `crates/cli/Cargo.toml` puts into it.
fn debian(
    source: &Path,
    packed: &Path,
    platform: &Platform,
    architecture: &str,
    release: &Release,
) -> Result<PathBuf, Failure> {
    if !shell::succeeds(cargo(&["deb", "--version"])) {
        shell::run(cargo(&["install", "cargo-deb", "--locked"]))?;
    }
    // The package's list of files names this folder.
    let texts = source.join("debian-texts");
    fs::create_dir_all(texts.join("man")).map_err(|error| error.to_string())?;
    for from in ["man", "completions"] {
        for entry in fs::read_dir(packed.join(from)).map_err(|error| error.to_string())?.flatten() {
            let to = texts.join(if from == "man" { "man" } else { "." }).join(entry.file_name());
            fs::copy(entry.path(), to).map_err(|error| error.to_string())?;
        }
    }
    fs::copy(packed.join("THIRD-PARTY.md"), texts.join("THIRD-PARTY.md"))
        .map_err(|error| error.to_string())?;
    let name = format!("halcyon_{}-1_{architecture}.deb", env!("CARGO_PKG_VERSION"));
    let file = source.join("target/packed").join(name);
    let mut deb = cargo(&["deb", "--no-build", "--no-strip", "--package", "halcyon"]);
    deb.args(["--target", platform.triple, "--output"]).arg(&file).current_dir(source);
    deb.env_remove("CARGO_TARGET_DIR").env("SOURCE_DATE_EPOCH", &release.time);
    shell::run(deb)?;
    Ok(file)
}

/// Nothing leaves that has not run: the version names the commit, and a bench visits the nodes that
/// the commit promises.
fn check(platform: &Platform, program: &Path, release: &Release) -> Result<(), Failure> {
    let size = fs::metadata(program).map_err(|error| error.to_string())?.len();
    println!("{}: {size} bytes of {LIMIT}", program.display());
    if size > LIMIT {
        return Err("the program is too large".into());
    }
    let ask = |word: &str| {
        let mut command = platform.call(program)?;
        command.arg(word);
        shell::text(command)
    };
    let version = ask("--version")?;
    if !version.contains(&release.commit) {
        return Err(format!("{} is not in the version {version}", release.commit));
    }
    let (nodes, _) = openbench::read_bench(&ask("bench")?)?;
    let expected = openbench::promised_bench(&release.commit)?;
    println!("{}, {nodes} nodes", version.trim());
    if nodes == expected {
        Ok(())
    } else {
        Err(format!("bench gives {nodes} nodes, the commit says {expected}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_commands_are_read_from_the_help() {
        let help = "About\n\nCommands:\n  bench    Search\n           on\n  help     Print\n\nOptions:\n  -h\n";
        assert_eq!(subcommands(help), ["bench"]);
    }
}
