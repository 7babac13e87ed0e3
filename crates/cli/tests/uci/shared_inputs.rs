//! Rows of `bad_inputs.txt`, a collection of inputs that have broken engines, if `HALCYON_DATA`
//! says where it is. What Halcyon complains about stands in `golden/shared_inputs.txt`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use chess::Position;
use cli::command::{self, Command};

use crate::client::{Client, DEADLINE, best_move};
use crate::golden;

/// A search that ends by itself has ended by then; one that does not is stopped.
const PATIENCE: Duration = Duration::from_millis(400);

struct Row<'a> {
    id: &'a str,
    input: &'a str,
    expectation: &'a str,
}

/// The bytes that a row stands for; some are only described.
fn bytes(row: &Row<'_>) -> Vec<u8> {
    match row.id {
        "B097" => {
            let moves = " g1f3 g8f6 f3g1 f6g8".repeat(1500);
            format!("position startpos moves e2e4 e7e5{moves}\ngo nodes 1000").into_bytes()
        }
        "B169" => Vec::new(),
        "B170" => "position startpos\ngo infinite\nstop\n".repeat(1000).into_bytes(),
        "B181" => b"\n    \n\t\t".to_vec(),
        "B182" => b"uci\r\nisready\r".to_vec(),
        "B184" => b"\xff\xfe\0\xc3\x28\nisready".to_vec(),
        "B185" => [&[b'x'; 1 << 20][..], b"\nisready"].concat(),
        "B187" => b"quit".to_vec(),
        _ => row.input.replace(" \\n ", "\n").into_bytes(),
    }
}

/// Sends a row and returns what came back, searches stopped if they do not stop by themselves.
fn play(client: &mut Client, row: &Row<'_>) -> Vec<String> {
    let mut bytes = bytes(row);
    bytes.push(b'\n');
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let searches = text
        .lines()
        .filter(|line| matches!(command::read(line).command, Some(Command::Go(_))))
        .count();
    client.send_bytes(&bytes);
    let mut lines = Vec::new();
    let mut answered = 0;
    let mut stopped = false;
    while answered < searches {
        match client.line_within(if stopped { DEADLINE } else { PATIENCE }) {
            Some(line) => {
                answered += usize::from(line.starts_with("bestmove"));
                lines.push(line);
            }
            None => {
                assert!(!stopped, "{}: {answered} of {searches} best moves", row.id);
                client.send("stop");
                stopped = true;
            }
        }
    }
    let waits = text.contains("infinite") || text.contains("ponder ");
    if searches == 1 && waits && !text.contains("stop") {
        assert!(stopped, "{}: a best move before stop", row.id);
    }
    lines.extend(client.ready());
    lines
}

fn check(row: &Row<'_>) -> String {
    let mut client = Client::start();
    if row.id == "B169" {
        client.close_input();
        assert!(client.exit(DEADLINE).success(), "{}", row.id);
        return String::from("ends");
    }
    if row.input.contains("quit") {
        client.send_bytes(&bytes(row));
        client.close_input();
        assert!(client.exit(Duration::from_secs(5)).success(), "{}", row.id);
        return String::from("ends");
    }
    let before = client.fen();
    let lines = play(&mut client, row);
    let shown: Vec<&str> =
        lines.iter().filter_map(|line| line.strip_prefix("info string error: ")).collect();
    if row.expectation.starts_with("REJECT:") {
        assert_eq!(shown.len(), 1, "{}: {lines:#?}", row.id);
        assert_eq!(client.fen(), before, "{}", row.id);
    }
    assert!(shown.len() <= 1, "{}: {shown:#?}", row.id);
    client.send("position startpos");
    let answer = client.go("depth 1").pop().unwrap();
    let legal = best_move(&answer).map(|mv| Position::startpos().parse_uci(mv));
    assert!(matches!(legal, Some(Ok(_))), "{}: {answer}", row.id);
    client.quit();
    shown.first().map_or_else(|| String::from("accepted"), |&text| text.to_owned())
}

#[test]
fn every_shared_input_is_survived() {
    let Some(directory) = std::env::var_os("HALCYON_DATA") else {
        eprintln!("skipped: no data (HALCYON_DATA is not set)");
        return;
    };
    let text = fs::read_to_string(Path::new(&directory).join("bad_inputs.txt")).unwrap();
    let mut found = String::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (Some(id), _, Some(input), Some(expectation)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            panic!("not a row: {line}");
        };
        let row = Row { id, input, expectation };
        found.push_str(&format!("{id}\t{}\n", check(&row)));
    }
    golden::compare("shared_inputs.txt", &found);
}
