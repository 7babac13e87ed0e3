//! `genfens`: openings that test servers let training games begin with.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use chess::Position;
use chess::rng::Rng;
use engine::SingleThreadEngine;

use crate::files;
use crate::output::Output;
use crate::text::{quote, split_word};

/// Random plies from the start of a game: this many or one more.
const PLIES: usize = 8;
/// Random plies from a position of a book: this many or one more.
const BOOK_PLIES: usize = 4;
/// Openings worth more than this to either side, in centipawns, are left out.
const LIMIT: i32 = 500;
/// Nodes of the look at an opening.
const NODES: u64 = 3000;
const HASH_MIB: usize = 1;

/// What `genfens` was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsRequest {
    /// How many openings to make.
    pub count: u64,
    /// Another seed gives other openings.
    pub seed: u64,
    /// A file of positions to start from; the start of a game without it.
    pub book: Option<String>,
}

impl OpeningsRequest {
    /// Reads `N seed S [book None|<file>]`; words after it are for engines that know them.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (count, rest) = split_word(text);
        let ("seed", rest) = split_word(rest) else { return None };
        let (seed, rest) = split_word(rest);
        let book = match split_word(rest) {
            ("book", rest) => Some(split_word(rest).0).filter(|name| !name.is_empty())?,
            ("", _) => "None",
            _ => return None,
        };
        let book = (!book.eq_ignore_ascii_case("none")).then(|| book.to_owned());
        Some(Self { count: count.parse().ok()?, seed: seed.parse().ok()?, book })
    }
}

/// Tries without success after which a book has no balanced positions near its own.
const MAX_TRIES: u32 = 1000;

/// Ends the search for openings from another thread.
#[derive(Clone, Debug, Default)]
pub struct OpeningsStop(Arc<AtomicBool>);

impl OpeningsStop {
    /// Ends it after the opening that is being tried.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }
}

/// Writes the openings, each as soon as it is found, until it is stopped.
///
/// # Errors
/// If the book cannot be used, or there is no memory.
pub fn run(request: &OpeningsRequest, stop: &OpeningsStop, output: &Output) -> Result<(), String> {
    let book = request.book.as_deref().map(read_book).transpose()?;
    let mut engine = SingleThreadEngine::new(HASH_MIB).map_err(|error| error.to_string())?;
    let mut rng = Rng::new(request.seed);
    let (mut found, mut tries) = (0, 0);
    while found < request.count {
        if stop.0.load(Relaxed) {
            output.note("genfens stopped");
            break;
        }
        if tries == MAX_TRIES {
            return Err(format!("no balanced opening in {MAX_TRIES} tries"));
        }
        tries += 1;
        let (start, plies) = match &book {
            None => (Position::startpos(), PLIES),
            Some(book) => (book[rng.below(book.len())], BOOK_PLIES),
        };
        let plies = plies + rng.below(2);
        let Some(opening) = start.after_random_moves(plies, &mut rng) else { continue };
        engine.new_game();
        if engine.is_balanced(&opening, NODES, LIMIT) {
            output.note(&format!("genfens {}", opening.to_fen()));
            (found, tries) = (found + 1, 0);
        }
    }
    Ok(())
}

