//! Rows of `data/bad_commands.txt`: what is sent and the one error that must come back.

use std::fs;
use std::path::Path;

use crate::client::{Client, best_move};
use crate::golden::is_blessing;

/// Bytes written with `\n`, `\r`, `\t`, `\0`, `\\` and `\xFF`.
pub(crate) fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'0') => bytes.push(0),
            Some(b'x') => {
                let digits: Vec<u8> = rest.by_ref().take(2).collect();
                let digits = String::from_utf8(digits).unwrap();
                bytes.push(u8::from_str_radix(&digits, 16).unwrap());
            }
            other => bytes.extend(other),
        }
    }
    bytes
}

/// Sends the bytes and returns the complaints. Every search that is asked for is stopped.
pub(crate) fn complaints(client: &mut Client, bytes: &[u8]) -> Vec<String> {
    client.send_bytes(bytes);
    client.send_bytes(b"\n");
    let text = String::from_utf8_lossy(bytes);
    let searches = text
        .lines()
        .filter(|line| {
            matches!(cli::command::read(line).command, Some(cli::command::Command::Go(_)))
        })
        .count();
    let mut lines = Vec::new();
    if searches > 0 {
        client.send("stop");
    }
    for _ in 0..searches {
        lines.extend(client.until("bestmove"));
    }
    lines.extend(client.ready());
    lines.retain(|line| line.starts_with("info string"));
    lines
}

#[test]
fn every_bad_command_gets_its_complaint() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/bad_commands.txt");
    let text = fs::read_to_string(&path).unwrap();
    let mut written = String::new();
    let mut client = Client::start();
    for row in text.lines() {
        let Some((input, expected)) = row.split_once('\t') else {
            written.push_str(&format!("{row}\n"));
            continue;
        };
        let before = client.fen();
        let found = complaints(&mut client, &unescaped(input));
        let found = found.join(" / ").replace("info string error: ", "");
        written.push_str(&format!("{input}\t{found}\n"));
        if !is_blessing() {
            assert_eq!(found, expected, "{input}");
            assert!(!found.is_empty(), "{input}");
            if found.ends_with("until a position is accepted") {
                assert_eq!(client.fen(), before, "{input}");
            }
        }
        client.send("position startpos");
        let answer = client.go("depth 1").pop().unwrap();
        assert!(best_move(&answer).is_some(), "{input}");
    }
    client.quit();
    if is_blessing() {
        fs::write(&path, written).unwrap();
    }
}
