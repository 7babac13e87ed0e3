//! The one way out: whole lines, one write each, whichever thread they come from.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Mutex, PoisonError};

use crate::files;
use crate::text::CommandError;

/// A shared handle to where the answers go, with an optional log of both directions.
#[derive(Clone)]
pub struct Output {
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    writer: Box<dyn Write + Send>,
    log: Option<File>,
    /// A command was refused.
    has_failed: bool,
}

impl Output {
    /// Writes to standard output.
    #[must_use]
    pub fn stdout() -> Self {
        Self::new(io::stdout())
    }

    /// An output that writes to `writer`.
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        let shared = Shared { writer: Box::new(writer), log: None, has_failed: false };
        Self { shared: Arc::new(Mutex::new(shared)) }
    }

    /// Writes one line, or several at once that belong together.
    pub fn line(&self, text: &str) {
        let mut bytes = Vec::with_capacity(text.len() + 1);
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        self.with(|shared| {
            let problem = shared.log("<", text);
            shared.write(&bytes);
            shared.tell(problem);
        });
    }

    /// Writes a line of free text for the GUI.
    pub fn note(&self, text: &str) {
        self.line(&format!("info string {text}"));
    }

    /// Writes what was wrong with a command.
    pub fn error(&self, error: &CommandError) {
        let mut text = String::from("error: ");
        for letter in error.to_string().chars() {
            match letter {
                ' '..='~' => text.push(letter),
                other => text.extend(other.escape_default()),
            }
        }
        self.note(&text);
        self.with(|shared| shared.has_failed = true);
    }

    /// Whether a command was refused so far.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).has_failed
    }

    /// Logs both directions to `log` from now on, or nowhere.
    pub fn set_log(&self, log: Option<File>) {
        self.with(|shared| shared.log = log);
    }

    /// Notes a line that came in.
    pub fn log_input(&self, text: &str) {
        self.with(|shared| {
            let problem = shared.log(">", text);
            shared.tell(problem);
        });
    }

    fn with(&self, act: impl FnOnce(&mut Shared)) {
        act(&mut self.shared.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Shared {
    fn write(&mut self, bytes: &[u8]) {
        let written = self.writer.write_all(bytes).and_then(|()| self.writer.flush());
        let Err(error) = written else { return };
        // Nobody listens any more, and the thread that reads commands may never wake up.
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        let _ = writeln!(io::stderr(), "halcyon: standard output: {}", files::reason(&error));
        std::process::exit(1);
    }

    /// A log that cannot be written is given up: the game matters more. The reason is returned.
    fn log(&mut self, direction: &str, text: &str) -> Option<String> {
        let file = self.log.as_mut()?;
        let lines: String = text.lines().map(|line| format!("{direction} {line}\n")).collect();
        let error = file.write_all(lines.as_bytes()).err()?;
        self.log = None;
        Some(files::reason(&error))
    }

    fn tell(&mut self, problem: Option<String>) {
        let Some(reason) = problem else { return };
        let text =
            format!("info string error: the log cannot be written: {reason}; logging ended\n");
        self.write(text.as_bytes());
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Keeps what is written, to be looked at.
    #[derive(Clone, Default)]
    pub(crate) struct Kept(Arc<Mutex<Vec<Vec<u8>>>>);

    impl Kept {
        pub(crate) fn writes(&self) -> Vec<String> {
            let writes = self.0.lock().unwrap();
            writes.iter().map(|bytes| String::from_utf8(bytes.clone()).unwrap()).collect()
        }

        pub(crate) fn text(&self) -> String {
            self.writes().concat()
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_is_one_write() {
        let kept = Kept::default();
        let output = Output::new(kept.clone());
        output.line("readyok");
        output.note("hello");
        assert_eq!(kept.writes(), ["readyok\n", "info string hello\n"]);
    }

    #[test]
    fn a_complaint_is_one_line_of_printable_ascii() {
        let kept = Kept::default();
        let error = CommandError::new("\u{e9} is\nnot a piece", "position kept");
        Output::new(kept.clone()).error(&error);
        assert_eq!(kept.writes(), ["info string error: \\u{e9} is\\nnot a piece; position kept\n"]);
    }
}
