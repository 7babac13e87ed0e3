//! The command line, and what is not a line of an answer.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::client::{Client, DEADLINE, program};

fn run(arguments: &[&str]) -> Output {
    program().args(arguments).stdin(Stdio::null()).output().expect("the program runs")
}

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("the program writes text")
}

#[test]
fn the_manual_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/uci.md");
    let written = fs::read_to_string(path).unwrap_or_default();
    let page = cli::manual::page();
    assert_eq!(written, page, "run `halcyon manual > docs/uci.md`");
    assert_eq!(stdout(&["manual"]), page);
}

#[test]
fn the_version_names_the_commit_of_a_checkout() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let version = stdout(&["--version"]);
    let package = concat!("halcyon ", env!("CARGO_PKG_VERSION"));
    assert!(version.starts_with(package), "{version}");
    let git = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(&root).output();
    let Some(git) = git.ok().filter(|git| root.join(".git").exists() && git.status.success())
    else {
        return;
    };
    let commit = std::env::var("HALCYON_COMMIT")
        .unwrap_or_else(|_| String::from_utf8_lossy(&git.stdout).chars().take(10).collect());
    assert_eq!(version.trim_end(), format!("{package} ({commit})"));
}

#[test]
fn the_usual_flags_are_there() {
    assert!(stdout(&["--version"]).starts_with("halcyon "));
    assert!(stdout(&["--help"]).contains("perft"));
    assert!(stdout(&["man"]).contains(".TH halcyon"));
    assert!(stdout(&["man", "perft"]).contains("halcyon\\-perft"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(&["completions", shell]).contains("halcyon"), "{shell}");
    }
}

#[test]
fn mistakes_on_the_command_line_have_an_exit_code_and_a_reason() {
    for arguments in [
        &["perft", "blah", "3"][..],
        &["perft", "99"],
        &["perft", "x"],
        &["man", "nothing"],
        &["bench", "0"],
        &["frobnicate"],
    ] {
        let output = run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn perft_counts_the_known_numbers() {
    assert!(stdout(&["perft", "4"]).starts_with("197281 leaves"));
    assert!(stdout(&["perft", "0"]).starts_with("1 leaves"));
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert!(stdout(&["perft", fen, "3", "--threads", "2", "--hash", "1"]).starts_with("97862 "));
    let divided = stdout(&["perft", "1", "--divide"]);
    assert_eq!(divided.lines().filter(|line| line.ends_with(": 1")).count(), 20);
}

#[test]
fn bench_ends_in_the_same_count_every_time() {
    let nodes = |text: &str| {
        let last = text.lines().last().unwrap().to_owned();
        let words: Vec<&str> = last.split(' ').collect();
        let [nodes, "nodes", nps, "nps"] = words[..] else { panic!("{last}") };
        assert!(nps.parse::<u64>().is_ok(), "{last}");
        nodes.parse::<u64>().unwrap()
    };
    let once = nodes(&stdout(&["bench", "3"]));
    assert_eq!(nodes(&stdout(&["bench", "3", "1", "16"])), once);
    let mut client = Client::start();
    assert_eq!(nodes(&client.ask("bench 3").join("\n")), once);
    client.quit();
}

#[test]
fn arguments_with_blanks_are_commands_as_test_servers_give_them() {
    let text = stdout(&["genfens 3 seed 5 book None ", "quit"]);
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.lines().all(|line| line.starts_with("info string genfens ")), "{text}");
    assert_eq!(stdout(&["genfens 3 seed 5", "quit"]), text);
    let text = stdout(&["position startpos", "spsa", "quit", "d"]);
    assert!(text.lines().all(|line| line.split(", ").count() == 7), "{text}");
    let refused = run(&["genfens three", "quit"]);
    assert!(refused.stdout.starts_with(b"info string error: usage: genfens"));
}

#[test]
fn a_refused_command_among_the_arguments_shows_in_the_exit_code() {
    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&["position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go depth 1"]), Some(1));
    assert_eq!(code(&["position", "startpos", "moves", "e2e5"]), Some(1));
    assert_eq!(code(&["setoption name Threads value abc", "quit"]), Some(1));
    assert_eq!(code(&["position startpos moves e2e4", "go depth 1"]), Some(0));
}

