//! The commands that look inside the search.

use super::{Command, Parsed};
use crate::game::PositionRequest;
use crate::text::{CommandError, quote, split_word, whole_number};

/// The deepest `qperft` that is accepted.
pub const MAX_QUIESCENCE_PERFT: u32 = 6;
/// The deepest `trace` that is accepted.
pub const MAX_TRACE_DEPTH: u32 = 40;
/// The most nodes of a trace: about 200 MB.
const MAX_TRACE_NODES: i64 = 1_000_000;
/// The depth of `qperft` if none is given.
const QUIESCENCE_PERFT: u32 = 2;

/// Plies that `qsearch` may be limited to.
const PLIES: std::ops::RangeInclusive<usize> = 1..=128;

/// How much `qsearch` tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Only the result is printed.
    #[default]
    Result,
    /// The root node: its window, its static score, the moves it left out.
    Root,
    /// Also the moves it searched, with what became of them.
    FirstPly,
    /// Every node is printed.
    Tree,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A table for people.
    Table,
    /// One line of JSON.
    Json,
}

/// What `stats` was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatsRequest {
    /// Show what was counted.
    Show(Form),
    /// Count from the next search on, or no longer.
    Switch(bool),
}

/// What `trace` was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceRequest {
    /// Plies to search from the root.
    pub depth: u32,
    /// The most nodes to write.
    pub nodes: usize,
    /// The file that is written.
    pub file: String,
}

/// A command that was given something it does not take.
fn usage(command: &str, syntax: &str, given: &str) -> Parsed {
    let wrong = if given.is_empty() {
        format!("{command} needs more")
    } else {
        format!("{command} does not take {}", quote(given))
    };
    CommandError::ignored(format!("{wrong}, usage: {command} {syntax}").trim_end()).into()
}

pub(super) fn read_stats(text: &str) -> Parsed {
    let request = match text {
        "" => StatsRequest::Show(Form::Table),
        "json" => StatsRequest::Show(Form::Json),
        "on" => StatsRequest::Switch(true),
        "off" => StatsRequest::Switch(false),
        other => return usage("stats", "[json|on|off]", other),
    };
    Command::Stats(request).into()
}

pub(super) fn read_quiescence_stats(text: &str) -> Parsed {
    match text {
        "" => Command::QuiescenceStats(Form::Table).into(),
        "json" => Command::QuiescenceStats(Form::Json).into(),
        other => usage("qstats", "[json]", other),
    }
}

pub(super) fn read_quiescence_search(text: &str) -> Parsed {
    let plies = match text {
        "" => Some(None),
        text => whole_number(text).and_then(|number| usize::try_from(number).ok()).map(Some),
    };
    match plies.filter(|plies| plies.is_none_or(|plies| PLIES.contains(&plies))) {
        Some(plies) => Command::QuiescenceSearch(plies).into(),
        None => {
            let syntax = format!("[plies from {} to {}]", PLIES.start(), PLIES.end());
            usage("qsearch", &syntax, text)
        }
    }
}

pub(super) fn read_quiescence_perft(text: &str) -> Parsed {
    let depth = match text {
        "" => Some(QUIESCENCE_PERFT),
        text => whole_number(text).and_then(|number| u32::try_from(number).ok()),
    };
    match depth.filter(|&depth| depth <= MAX_QUIESCENCE_PERFT) {
        Some(depth) => Command::QuiescencePerft(depth).into(),
        None => usage("qperft", &format!("[depth from 0 to {MAX_QUIESCENCE_PERFT}]"), text),
    }
}

pub(super) fn read_quiescence_debug(text: &str) -> Parsed {
    let detail = match text {
        "off" | "0" => Detail::Result,
        "1" => Detail::Root,
        "2" => Detail::FirstPly,
        "on" | "3" => Detail::Tree,
        other => return usage("qdebug", "on|off|1|2|3", other),
    };
    Command::QuiescenceDebug(detail).into()
}

pub(super) fn read_quiescence_validate(text: &str) -> Parsed {
    let request = (!text.is_empty()).then(|| {
        let (word, rest) = split_word(text);
        PositionRequest::from_fen(if word == "fen" { rest } else { text })
    });
    Command::QuiescenceValidate(request).into()
}

pub(super) fn read_trace(text: &str) -> Parsed {
    match trace_request(text) {
        Some(request) => Command::Trace(request).into(),
        None => {
            let syntax = format!(
                "<depth from 1 to {MAX_TRACE_DEPTH}> [nodes <1 to {MAX_TRACE_NODES}>] [file <file>]"
            );
            usage("trace", &syntax, text)
        }
    }
}

fn trace_request(text: &str) -> Option<TraceRequest> {
    let (depth, mut rest) = split_word(text);
    let depth = whole_number(depth)?.try_into().ok()?;
    let mut request = TraceRequest { depth, nodes: 100_000, file: String::from("trace.jsonl") };
    while !rest.is_empty() {
        let (word, after) = split_word(rest);
        match word {
            "nodes" => {
                let (number, after) = split_word(after);
                let nodes = whole_number(number)?;
                if !(1..=MAX_TRACE_NODES).contains(&nodes) {
                    return None;
                }
                request.nodes = nodes as usize;
                rest = after;
            }
            // The name of a file may contain blanks: it is the rest of the line.
            "file" if !after.is_empty() => {
                after.clone_into(&mut request.file);
                rest = "";
            }
            _ => return None,
        }
    }
    (1..=MAX_TRACE_DEPTH).contains(&depth).then_some(request)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::read;

    #[test]
    fn a_trace_names_its_depth_its_nodes_and_its_file() {
        let request = |depth, nodes, file: &str| {
            Some(Command::Trace(TraceRequest { depth, nodes, file: file.to_owned() }))
        };
        assert_eq!(read("trace 6").command, request(6, 100_000, "trace.jsonl"));
        assert_eq!(read("trace 6 nodes 50").command, request(6, 50, "trace.jsonl"));
        assert_eq!(read("trace 6 nodes 50 file a b.jsonl").command, request(6, 50, "a b.jsonl"));
        for wrong in
            ["", "0", "41", "six", "6 nodes", "6 nodes 0", "6 nodes 9999999", "6 file", "6 x"]
        {
            let parsed = read(&format!("trace {wrong}"));
            assert!(parsed.command.is_none() && parsed.error.is_some(), "{wrong}");
        }
    }

    #[test]
    fn quiescence_is_shown_in_degrees_and_to_a_depth() {
        assert_eq!(read("qsearch").command, Some(Command::QuiescenceSearch(None)));
        assert_eq!(read("qsearch 3").command, Some(Command::QuiescenceSearch(Some(3))));
        for (word, detail) in [
            ("off", Detail::Result),
            ("1", Detail::Root),
            ("2", Detail::FirstPly),
            ("3", Detail::Tree),
            ("on", Detail::Tree),
        ] {
            let command = read(&format!("qdebug {word}")).command;
            assert_eq!(command, Some(Command::QuiescenceDebug(detail)));
        }
    }

    #[test]
    fn what_a_command_does_not_take_is_answered_by_its_usage() {
        for wrong in [
            "stats maybe",
            "qstats xml",
            "qsearch -1",
            "qsearch 0",
            "qsearch 129",
            "qsearch all",
            "qperft 7",
            "qperft -1",
            "qdebug",
            "qdebug 9",
        ] {
            let parsed = read(wrong);
            let error = parsed.error.unwrap().to_string();
            assert!(parsed.command.is_none() && error.contains("usage: "), "{error}");
        }
    }
}
