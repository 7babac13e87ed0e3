//! The program at the other end of two pipes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::watch::waited_here;
use crate::Failure;

/// A line, and when it came.
pub(crate) struct Heard {
    pub(crate) text: String,
    pub(crate) at: Instant,
    /// How long the listener stood in the queue for a processor since the last line.
    pub(crate) waited: Duration,
}

/// The program, what is said to it and what it says.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Heard>,
    /// The last lines that were said.
    sent: Vec<String>,
}

/// How many of the last lines are told when something goes wrong.
const REMEMBERED: usize = 60;

impl Client {
    pub(crate) fn start(program: &Path) -> Result<Self, Failure> {
        let failed = |error| format!("{}: {error}", program.display());
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let output = child.stdout.take().ok_or("no output")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut before = waited_here();
            for text in BufReader::new(output).lines() {
                let Ok(text) = text else { break };
                let (at, now) = (Instant::now(), waited_here());
                let waited = now.saturating_sub(before);
                if sender.send(Heard { text, at, waited }).is_err() {
                    break;
                }
                before = now;
            }
        });
        Ok(Self { input: child.stdin.take(), child, lines, sent: Vec::new() })
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Says a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Failure> {
        if self.sent.len() >= 2 * REMEMBERED {
            self.sent.drain(..REMEMBERED);
        }
        self.sent.push(line.to_owned());
        let input = self.input.as_mut().ok_or("the input is closed")?;
        let written = input.write_all(format!("{line}\n").as_bytes());
        written.map_err(|error| self.failure(&format!("does not read any more: {error}")))
    }

    /// The next line, if one comes within this time.
    pub(crate) fn hear(&self, within: Duration) -> Result<Option<Heard>, Failure> {
        match self.lines.recv_timeout(within) {
            Ok(heard) => Ok(Some(heard)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.failure("has closed its output")),
        }
    }

    /// The line that begins like this, within a time; what comes before it is not kept.
    pub(crate) fn until(&self, prefix: &str, within: Duration) -> Result<Heard, Failure> {
        let end = Instant::now() + within;
        while let Some(heard) = self.hear(end.saturating_duration_since(Instant::now()))? {
            if heard.text.starts_with(prefix) {
                return Ok(heard);
            }
        }
        Err(self.failure(&format!("no {prefix} within {within:?}")))
    }

    /// Waits until everything said is carried out.
    pub(crate) fn ready(&mut self, within: Duration) -> Result<(), Failure> {
        self.send("isready")?;
        self.until("readyok", within).map(drop)
    }

    /// Ends the input.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the program, and gives what it still said.
    pub(crate) fn end(&mut self, within: Duration) -> Result<(ExitStatus, Vec<Heard>), Failure> {
        let end = Instant::now() + within;
        let mut rest = Vec::new();
        while let Ok(heard) = self.lines.recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            rest.push(heard);
        }
        loop {
            match self.child.try_wait().map_err(|error| error.to_string())? {
                Some(status) => return Ok((status, rest)),
                None if Instant::now() >= end => return Err(self.failure("does not end")),
                None => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// Memory of the process that lies in the machine, in KiB, as Linux counts it.
    pub(crate) fn resident(&self) -> Option<u64> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// What went wrong, with the last lines that were said.
    pub(crate) fn failure(&self, what: &str) -> Failure {
        let from = self.sent.len().saturating_sub(REMEMBERED);
        format!("the engine {what}; the last lines were\n  {}", self.sent[from..].join("\n  "))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Only matters when a stress test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