#[test]
fn the_compiler_is_named() {
    let mut client = Client::start();
    let [built, expected, chosen] = &client.ask("compiler")[..] else { panic!("three lines") };
    assert!(built.contains("rustc"), "{built}");
    assert!(expected.starts_with("the processor is expected to have "), "{expected}");
    let known = ["AVX2", "NEON", "portable code"];
    assert!(known.iter().any(|name| chosen.contains(&format!("network: {name}, "))), "{chosen}");
    client.quit();
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    let mut child = program()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // The program may already be gone when the second line is written.
    let _ = std::io::Write::write_all(&mut input, b"uci\ngo infinite\n");
    let output = {
        let end = std::time::Instant::now() + DEADLINE;
        while child.try_wait().unwrap().is_none() {
            assert!(std::time::Instant::now() < end, "the program does not end");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        drop(input);
        child.wait_with_output().unwrap()
    };
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_table_comes_back_from_a_file() {
    let path = std::env::temp_dir().join(format!("halcyon table {}.hash", std::process::id()));
    let nodes = |lines: &[String]| -> u64 {
        let last = lines.iter().rev().find(|line| line.contains(" nodes ")).unwrap();
        last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap()
    };
    let mut client = Client::start();
    client.send("setoption name Hash value 2");
    let fresh = nodes(&client.go("depth 6"));
    client.go("depth 11");
    let saved = client.ask(&format!("hash save {}", path.display()));
    assert_eq!(saved, ["info string hash saved, 2 MiB"]);
    client.quit();
    let mut client = Client::start();
    let refused = client.ask(&format!("hash load {}", path.display()));
    let [refused] = &refused[..] else { panic!("{refused:?}") };
    assert!(refused.contains("a table of 2 MiB and Hash is 16"), "{refused}");
    client.send("setoption name Hash value 2");
    let loaded = client.ask(&format!("hash load {}", path.display()));
    assert_eq!(loaded, ["info string hash loaded, 2 MiB"]);
    let known = nodes(&client.go("depth 6"));
    assert!(known < fresh / 2, "{known} nodes instead of {fresh}");
    client.quit();
    fs::remove_file(&path).unwrap();
}

#[test]
fn the_log_has_both_directions() {
    let path = std::env::temp_dir().join(format!("halcyon log {}.txt", std::process::id()));
    let mut client = Client::start();
    client.send(&format!("setoption name Debug Log File value {}", path.display()));
    client.ready();
    assert_eq!(client.ready(), [""; 0]);
    client.go("depth 1");
    client.send("setoption name Debug Log File value <empty>");
    client.ready();
    client.quit();
    let log = fs::read_to_string(&path).unwrap();
    let _ = fs::remove_file(&path);
    assert!(log.contains("> isready\n< readyok\n> go depth 1\n< info depth 1 "), "{log}");
    assert!(log.contains("\n< bestmove "), "{log}");
}

#[test]
fn a_trace_is_written_within_its_limit_and_printed_as_a_tree() {
    let folder = std::env::temp_dir().join(format!("halcyon-trace-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("a trace.jsonl");
    let name = path.to_str().unwrap();
    let mut client = Client::start();
    let answer = client.ask(&format!("trace 5 file {name}"));
    assert!(answer[0].starts_with("info string trace of "), "{answer:?}");
    let whole = cli::trace::read(fs::read(&path).unwrap().as_slice()).unwrap();
    assert_eq!(whole.header.depth, 5);
    assert_eq!(whole.footer.as_ref().unwrap().written, whole.nodes.len());

    let text = stdout(&["tree", name]);
    assert!(text.lines().count() > whole.nodes.len(), "a line for each node and the heading");
    let first = &whole.nodes[1];
    let mv = first.mv.clone().unwrap();
    let below = stdout(&["tree", name, "--path", &mv, "--max-ply", "1"]);
    let third = below.lines().nth(2).unwrap();
    assert!(third.contains(&format!(" ({mv})  pv depth ")), "{below}");
    assert!(below.contains("the rule that ended the node"), "{below}");
    assert!(stdout(&["tree", name, "--rule", "stand-pat-cut"]).contains("(stand-pat-cut)"));
    assert!(stdout(&["tree", name, "--min-depth", "5"]).lines().count() < 14);

    client.ask(&format!("trace 6 nodes 20 file {name}"));
    let short = cli::trace::read(fs::read(&path).unwrap().as_slice()).unwrap();
    assert_eq!(short.nodes.len(), 20);
    assert!(short.footer.unwrap().omitted > 0);
    assert!(stdout(&["tree", name]).contains("more nodes are not in the trace"));
    client.quit();

    let torn: String =
        fs::read_to_string(&path).unwrap().lines().take(9).map(|l| format!("{l}\n")).collect();
    fs::write(&path, torn).unwrap();
    assert!(stdout(&["tree", name]).contains("cut off"));
    for wrong in [&["tree", name, "--rule", "nonsense"][..], &["tree", "/no/such/file"]] {
        assert!(!run(wrong).status.success());
    }
    for broken in ["", "nonsense", "{\"halcyon_trace\":9,\"fen\":\"\",\"depth\":1}"] {
        fs::write(&path, broken).unwrap();
        assert!(!run(&["tree", name]).status.success(), "{broken}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_script_longer_than_the_queue_is_carried_out_to_its_end() {
    use std::io::Write;
    const LINES: usize = 30_000;
    let mut child =
        program().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut input = child.stdin.take().expect("it has an input");
    let writer = std::thread::spawn(move || {
        let script = "position startpos moves e2e4\nisready\n".repeat(LINES / 2);
        input.write_all(script.as_bytes())
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the writer ends").expect("everything is read");
    let text = String::from_utf8(output.stdout).expect("it writes text");
    assert_eq!(text.lines().filter(|line| *line == "readyok").count(), LINES / 2);
}
