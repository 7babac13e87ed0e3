//! Another engine, spoken to in the UCI protocol.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use chess::Position;

use super::player::{Answer, Player, Told};
use crate::engines::Budget;
use crate::{Error, printable};

/// How long an engine may take to get ready.
const READY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an engine may take beyond its budget before it is told to stop.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);
/// How long it may take to obey.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// The slowest engine that a limit of nodes is meant for, in nodes per second.
const SLOWEST: u64 = 1000;
/// A longer line is cut off: no line of the protocol is.
const MAX_LINE: u64 = 1 << 16;
/// Lines that wait to be read; an engine that writes more has to wait.
const MAX_LINES: usize = 4096;

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
        let (sender, lines) = sync_channel(MAX_LINES);
        // Ends when the engine does.
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(line) = next_line(&mut output) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Self { child, input, lines, name: program.to_owned() };
        engine.tell("uci")?;
        let greeting = engine.until("uciok", READY_TIMEOUT)?;
        let name = greeting.iter().find_map(|line| line.strip_prefix("id name "));
        if let Some(name) = name {
            engine.name = printable(name.trim());
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
        self.lines.recv_timeout(left).map_err(|error| {
            let reason = match error {
                RecvTimeoutError::Timeout => "does not answer",
                RecvTimeoutError::Disconnected => "the engine exited",
            };
            Error::Request(format!("{}: {reason}", self.name))
        })
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

/// A line without its end, or what there is room for of it; nothing when the engine has exited.
fn next_line(output: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    output.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes).ok()?;
    if bytes.is_empty() {
        return None;
    }
    while bytes.last() != Some(&b'\n') && bytes.len() as u64 >= MAX_LINE {
        // The rest of an endless line is read away piece by piece.
        let mut rest = Vec::new();
        let read = output.by_ref().take(MAX_LINE).read_until(b'\n', &mut rest).ok()?;
        if read == 0 || rest.last() == Some(&b'\n') {
            break;
        }
    }
    Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())
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
        self.until("readyok", READY_TIMEOUT)?;
        self.tell(&format!("position fen {}", position.to_fen()))?;
        let (go, time) = match budget {
            Budget::Time(time) => (format!("go movetime {}", time.as_millis()), time),
            Budget::Nodes(nodes) => {
                (format!("go nodes {nodes}"), Duration::from_secs(nodes / SLOWEST))
            }
            Budget::Depth(depth) => (format!("go depth {depth}"), Duration::from_secs(3600)),
        };
        let begun = Instant::now();
        self.tell(&go)?;
        let mut end = begun + time.saturating_add(ANSWER_TIMEOUT);
        let mut is_stopped = false;
        let mut info = Info::default();
        loop {
            let line = match self.next_line(end) {
                Err(_) if !is_stopped && Instant::now() >= end => {
                    self.tell("stop")?;
                    (is_stopped, end) = (true, Instant::now() + STOP_TIMEOUT);
                    continue;
                }
                line => line?,
            };
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
    fn lines_are_bounded_and_the_next_one_is_whole() {
        let long = "x".repeat(3 * MAX_LINE as usize);
        let text = format!("id name a\r\n{long}\nuciok\nlast");
        let mut output = text.as_bytes();
        assert_eq!(next_line(&mut output).unwrap(), "id name a");
        assert_eq!(next_line(&mut output).unwrap().len(), MAX_LINE as usize);
        assert_eq!(next_line(&mut output).unwrap(), "uciok");
        assert_eq!(next_line(&mut output).unwrap(), "last");
        assert_eq!(next_line(&mut output), None);
    }

    #[test]
    fn a_command_that_is_no_engine_is_refused() {
        assert!(UciEngine::start("", 1, 1).is_err());
        assert!(UciEngine::start("/no/such/engine", 1, 1).is_err());
    }
}
