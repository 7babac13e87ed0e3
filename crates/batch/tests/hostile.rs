//! Files of records that were changed on purpose.

mod common;

use std::fs;

use common::{Scratch, analysed, data, run, run_merge};

/// What a run has written, with one text replaced by another.
fn changed(scratch: &Scratch, from: &str, to: &str) -> String {
    let records =
        String::from_utf8(analysed(scratch, "sound.jsonl", &[&data("games.pgn")])).unwrap();
    assert!(records.contains(from), "{records}");
    let path = scratch.path("changed.jsonl");
    fs::write(&path, records.replace(from, to)).unwrap();
    path
}

#[test]
fn a_changed_header_neither_takes_memory_without_end_nor_ends_the_program() {
    let scratch = Scratch::new("hostile-header");
    let out = scratch.path("out.csv");
    for (from, to) in [
        ("\"multipv\":1,", "\"multipv\":99999999999,"),
        ("\"multipv\":1,", "\"multipv\":1,\"shard\":{\"index\":0,\"count\":0},"),
    ] {
        let path = changed(&scratch, from, to);
        for refusal in [
            run_merge(&[&path, "--out", &out]),
            run(&[&data("games.pgn"), "--out", &path, "--resume"]).outcome,
        ] {
            assert!(refusal.unwrap_err().contains("line 1 is no record"), "{to}");
        }
    }
}

#[test]
fn numbers_beyond_all_bounds_are_only_numbers() {
    let scratch = Scratch::new("hostile-numbers");
    for (key, value) in
        [("nodes", "18446744073709551615"), ("cp", "-2147483648"), ("mate", "2147483647")]
    {
        let records = fs::read_to_string(changed(&scratch, "", "")).unwrap();
        let key = format!("\"{key}\":");
        let mut parts = records.split(&key);
        let mut text = parts.next().unwrap().to_owned();
        for part in parts {
            let rest =
                part.trim_start_matches(|letter: char| letter == '-' || letter.is_ascii_digit());
            text.push_str(&format!("{key}{value}{rest}"));
        }
        fs::write(scratch.path("changed.jsonl"), text).unwrap();
        for out in ["out.csv", "out.epd", "out.html", "out.pgn"] {
            run_merge(&[&scratch.path("changed.jsonl"), "--out", &scratch.path(out)]).unwrap();
        }
    }
}
