//! Another engine, spoken to in the UCI protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use chess::Position;

use super::player::{Answer, Player, Told};
use crate::Error;
use crate::engines::Budget;

/// How long an engine may take beyond its budget, or to get ready.
const PATIENCE: Duration = Duration::from_secs(120);

/// An engine in another process.
pub struct UciEngine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
}

impl UciEngine {
    /// Starts a command, which may have arguments, and tells it threads and table size.
    ///
    /// # Errors
    /// If it cannot be started or does not speak UCI.
    pub fn start(command: &str, threads: usize, hash_mebibytes: usize) -> Result<Self, Error> {
        let failed = |reason: String| Error::Request(format!("{command}: {reason}"));
        let mut words = command.split_whitespace();
        let program = words.next().ok_or_else(|| failed("no command".into()))?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("no pipes".into()));
        };
        let (sender, lines) = channel();
        // Ends when the engine does.
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Self { child, input, lines, name: program.to_owned() };
        engine.tell("uci")?;
        let greeting = engine.until("uciok", PATIENCE)?;
        let name = greeting.iter().find_map(|line| line.strip_prefix("id name "));
        if let Some(name) = name {
            name.trim().clone_into(&mut engine.name);
        }
        engine.tell(&format!("setoption name Threads value {threads}"))?;
        engine.tell(&format!("setoption name Hash value {hash_mebibytes}"))?;
        Ok(engine)
    }

    fn tell(&mut self, line: &str) -> Result<(), Error> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|error| Error::Request(format!("{}: {error}", self.name)))
    }

    fn next_line(&self, end: Instant) -> Result<String, Error> {
        let left = end.saturating_duration_since(Instant::now());
        self.lines
            .recv_timeout(left)
            .map_err(|error| Error::Request(format!("{}: no answer ({error})", self.name)))
    }

    /// All lines up to the one that begins with this word.
    fn until(&self, word: &str, time: Duration) -> Result<Vec<String>, Error> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let line = self.next_line(end)?;
            if line.split_whitespace().next() == Some(word) {
                return Ok(lines);
            }
            lines.push(line);
        }
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        let _ = self.tell("quit");
        let end = Instant::now() + Duration::from_secs(2);
        while Instant::now() < end {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Player for UciEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn solve(
        &mut self,
        position: &Position,
        budget: Budget,
        mate: Option<u32>,
    ) -> Result<Answer, Error> {
        self.tell("ucinewgame")?;
        self.tell("isready")?;
        self.until("readyok", PATIENCE)?;
        self.tell(&format!("position fen {}", position.to_fen()))?;
        let (go, time) = match budget {
            Budget::Time(time) => (format!("go movetime {}", time.as_millis()), time),
            Budget::Nodes(nodes) => (format!("go nodes {nodes}"), Duration::from_secs(600)),
            Budget::Depth(depth) => (format!("go depth {depth}"), Duration::from_secs(3600)),
        };
        let begun = Instant::now();
        self.tell(&go)?;
        let end = begun + time + PATIENCE;
        let mut info = Info::default();
        loop {
            let line = self.next_line(end)?;
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") => {
                    info.read(&line);
                    if let (Told::Mate(moves), Some(wanted)) = (info.score, mate)
                        && moves > 0
                        && moves.unsigned_abs() <= wanted
                    {
                        self.tell("stop")?;
                    }
                }
                Some("bestmove") => {
                    let best_move = words.next().and_then(|text| position.parse_uci(text).ok());
                    let time = begun.elapsed();
                    let mut line = Vec::new();
                    let mut at = *position;
                    for text in &info.line {
                        let Ok(mv) = at.parse_uci(text) else { break };
                        at.make(mv);
                        line.push(mv);
                    }
                    let Info { score, depth, nodes, .. } = info;
                    return Ok(Answer { best_move, score, line, depth, nodes, time });
                }
                _ => {}
            }
        }
    }
}

/// What the `info` lines of a search have said so far.
struct Info {
    score: Told,
    depth: i32,
    nodes: u64,
    line: Vec<String>,
}

impl Default for Info {
    fn default() -> Self {
        Self { score: Told::Centipawns(0), depth: 0, nodes: 0, line: Vec::new() }
    }
}

impl Info {
    /// Takes in a line; bounds and lines other than the first do not count.
    fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |name: &str| -> Option<&str> {
            let index = words.iter().position(|&word| word == name)?;
            words.get(index + 1).copied()
        };
        if words.get(1) == Some(&"string") || after("multipv").is_some_and(|index| index != "1") {
            return;
        }
        if let Some(nodes) = after("nodes").and_then(|text| text.parse().ok()) {
            self.nodes = nodes;
        }
        let bound = words.contains(&"lowerbound") || words.contains(&"upperbound");
        let score = words.iter().position(|&word| word == "score").filter(|_| !bound);
        let Some(index) = score else { return };
        let number = words.get(index + 2).and_then(|text| text.parse().ok());
        self.score = match (words.get(index + 1), number) {
            (Some(&"cp"), Some(number)) => Told::Centipawns(number),
            (Some(&"mate"), Some(number)) => Told::Mate(number),
            _ => return,
        };
        if let Some(depth) = after("depth").and_then(|text| text.parse().ok()) {
            self.depth = depth;
        }
        if let Some(index) = words.iter().position(|&word| word == "pv") {
            self.line = words[index + 1..].iter().map(|&word| word.to_owned()).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_and_bounds_do_not_count() {
        let mut info = Info::default();
        info.read("info depth 9 seldepth 12 multipv 1 score cp -31 nodes 12345 nps 1 pv e2e4 e7e5");
        assert_eq!((info.score, info.depth, info.nodes), (Told::Centipawns(-31), 9, 12_345));
        assert_eq!(info.line, ["e2e4", "e7e5"]);
        info.read("info depth 10 score cp 90 lowerbound nodes 20000 pv d2d4");
        assert_eq!((info.score, info.depth, info.nodes), (Told::Centipawns(-31), 9, 20_000));
        info.read("info depth 10 multipv 2 score mate 1 nodes 30000 pv d2d4");
        assert_eq!(info.nodes, 20_000);
        info.read("info depth 11 score mate -3 nodes 40000 pv a2a3");
        assert_eq!(info.score, Told::Mate(-3));
        info.read("info string depth 99 score cp 1");
        assert_eq!(info.depth, 11);
    }

    #[test]
    fn a_command_that_is_no_engine_is_refused() {
        assert!(UciEngine::start("", 1, 1).is_err());
        assert!(UciEngine::start("/no/such/engine", 1, 1).is_err());
    }
}
