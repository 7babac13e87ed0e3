//! An engine in another process: started, asked, and ended.

use std::io::{BufRead, BufReader, Read, Write};
use std::ops::RangeInclusive;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::engines::Budget;
use crate::{Error, printable};

/// A longer line is cut off: no line of the protocol is.
const MAX_LINE: u64 = 1 << 16;
/// Lines that wait to be read; an engine that writes more has to wait.
const MAX_LINES: usize = 4096;
/// Lines before `uciok`; an engine that greets with more is none.
const MAX_GREETING: usize = 4096;
/// The slowest engine that a limit of nodes is meant for, in nodes per second.
const SLOWEST: u64 = 1000;

/// How long an engine may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeouts {
    /// To get ready.
    pub(super) ready: Duration,
    /// Beyond its budget, before `stop` is sent.
    pub(super) answer: Duration,
    /// To obey.
    pub(super) stop: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { ready: seconds(30), answer: seconds(120), stop: seconds(5) }
    }
}

/// An engine in another process.
pub struct UciEngine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    name: String,
    /// Its options: the names as it writes them, and what numbers they take.
    options: Vec<(String, Option<RangeInclusive<i64>>)>,
    timeouts: Timeouts,
}

impl UciEngine {
    /// Starts a command, which may have arguments, and waits until it has named itself. Words with
    /// blanks stand in double quotes.
    ///
    /// # Errors
    /// If it cannot be started or does not speak UCI.
    pub fn start(command: &str) -> Result<Self, Error> {
        Self::start_with(command, Timeouts::default())
    }

    pub(super) fn start_with(command: &str, timeouts: Timeouts) -> Result<Self, Error> {
        let failed = |reason: String| Error::Request(format!("{command}: {reason}"));
        let words = split_command(command);
        let (program, arguments) =
            words.split_first().ok_or_else(|| failed("no command".into()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| match error.kind() {
                std::io::ErrorKind::NotFound => failed("no such program".into()),
                _ => failed(atomic_file::reason(&error)),
            })?;
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
        let name = program.clone();
        let mut engine = Self { child, input, lines, name, options: Vec::new(), timeouts };
        engine.tell("uci")?;
        for line in engine.until("uciok")? {
            if let Some(name) = line.strip_prefix("id name ") {
                engine.name = printable(name.trim());
            } else if let Some(name) = option_name(&line) {
                engine.options.push((name.to_owned(), range(&line)));
            }
        }
        Ok(engine)
    }

    /// What the engine calls itself; its command if it has not said.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine's spelling of an option, if it has it.
    fn option(&self, name: &str) -> Option<&str> {
        let known = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(known, _)| known.as_str())
    }

    /// Refuses a number that an option does not take: most engines pass it over without a word.
    ///
    /// # Errors
    /// Says what the option takes.
    pub fn check_option(&self, name: &str, value: &str) -> Result<(), Error> {
        let range = self.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((name, Some(range))) = range else { return Ok(()) };
        if value.parse().is_ok_and(|number| range.contains(&number)) {
            return Ok(());
        }
        let (from, to) = (range.start(), range.end());
        Err(self
            .failed(&format!("its option {name} takes numbers from {from} to {to}, not {value:?}")))
    }

