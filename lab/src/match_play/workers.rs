//! Processes that play pairs of games, a line of JSON for each question and each answer.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use chess::Position;
use engine::Network;
use serde::{Deserialize, Serialize};

use super::game::{Match, PairResult, Thinking};
use super::variant::Variant;
use crate::Error;

/// A pair to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PairRequest {
    /// What the answer is to be called.
    pub id: usize,
    /// The opening that both games begin with.
    pub fen: String,
    /// What the players may spend.
    pub thinking: Thinking,
    /// Who plays White in the first game, and who in the second.
    pub variants: [Variant; 2],
}

#[derive(Serialize, Deserialize)]
struct Answer {
    id: usize,
    result: PairResult,
}

/// Processes that play games side by side.
pub struct Workers {
    workers: Vec<Worker>,
    answers: Receiver<Result<(usize, Answer), Error>>,
    idle: Vec<usize>,
}

struct Worker {
    child: Child,
    input: Option<ChildStdin>,
}

impl Workers {
    /// Starts so many processes of this program.
    ///
    /// # Errors
    /// If one cannot be started.
    pub fn start(count: usize, network: Option<&Path>) -> Result<Self, Error> {
        let program = std::env::current_exe()
            .map_err(|error| Error::Request(format!("this program cannot find itself: {error}")))?;
        let (sender, answers) = channel();
        let mut workers = Vec::new();
        for index in 0..count.max(1) {
            workers.push(start(&program, network, index, sender.clone())?);
        }
        let idle = (0..workers.len()).collect();
        Ok(Self { workers, answers, idle })
    }

    /// Plays every pair that `next` asks for, as many at a time as there are workers, and tells
    /// `done` of each. Ends when `next` has no more and all answers have come.
    ///
    /// # Errors
    /// If a worker fails or `done` does.
    pub fn run(
        &mut self,
        mut next: impl FnMut() -> Option<PairRequest>,
        mut done: impl FnMut(usize, PairResult) -> Result<(), Error>,
    ) -> Result<(), Error> {
        loop {
            while let Some(&worker) = self.idle.last() {
                let Some(request) = next() else { break };
                self.idle.pop();
                self.workers[worker].ask(&request)?;
            }
            if self.idle.len() == self.workers.len() {
                return Ok(());
            }
            let (worker, answer) = self.answers.recv().map_err(|_| lost())??;
            self.idle.push(worker);
            done(answer.id, answer.result)?;
        }
    }
}

fn lost() -> Error {
    Error::Request("a worker ended before its games did".into())
}

fn start(
    program: &PathBuf,
    network: Option<&Path>,
    index: usize,
    answers: Sender<Result<(usize, Answer), Error>>,
) -> Result<Worker, Error> {
    let mut command = Command::new(program);
    command.arg("pair-worker").stdin(Stdio::piped()).stdout(Stdio::piped());
    if let Some(network) = network {
        command.arg("--network").arg(network);
    }
    let mut child = command.spawn().map_err(Error::file(program))?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let output = output.ok_or_else(lost)?;
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let answer = line
                .map_err(|_| lost())
                .and_then(|line| serde_json::from_str(&line).map_err(|_| lost()));
            if answers.send(answer.map(|answer| (index, answer))).is_err() {
                return;
            }
        }
        // Nobody listens any more when all is well.
        let _ = answers.send(Err(lost()));
    });
    Ok(Worker { child, input })
}

impl Worker {
    fn ask(&mut self, request: &PairRequest) -> Result<(), Error> {
        let line = serde_json::to_string(request)
            .map_err(|error| Error::Request(format!("a pair cannot be written: {error}")))?;
        let input = self.input.as_mut().ok_or_else(lost)?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|_| lost())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // The end of its input ends a worker; one in the middle of a game is not waited for.
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The other side: plays what the lines of `input` ask for and writes the results.
///
/// # Errors
/// If a line makes no sense.
pub fn serve(
    input: impl BufRead,
    mut output: impl Write,
    network: Option<&Arc<Network>>,
) -> Result<(), Error> {
    let mut game_match = Match::new(network)?;
    for line in input.lines() {
        let Ok(line) = line else { break };
        let wrong = |reason: String| Error::Request(format!("pair-worker: {reason}"));
        let request: PairRequest =
            serde_json::from_str(&line).map_err(|error| wrong(error.to_string()))?;
        let opening = Position::from_fen(&request.fen).map_err(|error| wrong(error.to_string()))?;
        for variant in &request.variants {
            variant.check()?;
        }
        let result = game_match.play(&opening, request.thinking, request.variants);
        let answer = serde_json::to_string(&Answer { id: request.id, result })
            .map_err(|error| wrong(error.to_string()))?;
        if writeln!(output, "{answer}").and_then(|()| output.flush()).is_err() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_answers_line_by_line_and_refuses_what_makes_no_sense() {
        let request = PairRequest {
            id: 7,
            fen: String::from("4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1"),
            thinking: Thinking::Nodes(200),
            variants: Default::default(),
        };
        let line = serde_json::to_string(&request).unwrap();
        let mut output = Vec::new();
        serve(format!("{line}\n{line}\n").as_bytes(), &mut output, None).unwrap();
        let text = String::from_utf8(output).unwrap();
        let answers: Vec<Answer> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((answers.len(), answers[0].id), (2, 7));
        assert_eq!(answers[0].result, answers[1].result);
        assert!(serve(&b"nonsense\n"[..], Vec::new(), None).is_err());
    }
}
