//! Reads one hostile text and prints the seconds of the processor it took and the most memory that was held,
//! in MiB: `hostile KIND MEGABYTES`; without arguments it lists the kinds. `cargo xtask bench-hostile` runs it.
#![allow(clippy::print_stdout, reason = "it is a program")]

use std::fs;
use std::io::Cursor;
use std::time::{Duration, Instant};

use batch::input::Items;
use chess::Position;
use review::{Book, ReviewPlan, Splitter, move_times, opening, read_with_passes, write_pgn};

/// What is read, and how it is made: what stands before, and what is repeated.
const TEXTS: [(&str, &str, &str); 17] = [
    ("parentheses", "1. e4 ", "("),
    ("variations", "1. e4 ", "(d4)"),
    ("nested", "1. e4 ", "(1. d4 "),
    ("words", "1. e4 ", "x "),
    ("knights", "", "Nf3 Nf6 Ng1 Ng8 "),
    ("tags", "", "[A{n} \"x\"]\n"),
    ("same-tags", "", "[Event \"x\"][Event \"y\"]"),
    ("comments", "1. e4 ", "{a}"),
    ("braces", "1. e4 ", "{"),
    ("blank-lines", "[Event \"x\"]\n1. e4\n", "a\n\n"),
    ("games", "", "1. e4 *\n\n"),
    ("glyphs", "1. e4 ", "$1"),
    ("null-moves", "1. e4 ", "-- "),
    ("clocks", "", "Nf3 {[%clk 1:1:1]} Nf6 {[%clk 1:1} Ng1 {[%clk} Ng8 {[%clk :]} "),
    ("epd", "", "4k3/8/8/8/8/8/4P3/4K3 w - - c0 \";\";\n"),
    ("epd-line", "4k3/8/8/8/8/8/4P3/4K3 w - - ", "c0 \";\";"),
    ("records", "{\"kind\":\"header\"", "[{\"kind\":"),
];
/// Texts of other formats.
const OTHERS: [&str; 2] = ["fen", "book"];
const MEGABYTE: usize = 1_000_000;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [kind, megabytes] => read_one(kind, megabytes),
        _ => {
            for kind in TEXTS.iter().map(|text| text.0).chain(OTHERS) {
                println!("{kind}");
            }
            Ok(())
        }
    }
}

fn read_one(kind: &str, megabytes: &str) -> Result<(), String> {
    let size = megabytes.parse::<usize>().map_err(|error| error.to_string())? * MEGABYTE;
    let bytes = make(kind, size).ok_or_else(|| format!("no text {kind}"))?;
    let clock = Clock::start();
    match kind {
        "fen" => drop(Position::from_fen(&String::from_utf8_lossy(&bytes))),
        "book" => drop(Book::new(bytes).map(|book| book.moves(&Position::startpos()).len())),
        "epd" | "epd-line" | "records" => {
            let mut items = Items::new(Cursor::new(bytes)).map_err(|error| error.to_string())?;
            // Damage ends a file of records.
            while let Ok(Some(_)) = items.next_item() {}
        }
        _ => {
            let mut games = Splitter::new(&bytes[..]);
            while let Some(raw) = games.next_game().map_err(|error| error.to_string())? {
                let (tree, faults) = read_with_passes(&raw);
                assert!(faults.len() <= 21);
                let Some(tree) = tree else { continue };
                drop((write_pgn(&tree), move_times(&tree), opening(&tree.start, &tree.moves())));
                // Every position is played from the start: that is for searches, not for readers.
                drop(ReviewPlan::new(&tree));
            }
        }
    }
    println!("{:.4} {:.1}", clock.elapsed().as_secs_f64(), peak_mebibytes());
    Ok(())
}

/// What reading takes: the wait for a processor that others use is no cost of the text.
struct Clock {
    begun: Instant,
    worked: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { begun: Instant::now(), worked: processor_time() }
    }

    /// Time of the processor, or of the clock on the wall where the system tells no other.
    fn elapsed(&self) -> Duration {
        match (self.worked, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.begun.elapsed(),
        }
    }
}

/// How long the processor has worked for this thread.
fn processor_time() -> Option<Duration> {
    time_of_schedstat(&fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// The first number is the nanoseconds that a thread has run; after it come its wait for a processor and its
/// time slices.
fn time_of_schedstat(text: &str) -> Option<Duration> {
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

fn make(kind: &str, size: usize) -> Option<Vec<u8>> {
    match kind {
        "fen" => return Some(b"8/".repeat(size / 2)),
        "book" => return Some((0..size / 16 * 16).map(|index| (index * 31 % 251) as u8).collect()),
        _ => {}
    }
    let (_, before, repeated) = TEXTS.iter().find(|text| text.0 == kind)?;
    let mut text = String::from(*before);
    let mut number = 0;
    while text.len() < size {
        text.push_str(&repeated.replace("{n}", &number.to_string()));
        number += 1;
    }
    Some(text.into_bytes())
}

/// The most memory that this process has held, where the system tells.
fn peak_mebibytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    let kibibytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok());
    kibibytes.unwrap_or(0.0) / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_for_a_processor_is_no_cost_of_a_text() {
        assert_eq!(time_of_schedstat("1500 9000000 7\n"), Some(Duration::from_nanos(1500)));
        assert_eq!(time_of_schedstat(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn sleep_is_no_cost_of_a_text() {
        let clock = Clock::start();
        std::thread::sleep(Duration::from_millis(200));
        assert!(clock.elapsed() < Duration::from_millis(100));
    }
}
