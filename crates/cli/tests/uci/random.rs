//! Whatever comes in, nothing breaks.

use std::io::Write;
use std::sync::{Arc, Mutex};

use cli::board_text::Paint;
use cli::command::{self, Command};
use cli::lines::Lines;
use cli::output::Output;
use cli::uci::{self, AtEnd, Terminal};
use proptest::collection::vec;
use proptest::prelude::*;

/// Words that mean something somewhere. None of them makes a command take long.
const WORDS: &[&str] = &[
    "uci",
    "debug",
    "isready",
    "setoption",
    "name",
    "value",
    "register",
    "ucinewgame",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "see",
    "flip",
    "help",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "ponder",
    "searchmoves",
    "on",
    "off",
    "true",
    "false",
    "Hash",
    "MultiPV",
    "Move",
    "Overhead",
    "UCI_Chess960",
    "UCI_ShowWDL",
    "Clear",
    "QSearchMaxPly",
    "qdelta",
    "qnodes",
    "UseQuiescence",
    "e2e4",
    "e7e5",
    "g1f3",
    "e1g1",
    "e1h1",
    "a7a8q",
    "0000",
    "Nf3",
    "O-O",
    "exd5",
    "-1",
    "0",
    "1",
    "2",
    "7",
    "64",
    "99999999999999999999",
    "16.5",
    "abc",
    "\u{e9}2e4",
    "<empty>",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
];

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn answers(input: &[u8]) -> String {
    let kept = Kept::default();
    let terminal = Terminal { person: false, paint: Paint::Plain, at_end: AtEnd::Stop };
    uci::run(input, &Output::new(kept.clone()), terminal).unwrap();
    let bytes = kept.0.lock().unwrap().clone();
    String::from_utf8(bytes).expect("the answers are text")
}

/// Commands that may take long are tested elsewhere.
fn is_quick(line: &str) -> bool {
    !matches!(
        command::read(line).command,
        Some(Command::Perft(_) | Command::Bench(_) | Command::SpeedTest(_))
    )
}

fn check_conversation(lines: &[String]) -> Result<(), TestCaseError> {
    let lines: Vec<&String> = lines.iter().filter(|line| is_quick(line)).collect();
    let searches = lines
        .iter()
        .filter(|line| matches!(command::read(line).command, Some(Command::Go(_))))
        .count();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let answers = answers(text.as_bytes());
    prop_assert_eq!(answers.matches("bestmove ").count(), searches, "{}", answers);
    prop_assert!(!answers.contains("the engine failed"), "{}", answers);
    prop_assert!(answers.is_ascii());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_can_be_read(bytes in vec(any::<u8>(), 0..300)) {
        for line in Lines::new(&bytes[..]) {
            if let cli::lines::Line::Text(text) = line {
                let _ = command::read(&text);
            }
        }
    }

    #[test]
    fn any_text_can_be_read(text in "\\PC{0,80}") {
        let _ = command::read(&text);
    }

    #[test]
    fn any_bytes_are_complained_about_at_most_once_a_line(bytes in vec(any::<u8>(), 0..200)) {
        let lines: Vec<_> = Lines::new(&bytes[..]).collect();
        let quick = lines.iter().all(|line| match line {
            cli::lines::Line::Text(text) => is_quick(text),
            _ => true,
        });
        if quick {
            let answers = answers(&bytes);
            prop_assert!(answers.matches("info string error").count() <= lines.len());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(150)
    })]

    #[test]
    fn any_words_make_a_conversation(
        lines in vec(vec(prop::sample::select(WORDS), 1..9).prop_map(|words| words.join(" ")), 1..12)
    ) {
        check_conversation(&lines)?;
    }

    #[test]
    fn any_likely_words_make_a_conversation(
        lines in vec(
            (
                prop::sample::select(vec!["go", "position fen", "position startpos moves", "setoption name", "go infinite"]),
                vec(prop::sample::select(WORDS), 0..6),
            ).prop_map(|(head, words)| format!("{head} {}", words.join(" "))),
            1..12,
        )
    ) {
        check_conversation(&lines)?;
    }
}
