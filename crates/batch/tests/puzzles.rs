//! Puzzles from files: the same bytes however the work is divided or interrupted, in every format.

mod common;

use std::fs;

use batch::puzzles::{PuzzlesArgs, puzzles};
use clap::Parser;
use common::{Said, Scratch, listen, run, run_merge};

#[derive(Parser)]
#[command(args_override_self = true)]
struct PuzzlesLine {
    #[command(flatten)]
    args: PuzzlesArgs,
}

fn make(arguments: &[&str]) -> Said {
    let words =
        [&["puzzles", "--nodes", "2000", "--hash", "1", "--threads", "2"], arguments].concat();
    let args = PuzzlesLine::try_parse_from(words).expect("sound arguments").args;
    listen(|streams| puzzles(&args, "Halcyon of the tests", streams))
}

/// Three games with a mistake that has one answer, one of them twice, and one that is damaged.
const GAMES: &str = "\
[White \"Fool\"]\n[Black \"Scholar\"]\n[Site \"https://example.org/1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
[White \"Again\"]\n[Black \"Scholar\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
[White \"Damaged\"]\n[Black \"B\"]\n\n1. e4 e5 2. Ke3 *\n\n\
[White \"Shepherd\"]\n[Black \"Sheep\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";

fn games(scratch: &Scratch) -> String {
    let path = scratch.path("games.pgn");
    fs::write(&path, GAMES).unwrap();
    path
}

fn made(scratch: &Scratch, name: &str, arguments: &[&str]) -> Vec<u8> {
    let target = scratch.path(name);
    let said = make(&[arguments, &["--out", &target]].concat());
    assert_eq!(said.outcome, Ok(()), "{}", said.messages);
    scratch.read(name)
}

#[test]
fn mistakes_become_puzzles_once_and_damage_is_reported() {
    let scratch = Scratch::new("puzzles");
    let games = games(&scratch);
    let target = scratch.path("all.csv");
    let said = make(&[&games, "--out", &target]);
    assert_eq!(said.outcome, Ok(()));
    assert!(said.messages.contains("game 3, line"), "{}", said.messages);
    assert!(said.messages.contains("2 puzzles"), "{}", said.messages);
    let csv = String::from_utf8(scratch.read("all.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].starts_with("PuzzleId,FEN,Moves,Rating,"), "{}", rows[0]);
    assert_eq!(rows.len(), 3, "{csv}");
    assert!(rows[1].contains(",g2g4 d8h4,") && rows[1].contains("mateIn1"), "{csv}");
    assert!(rows[1].contains("https://example.org/1"), "{csv}");
    assert!(rows[2].contains(",g8f6 h5f7,"), "{csv}");
}

#[test]
fn every_format_has_the_same_puzzles() {
    let scratch = Scratch::new("puzzle-formats");
    let games = games(&scratch);
    let pgn = make(&[&games, "--format", "pgn"]).results;
    assert_eq!(pgn.matches("[FEN ").count(), 2, "{pgn}");
    assert!(pgn.contains("2. g4 $4 Qh4#") && pgn.contains("[White \"Fool\"]"), "{pgn}");
    let epd = make(&[&games, "--format", "epd"]).results;
    let line = epd.lines().next().unwrap();
    assert!(line.contains(" b KQkq - bm Qh4#; pv Qh4#; id "), "{line}");
    let jsonl = make(&[&games, "--format", "jsonl"]).results;
    assert_eq!(jsonl.matches("\"san\":").count(), 2, "{jsonl}");
    let refused = make(&[&games, "--out", &scratch.path("x.html")]).outcome.unwrap_err();
    assert!(refused.contains("puzzles have no report"), "{refused}");
}

#[test]
fn a_forced_move_before_the_only_mate_is_not_called_a_blunder() {
    let scratch = Scratch::new("puzzle-forced");
    let path = scratch.path("forced.pgn");
    let fen = "R5k1/3r1ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
    fs::write(&path, format!("[FEN \"{fen}\"]\n\n1... Rd8 2. Rxd8# 1-0\n")).unwrap();
    let pgn = make(&[&path, "--format", "pgn"]).results;
    assert!(pgn.contains("1... Rd8 2. Rxd8#") && !pgn.contains('$'), "{pgn}");
    let jsonl = make(&[&path, "--format", "jsonl"]).results;
    assert!(jsonl.contains("\"no_mistake\":true"), "{jsonl}");
}

#[test]
fn a_killed_run_is_resumed_to_the_same_bytes() {
    let scratch = Scratch::new("puzzle-resume");
    let games = games(&scratch);
    let whole = made(&scratch, "whole.jsonl", &[&games]);
    let ends: Vec<usize> =
        (0..whole.len()).filter(|&at| whole[at] == b'\n').map(|at| at + 1).collect();
    for cut in ends.into_iter().flat_map(|end| [end, end - 5]) {
        fs::write(scratch.path("cut.jsonl"), &whole[..cut]).unwrap();
        let again = made(&scratch, "cut.jsonl", &[&games, "--resume"]);
        assert!(again == whole, "cut at {cut}");
    }
}

#[test]
fn shards_put_together_are_the_whole() {
    let scratch = Scratch::new("puzzle-shards");
    let games = games(&scratch);
    let whole = made(&scratch, "whole.jsonl", &[&games]);
    let one = made(&scratch, "one.jsonl", &[&games, "--shard", "1/2"]);
    let two = made(&scratch, "two.jsonl", &[&games, "--shard", "2/2"]);
    assert!(one != whole && two != whole);
    let paths = ["one.jsonl", "two.jsonl", "merged.jsonl"].map(|name| scratch.path(name));
    run_merge(&[&paths[0], &paths[1], "--out", &paths[2]]).unwrap();
    assert!(scratch.read("merged.jsonl") == whole);
}

#[test]
fn records_of_an_analysis_serve_as_input() {
    let scratch = Scratch::new("puzzle-records");
    let games = games(&scratch);
    let records = scratch.path("analysed.jsonl");
    assert_eq!(run(&[&games, "--nodes", "2000", "--out", &records]).outcome, Ok(()));
    let from_records = make(&[&records, "--format", "csv"]).results;
    assert_eq!(from_records, make(&[&games, "--format", "csv"]).results);
}
