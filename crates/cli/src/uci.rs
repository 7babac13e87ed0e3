//! The UCI session: one thread reads lines and answers what cannot wait, another carries out the
//! rest.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::answers;
use crate::board_text::Paint;
use crate::command::{self, Command, Parsed, StatsRequest};
use crate::executor::Executor;
use crate::job_queue::JobQueue;
use crate::jobs::{Job, Jobs};
use crate::lines::{Line, Lines, MAX_LINE, Problem};
use crate::output::Output;
use crate::text::CommandError;

/// Commands that may wait for a search to end. A script that sends more is read on when there is room, so
/// that no input can take memory without end.
const MAX_WAITING: usize = 1024;

/// How long the reader waits for room in the queue before it looks again.
const PAUSE: Duration = Duration::from_millis(1);

/// What becomes of a search when the input ends without `quit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtEnd {
    /// It is stopped: whoever asked for it is gone.
    Stop,
    /// It runs to its limits: the commands came as arguments. Other work ends by itself even if `quit`
    /// stands behind it, as test servers have it.
    Finish,
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// A person types the commands.
    pub person: bool,
    /// How boards are drawn.
    pub paint: Paint,
    /// What becomes of a search when the input ends.
    pub at_end: AtEnd,
}

/// Talks until `quit` or the end of the input.
///
/// # Errors
/// If the system does not give a thread.
pub fn run(input: impl BufRead, output: &Output, terminal: Terminal) -> io::Result<()> {
    if terminal.person {
        output.line(&answers::greeting());
    }
    let jobs = Arc::new(Jobs::default());
    let (sender, queue) = sync_channel(MAX_WAITING);
    let executing = {
        let (output, jobs) = (output.clone(), Arc::clone(&jobs));
        let execute = move || Executor::new(output, jobs, terminal.paint).run(&queue);
        thread::Builder::new().name(String::from("executor")).spawn(execute)?
    };
    let reader = Reader { output, jobs: &jobs, queue: sender, person: terminal.person };
    let quits = Lines::new(input).any(|line| !reader.take(line));
    if quits && terminal.at_end == AtEnd::Stop {
        jobs.background.stop();
    }
    if quits || terminal.at_end == AtEnd::Stop {
        jobs.searches.stop();
    }
    drop(reader);
    // It has caught its own panics; there is nothing left to tell.
    let _ = executing.join();
    Ok(())
}

/// The side of the conversation that listens.
struct Reader<'a> {
    output: &'a Output,
    jobs: &'a Jobs,
    queue: SyncSender<Job>,
    person: bool,
}

