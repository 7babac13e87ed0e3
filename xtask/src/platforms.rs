//! The programs of releases where they are at home, or under something that behaves like it: Wine for
//! Windows, qemu for other processors.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chess::Position;

use crate::Failure;
use crate::dist;
use crate::newcomer::open_board;
use crate::openbench;
use crate::platform::{PLATFORMS, Platform, has_target};
use crate::shell::{self, Steps, cargo, root, target};
use crate::uci::Engine;

const GAMES: &str = "crates/batch/tests/data/games.pgn";
/// Plies of the bench in the short test.
const SHALLOW: &str = "5";
const MACOS: &str = "aarch64-apple-darwin";

/// Tests the programs that `dist` has left, all or those of these platforms.
pub(crate) fn run(names: &[&str]) -> Result<(), Failure> {
    let chosen: Vec<&Platform> = if names.is_empty() {
        PLATFORMS.iter().collect()
    } else {
        names.iter().map(|name| Platform::named(name)).collect::<Result<_, _>>()?
    };
    let mut steps = Steps::default();
    let mut skipped = Vec::new();
    for platform in chosen {
        match (platform.missing(), dist::program(platform)) {
            (None, Some(program)) => test_all(&mut steps, platform, &program)?,
            (Some(need), _) => skipped.push(format!("skipped: {} ({need})", platform.name)),
            (None, None) => skipped.push(format!(
                "skipped: {} (no program; cargo xtask dist {})",
                platform.name, platform.name
            )),
        }
    }
    if names.is_empty() {
        steps.step("NEON and scalar", test_neon)?;
        steps.step("macOS, checked", check_macos)?;
    }
    steps.summary();
    skipped.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// What the test command does where Wine and qemu are, without installing anything: programs that
/// `dist` has left talk and agree about a short bench, and NEON equals the portable code.
pub(crate) fn test() -> Result<(), Failure> {
    let mut known: Vec<(String, u64)> = Vec::new();
    for platform in &PLATFORMS {
        let Some(program) = dist::program(platform) else {
            println!("skipped: {} (cargo xtask dist makes its program)", platform.name);
            continue;
        };
        if let Some(need) = platform.missing_here() {
            println!("skipped: {} ({need})", platform.name);
            continue;
        }
        converse(platform, &program)?;
        let version = ask(platform, &program, &["--version"])?.trim().to_owned();
        let (count, _) = openbench::read_bench(&ask(platform, &program, &["bench", SHALLOW])?)?;
        println!("{}: {version}, {count} nodes", platform.name);
        // Programs of different commits may search differently.
        if known.iter().any(|(other, nodes)| *other == version && *nodes != count) {
            return Err(format!("{} visits {count} nodes: {known:?}", platform.name));
        }
        known.push((version, count));
    }
    match Platform::named("linux-aarch64")?.missing_here() {
        Some(need) => println!("skipped: NEON ({need})"),
        None => test_neon()?,
    }
    Ok(())
}

fn test_all(steps: &mut Steps, platform: &Platform, program: &Path) -> Result<(), Failure> {
    let mut step = |name: &str, action: &dyn Fn() -> Result<(), Failure>| {
        steps.step(&format!("{} {name}", platform.name), action)
    };
    step("bench", &|| bench(platform, program))?;
    step("UCI", &|| converse(platform, program))?;
    step("serve", &|| {
        let mut serve = platform.call(program)?;
        serve.args(["serve", "--port", "0"]);
        open_board(serve)
    })?;
    step("analyse", &|| analyse(platform, program))?;
    step("game", &|| {
        let start = || Engine::start_with(platform.call(program)?);
        let mut players = [start()?, start()?];
        let reason = openbench::play_one(&mut players, &Position::startpos())?;
        println!("a game by the clock: {reason}");
        Ok(())
    })
}

fn ask(platform: &Platform, program: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let mut command = platform.call(program)?;
    command.args(arguments);
    shell::text(command)
}

/// As many nodes as the program's own commit promises.
fn bench(platform: &Platform, program: &Path) -> Result<(), Failure> {
    let version = ask(platform, program, &["--version"])?;
    let commit = version.split(['(', ')']).nth(1).ok_or_else(|| format!("no commit: {version}"))?;
    let (nodes, nps) = openbench::read_bench(&ask(platform, program, &["bench"])?)?;
    let expected = openbench::promised_bench(commit)?;
    println!("{}: {nodes} nodes, {nps} nps here", version.trim());
    if nodes == expected { Ok(()) } else { Err(format!("the commit says {expected} nodes")) }
}

/// Lines that end as on Windows are understood, and answers end as everywhere.
fn converse(platform: &Platform, program: &Path) -> Result<(), Failure> {
    let mut command = platform.call(program)?;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut input = child.stdin.take().ok_or("the engine has no input")?;
    let output = child.stdout.take().ok_or("the engine has no output")?;
    let lines = ["uci", "isready", "position startpos moves e2e4 e7e5", "go nodes 2000"];
    let said: String = lines.map(|line| format!("{line}\r\n")).concat();
    input.write_all(said.as_bytes()).map_err(|error| error.to_string())?;
    let mut answers = Vec::new();
    for line in BufReader::new(output).split(b'\n') {
        let line = String::from_utf8(line.map_err(|error| error.to_string())?)
            .map_err(|error| error.to_string())?;
        let is_last = line.starts_with("bestmove ");
        answers.push(line);
        if is_last {
            break;
        }
    }
    // The last line decides, whatever becomes of the rest.
    let _ = input.write_all(b"quit\r\n");
    let ended = child.wait().map_err(|error| error.to_string())?;
    let has = |word: &str| answers.iter().any(|line| line == word);
    let best = answers.last().map_or("", String::as_str);
    let is_move = best.split(' ').nth(1).is_some_and(|word| (4..=5).contains(&word.len()));
    if !has("uciok") || !has("readyok") || !is_move || !ended.success() {
        return Err(format!("{} says {answers:?} and ends with {ended}", platform.name));
    }
    match answers.iter().find(|line| line.contains('\r') || line.contains("error")) {
        Some(line) => Err(format!("{} says {line:?}", platform.name)),
        None => Ok(()),
    }
}

/// A file of games gives the same records as on this system.
fn analyse(platform: &Platform, program: &Path) -> Result<(), Failure> {
    let folder = target().join("platforms");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let folder = folder.canonicalize().map_err(|error| error.to_string())?;
    // A blank in a path is what people have.
    let [games, here, there] =
        ["my games.pgn", "here.jsonl", "there.jsonl"].map(|name| folder.join(name));
    fs::copy(root().join(GAMES), &games).map_err(|error| error.to_string())?;
    for old in [&here, &there] {
        if old.exists() {
            fs::remove_file(old).map_err(|error| error.to_string())?;
        }
    }
    let options = ["--nodes", "500", "--hash", "1", "--threads", "1", "--quiet", "--out"];
    // This system's program of the same release, or that of the workspace.
    let mut own = dist::native_program()
        .map_or_else(|| cargo(&["run", "--quiet", "--package", "halcyon", "--"]), Command::new);
    own.arg("analyse").arg(&games).args(options).arg(&here);
    shell::text(own)?;
    let mut foreign = platform.call(program)?;
    foreign.arg("analyse").arg(platform.path(&games)).args(options).arg(platform.path(&there));
    shell::text(foreign)?;
    let read = |path: &PathBuf| fs::read_to_string(path).map_err(|error| error.to_string());
    // Records name the file as it was named.
    let named = |path: &Path| path.to_string_lossy().replace('\\', "\\\\");
    let renamed = read(&there)?.replace(&named(&platform.path(&games)), &named(&games));
    if read(&here)? == renamed {
        println!("{}: the same records", platform.name);
        return Ok(());
    }
    Err(format!("{} and {} differ", here.display(), there.display()))
}

/// The network's tests on another processor: every back-end against the portable code.
fn test_neon() -> Result<(), Failure> {
    let platform = Platform::named("linux-aarch64")?;
    if let Some(need) = platform.missing() {
        println!("skipped: NEON ({need})");
        return Ok(());
    }
    let mut test =
        cargo(&["test", "--package", "halcyon-chess-nnue", "--lib", "--target", platform.triple]);
    test.args(["simd", "--", "--nocapture"]).env("RUSTFLAGS", platform.flags);
    test.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", platform.runner());
    shell::run(test)
}

/// There is no Mac here: the compiler's word has to do.
fn check_macos() -> Result<(), Failure> {
    if !has_target(MACOS) {
        println!("skipped: macOS (rustup target add {MACOS})");
        return Ok(());
    }
    let mut check = cargo(&["check", "--package", "halcyon", "--target", MACOS]);
    check.env("RUSTFLAGS", "");
    shell::run(check)
}
