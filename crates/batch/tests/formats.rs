//! Every form of output, made from records that do not change with the engine.
//! `HALCYON_BLESS=1 cargo test -p batch --test formats` writes what is expected from scratch.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Scratch, data, run_merge};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

#[test]
fn every_format_is_as_expected() {
    let scratch = Scratch::new("formats");
    for name in ["games", "positions", "report"] {
        let records = data(&format!("{name}.jsonl"));
        for extension in ["pgn", "epd", "csv", "html", "jsonl"] {
            let file = format!("{name}.{extension}");
            run_merge(&[&records, "--out", &scratch.path(&file)]).unwrap();
            let actual = String::from_utf8(scratch.read(&file)).unwrap();
            if std::env::var_os("HALCYON_BLESS").is_some() {
                fs::write(golden(&file), &actual).unwrap();
            }
            let expected = fs::read_to_string(golden(&file)).unwrap().replace("\r\n", "\n");
            assert!(actual == expected, "{file} differs:\n{actual}");
        }
    }
}

#[test]
fn records_survive_being_read_and_written() {
    for name in ["games", "positions", "report"] {
        let records = fs::read_to_string(data(&format!("{name}.jsonl"))).unwrap();
        for line in records.lines() {
            let record: batch::record::Record = serde_json::from_str(line).unwrap();
            assert_eq!(batch::journal::line(&record).trim_end(), line);
        }
    }
}

#[test]
fn an_output_of_unknown_name_and_a_file_of_something_else_are_refused() {
    let scratch = Scratch::new("refused");
    let refused = run_merge(&[&data("games.jsonl"), "--out", &scratch.path("a.txt")]).unwrap_err();
    assert!(refused.contains("named .pgn, .epd, .jsonl, .csv or .html"), "{refused}");
    let refused = run_merge(&[&data("games.pgn"), "--out", &scratch.path("a.pgn")]).unwrap_err();
    assert!(refused.contains("line 1 is no record"), "{refused}");
}
