//! A piece of text, repeated: reading four times as much takes about four times as long, and about four
//! times the memory, whatever the format.

#![no_main]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use batch::input::{Item, Items};
use batch::suite::Task;
use chess::Position;
use cli::command;
use libfuzzer_sys::fuzz_target;
use review::{Book, Splitter, move_times, read_with_passes, write_pgn};

/// Bytes of the shorter text.
const SIZE: usize = 1 << 16;
/// How many times as long the longer one is.
const FACTOR: usize = 4;
/// What costs less than this is cheap enough, whatever the ratio.
const CHEAP: Cost = Cost { time: Duration::from_millis(150), memory: 64 << 20 };
/// More than linear, beyond what caches and other programs explain.
const TOO_MUCH: usize = 3 * FACTOR;

#[global_allocator]
static MEMORY: Counted = Counted { held: AtomicUsize::new(0), peak: AtomicUsize::new(0) };

/// The system's allocator, with the bytes that are held and the most that were.
struct Counted {
    held: AtomicUsize,
    peak: AtomicUsize,
}

// SAFETY: everything is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = self.held.fetch_add(layout.size(), Relaxed) + layout.size();
        self.peak.fetch_max(held, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.held.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// How long this thread has stood in the queue for a processor, where the system tells it: that is no cost of
/// the text.
fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// What reading a text takes.
#[derive(Clone, Copy, Debug)]
struct Cost {
    time: Duration,
    memory: usize,
}

/// What the text is taken for.
#[derive(Clone, Copy, Debug)]
enum Format {
    Games,
    Positions,
    Records,
    Book,
    Fen,
    Command,
}

impl Format {
    fn of(byte: u8) -> Self {
        // Games have most ways to go wrong.
        match byte % 8 {
            0 => Self::Positions,
            1 => Self::Records,
            2 => Self::Book,
            3 => Self::Fen,
            4 => Self::Command,
            _ => Self::Games,
        }
    }

    /// What stands before the text, so that it is taken for this format.
    fn beginning(self) -> &'static [u8] {
        match self {
            Self::Positions => b"4k3/8/8/8/8/8/4P3/4K3 w - - ",
            Self::Records => b"{\"kind\":\"header\"",
            Self::Command => b"position startpos moves ",
            Self::Games | Self::Book | Self::Fen => b"",
        }
    }

    fn read(self, text: Vec<u8>) {
        match self {
            Self::Games => {
                let mut games = Splitter::new(&text[..]);
                while let Ok(Some(raw)) = games.next_game() {
                    let (tree, faults) = read_with_passes(&raw);
                    assert!(faults.len() <= 21);
                    drop(tree.map(|tree| (write_pgn(&tree), move_times(&tree))));
                }
            }
            Self::Positions | Self::Records => {
                let Ok(mut items) = Items::new(Cursor::new(text)) else { return };
                while let Ok(Some(item)) = items.next_item() {
                    if let Item::Position { line, text } = item {
                        drop(Task::parse(&text, line as usize));
                    }
                }
            }
            Self::Book => drop(Book::new(text).map(|book| book.moves(&Position::startpos()).len())),
            Self::Fen => drop(Position::from_fen(&String::from_utf8_lossy(&text))),
            Self::Command => drop(command::read(&String::from_utf8_lossy(&text))),
        }
    }

    /// The least that reading takes in some tries.
    fn cost(self, text: &[u8], tries: usize) -> Cost {
        let mut least = Cost { time: Duration::MAX, memory: usize::MAX };
        for _ in 0..tries {
            let text = [self.beginning(), text].concat();
            let held = MEMORY.held.load(Relaxed);
            MEMORY.peak.store(held, Relaxed);
            let (queued, begun) = (waited(), Instant::now());
            self.read(text);
            let passed = begun.elapsed();
            least.time = least.time.min(passed.saturating_sub(waited().saturating_sub(queued)));
            least.memory = least.memory.min(MEMORY.peak.load(Relaxed).saturating_sub(held));
        }
        least
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, piece)) = bytes.split_first() else { return };
    if piece.is_empty() {
        return;
    }
    let format = Format::of(first);
    let short: Vec<u8> = piece.iter().copied().cycle().take(SIZE).collect();
    let long = short.repeat(FACTOR);
    let quick = format.cost(&long, 1);
    if quick.time < CHEAP.time && quick.memory < CHEAP.memory {
        return;
    }
    let (once, longer) = (format.cost(&short, 3), format.cost(&long, 3));
    let too_slow = longer.time > CHEAP.time.max(once.time * TOO_MUCH as u32);
    let too_large = longer.memory > CHEAP.memory.max(once.memory * TOO_MUCH);
    assert!(!too_slow && !too_large, "{format:?}: {once:?}, {FACTOR} times the text {longer:?}");
});
