//! What goes wrong around the program: full disks, files that vanish, closed pipes, signals, no
//! memory. It says what is wrong, plays on or ends, and leaves no half-written file.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::client::{Client, DEADLINE, best_move};

/// A folder that is gone after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("halcyon-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The program under a limit of the shell's `ulimit`. A file that grows beyond `-f` is refused like
/// one on a full disk.
fn limited(limit: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit {limit}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_halcyon")]).args(arguments);
    command
}

fn run(mut command: Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn moves(client: &mut Client) {
    let lines = client.go("depth 4");
    assert!(best_move(lines.last().unwrap()).is_some(), "{lines:?}");
}

#[test]
fn a_log_on_a_full_disk_is_given_up_and_said_so_once() {
    let scratch = Scratch::new("log");
    let path = scratch.path("log.txt");
    // Two blocks: the first lines fit.
    let mut client = Client::spawn(limited("-f 2", &[]));
    client.send(&format!("setoption name Debug Log File value {}", path.display()));
    let mut lines = client.ask("help");
    lines.extend(client.ask("help"));
    lines.extend(client.ask("help"));
    let told: Vec<&String> = lines.iter().filter(|line| line.contains("the log")).collect();
    assert_eq!(told.len(), 1, "{lines:#?}");
    assert!(told[0].starts_with("info string error: the log cannot be written: "), "{told:?}");
    moves(&mut client);
    client.quit();
    assert!(fs::metadata(&path).unwrap().len() <= 1024);
}

#[test]
fn a_table_that_does_not_fit_on_the_disk_leaves_nothing_behind() {
    let scratch = Scratch::new("hash");
    let path = scratch.path("table.hash");
    let mut client = Client::spawn(limited("-f 512", &[]));
    client.send("setoption name Hash value 4");
    let answer = client.ask(&format!("hash save {}", path.display()));
    assert!(answer[0].contains(" not saved: ") && answer[0].ends_with("table kept"), "{answer:?}");
    assert_eq!(scratch.names(), [""; 0]);
    moves(&mut client);
    // An older table survives the attempt to replace it.
    client.send("setoption name Hash value 1");
    fs::write(&path, "precious").unwrap();
    let answer = client.ask(&format!("hash save {}", path.display()));
    assert!(answer[0].contains(" not saved: "), "{answer:?}");
    assert_eq!(fs::read(&path).unwrap(), b"precious");
    assert_eq!(scratch.names(), ["table.hash"]);
    client.quit();
}

#[test]
fn outputs_on_a_full_disk_fail_with_the_reason_and_leave_nothing_behind() {
    let scratch = Scratch::new("outputs");
    let games = scratch.path("games.pgn");
    let one = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n";
    fs::write(&games, one.repeat(40)).unwrap();
    let games = games.to_str().unwrap();
    let annotated = scratch.path("annotated.pgn");
    let arguments =
        ["analyse", games, "--nodes", "50", "--quiet", "--out", annotated.to_str().unwrap()];
    let output = run(limited("-f 8", &arguments));
    let said = text(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(said.starts_with("halcyon: ") && !said.contains("panicked"), "{said}");
    assert!(!annotated.exists());

    let book = scratch.path("book.bin");
    let arguments = ["book", "make", games, "--out", book.to_str().unwrap(), "--min-games", "1"];
    assert!(run(limited("-f 100", &arguments)).status.success());
    let before = fs::read(&book).unwrap();
    let output = run(limited("-f 0", &arguments));
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("book.bin: "), "{}", text(&output.stderr));
    assert_eq!(fs::read(&book).unwrap(), before);

    let trace = scratch.path("trace.jsonl");
    let mut client = Client::spawn(limited("-f 8", &[]));
    let answer = client.ask(&format!("trace 8 file {}", trace.display()));
    assert!(answer[0].contains("trace not written"), "{answer:?}");
    client.quit();
    let left: Vec<String> = scratch
        .names()
        .into_iter()
        .filter(|name| !["games.pgn", "book.bin"].contains(&name.as_str()))
        // The journal of a run that can be resumed.
        .filter(|name| !name.ends_with(".journal"))
        .collect();
    assert_eq!(left, [""; 0]);
    assert!(!trace.exists());
}

#[test]
fn a_full_output_is_an_error_and_a_closed_one_is_not() {
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("skipped: no /dev/full");
        return;
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_halcyon"));
    command.arg("bench").arg("1").stdin(Stdio::null()).stdout(full);
    let output = command.stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.starts_with("halcyon: standard output: ") && said.lines().count() == 1, "{said}");
    // Into a pipe that nobody reads any more.
    let analysis = "printf '1. e4 e5 2. Nf3 *' | \"$0\" analyse --nodes 50 --quiet | true";
    for script in ["\"$0\" bench 3 | true", analysis] {
        let output = run_shell(script);
        assert_eq!(text(&output.stderr), "", "{script}");
    }
}

fn run_shell(script: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_halcyon")]);
    run(command)
}

