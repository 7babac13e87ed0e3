//! Any bytes as a conversation: no line breaks the session, and every search gets one answer.

#![no_main]

use std::io::Write;
use std::sync::{Arc, Mutex};

use cli::board_text::Paint;
use cli::command::{self, Command};
use cli::lines::{Line, Lines};
use cli::output::Output;
use cli::uci::{self, AtEnd, Terminal};
use libfuzzer_sys::fuzz_target;

/// Options that reach for files, threads or memory: too slow for a fuzzer, or not its business.
const COSTLY: [&str; 5] = ["Threads", "Hash", "SyzygyPath", "EvalFile", "Debug Log File"];

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

fn is_costly(command: &Command) -> bool {
    match command {
        Command::Perft(_)
        | Command::Bench(_)
        | Command::SpeedTest(_)
        | Command::Hash(_)
        | Command::QuiescencePerft(_)
        | Command::Trace(_) => true,
        Command::SetOption { name, .. } => {
            COSTLY.iter().any(|costly| costly.eq_ignore_ascii_case(name))
        }
        _ => false,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (mut input, mut searches) = (Vec::new(), 0);
    for line in Lines::new(bytes) {
        let Line::Text(text) = line else { continue };
        let command = command::read(&text).command;
        if command.as_ref().is_some_and(is_costly) {
            continue;
        }
        if command == Some(Command::Quit) {
            break;
        }
        searches += usize::from(matches!(command, Some(Command::Go(_))));
        input.extend_from_slice(text.as_bytes());
        input.push(b'\n');
    }
    let kept = Kept::default();
    let terminal = Terminal { person: false, paint: Paint::Plain, at_end: AtEnd::Stop };
    uci::run(&input[..], &Output::new(kept.clone()), terminal).unwrap();
    let answers = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
    let best_moves = answers.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(best_moves, searches, "{answers}");
    assert!(!answers.contains("the engine failed"), "{answers}");
    assert!(answers.is_ascii(), "{answers}");
});