    /// Sets an option; `false` if the engine does not have it.
    ///
    /// # Errors
    /// If the engine has exited.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<bool, Error> {
        let Some(name) = self.option(name) else { return Ok(false) };
        let line = format!("setoption name {name} value {value}");
        self.tell(&line).map(|()| true)
    }

    /// Begins a new game and waits until the engine is ready.
    ///
    /// # Errors
    /// If the engine does not answer.
    pub fn new_game(&mut self) -> Result<(), Error> {
        self.tell("ucinewgame")?;
        self.ready()
    }

    /// Waits until the engine is ready.
    pub(super) fn ready(&mut self) -> Result<(), Error> {
        self.tell("isready")?;
        self.until("readyok").map(drop)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the engine has exited.
    pub fn tell(&mut self, line: &str) -> Result<(), Error> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|_| self.failed("the engine exited"))
    }

    fn failed(&self, reason: &str) -> Error {
        Error::Request(format!("{}: {reason}", self.name))
    }

    fn next_line(&self, end: Instant) -> Result<String, Error> {
        let left = end.saturating_duration_since(Instant::now());
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => self.failed("does not answer"),
            RecvTimeoutError::Disconnected => self.failed("the engine exited"),
        })
    }

    /// All lines up to the one that begins with this word.
    fn until(&self, word: &str) -> Result<Vec<String>, Error> {
        let end = Instant::now() + self.timeouts.ready;
        let mut lines = Vec::new();
        loop {
            let line = self.next_line(end)?;
            if line.split_whitespace().next() == Some(word) {
                return Ok(lines);
            }
            if lines.len() >= MAX_GREETING {
                return Err(self.failed(&format!("writes without end instead of {word}")));
            }
            lines.push(line);
        }
    }

    /// Searches the position that was sent last, with these words after `go` and this budget, and gives
    /// every `info` line to `on_info`, which answers whether it has seen enough. Returns the text of
    /// the best move.
    ///
    /// # Errors
    /// If the engine exits, or answers neither in time nor after `stop`.
    pub fn search(
        &mut self,
        go: &str,
        budget: Budget,
        mut on_info: impl FnMut(&str) -> bool,
    ) -> Result<String, Error> {
        let (limit, time) = match budget {
            Budget::Time(time) => (format!("movetime {}", time.as_millis()), time),
            Budget::Nodes(nodes) => {
                (format!("nodes {nodes}"), Duration::from_secs(nodes / SLOWEST))
            }
            Budget::Depth(depth) => (format!("depth {depth}"), Duration::from_secs(3600)),
        };
        self.tell(format!("go {limit} {go}").trim_end())?;
        let mut end = Instant::now() + time.saturating_add(self.timeouts.answer);
        let mut is_stopped = false;
        loop {
            // Also an engine that writes all the time has its time.
            let line = match self.next_line(end) {
                Ok(line) if Instant::now() < end => line,
                Ok(_) | Err(_) if !is_stopped && Instant::now() >= end => {
                    self.tell("stop")?;
                    (is_stopped, end) = (true, Instant::now() + self.timeouts.stop);
                    continue;
                }
                Ok(_) => return Err(self.failed("does not answer")),
                Err(error) => return Err(error),
            };
            let mut words = line.split_whitespace();
            match words.next() {
                Some("info") if on_info(&line) && !is_stopped => {
                    self.tell("stop")?;
                    (is_stopped, end) = (true, Instant::now() + self.timeouts.stop);
                }
                Some("bestmove") => return Ok(words.next().unwrap_or_default().to_owned()),
                _ => {}
            }
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

/// The name in `option name … type …`.
fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    Some(rest.split_once(" type ").map_or(rest, |(name, _)| name).trim())
}

/// The numbers that an option takes, if it takes numbers and says which.
fn range(line: &str) -> Option<RangeInclusive<i64>> {
    let (_, rest) = line.split_once(" type spin ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let after = |name: &str| {
        let index = words.iter().position(|word| *word == name)?;
        words.get(index + 1)?.parse::<i64>().ok()
    };
    Some(after("min")?..=after("max")?)
}

/// The words of a command; blanks within double quotes do not part them.
fn split_command(command: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            letter if letter.is_whitespace() && !quoted => words.extend(word.take()),
            letter => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(UciEngine::start("").is_err());
        let refusal = UciEngine::start("/no/such/engine").map(drop).unwrap_err().to_string();
        assert_eq!(refusal, "/no/such/engine: no such program");
    }

    #[test]
    fn commands_and_options_are_read() {
        assert_eq!(split_command(" a  b\tc "), ["a", "b", "c"]);
        assert_eq!(split_command("\"/my files/engine\" --x \"\""), ["/my files/engine", "--x", ""]);
        assert_eq!(option_name("option name Skill Level type spin min 0"), Some("Skill Level"));
        assert_eq!(range("option name Hash type spin default 16 min 1 max 64"), Some(1..=64));
        assert_eq!(range("option name Hash type spin default 16 min 1"), None);
        assert_eq!(range("option name EvalFile type string default min"), None);
        assert_eq!(option_name("id name x"), None);
    }

    /// An engine of a few lines of shell.
    #[cfg(unix)]
    fn shell(script: &str) -> Result<UciEngine, Error> {
        let short = Duration::from_millis(300);
        let timeouts = Timeouts { ready: Duration::from_secs(60), answer: short, stop: short };
        UciEngine::start_with(&format!("sh -c \"{script}\""), timeouts)
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_that_hangs_floods_or_exits_is_given_up() {
        let loop_with = |go: &str| {
            format!(
                "while read -r l; do case $l in uci) echo uciok;; isready) echo readyok;; \
                 go*) {go};; quit) exit;; esac; done"
            )
        };
        let budget = Budget::Time(Duration::from_millis(1));
        for (go, reason) in [
            ("sleep 0", "does not answer"),
            ("while :; do echo info depth 1 || exit; done", "does not answer"),
            ("exit", "the engine exited"),
        ] {
            let mut engine = shell(&loop_with(go)).unwrap();
            engine.new_game().unwrap();
            let refusal = engine.search("", budget, |_| false).unwrap_err().to_string();
            assert_eq!(refusal, format!("sh: {reason}"), "{go}");
        }
        let refusal = shell("while :; do echo x || exit; done").map(drop).unwrap_err();
        assert!(refusal.to_string().contains("writes without end"), "{refusal}");
    }
}
