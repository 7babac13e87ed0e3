//! The torture client: random commands in random order with random pauses, and every answer is
//! checked against what was asked.

mod expected;
mod script;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Failure;
use crate::stress::{Chance, Client, program, waited_by};
use expected::Expected;
use script::Script;

/// Longer than this nothing may take that was stopped.
const PATIENCE: Duration = Duration::from_secs(1);

/// However busy the machine is, nothing may take longer than this.
const MOST_PATIENCE: Duration = Duration::from_secs(8);

/// How often the memory is looked at.
const LOOKS: usize = 50;

/// After fewer commands the allocator still gathers what it will reuse: the memory says nothing.
const WARM: usize = 100_000;

/// How much the memory may grow from the first tenth of the test to the end.
const GROWTH: f64 = 0.02;

/// Tortures the release binary, or the one named, with so many commands.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is no number"));
    let [commands, seed] = match arguments.len() {
        0 => [1_000_000, 1],
        1 => [number(arguments[0])?, 1],
        _ => [number(arguments[0])?, number(arguments[1])?],
    };
    torture(&program(arguments.get(2).copied())?, commands as usize, seed)
}

/// Tortures a program.
pub(crate) fn torture(program: &Path, commands: usize, seed: u64) -> Result<(), Failure> {
    let (begun, mut chance) = (Instant::now(), Chance::new(seed));
    let mut talk = Talk::start(program)?;
    let mut memory = Vec::new();
    let every = (commands / LOOKS).max(1);
    for number in 1..=commands {
        talk.step(&mut chance)?;
        if number % every == 0 || number == commands {
            memory.extend(talk.rest()?);
            quit_in_the_middle(program, &mut chance)?;
        }
        if number % (every * 10) == 0 {
            println!(
                "{number} commands, {:.0} s, {}",
                begun.elapsed().as_secs_f64(),
                talk.expected
            );
        }
    }
    talk.quit("quit")?;
    println!("{commands} commands with seed {seed}: {}", talk.expected);
    println!("seconds that the machine gave it no processor for: {}", talk.starved);
    check_memory(&memory, commands >= WARM)
}

/// The memory of the second half must be that of the second tenth.
fn check_memory(memory: &[u64], is_warm: bool) -> Result<(), Failure> {
    let Some(&first) = memory.get(memory.len() / 10) else { return Ok(()) };
    let most = memory[memory.len() / 2..].iter().copied().max().unwrap_or(first);
    let growth = most as f64 / first as f64 - 1.0;
    println!("memory {first} KiB at first, {most} KiB at most later: {:+.2} %", 100.0 * growth);
    if !is_warm || growth <= GROWTH {
        return Ok(());
    }
    Err(format!("the memory grows: {memory:?} KiB"))
}

/// A short life: whatever is going on, `quit` or the end of input ends it well.
fn quit_in_the_middle(program: &Path, chance: &mut Chance) -> Result<(), Failure> {
    let mut talk = Talk::start(program)?;
    for _ in 0..chance.below(30) {
        talk.step(chance)?;
    }
    talk.quit(if chance.one_in(2) { "quit" } else { "" })
}

/// A conversation and what is still owed in it.
struct Talk {
    client: Client,
    script: Script,
    expected: Expected,
    /// Something is overdue since then, when the engine had stood so long in the queue for a
    /// processor.
    overdue: Option<(Instant, Duration)>,
    /// How often it was the machine that was late.
    starved: usize,
}

impl Talk {
    fn start(program: &Path) -> Result<Self, Failure> {
        let client = Client::start(program)?;
        let (script, expected) = (Script::default(), Expected::default());
        Ok(Self { client, script, expected, overdue: None, starved: 0 })
    }

    /// Says one thing, and hears what there is to hear.
    fn step(&mut self, chance: &mut Chance) -> Result<(), Failure> {
        // A GUI that asks faster than it is answered would only test the queue.
        let concurrent = self.expected.owed() >= 8 || chance.one_in(40);
        let line = if concurrent { String::from("stop") } else { self.script.next(chance) };
        self.say(&line)?;
        let pause = match chance.below(100) {
            0..60 => Duration::ZERO,
            60..95 => Duration::from_micros(chance.below(400) as u64),
            _ => Duration::from_micros(chance.below(8000) as u64),
        };
        self.listen(pause)?;
        if concurrent { self.settle() } else { Ok(()) }
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        self.expected.ask(line, &self.script);
        self.client.send(line)
    }

    /// Hears what comes within a time.
    fn listen(&mut self, time: Duration) -> Result<(), Failure> {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.client.hear(left)? {
                Some(heard) => self.take(&heard.text, heard.at)?,
                None => break,
            }
        }
        self.check_hang()
    }

    /// A hang is a second beyond the second it has, and not in the queue for a processor: what a
    /// busy machine takes, the engine cannot give.
    fn check_hang(&mut self) -> Result<(), Failure> {
        let Some(what) = self.expected.overdue(PATIENCE) else {
            self.overdue = None;
            return Ok(());
        };
        // The listener may be the one who waits.
        let waited = || waited_by(self.client.id()) + waited_by(std::process::id());
        let (since, before) = *self.overdue.get_or_insert_with(|| (Instant::now(), waited()));
        let (late, queued) = (since.elapsed(), waited().saturating_sub(before));
        if late < PATIENCE {
            return Ok(());
        }
        self.overdue = None;
        self.starved += 1;
        if queued < late / 2 || self.expected.overdue(MOST_PATIENCE).is_some() {
            return Err(self.client.failure(&what));
        }
        Ok(())
    }

    fn take(&mut self, text: &str, at: Instant) -> Result<(), Failure> {
        self.expected.hear(text, at).map_err(|what| self.client.failure(&what))
    }

    /// Everything was stopped: waits until nothing is owed.
    fn settle(&mut self) -> Result<(), Failure> {
        while self.expected.owed() > 0 {
            self.listen(Duration::from_micros(200))?;
        }
        Ok(())
    }

    /// Brings the engine to rest in a plain state, and tells its memory.
    fn rest(&mut self) -> Result<Option<u64>, Failure> {
        self.say("stop")?;
        for line in script::PLAIN {
            self.script.note(line);
            self.say(line)?;
        }
        self.settle()?;
        Ok(self.client.resident())
    }

    /// Ends the conversation; an empty line closes the input instead.
    fn quit(&mut self, line: &str) -> Result<(), Failure> {
        // A task would be finished first, and may take longer than anybody waits.
        if self.expected.has_chore() {
            self.client.send("stop")?;
        }
        self.expected.ask("stop", &self.script);
        if line.is_empty() {
            self.client.close();
        } else {
            self.client.send(line)?;
        }
        let (status, rest) = self.client.end(10 * PATIENCE)?;
        for heard in rest {
            self.take(&heard.text, heard.at)?;
        }
        if !status.success() {
            return Err(self.client.failure(&format!("ends with {status}")));
        }
        match self.expected.owed() {
            0 => Ok(()),
            owed => Err(self.client.failure(&format!("ends and owes {owed} answers"))),
        }
    }
}
