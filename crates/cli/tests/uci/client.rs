//! A small UCI client with a deadline for everything.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough for a busy machine; nothing in the tests should take nearly as long.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// The engine at the other end of two pipes.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

/// The program under test.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_halcyon"))
}

impl Client {
    pub(crate) fn start() -> Self {
        Self::spawn(program())
    }

    /// Talks to whatever this starts.
    pub(crate) fn spawn(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = child.stdout.take().expect("the output is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What an engine that has ended said on standard error, if that is a pipe.
    pub(crate) fn errors(&mut self) -> String {
        let mut text = String::new();
        if let Some(mut errors) = self.child.stderr.take() {
            errors.read_to_string(&mut text).expect("the errors are text");
        }
        text
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads");
    }

    /// The next line, if one comes within this time.
    pub(crate) fn line_within(&self, time: Duration) -> Option<String> {
        self.lines.recv_timeout(time).ok()
    }

    /// All lines up to and with the first that begins like this.
    pub(crate) fn until(&self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let end = Instant::now() + DEADLINE;
        while let Some(line) = self.line_within(end.saturating_duration_since(Instant::now())) {
            lines.push(line);
            if lines.last().is_some_and(|line| line.starts_with(prefix)) {
                return lines;
            }
        }
        panic!("no {prefix:?} in time, only {lines:#?}");
    }

    /// Sends a command and returns what comes until the engine is ready again.
    pub(crate) fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.ready()
    }

    /// What comes until the engine is ready.
    pub(crate) fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Searches and returns everything up to the best move.
    pub(crate) fn go(&mut self, parameters: &str) -> Vec<String> {
        self.send(&format!("go {parameters}"));
        self.until("bestmove")
    }

    /// The FEN of the position on the board.
    pub(crate) fn fen(&mut self) -> String {
        let lines = self.ask("d");
        let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.expect("d shows the FEN").to_owned()
    }

    /// Ends the input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the program.
    pub(crate) fn exit(&mut self, within: Duration) -> ExitStatus {
        let end = Instant::now() + within;
        loop {
            if let Some(status) = self.child.try_wait().expect("the engine can be waited for") {
                return status;
            }
            assert!(Instant::now() < end, "the engine does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Says goodbye and checks that it is understood.
    pub(crate) fn quit(mut self) {
        self.send("quit");
        assert!(self.exit(DEADLINE).success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // Only matters when a test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The move of a `bestmove` line; `None` for `(none)`.
pub(crate) fn best_move(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace();
    assert_eq!(words.next(), Some("bestmove"), "{line}");
    words.next().filter(|&mv| mv != "(none)")
}