#[test]
fn signals_end_a_search_at_once() {
    // Whoever runs the tests may have told them to ignore some signals, and programs inherit that.
    let program = env!("CARGO_BIN_EXE_halcyon");
    let afresh = ["--default-signal=INT,HUP,TERM"];
    let can_reset = Command::new("env").args(afresh).arg("true").output();
    let can_reset = can_reset.is_ok_and(|output| output.status.success());
    let signals = if can_reset { &["TERM", "INT", "HUP"][..] } else { &["TERM"] };
    for signal in signals {
        let mut command = Command::new(if can_reset { "env" } else { program });
        if can_reset {
            command.args(afresh).arg(program);
        }
        command.stderr(Stdio::piped());
        let mut client = Client::spawn(command);
        client.send("setoption name Threads value 2");
        client.send("go infinite");
        client.ready();
        let process = client.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &process]).status().unwrap().success());
        assert!(!client.exit(DEADLINE).success());
        assert_eq!(client.errors(), "", "{signal}");
    }
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let mut client = Client::spawn(limited("-v 3000000", &[]));
    for megabytes in ["8000", "33554432"] {
        let answer = client.ask(&format!("setoption name Hash value {megabytes}"));
        let expected = format!(
            "info string error: Hash cannot be \"{megabytes}\": cannot allocate {megabytes} MiB; \
             kept 16"
        );
        assert_eq!(answer, [expected]);
        moves(&mut client);
    }
    // Room for some threads, not for so many.
    let answer = client.ask("setoption name Threads value 1024");
    assert!(answer[0].starts_with("info string error: Threads cannot be \"1024\": "), "{answer:?}");
    assert!(answer[0].ends_with("; kept 1"), "{answer:?}");
    moves(&mut client);
    client.quit();
}

#[test]
fn a_network_that_is_damaged_is_refused_and_the_old_one_plays_on() {
    let scratch = Scratch::new("network");
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/halcyon.nnue");
    let good = fs::read(good).unwrap();
    let path = scratch.path("net.nnue");
    let mut client = Client::start();
    let score = client.ask("eval");
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x10;
    let foreign = vec![b'x'; good.len()];
    for bytes in [&good[..good.len() / 2], &good[..3], &[], &damaged, &foreign] {
        fs::write(&path, bytes).unwrap();
        let answer = client.ask(&format!("setoption name EvalFile value {}", path.display()));
        let [answer] = &answer[..] else { panic!("{answer:?}") };
        assert!(answer.starts_with("info string error: EvalFile cannot be "), "{answer}");
        assert_eq!(client.ask("eval"), score);
    }
    fs::write(&path, &good).unwrap();
    let answer = client.ask(&format!("setoption name EvalFile value {}", path.display()));
    assert_eq!(answer, [""; 0]);
    client.quit();
}

#[test]
fn bench_measures_the_network_that_was_chosen() {
    let scratch = Scratch::new("bench-network");
    let mut parameters = engine::embedded_network().parameters();
    parameters.description = String::from("all the weights of the pieces halved");
    parameters.feature_weights.iter_mut().for_each(|weight| *weight /= 2);
    let other = engine::Network::new(&parameters).unwrap();
    let path = scratch.path("other.nnue");
    fs::write(&path, other.to_bytes().unwrap()).unwrap();
    let nodes = |client: &mut Client| {
        let answer = client.ask("bench 3");
        answer.last().unwrap().split(' ').next().unwrap().to_owned()
    };
    let mut client = Client::start();
    let own = nodes(&mut client);
    assert_eq!(client.ask(&format!("setoption name EvalFile value {}", path.display())), [""; 0]);
    assert_ne!(nodes(&mut client), own);
    assert_eq!(client.ask("setoption name EvalFile value "), [""; 0]);
    assert_eq!(nodes(&mut client), own);
    client.quit();
}

#[test]
fn endgame_tables_that_vanish_or_shrink_are_played_on_without() {
    let Some(data) = std::env::var_os("HALCYON_DATA").map(PathBuf::from) else {
        eprintln!("skipped: no data");
        return;
    };
    let scratch = Scratch::new("tables");
    let copy = || {
        for name in ["KQvK", "KRvK", "KPvK", "KBvK", "KNvK"] {
            for kind in ["rtbw", "rtbz"] {
                let name = format!("{name}.{kind}");
                fs::copy(data.join("syzygy").join(&name), scratch.path(&name)).unwrap();
            }
        }
    };
    let all = |act: &dyn Fn(&Path)| {
        for name in scratch.names() {
            act(&scratch.path(&name));
        }
    };
    let shorten = |path: &Path| {
        let length = fs::metadata(path).unwrap().len();
        fs::OpenOptions::new().write(true).open(path).unwrap().set_len(length / 3).unwrap();
    };
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    let damages: [&dyn Fn(&Path); 2] = [&shorten, &remove];
    for damage in damages {
        for before in [true, false] {
            copy();
            let mut client = Client::start();
            if before {
                all(damage);
            }
            let path = scratch.0.display();
            client.ask(&format!("setoption name SyzygyPath value {path}"));
            if !before {
                all(damage);
            }
            for fen in ["8/8/8/8/6k1/8/8/KQ6 w - - 0 1", "8/8/8/8/4k3/8/1P6/KR6 w - - 0 1"] {
                client.send(&format!("position fen {fen}"));
                client.send("setoption name Threads value 2");
                moves(&mut client);
            }
            client.quit();
        }
    }
}
