//! The `go` command: what it may say, and the limits that follow from it.

use std::time::{Duration, Instant};

use chess::{Castling, Color, Position};
use engine::{ClockTime, Limits, MAX_PLY};

use crate::job_queue::EndsAt;
use crate::text::{CommandError, quote, truncated_number};

/// No clock shows more milliseconds than this: about three years.
const MAX_MILLISECONDS: i64 = 100_000_000_000;

const MAX_MOVES_TO_GO: i64 = 10_000;

/// The deepest `perft` that is counted.
pub const MAX_PERFT: u32 = 64;

/// What becomes of the rest of a command.
const REST_HOLDS: &str = "the rest of the command holds";
const ONE_PLY: &str = "no limit is left, so the search ends at depth 1";

/// What a `go` command asks for, before it is seen against a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoRequest {
    time: [Option<Duration>; 2],
    increment: [Option<Duration>; 2],
    moves_to_go: Option<u32>,
    move_time: Option<Duration>,
    depth: Option<i32>,
    nodes: Option<u64>,
    mate: Option<u32>,
    infinite: bool,
    /// A parameter could not be read; it may have been a limit.
    unreadable: bool,
    search_moves: Vec<String>,
    /// The opponent is thinking.
    pub ponder: bool,
    /// Count leaves instead of searching.
    pub perft: Option<u32>,
}

/// Takes a number; the error says what is wrong with it.
type SetNumber = fn(&mut GoRequest, i64) -> Result<(), &'static str>;

/// How a parameter is read.
enum Reads {
    /// A word that nothing follows.
    Flag(fn(&mut GoRequest)),
    /// A whole number follows.
    Number(SetNumber),
    /// Moves follow, up to the next parameter.
    Moves,
}

/// One parameter of `go`.
pub struct Parameter {
    /// The word behind `go`.
    pub name: &'static str,
    /// What stands after it.
    pub value: &'static str,
    /// What it does, for the manual.
    pub meaning: &'static str,
    reads: Reads,
}

const fn number(
    name: &'static str,
    value: &'static str,
    meaning: &'static str,
    set: SetNumber,
) -> Parameter {
    Parameter { name, value, meaning, reads: Reads::Number(set) }
}

const fn flag(name: &'static str, meaning: &'static str, set: fn(&mut GoRequest)) -> Parameter {
    Parameter { name, value: "", meaning, reads: Reads::Flag(set) }
}

/// All parameters of `go`.
pub const PARAMETERS: &[Parameter] = &[
    number(
        "wtime",
        "ms",
        "White's clock. A clock at or below zero means: move at once.",
        |go, n| {
            go.time[0] = Some(milliseconds(n));
            Ok(())
        },
    ),
    number("btime", "ms", "Black's clock.", |go, n| {
        go.time[1] = Some(milliseconds(n));
        Ok(())
    }),
    number("winc", "ms", "White's increment.", |go, n| {
        go.increment[0] = Some(milliseconds(n));
        Ok(())
    }),
    number("binc", "ms", "Black's increment.", |go, n| {
        go.increment[1] = Some(milliseconds(n));
        Ok(())
    }),
    number("movestogo", "n", "Moves to the next time control; 0 is none.", |go, n| {
        go.moves_to_go = u32::try_from(n.min(MAX_MOVES_TO_GO)).ok().filter(|&moves| moves > 0);
        if n < 0 { Err("is negative and left out") } else { Ok(()) }
    }),
    number("depth", "n", "No iteration deeper than this; at least 1.", |go, n| {
        go.depth = Some(n.clamp(1, MAX_PLY as i64) as i32);
        if n < 0 { Err("is negative and taken as 1") } else { Ok(()) }
    }),
    number("nodes", "n", "Not many more nodes than this.", |go, n| {
        go.nodes = Some(n.max(0) as u64);
        if n < 0 { Err("is negative and taken as 0") } else { Ok(()) }
    }),
    number("mate", "n", "Stop when a mate in n moves is found.", |go, n| {
        go.mate = Some(n.clamp(1, MAX_PLY as i64) as u32);
        if n < 0 { Err("is negative and taken as 1") } else { Ok(()) }
    }),
    number("movetime", "ms", "This time, less `Move Overhead`.", |go, n| {
        go.move_time = Some(milliseconds(n));
        Ok(())
    }),
    flag("infinite", "No `bestmove` before `stop`.", |go| go.infinite = true),
    flag("ponder", "No `bestmove` before `ponderhit` or `stop`.", |go| go.ponder = true),
    Parameter {
        name: "searchmoves",
        value: "moves",
        meaning: "Only these moves at the root. The list ends at the next parameter.",
        reads: Reads::Moves,
    },
    number("perft", "n", "Count the leaves below each move, as the command `perft`.", |go, n| {
        go.perft = u32::try_from(n).ok().filter(|&depth| depth <= MAX_PERFT);
        go.perft.map(|_| ()).ok_or("is not a depth from 0 to 64")
    }),
];

fn milliseconds(n: i64) -> Duration {
    Duration::from_millis(n.clamp(0, MAX_MILLISECONDS) as u64)
}

fn parameter(word: &str) -> Option<&'static Parameter> {
    PARAMETERS.iter().find(|parameter| parameter.name.eq_ignore_ascii_case(word))
}

