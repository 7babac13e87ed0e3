//! `halcyon lichess-engine` with a server that follows the published description of Lichess's API.

#![allow(clippy::print_stderr)]
#![cfg(feature = "tools")]

mod server;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use chess::Position;
use serde_json::{Value, json};
use server::{Server, TOKEN};

const DEADLINE: Duration = Duration::from_secs(60);
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The program at work; it ends with the test.
struct Provider {
    child: Child,
    lines: Receiver<String>,
}

impl Provider {
    fn start(server: &Server, arguments: &[&str]) -> Self {
        let mut child = command(server, arguments).spawn().expect("the program starts");
        let output = child.stdout.take().expect("the output is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { child, lines }
    }

    /// The next line that contains this.
    fn line(&self, part: &str) -> String {
        let end = Instant::now() + DEADLINE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no line {part:?}"));
            if line.contains(part) {
                return line;
            }
        }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(server: &Server, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_halcyon"));
    command.args(["lichess-engine", "--threads", "2", "--hash", "8"]).args(arguments);
    command.args(["--lichess", &server.url(), "--broker", &server.url()]);
    // A proxy of the machine's has no business here.
    command.env("LICHESS_API_TOKEN", TOKEN).env("NO_PROXY", "*").env("no_proxy", "*");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Whether requests can be made at all.
fn has_curl() -> bool {
    let curl = Command::new("curl").arg("--version").stdout(Stdio::null()).status();
    let has_curl = curl.is_ok_and(|status| status.success());
    if !has_curl {
        eprintln!("skipped: no curl");
    }
    has_curl
}

/// A request as the documentation has it.
fn work(changes: &Value) -> Value {
    let mut work = json!({
        "sessionId": "1", "threads": 1, "hash": 4, "multiPv": 1, "variant": "chess",
        "initialFen": START, "moves": [],
    });
    for (name, value) in changes.as_object().expect("changes are an object") {
        work[name] = value.clone();
    }
    work
}

/// What stands after a word of an `info` line.
fn field<'a>(line: &'a str, name: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|word| *word != name).skip(1);
    words.next().unwrap_or_else(|| panic!("no {name} in {line}"))
}

#[test]
fn a_request_is_answered_with_info_lines_as_the_documentation_asks() {
    if !has_curl() {
        return;
    }
    let server = Server::start();
    let provider = Provider::start(&server, &[]);
    assert!(provider.line("registered").contains("eei_1"));
    let registration = server.registration("eei_1").expect("it is registered");
    assert_eq!(registration["maxThreads"], 2);
    assert_eq!(registration["maxHash"], 8);
    assert_eq!(registration["variants"], json!(["chess"]));

    // More threads and memory than were offered, castling as king takes rook.
    let fen = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1";
    let mut position = Position::from_fen(fen).unwrap();
    position.make(position.parse_uci("e1h1").unwrap());
    let id = server.push(work(&json!({
        "initialFen": fen, "moves": ["e1h1"], "threads": 64, "hash": 4096, "multiPv": 3,
        "nodes": 20_000,
    })));
    let body = server.answer(&id, DEADLINE);
    assert!(!body.is_empty());
    for line in &body {
        assert!(line.starts_with("info depth "), "{line}");
        assert!(field(line, "depth").parse::<u32>().is_ok());
        assert!((1..=3).contains(&field(line, "multipv").parse::<u32>().unwrap()), "{line}");
        assert!(["cp", "mate"].contains(&field(line, "score")), "{line}");
        assert!(field(line, "nodes").parse::<u64>().is_ok() && field(line, "time").len() < 6);
        let mut walk = position;
        for word in line.split_once(" pv ").expect("a line has moves").1.split(' ') {
            walk.make(walk.parse_uci(word).unwrap_or_else(|error| panic!("{line}: {error}")));
        }
    }
    let last = |rank| body.iter().rfind(|line| field(line, "multipv") == rank);
    assert!(last("1").is_some() && last("2").is_some() && last("3").is_some());
    // A reply of Black's castles.
    assert!(position.parse_uci("e8h8").is_ok());
    assert!(provider.line(&id).contains("answered"));
}

#[test]
fn a_new_request_ends_the_one_before() {
    if !has_curl() {
        return;
    }
    let server = Server::start();
    let _provider = Provider::start(&server, &[]);
    let endless = server.push(work(&json!({ "movetime": 3_600_000 })));
    server.first_line(&endless, DEADLINE);
    let short = server.push(work(&json!({ "depth": 3, "sessionId": "2" })));
    let body = server.answer(&short, DEADLINE);
    assert_eq!(body.iter().map(|line| field(line, "depth")).next_back(), Some("3"));
    assert!(!server.answer(&endless, DEADLINE).is_empty());
}

#[test]
fn a_search_ends_when_whoever_asked_has_left() {
    if !has_curl() {
        return;
    }
    let server = Server::start();
    let provider = Provider::start(&server, &[]);
    let id = server.push(work(&json!({ "movetime": 3_600_000 })));
    server.first_line(&id, DEADLINE);
    server.hang_up(&id);
    assert!(provider.line(&id).contains("withdrawn"));
}

#[test]
fn a_finished_game_and_a_senseless_request_are_answered_and_the_next_one_too() {
    if !has_curl() {
        return;
    }
    let server = Server::start();
    let provider = Provider::start(&server, &[]);
    let bad = server.push(work(&json!({ "moves": ["e2e5"], "depth": 3 })));
    assert!(server.answer(&bad, DEADLINE).is_empty());
    let mated = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let over = server.push(work(&json!({ "moves": mated, "depth": 3 })));
    let body = server.answer(&over, DEADLINE);
    assert!(body.len() == 1 && body[0].contains("score mate 0"), "{body:?}");
    let good = server.push(work(&json!({ "moves": mated[..3], "depth": 3 })));
    let body = server.answer(&good, DEADLINE);
    assert!(body.iter().any(|line| line.ends_with(" pv d8h4")), "{body:?}");
    assert!(provider.line(&good).contains("answered"));
}

#[test]
fn an_engine_is_registered_once_under_its_name_and_can_be_removed() {
    if !has_curl() {
        return;
    }
    let server = Server::start();
    let name = ["--name", "My \"engine\" \\ 1"];
    drop(Provider::start(&server, &["--name", "Another"]).line("eei_1"));
    drop(Provider::start(&server, &name).line("eei_2"));
    let first = server.registration("eei_2").unwrap();
    assert_eq!(first["name"], name[1]);
    drop(Provider::start(&server, &name).line("eei_2"));
    let second = server.registration("eei_2").unwrap();
    assert_ne!(first["providerSecret"], second["providerSecret"]);
    let mut remove = command(&server, &[&name[..], &["--remove"]].concat());
    assert!(remove.status().unwrap().success());
    assert!(server.registration("eei_2").is_none() && server.registration("eei_1").is_some());
}

#[test]
fn a_wrong_token_and_a_missing_one_are_refused_with_the_reason() {
    if !has_curl() {
        return;
    }
    let server = Server::start();
    for (token, reason) in [("lip_wrong", "scopes"), ("", "LICHESS_API_TOKEN has no token")] {
        let mut command = command(&server, &[]);
        let mut child = command.env("LICHESS_API_TOKEN", token).spawn().unwrap();
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(!child.wait().unwrap().success() && said.contains(reason), "{said}");
    }
}
