//! The package for Python: built, installed where nothing else is, and tested there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::dist;
use crate::page;
use crate::release;
use crate::sbom;
use crate::shell::{self, Steps, command, root, target};

/// A wheel may have this many bytes.
const LIMIT: u64 = 6_000_000;
/// First lines of a new user, and what they print.
const FIRST_LINES: &str = "\
import halcyon
engine = halcyon.Engine(threads=1, hash=16)
found = engine.analyse('6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1', nodes=1000)
print(found.best_san, found.mate)
print(halcyon.perft(depth=3))
";
const FIRST_ANSWERS: &str = "Ra8# 1\n8902\n";

/// Builds the wheel, installs it in a fresh environment, and tests and measures it there.
pub(crate) fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    let mut wheel = PathBuf::new();
    steps.step("lints", lint)?;
    steps.step("program", || put_program().and_then(|()| put_licences()))?;
    steps.step("wheel", || {
        wheel = build()?;
        Ok(())
    })?;
    let fresh = target().join("python-fresh");
    steps.step("newcomer", || newcomer(&fresh, &wheel))?;
    steps.step("types", || check_types(&fresh))?;
    steps.step("tests", || shell::run(python(&fresh, &["-m", "pytest", "-q"])))?;
    steps.step("speed", || shell::run(python(&fresh, &["benchmark.py"])))?;
    steps.summary();
    println!("\n{}", wheel.display());
    Ok(())
}

fn folder() -> PathBuf {
    root().join("bindings/python")
}

/// The interpreter of an environment, in the package's folder.
fn python(environment: &Path, arguments: &[&str]) -> Command {
    let name = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let environment = environment.canonicalize().unwrap_or_else(|_| environment.to_path_buf());
    let mut python = Command::new(environment.join(name));
    // The tests are those of this folder; the package is the installed one.
    python.args(arguments).current_dir(folder()).env_remove("PYTHONPATH");
    python
}

/// An environment with nothing in it.
fn environment(folder: &Path) -> Result<(), Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    }
    shell::run(command("python3", &["-m", "venv", &folder.to_string_lossy()]))
}

fn install(environment: &Path, packages: &[&str]) -> Result<(), Failure> {
    let mut pip = python(environment, &["-m", "pip", "install", "--quiet"]);
    pip.args(["--disable-pip-version-check"]).args(packages);
    shell::run(pip)
}

fn cargo(arguments: &[&str]) -> Command {
    let mut cargo = shell::cargo(arguments);
    cargo.current_dir(folder()).env("CARGO_TARGET_DIR", build_folder());
    cargo.env("RUSTFLAGS", release::CPU);
    cargo
}

fn build_folder() -> PathBuf {
    let folder = target().join("python-build");
    // Maturin runs elsewhere.
    fs::create_dir_all(&folder).and_then(|()| folder.canonicalize()).unwrap_or(folder)
}

fn lint() -> Result<(), Failure> {
    shell::run(cargo(&["fmt", "--check"]))?;
    shell::run(cargo(&["clippy", "--release", "--locked", "--", "-D", "warnings"]))
}

/// Puts the program into the package: that of a release of this version, or one built now.
fn put_program() -> Result<(), Failure> {
    let program = match dist::native_program() {
        Some(program) => program,
        None => {
            let mut build =
                shell::cargo(&["build", "--release", "--locked", "--package", "halcyon"]);
            let folder = target().join("builds/portable");
            build.env("RUSTFLAGS", format!("{} -C strip=symbols", release::CPU));
            build.env("CARGO_TARGET_DIR", &folder);
            shell::run(build)?;
            folder.join("release").join(if cfg!(windows) { "halcyon.exe" } else { "halcyon" })
        }
    };
    let bin = folder().join("python/halcyon/bin");
    fs::create_dir_all(&bin).map_err(|error| error.to_string())?;
    let to = bin.join(program.file_name().unwrap_or_default());
    println!("the program in the package: {}", program.display());
    fs::copy(&program, to).map(|_| ()).map_err(|error| error.to_string())
}

/// The licences of everything in the wheel.
fn put_licences() -> Result<(), Failure> {
    // A program of a release brings the page, but not the packages that it is made of.
    page::install();
    let host = shell::text(command("rustc", &["--print", "host-tuple"]))?;
    let mut packages = sbom::linked(&folder(), "halcyon-python", host.trim())?;
    let program = sbom::linked(&root(), "halcyon", host.trim())?;
    packages.extend(program);
    packages.extend(sbom::bundled(&root().join("crates/server/page"))?);
    sbom::without_repetitions(&mut packages);
    let write = |name: &str, text: String| {
        fs::write(folder().join(name), text).map_err(|error| format!("{name}: {error}"))
    };
    let licence = fs::read_to_string(root().join("LICENSE")).map_err(|error| error.to_string())?;
    write("LICENSE", licence)?;
    write("THIRD-PARTY.md", sbom::licences(&packages)?)
}

fn build() -> Result<PathBuf, Failure> {
    let tools = target().join("python-tools");
    if !shell::succeeds(python(&tools, &["-m", "maturin", "--version"])) {
        environment(&tools)?;
        install(&tools, &["maturin>=1.9,<2"])?;
    }
    let wheels = target().join("wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).map_err(|error| error.to_string())?;
    }
    fs::create_dir_all(&wheels).map_err(|error| error.to_string())?;
    let wheels = wheels.canonicalize().map_err(|error| error.to_string())?;
    let mut maturin = python(&tools, &["-m", "maturin", "build", "--release", "--locked", "--out"]);
    maturin.arg(&wheels).env("CARGO_TARGET_DIR", build_folder()).env("RUSTFLAGS", release::CPU);
    shell::run(maturin)?;
    let mut found = fs::read_dir(&wheels).map_err(|error| error.to_string())?.flatten();
    let wheel = found.next().ok_or("maturin has left no wheel")?.path();
    let size = fs::metadata(&wheel).map_err(|error| error.to_string())?.len();
    println!("{size} bytes of {LIMIT}");
    if size > LIMIT {
        return Err("the wheel is too large".into());
    }
    let name = wheel.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if name.contains("-abi3-") { Ok(wheel) } else { Err(format!("{name} is for one Python only")) }
}

/// A fresh environment, one `pip install`, five lines.
fn newcomer(fresh: &Path, wheel: &Path) -> Result<(), Failure> {
    environment(fresh)?;
    install(fresh, &[&wheel.to_string_lossy()])?;
    let printed = shell::text(python(fresh, &["-c", FIRST_LINES]))?;
    print!("{printed}");
    if printed == FIRST_ANSWERS { Ok(()) } else { Err(format!("not {FIRST_ANSWERS:?}")) }
}

fn check_types(fresh: &Path) -> Result<(), Failure> {
    install(fresh, &["pytest", "chess", "mypy"])?;
    shell::run(python(fresh, &["-m", "mypy", "python/halcyon", "tests", "benchmark.py"]))?;
    shell::run(python(fresh, &["-m", "mypy.stubtest", "halcyon._halcyon"]))
}
