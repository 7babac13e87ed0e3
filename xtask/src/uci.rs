//! An engine at the other end of two pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::Failure;

/// A running engine.
pub(crate) struct Engine {
    name: String,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    /// Starts a program and greets it.
    pub(crate) fn start(program: &Path) -> Result<Self, Failure> {
        Self::start_with(Command::new(program))
    }

    /// Starts a program with another one that runs it, and greets it.
    pub(crate) fn start_with(mut command: Command) -> Result<Self, Failure> {
        let name = format!("{command:?}");
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = pipes.map_err(|error| format!("{name}: {error}"))?;
        let input = child.stdin.take().ok_or("the engine has no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("the engine has no output")?);
        let mut engine = Self { name, child, input, output };
        engine.ask("uci", "uciok")?;
        engine.ask("isready", "readyok")?;
        Ok(engine)
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.input, "{line}").map_err(|error| format!("{}: {error}", self.name))
    }

    /// Sends a line and returns the first answer that begins as given.
    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> Result<String, Failure> {
        self.send(line)?;
        loop {
            let mut answer = String::new();
            match self.output.read_line(&mut answer) {
                Ok(0) | Err(_) => return Err(format!("{} stopped at {line:?}", self.name)),
                Ok(_) if answer.starts_with(beginning) => return Ok(answer),
                Ok(_) => {}
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have stopped already; then there is nothing left to end.
        let _ = self.send("quit");
        let _ = self.child.wait();
    }
}
