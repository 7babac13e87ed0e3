//! What is owed for what was asked, and whether an answer is right.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use chess::{Castling, Move, Position};

use super::script::{BACKGROUND_JOBS, Script};
use crate::stress::legal_move;

/// A search that was asked for.
struct Search {
    /// The command.
    line: String,
    asked: Instant,
    /// It ends only when it is told to, or when the ponder hit comes.
    waits: Waits,
    position: Position,
    /// The position was refused, or none of the moves to search is legal: there is no best move.
    no_move: bool,
    castling: Castling,
    /// Moves at the root; none stands for all.
    root_moves: Vec<Move>,
}

/// Whether a `position` command is one that must be refused.
fn is_refused(line: &str) -> bool {
    let (kind, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let start = match kind.strip_prefix("position ").map(str::trim) {
        Some("startpos") => Some(Position::startpos()),
        Some(fen) => fen.strip_prefix("fen ").and_then(|fen| Position::from_fen(fen).ok()),
        None => None,
    };
    let Some(mut position) = start else { return true };
    moves.split_ascii_whitespace().any(|word| match position.parse_uci(word) {
        Ok(mv) => {
            position.make(mv);
            false
        }
        Err(_) => true,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    No,
    ForHit,
    ForStop,
}

/// The books: what is owed, what was paid, and how long that took.
#[derive(Default)]
pub(super) struct Expected {
    searches: VecDeque<Search>,
    ready: VecDeque<Instant>,
    identifications: usize,
    /// Other work goes on until it is told to stop; all answers but those to searches wait.
    task: bool,
    /// When the last search was let go or ended: from here the next one has its time.
    moved: Option<Instant>,
    best_moves: usize,
    readies: usize,
    lines: usize,
    /// The last position was refused.
    refused: bool,
    longest: Duration,
    /// What took longest.
    slowest: String,
}

impl Expected {
    /// How many answers are owed.
    pub(super) fn owed(&self) -> usize {
        self.searches.len() + self.ready.len() + self.identifications
    }

    /// Whether there is work that ends only after long, unless it is told to.
    pub(super) fn has_chore(&self) -> bool {
        self.task
    }

    /// Notes what was asked for.
    pub(super) fn ask(&mut self, line: &str, script: &Script) {
        let now = Instant::now();
        match line {
            "isready" => self.ready.push_back(now),
            "uci" => self.identifications += 1,
            "stop" => {
                if std::mem::take(&mut self.task) {
                    self.moved = Some(now);
                }
                self.release(|_| true);
            }
            "ponderhit" => self.release(|waits| waits == Waits::ForHit),
            _ if BACKGROUND_JOBS.contains(&line) => self.task = true,
            "flip" => self.refused = false,
            _ if line.starts_with("position") => self.refused = is_refused(line),
            _ if line.starts_with("go perft") => {}
            _ if line.starts_with("go ") => {
                let waits = match line {
                    _ if line.contains("infinite") => Waits::ForStop,
                    _ if line.contains("ponder") => Waits::ForHit,
                    _ => Waits::No,
                };
                let listed = line.split_once("searchmoves").map_or("", |(_, rest)| rest);
                let position = script.position;
                let root_moves: Vec<Move> =
                    listed.split(' ').filter_map(|word| position.parse_uci(word).ok()).collect();
                // An empty list stands for all moves; the list ends at the next parameter.
                let names_moves = listed
                    .split_ascii_whitespace()
                    .next()
                    .is_some_and(|word| word.as_bytes().get(1).is_some_and(u8::is_ascii_digit));
                let no_move = self.refused || names_moves && root_moves.is_empty();
                let waits = if no_move { Waits::No } else { waits };
                let castling = script.castling;
                self.searches.push_back(Search {
                    line: line.to_owned(),
                    asked: now,
                    waits,
                    position,
                    castling,
                    root_moves,
                    no_move,
                });
            }
            _ => {}
        }
    }

    fn release(&mut self, which: impl Fn(Waits) -> bool) {
        for search in &mut self.searches {
            if search.waits != Waits::No && which(search.waits) {
                search.waits = Waits::No;
                self.moved = Some(Instant::now());
            }
        }
    }

    /// What should have come long ago.
    pub(super) fn overdue(&self, patience: Duration) -> Option<String> {
        let late = |asked| self.since(asked).elapsed() > patience;
        if self.task {
            return None;
        }
        if self.ready.front().is_some_and(|&asked| late(asked)) {
            return Some(format!("owes readyok for more than {patience:?}"));
        }
        let search = self.searches.front()?;
        (search.waits == Waits::No && late(search.asked))
            .then(|| format!("owes bestmove for {:?} for more than {patience:?}", search.line))
    }

    fn note_time(&mut self, line: &str, asked: Instant, at: Instant) {
        let time = at.saturating_duration_since(self.since(asked));
        if !self.task && time > self.longest {
            self.longest = time;
            line.clone_into(&mut self.slowest);
        }
    }

    /// The moment from which an answer could be given.
    fn since(&self, asked: Instant) -> Instant {
        self.moved.map_or(asked, |moved| moved.max(asked))
    }

    /// Checks a line that came; the error says what is wrong with it.
    pub(super) fn hear(&mut self, line: &str, at: Instant) -> Result<(), String> {
        self.lines += 1;
        if let Some(rest) = line.strip_prefix("bestmove ") {
            return self.take_best_move(rest, at).map_err(|what| format!("says {line:?}: {what}"));
        }
        if line == "readyok" {
            let asked = self.ready.pop_front().ok_or("says readyok unasked")?;
            self.note_time("isready", asked, at);
            self.readies += 1;
        } else if line == "uciok" {
            self.identifications =
                self.identifications.checked_sub(1).ok_or("says uciok unasked")?;
        } else if line.contains("the engine failed") || line.contains("panicked") {
            return Err(format!("says {line:?}"));
        } else if line.starts_with("info depth ") {
            self.check_line(line).map_err(|what| format!("says {line:?}: {what}"))?;
        }
        Ok(())
    }

    fn take_best_move(&mut self, text: &str, at: Instant) -> Result<(), String> {
        let search = self.searches.pop_front().ok_or("nothing was asked")?;
        if search.waits != Waits::No {
            return Err(String::from("before it was told to stop"));
        }
        self.note_time(&search.line, search.asked, at);
        self.moved = Some(at);
        self.best_moves += 1;
        let mut words = text.split(' ');
        let best = words.next().unwrap_or_default();
        if search.no_move {
            let refused = best == "(none)";
            return if refused { Ok(()) } else { Err(String::from("the position was refused")) };
        }
        if best == "(none)" {
            let any = search.position.has_legal_move();
            return if any { Err(String::from("there are legal moves")) } else { Ok(()) };
        }
        let mv = search.legal(&search.position, best)?;
        if !search.root_moves.is_empty() && !search.root_moves.contains(&mv) {
            return Err(format!("{best} was not to be searched"));
        }
        match (words.next(), words.next()) {
            (None, _) => Ok(()),
            (Some("ponder"), Some(answer)) => {
                let mut next = search.position;
                next.make(mv);
                search.legal(&next, answer).map(drop)
            }
            _ => Err(String::from("what is that?")),
        }
    }

    /// The line of an `info` must be legal move by move, and belong to the search that runs.
    fn check_line(&self, line: &str) -> Result<(), String> {
        let search = self.searches.front().ok_or("no search runs")?;
        let Some((_, moves)) = line.split_once(" pv ") else { return Ok(()) };
        let mut position = search.position;
        for (ply, word) in moves.split(' ').enumerate() {
            let mv = search.legal(&position, word)?;
            if ply == 0 && !search.root_moves.is_empty() && !search.root_moves.contains(&mv) {
                return Err(format!("{word} was not to be searched"));
            }
            position.make(mv);
        }
        Ok(())
    }
}

impl Search {
    fn legal(&self, position: &Position, text: &str) -> Result<Move, String> {
        legal_move(position, text, self.castling)
            .ok_or_else(|| format!("{text} is not legal in {}", position.to_fen()))
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { best_moves, readies, lines, longest, slowest, .. } = self;
        write!(
            f,
            "{best_moves} bestmove, {readies} readyok, {lines} lines, at most {:.0} ms ({slowest})",
            longest.as_secs_f64() * 1000.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation(asked: &[&str], heard: &[&str]) -> Result<usize, String> {
        let (mut expected, script) = (Expected::default(), Script::default());
        asked.iter().for_each(|line| expected.ask(line, &script));
        heard.iter().try_for_each(|line| expected.hear(line, Instant::now()))?;
        Ok(expected.owed())
    }

    #[test]
    fn every_question_is_paid_once() {
        assert_eq!(conversation(&["go depth 1", "isready"], &["readyok"]), Ok(1));
        assert_eq!(conversation(&["go depth 1"], &["bestmove e2e4 ponder e7e5"]), Ok(0));
        assert_eq!(conversation(&["go infinite", "stop"], &["bestmove e2e4"]), Ok(0));
        assert!(conversation(&["isready"], &["readyok", "readyok"]).is_err());
        assert!(conversation(&["go depth 1"], &["bestmove e2e4", "bestmove e2e4"]).is_err());
    }

    #[test]
    fn wrong_answers_are_seen() {
        for (asked, heard) in [
            ("go infinite", "bestmove e2e4"),
            ("go ponder depth 3", "bestmove e2e4"),
            ("go depth 1", "bestmove e2e5"),
            ("go depth 1", "bestmove (none)"),
            ("go depth 1", "bestmove e2e4 ponder e2e4"),
            ("go searchmoves d2d4 depth 4", "bestmove e2e4"),
            ("go depth 1", "info depth 1 score cp 1 pv e2e4 e2e4"),
            ("go depth 1", "info string error: the engine failed"),
        ] {
            assert!(conversation(&[asked], &[heard]).is_err(), "{asked}: {heard}");
        }
    }
}
