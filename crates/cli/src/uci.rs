//! The conversation: one thread reads lines and answers what cannot wait, another carries out the
//! rest.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use crate::answers;
use crate::command::{self, Command, Reading, StatsRequest};
use crate::desk::Desk;
use crate::executor::{Desks, Executor, Job};
use crate::lines::{Line, Lines, MAX_LINE};
use crate::output::Output;
use crate::picture::Paint;
use crate::words::Complaint;

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience {
    /// A person types the commands.
    pub person: bool,
    /// How boards are drawn.
    pub paint: Paint,
}

/// Talks until `quit` or the end of the input.
///
/// # Errors
/// If the system does not give a thread.
pub fn run(input: impl BufRead, output: &Output, audience: Audience) -> io::Result<()> {
    if audience.person {
        output.line(&answers::greeting());
    }
    let desks = Arc::new(Desks::default());
    let (jobs, queue) = channel();
    let executing = {
        let (output, desks) = (output.clone(), Arc::clone(&desks));
        let execute = move || Executor::new(output, desks, audience.paint).run(&queue);
        thread::Builder::new().name(String::from("executor")).spawn(execute)?
    };
    let mut reader = Reader { output, desks: &desks, jobs, person: audience.person };
    for line in Lines::new(input) {
        if !reader.take(line) {
            break;
        }
    }
    desks.searches.stop();
    drop(reader);
    // It has caught its own panics; there is nothing left to tell.
    let _ = executing.join();
    Ok(())
}

/// The side of the conversation that listens.
struct Reader<'a> {
    output: &'a Output,
    desks: &'a Desks,
    jobs: Sender<Job>,
    person: bool,
}

impl Reader<'_> {
    /// Takes one line; `false` if it was the last.
    fn take(&mut self, line: Line) -> bool {
        let received = Instant::now();
        let reading = match line {
            Line::Text(text) => {
                self.output.log_input(&text);
                command::read(&text)
            }
            Line::NotText => Complaint::new("a line is not UTF-8 text", "line ignored").into(),
            Line::TooLong => {
                let wrong = format!("a line is longer than {MAX_LINE} bytes");
                Complaint::new(wrong, "line ignored").into()
            }
        };
        match reading.command {
            Some(Command::Stop) => {
                self.desks.searches.stop();
                self.desks.chores.stop();
                self.tell(&reading)
            }
            Some(Command::PonderHit) => {
                self.desks.searches.ponder_hit();
                self.tell(&reading)
            }
            Some(Command::IsReady) if self.desks.searches.is_busy() => {
                self.output.line("readyok");
                self.tell(&reading)
            }
            Some(Command::Stats(StatsRequest::Show(form))) if self.desks.searches.is_busy() => {
                self.output.line(&self.desks.latest.describe(form));
                self.tell(&reading)
            }
            Some(Command::QuiescenceStats(form)) if self.desks.searches.is_busy() => {
                self.output.line(&self.desks.latest.describe_quiescence(form));
                self.tell(&reading)
            }
            Some(Command::Quit) => false,
            _ => self.queue(reading, received),
        }
    }

    /// Complains about a command that did not have to wait.
    fn tell(&self, reading: &Reading) -> bool {
        if let Some(complaint) = &reading.complaint {
            self.output.complain(complaint);
        }
        true
    }

    /// Puts a line behind those that wait; `false` if nobody carries them out any more.
    fn queue(&self, reading: Reading, received: Instant) -> bool {
        if reading == Reading::default() {
            return true;
        }
        if self.person && self.desks.searches.is_busy() {
            self.output.note("waiting for the search to end; stop ends it");
        }
        let desk = reading.command.as_ref().and_then(|command| self.desks.of(command));
        let ticket = desk.map(Desk::ask);
        self.jobs.send(Job { reading, received, ticket }).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::Kept;

    fn answers_to(input: &[u8]) -> String {
        let kept = Kept::default();
        let audience = Audience { person: false, paint: Paint::Plain };
        run(input, &Output::new(kept.clone()), audience).unwrap();
        kept.text()
    }

    #[test]
    fn the_end_of_input_ends_the_session() {
        assert_eq!(answers_to(b""), "");
        assert_eq!(answers_to(b"isready"), "readyok\n");
        assert_eq!(answers_to(b"quit\nisready\n"), "");
    }

    #[test]
    fn what_was_asked_before_the_end_is_answered() {
        let text = answers_to(b"d\nperft 1\n");
        assert!(text.contains("Fen: rnbqkbnr/"), "{text}");
        assert!(text.contains("Nodes searched: 20\n"), "{text}");
    }

    #[test]
    fn an_endless_search_ends_with_the_input() {
        let text = answers_to(b"go infinite\n");
        assert_eq!(text.matches("bestmove").count(), 1, "{text}");
    }

    #[test]
    fn every_go_gets_its_best_move_even_in_a_burst() {
        let text = answers_to("position startpos\ngo infinite\nstop\n".repeat(200).as_bytes());
        assert_eq!(text.matches("bestmove ").count(), 200);
        let text = answers_to(b"go infinite\ngo depth 2\nstop\ngo depth 1\n");
        assert_eq!(text.matches("bestmove ").count(), 3);
    }

    #[test]
    fn lines_that_make_no_sense_are_complained_about_once() {
        let text = answers_to(b"\xff\xfe\nxyzzy\n\n   \nposition foo\n");
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.lines().all(|line| line.starts_with("info string error: ")), "{text}");
    }
}