impl GoRequest {
    /// Reads what follows the word `go`. What makes no sense is left out and complained about.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Option<CommandError>) {
        let mut request = Self::default();
        let mut wrong = Vec::new();
        let mut words = text.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let Some(parameter) = parameter(word) else {
                // It may have been a limit.
                request.unreadable = true;
                wrong.push(format!("{} is no parameter of go", quote(word)));
                continue;
            };
            // A value that is missing must not swallow the parameter that follows.
            let is_value = |word: &&str| self::parameter(word).is_none();
            match parameter.reads {
                Reads::Flag(set) => set(&mut request),
                Reads::Moves => {
                    while let Some(mv) = words.next_if(is_value) {
                        request.search_moves.push(mv.to_owned());
                    }
                }
                Reads::Number(set) => {
                    let value = words.next_if(is_value).unwrap_or_default();
                    let read = request.read_number(value, set);
                    request.unreadable |= read.is_err();
                    wrong.extend(read.err().map(|problem| match value {
                        "" => format!("{} needs a number", parameter.name),
                        value => format!("{} {} {problem}", parameter.name, quote(value)),
                    }));
                }
            }
        }
        let kept = if request.must_end() { ONE_PLY } else { REST_HOLDS };
        (request, error(&wrong, kept))
    }

    /// What is left of a command that cannot be read at all: whoever sent it waits for a move.
    #[must_use]
    pub fn unreadable() -> Self {
        Self { unreadable: true, ..Self::default() }
    }

    fn read_number(&mut self, value: &str, set: SetNumber) -> Result<(), &'static str> {
        let number = truncated_number(value).ok_or("is not a number")?;
        set(self, number)
    }

    /// The limits for this position. What makes no sense there is left out and complained about.
    pub fn limits(
        &self,
        position: &Position,
        started: Instant,
    ) -> (Result<Limits, CommandError>, Option<CommandError>) {
        let mut wrong = Vec::new();
        let mut search_moves = Vec::new();
        for text in &self.search_moves {
            match position.parse_uci(text) {
                Ok(mv) => search_moves.push(mv),
                Err(error) => wrong.push(format!("searchmoves {} is {error}", quote(text))),
            }
        }
        let search_moves_are_illegal = !self.search_moves.is_empty() && search_moves.is_empty();
        let limits = Limits {
            started: Some(started),
            clock: self.clock(position.side_to_move()),
            moves_to_go: self.moves_to_go,
            move_time: self.move_time,
            depth: if self.must_end() { Some(1) } else { self.depth },
            nodes: self.nodes,
            mate: self.mate,
            infinite: self.infinite,
            ponder: self.ponder,
            search_moves,
            ..Limits::default()
        };
        if search_moves_are_illegal {
            let refusal = CommandError::new("none of the searchmoves is legal", "nothing searched");
            return (Err(refusal), None);
        }
        (Ok(limits), error(&wrong, REST_HOLDS))
    }

    /// What ends the search.
    #[must_use]
    pub fn ends_at(&self) -> EndsAt {
        match (self.infinite, self.ponder, self.is_endless()) {
            (true, _, _) | (_, true, true) => EndsAt::Stop,
            (_, true, false) => EndsAt::PonderHit,
            (_, false, true) if !self.unreadable => EndsAt::Stop,
            (_, false, _) => EndsAt::Itself,
        }
    }

    /// Whether a limit was given and none could be read. A clock that cannot be read is a clock all the
    /// same: never search without end for it.
    fn must_end(&self) -> bool {
        self.is_endless() && self.ends_at() == EndsAt::Itself
    }

    /// Whether nothing that was read ends the search.
    fn is_endless(&self) -> bool {
        let clocks = self.time.iter().chain(&self.increment).chain([&self.move_time]);
        clocks.into_iter().all(Option::is_none)
            && self.depth.is_none()
            && self.nodes.is_none()
            && self.mate.is_none()
    }

    /// The clock of `side`. If only the other clock is given, it stands for both: better than to
    /// think for ever.
    fn clock(&self, side: Color) -> Option<ClockTime> {
        let (us, them) = (side.index(), (!side).index());
        let given = self.time.iter().chain(&self.increment).any(Option::is_some);
        given.then(|| ClockTime {
            remaining: self.time[us].or(self.time[them]).unwrap_or_default(),
            increment: self.increment[us].unwrap_or_default(),
        })
    }
}

/// One error for a whole command, however much is wrong with it.
fn error(wrong: &[String], kept: &str) -> Option<CommandError> {
    let first = wrong.first()?;
    let text = match wrong.len() {
        1 => first.clone(),
        more => format!("{first}, and {} more like it", more - 1),
    };
    Some(CommandError::new(text, kept))
}

/// What a search may spend, in the words of `go`.
#[must_use]
pub fn described(limits: &Limits) -> String {
    let mut parts = Vec::new();
    let mut part = |name: &str, value: Option<u128>| {
        parts.extend(value.map(|value| format!("{name} {value}")));
    };
    part("clock", limits.clock.map(|clock| clock.remaining.as_millis()));
    part("increment", limits.clock.map(|clock| clock.increment.as_millis()));
    part("movestogo", limits.moves_to_go.map(u128::from));
    part("movetime", limits.move_time.map(|time| time.as_millis()));
    part("depth", limits.depth.and_then(|depth| u128::try_from(depth).ok()));
    part("nodes", limits.nodes.map(u128::from));
    part("mate", limits.mate.map(u128::from));
    for (name, is_set) in [("infinite", limits.infinite), ("ponder", limits.ponder)] {
        parts.extend(is_set.then(|| name.to_owned()));
    }
    if !limits.search_moves.is_empty() {
        let moves = limits.search_moves.iter().map(|mv| mv.to_uci(Castling::KingTakesRook));
        parts.push(format!("searchmoves {}", moves.collect::<Vec<_>>().join(" ")));
    }
    if parts.is_empty() { String::from("no limit") } else { parts.join(", ") }
}

#[cfg(test)]
mod tests;