/// The positions of a book that a game can go on from: lines of FEN or EPD.
fn read_book(path: &str) -> Result<Vec<Position>, String> {
    let problem = |reason: &dyn std::fmt::Display| format!("book {}: {reason}", quote(path));
    // A pipe would keep the engine waiting for ever.
    files::check_regular(Path::new(path)).map_err(|reason| problem(&reason))?;
    let file = File::open(path).map_err(|error| problem(&files::reason(&error)))?;
    let mut positions = Vec::new();
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(|error| problem(&files::reason(&error)))?;
        // What follows the first four fields is counters or operations; neither matters here.
        let fields: Vec<&str> = line.split_ascii_whitespace().take(4).collect();
        if fields.is_empty() {
            continue;
        }
        let position = Position::from_fen(&fields.join(" "))
            .map_err(|error| problem(&format!("line {}: {error}", index + 1)))?;
        if position.outcome().is_none() {
            positions.push(position);
        }
    }
    if positions.is_empty() { Err(problem(&"no positions")) } else { Ok(positions) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::Kept;

    fn openings(text: &str) -> Vec<String> {
        let kept = Kept::default();
        let request = OpeningsRequest::read(text).expect("a request");
        run(&request, &OpeningsStop::default(), &Output::new(kept.clone())).expect("openings");
        kept.text()
            .lines()
            .map(|line| line.strip_prefix("info string genfens ").expect("an opening").to_owned())
            .collect()
    }

    #[test]
    fn requests_are_read_as_test_servers_write_them() {
        let read = |text| OpeningsRequest::read(text);
        let request = |count, seed, book: Option<&str>| {
            Some(OpeningsRequest { count, seed, book: book.map(str::to_owned) })
        };
        assert_eq!(read("8 seed 42 book None "), request(8, 42, None));
        assert_eq!(read("1 seed 18446744073709551615"), request(1, u64::MAX, None));
        assert_eq!(read("2 seed 0 book Books/a.epd dfrc 1"), request(2, 0, Some("Books/a.epd")));
        for text in ["", "8", "8 seed", "x seed 1", "8 seed y", "8 seed 1 book", "8 seed 1 cook a"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn openings_are_legal_different_and_fixed_by_their_seed() {
        let some = openings("20 seed 7 book None");
        assert_eq!(some.len(), 20);
        for fen in &some {
            let position = Position::from_fen(fen).expect("a legal position");
            assert!(position.outcome().is_none(), "{fen}");
            assert_eq!(position.to_fen(), *fen);
        }
        let mut different = some.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), some.len());
        assert_eq!(openings("20 seed 7"), some);
        assert_ne!(openings("20 seed 8"), some);
    }

    #[test]
    fn a_book_is_where_they_begin() {
        let path = std::env::temp_dir().join(format!("halcyon book {}.epd", std::process::id()));
        let book =
            "8/5k2/8/8/8/8/4PK2/8 w - - hmvc 0; fmvn 3;\n\n8/5k2/3p4/8/8/8/4PK2/8 b - - 0 1\n";
        std::fs::write(&path, book).expect("a writable folder");
        let request = OpeningsRequest { count: 4, seed: 1, book: Some(path.display().to_string()) };
        let kept = Kept::default();
        let stop = OpeningsStop::default();
        run(&request, &stop, &Output::new(kept.clone())).expect("openings");
        assert_eq!(kept.text().lines().count(), 4);
        for line in kept.text().lines() {
            let position = Position::from_fen(&line["info string genfens ".len()..]).unwrap();
            assert!(position.board().occupied().count() <= 4, "{line}");
        }
        std::fs::write(&path, "8/8/8/8/8/8/8/8 w - -\n").expect("a writable folder");
        let error = run(&request, &stop, &Output::new(Kept::default())).unwrap_err();
        assert!(error.contains("line 1"), "{error}");
        std::fs::remove_file(&path).expect("the file is there");
        let error = run(&request, &stop, &Output::new(Kept::default())).unwrap_err();
        assert!(error.ends_with("no such file"), "{error}");
        std::fs::write(&path, "4k3/8/8/8/8/8/8/QQQ1K3 w - -\n").expect("a writable folder");
        let error = run(&request, &stop, &Output::new(Kept::default())).unwrap_err();
        assert!(error.starts_with("no balanced opening"), "{error}");
        std::fs::remove_file(&path).expect("the file is there");
        let folder = std::env::temp_dir().display().to_string();
        let request = OpeningsRequest { book: Some(folder), ..request };
        let error = run(&request, &stop, &Output::new(Kept::default())).unwrap_err();
        assert!(error.ends_with("is a folder"), "{error}");
    }
}
