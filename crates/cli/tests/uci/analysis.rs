//! `halcyon analyse` as a program: killed and resumed, and read by others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::python_chess::interpreter;

const PROGRAM: &str = env!("CARGO_BIN_EXE_halcyon");

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../batch/tests/data/games.pgn")
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("halcyon-analysis-{}-{name}", std::process::id()))
}

fn analyse(input: &Path, outputs: &[&Path]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg("analyse").arg(input).args(["--nodes", "1000", "--hash", "1", "--threads", "1"]);
    for output in outputs {
        command.arg("--out").arg(output);
    }
    command.args(["--resume", "--quiet"]).stdin(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn a_run_killed_again_and_again_gives_what_a_quiet_one_gives() {
    let (input, whole, torn) = (scratch("many.pgn"), scratch("whole.jsonl"), scratch("torn.jsonl"));
    let text = fs::read_to_string(games()).unwrap();
    fs::write(&input, text.repeat(8)).unwrap();
    assert!(analyse(&input, &[&whole]).status().unwrap().success());
    let length = fs::metadata(&whole).unwrap().len();
    let mut kills = 0;
    for round in 1..=5 {
        let mut child = analyse(&input, &[&torn]).spawn().unwrap();
        // Each time a little further, and at any moment of a game.
        let goal = length * round / 6;
        let written = || fs::metadata(&torn).map_or(0, |meta| meta.len());
        while written() < goal && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        kills += u32::from(!child.wait().unwrap().success());
    }
    assert!(kills >= 3, "only {kills} runs were really killed");
    assert!(analyse(&input, &[&torn]).status().unwrap().success());
    assert!(fs::read(&whole).unwrap() == fs::read(&torn).unwrap());
    for path in [input, whole, torn] {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn python_chess_plays_annotated_games_through() {
    let Some(interpreter) = interpreter() else { return };
    let output = scratch("annotated.pgn");
    assert!(analyse(&games(), &[&output]).status().unwrap().success());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci/annotated.py");
    let checked = Command::new(interpreter).arg(script).arg(&output).args(["5", "67"]).output();
    let checked = checked.expect("the interpreter runs");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    fs::remove_file(output).unwrap();
}

#[test]
fn gnu_parallel_does_the_shards_of_a_run() {
    let version = Command::new("parallel").arg("--version").output();
    // Another program of that name exists.
    if !version.is_ok_and(|said| said.stdout.starts_with(b"GNU parallel")) {
        eprintln!("skipped: no GNU parallel");
        return;
    }
    let (whole, part, merged) = (scratch("all.jsonl"), scratch("part"), scratch("merged.jsonl"));
    assert!(analyse(&games(), &[&whole]).status().unwrap().success());
    let mut shards = Command::new("parallel");
    shards.args(["--jobs", "2", PROGRAM, "analyse"]).arg(games());
    shards.args(["--nodes", "1000", "--hash", "1", "--threads", "1", "--quiet", "--resume"]);
    shards.args(["--shard", "{}/3", "--out"]).arg(format!("{}{{}}.jsonl", part.display()));
    let done = shards.args([":::", "1", "2", "3"]).stdin(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let parts = [1, 2, 3].map(|index| PathBuf::from(format!("{}{index}.jsonl", part.display())));
    let mut merge = Command::new(PROGRAM);
    merge.arg("merge").args(&parts).arg("--out").arg(&merged).stdout(Stdio::null());
    assert!(merge.status().unwrap().success());
    assert!(fs::read(&whole).unwrap() == fs::read(&merged).unwrap());
    for path in parts.iter().chain([&whole, &merged]) {
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn this_engine_over_uci_judges_as_it_does_inside() {
    let (inside, over) = (scratch("inside.jsonl"), scratch("over-uci.jsonl"));
    assert!(analyse(&games(), &[&inside]).status().unwrap().success());
    let mut other = analyse(&games(), &[&over]);
    let status = other.arg("--engine").arg(format!("\"{PROGRAM}\"")).status();
    assert!(status.unwrap().success());
    let judged = |path: &Path| -> Vec<serde_json::Value> {
        let text = fs::read_to_string(path).unwrap();
        let records = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let games = records.filter(|record: &serde_json::Value| record["kind"] == "game");
        games.map(|game| game["plies"].clone()).collect()
    };
    let (first, second) = (judged(&inside), judged(&over));
    assert_eq!(first.len(), 5);
    assert_eq!(first, second);
    for path in [inside, over] {
        fs::remove_file(path).unwrap();
    }
}
