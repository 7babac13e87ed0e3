//! Games at the terminal, played through.

use super::*;
use crate::output::tests::Kept;
use clap::Parser;
use std::io::{self, BufReader, Read};

#[derive(Parser)]
struct Typed {
    #[command(flatten)]
    args: PlayArgs,
}

fn session(arguments: &[&str], typed: &str) -> String {
    let words = [&["play", "--nodes", "500"], arguments].concat();
    let args = Typed::parse_from(words).args;
    let kept = Kept::default();
    let output = Output::new(kept.clone());
    play(&args, &mut typed.as_bytes(), &output, Paint::Plain).unwrap();
    kept.text()
}

#[test]
fn a_move_is_answered_and_junk_is_explained() {
    let text = session(&[], "e4\nxyz\nmoves\nquit\n");
    assert!(text.contains("plays 1... "), "{text}");
    assert!(text.contains("\"xyz\": not a move in algebraic notation"), "{text}");
    assert!(text.contains("\n1. e4 "), "{text}");
}

#[test]
fn the_engine_begins_when_the_person_has_black_and_sides_can_change() {
    let text = session(&["--color", "black"], "switch\nmoves\n");
    assert!(text.contains("plays 1. "), "{text}");
    assert!(text.contains("plays 1... "), "{text}");
}

#[test]
fn undo_goes_back_to_the_persons_move() {
    let text = session(&[], "undo\ne4\nundo\nmoves\nd4\nresign\ne4\nundo\nhint\neval\n");
    assert!(text.contains("there is no move of yours to take back"), "{text}");
    assert!(text.contains("\n*\n"), "{text}");
    assert!(text.contains("0-1: you resigned\nthe game is over: undo, new or quit"), "{text}");
    assert!(text.contains("try 1. "), "{text}");
    assert!(text.contains("(for White)"), "{text}");
    let black = session(&["--color", "black"], "undo\n");
    assert!(black.contains("there is no move of yours"), "{black}");
}

#[test]
fn a_game_has_a_clock_if_one_is_asked_for() {
    let args = Typed::parse_from(["play", "--clock", "1+1", "--elo", "1000"]).args;
    let kept = Kept::default();
    let output = Output::new(kept.clone());
    play(&args, &mut "e4\nmoves\n".as_bytes(), &output, Paint::Plain).unwrap();
    let text = kept.text();
    assert!(text.contains("White 1:00, Black 1:00"), "{text}");
    assert!(text.contains("plays 1... "), "{text}");
    for wrong in [&["play", "--clock", "soon"][..], &["play", "--clock", "5", "--nodes", "9"]] {
        assert!(Typed::try_parse_from(wrong).is_err(), "{wrong:?}");
    }
}

/// A person who thinks for some time before typing.
struct Slow {
    typed: &'static [u8],
    thinks: Duration,
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        std::thread::sleep(self.thinks);
        self.typed.read(buffer)
    }
}

#[test]
fn a_flag_that_falls_ends_the_game() {
    // The clock has 6 ms, and a sleep never ends early.
    let flag = |fen: &str| {
        let args = Typed::parse_from(["play", "--clock", "0.0001", "--fen", fen]).args;
        let kept = Kept::default();
        let person = Slow { typed: b"Kd1\nKd1\n", thinks: Duration::from_millis(10) };
        let mut input = BufReader::new(person);
        play(&args, &mut input, &Output::new(kept.clone()), Paint::Plain).unwrap();
        kept.text()
    };
    let lost = flag("4k2r/8/8/8/8/8/8/4K3 w - - 0 1");
    assert!(lost.contains("0-1: your time is up\nthe game is over"), "{lost}");
    let drawn = flag("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    assert!(drawn.contains("1/2-1/2: your time is up"), "{drawn}");
}

#[test]
fn ends_are_announced_and_the_game_is_saved() {
    let path = std::env::temp_dir().join(format!("halcyon-play-{}.pgn", std::process::id()));
    let name = path.to_string_lossy().into_owned();
    let mate = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";
    let text = session(&["--fen", mate, "--pgn", &name], "Re8#\nRe7\nquit\n");
    assert!(text.contains("1-0: checkmate"), "{text}");
    let saved = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(saved.contains("[White \"You\"]") && saved.contains("1. Re8# 1-0"), "{saved}");
    let stalemate = session(&["--fen", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"], "Qg6\n");
    assert!(stalemate.contains("1/2-1/2: stalemate"), "{stalemate}");
}

/// A file that is gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("halcyon-play-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn no_game_is_lost() {
    let file = Scratch::new("games.pgn", "[Event \"before\"]\n\n1. Nf3 *");
    let path = file.0.to_str().unwrap();
    // A letter in another encoding, a second game, and the end of input.
    let args = Typed::parse_from(["play", "--nodes", "100", "--pgn", path]).args;
    play(&args, &mut &b"e4\n\xe9\nnew\nd4\n"[..], &Output::new(Kept::default()), Paint::Plain)
        .unwrap();
    let text = std::fs::read_to_string(&file.0).unwrap();
    assert!(text.starts_with("[Event \"before\"]\n\n1. Nf3 *\n\n[Event "), "{text}");
    assert!(text.contains("\n1. e4 ") && text.contains("\n1. d4 "), "{text}");
    assert_eq!(text.matches("[Event ").count(), 3, "{text}");
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_game() {
    let nowhere = std::env::temp_dir().join("halcyon-no-such-folder").join("games.pgn");
    let args = Typed::parse_from(["play", "--pgn", nowhere.to_str().unwrap()]).args;
    let kept = Kept::default();
    let refused = play(&args, &mut &b"e4\n"[..], &Output::new(kept.clone()), Paint::Plain);
    assert!(refused.unwrap_err().ends_with("games.pgn: no such file"));
    assert_eq!(kept.text(), "");
}
