//! Long runs of `halcyon analyse`: killed again and again, and over a very large file.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::shell::{self, cargo, root};

const BAD: fn(std::io::Error) -> Failure = |error| error.to_string();

/// The program that was named, or a new one.
fn program(named: Option<&str>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(path.into());
    }
    shell::run(cargo(&["build", "--release", "--package", "halcyon"]))?;
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
    Ok(folder.join("release/halcyon"))
}

fn analyse(program: &Path, input: &Path, output: &Path, nodes: &str) -> Command {
    let mut command = Command::new(program);
    command.arg("analyse").arg(input).args(["--nodes", nodes, "--resume", "--out"]).arg(output);
    command.stdin(Stdio::null());
    command
}

/// Analyses a file once uninterrupted and once killed at ten moments; the results must be equal.
pub(crate) fn kill(input: &str, nodes: &str, named: Option<&str>) -> Result<(), Failure> {
    const KILLS: u64 = 10;
    let (program, input) = (program(named)?, Path::new(input));
    let folder = root().join("target/large_files");
    fs::create_dir_all(&folder).map_err(BAD)?;
    let (whole, torn) = (folder.join("whole.jsonl"), folder.join("torn.jsonl"));
    for path in [&whole, &torn] {
        let _ = fs::remove_file(path);
    }
    let begun = Instant::now();
    shell::run(analyse(&program, input, &whole, nodes))?;
    let time = begun.elapsed();
    println!("uninterrupted: {:.1} s", time.as_secs_f64());
    // A fixed sequence of moments that look like chance.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut kills = 0;
    while kills < KILLS {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let share = (state >> 40) as f64 / (1_u64 << 24) as f64;
        let pause = time.mul_f64(share * 1.6 / KILLS as f64);
        let mut command = analyse(&program, input, &torn, nodes);
        let mut child = command.arg("--quiet").spawn().map_err(BAD)?;
        thread::sleep(pause);
        child.kill().map_err(BAD)?;
        if child.wait().map_err(BAD)?.success() {
            println!("finished before it could be killed");
            break;
        }
        kills += 1;
        println!("killed after {:.2} s: {} lines", pause.as_secs_f64(), lines(&torn)?);
    }
    shell::run(analyse(&program, input, &torn, nodes))?;
    if fs::read(&whole).map_err(BAD)? == fs::read(&torn).map_err(BAD)? {
        println!("killed {kills} times, and not a byte differs");
        Ok(())
    } else {
        Err(format!("{} and {} differ", whole.display(), torn.display()))
    }
}

fn lines(path: &Path) -> Result<usize, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(bytes.iter().filter(|&&byte| byte == b'\n').count()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error.to_string()),
    }
}

/// Streams a file of at least so many MiB, made of a smaller one, and watches the memory.
pub(crate) fn stream(input: &str, mebibytes: &str, named: Option<&str>) -> Result<(), Failure> {
    const MOST_MEBIBYTES: u64 = 256;
    let mebibytes: u64 = mebibytes.parse().map_err(|_| "how many MiB?")?;
    let program = program(named)?;
    let folder = root().join("target/large_files");
    fs::create_dir_all(&folder).map_err(BAD)?;
    let (large, output) = (folder.join("large.pgn"), folder.join("large.jsonl"));
    let piece = fs::read(input).map_err(BAD)?;
    let mut file = BufWriter::new(File::create(&large).map_err(BAD)?);
    let mut written = 0;
    while written < mebibytes << 20 {
        file.write_all(&piece).and_then(|()| file.write_all(b"\n\n")).map_err(BAD)?;
        written += piece.len() as u64 + 2;
    }
    file.flush().map_err(BAD)?;
    let begun = Instant::now();
    // One game of thousands is thought about: the point is to read them all.
    let mut command = analyse(&program, &large, &output, "1000");
    let _ = fs::remove_file(&output);
    let child = command.args(["--shard", "1/5000", "--threads", "2"]).spawn().map_err(BAD)?;
    let peak = watch(child)?;
    println!(
        "{} MiB in {:.1} s, at most {peak} MiB of memory",
        written >> 20,
        begun.elapsed().as_secs_f64()
    );
    fs::remove_file(&large).map_err(BAD)?;
    if peak <= MOST_MEBIBYTES { Ok(()) } else { Err(format!("more than {MOST_MEBIBYTES} MiB")) }
}

/// Waits for a program and tells how many MiB it had at most, as Linux counts them.
fn watch(mut child: Child) -> Result<u64, Failure> {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        peak = peak.max(kibibytes.unwrap_or(0) >> 10);
        if let Some(status) = child.try_wait().map_err(BAD)? {
            return if status.success() { Ok(peak) } else { Err(format!("failed: {status}")) };
        }
        thread::sleep(Duration::from_millis(50));
    }
}