impl Reader<'_> {
    /// Takes one line; `false` if it was the last.
    fn take(&self, line: Line) -> bool {
        let received = Instant::now();
        let parsed = match line {
            Line::Text(text) => {
                self.output.log_input(&text);
                command::read(&text)
            }
            Line::Unreadable { problem, start } => {
                let wrong = match problem {
                    Problem::NotText => String::from("a line is not UTF-8 text"),
                    Problem::TooLong => format!("a line is longer than {MAX_LINE} bytes"),
                };
                command::read_unreadable(&start, wrong)
            }
        };
        match parsed.command {
            Some(Command::Stop) => {
                self.jobs.searches.stop();
                self.jobs.background.stop();
                self.tell(&parsed)
            }
            Some(Command::PonderHit) => {
                self.jobs.searches.ponder_hit();
                self.tell(&parsed)
            }
            Some(Command::IsReady) if self.jobs.searches.is_busy() => {
                self.output.line("readyok");
                self.tell(&parsed)
            }
            Some(Command::Stats(StatsRequest::Show(form))) if self.jobs.searches.is_busy() => {
                self.output.line(&self.jobs.latest.describe(form));
                self.tell(&parsed)
            }
            Some(Command::QuiescenceStats(form)) if self.jobs.searches.is_busy() => {
                self.output.line(&self.jobs.latest.describe_quiescence(form));
                self.tell(&parsed)
            }
            Some(Command::Quit) => false,
            _ => self.queue(parsed, received),
        }
    }

    /// Complains about a command that did not have to wait.
    fn tell(&self, parsed: &Parsed) -> bool {
        if let Some(error) = &parsed.error {
            self.output.error(error);
        }
        true
    }

    /// Puts a line behind those that wait; `false` if nobody carries them out any more.
    fn queue(&self, parsed: Parsed, received: Instant) -> bool {
        if parsed == Parsed::default() {
            return true;
        }
        if self.person && self.jobs.searches.is_busy() {
            self.output.note("waiting for the search to end; stop ends it");
        }
        let queue = parsed.command.as_ref().and_then(|command| self.jobs.of(command));
        let ticket = queue.map(JobQueue::ask);
        let mut job = Job { parsed, received, ticket };
        loop {
            match self.queue.try_send(job) {
                Err(TrySendError::Full(back)) => job = back,
                sent => return sent.is_ok(),
            }
            self.unblock();
            thread::sleep(PAUSE);
        }
    }

    /// Ends a search that waits for a command: it could stand behind those that wait for the search.
    fn unblock(&self) {
        if self.jobs.searches.awaits_command() {
            let wrong = format!("{MAX_WAITING} commands wait for a search without end");
            self.output.error(&CommandError::new(wrong, "search stopped"));
            self.jobs.searches.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::tests::Kept;

    fn answers_to(input: &[u8]) -> String {
        answers(input, AtEnd::Stop)
    }

    fn answers(input: &[u8], at_end: AtEnd) -> String {
        let kept = Kept::default();
        let terminal = Terminal { person: false, paint: Paint::Plain, at_end };
        run(input, &Output::new(kept.clone()), terminal).unwrap();
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
    fn more_commands_than_can_wait_end_an_endless_search() {
        for go in ["go infinite", "go", "go ponder wtime 1000", "go nodes 9\ngo infinite"] {
            let text = answers_to(format!("{go}\n{}stop\n", "flip\n".repeat(2500)).as_bytes());
            assert_eq!(text.matches("bestmove").count(), go.matches("go").count(), "{go}: {text}");
            assert_eq!(text.matches("1024 commands wait").count(), 1, "{go}: {text}");
        }
        // A burst of searches that are stopped again is only waited for.
        let text = answers_to("position startpos\ngo infinite\nstop\n".repeat(1000).as_bytes());
        assert_eq!((text.matches("bestmove").count(), text.matches("error").count()), (1000, 0));
        // A search with an end of its own is waited for.
        let text = answers_to(format!("go depth 6\n{}", "flip\n".repeat(2500)).as_bytes());
        assert!(text.contains("info depth 6 "), "{text}");
    }

    #[test]
    fn openings_without_end_and_traces_are_stopped() {
        for end in ["stop\nisready\n", "quit\n"] {
            let text = answers_to(format!("genfens 1000000000 seed 1 book None\n{end}").as_bytes());
            assert!(text.contains("genfens stopped"), "{text}");
        }
        let file = std::env::temp_dir().join(format!("halcyon-trace-{}", std::process::id()));
        std::fs::write(&file, "before").unwrap();
        let trace = format!("trace 40 nodes 1000000 file {}\nquit\n", file.display());
        assert!(answers_to(trace.as_bytes()).contains("trace stopped"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "before");
        std::fs::remove_file(&file).unwrap();
    }

    #[test]
    fn a_search_asked_for_in_the_arguments_runs_to_its_limit() {
        let text = answers(b"position startpos\ngo nodes 20000", AtEnd::Finish);
        let last = text.lines().rev().find(|line| line.contains(" nodes ")).unwrap();
        let nodes = last.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(nodes.parse::<u64>().unwrap() > 1000, "{text}");
        assert_eq!(text.matches("bestmove").count(), 1, "{text}");
        let text = answers(b"genfens 3 seed 1 book None\nquit", AtEnd::Finish);
        assert_eq!(text.matches("info string genfens ").count(), 3, "{text}");
        let stopped = answers(b"go infinite\nquit", AtEnd::Finish);
        assert_eq!(stopped.matches("bestmove").count(), 1, "{stopped}");
    }

    #[test]
    fn after_a_refused_position_go_has_no_move_until_one_is_accepted() {
        for refused in [
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position startpos moves e2e5",
            "position foo",
            "8/8/8/8/8/8/8/8 w - - 0 1",
        ] {
            let text = answers_to(format!("position startpos\n{refused}\ngo depth 1\n").as_bytes());
            assert!(text.ends_with("bestmove (none)\n"), "{text}");
            assert!(!text.contains(" pv "), "{text}");
            assert_eq!(text.matches("info string error: ").count(), 2, "{text}");
            let text = answers_to(format!("{refused}\nposition startpos\ngo depth 1\n").as_bytes());
            assert!(
                text.lines().last().unwrap().starts_with("bestmove ") && !text.contains("(none)")
            );
        }
    }

    #[test]
    fn a_position_that_cannot_be_read_is_refused_and_a_search_answered() {
        let too_long = [&b"position startpos moves"[..], &b" e2e4".repeat(MAX_LINE / 4)].concat();
        for position in [&b"position startpos moves e2e4\xff"[..], &too_long] {
            let text = answers_to(&[position, b"\ngo depth 1\n"].concat());
            assert!(text.ends_with("bestmove (none)\n") && !text.contains(" pv "), "{text}");
        }
        let text = answers_to(b"go movetime \xff\n");
        assert!(text.contains("not UTF-8") && text.contains("\nbestmove "), "{text}");
        // An option with a name of a file in another encoding says nothing of the position.
        let text = answers_to(b"setoption name SyzygyPath value \xe9\ngo depth 1\n");
        assert!(!text.contains("(none)"), "{text}");
    }

    #[test]
    fn only_illegal_root_moves_give_no_best_move() {
        let text = answers_to(b"go depth 1 searchmoves e2e5 a1a8\n");
        assert!(text.ends_with("bestmove (none)\n") && !text.contains(" pv "), "{text}");
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
