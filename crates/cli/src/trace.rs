//! Traces of searches as files: a line that says what was searched, a line for each node in the
//! order in which the search came to them, a line with the result.

use std::io::{self, BufRead, Write};

use chess::{Castling, Position};
use engine::stats::{Event, Step, TraceNode};
use engine::{Score, Traced};
use serde::{Deserialize, Serialize};

/// The version of the format.
const VERSION: u32 = 1;

/// The first line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub halcyon_trace: u32,
    /// Where the search began.
    pub fen: String,
    /// How deep it went.
    pub depth: u32,
}

/// The line of a node. Scores are in centipawns for the side to move; mates are 32000 less the
/// plies from the root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its number, from 0.
    pub id: usize,
    /// The number of the node that asked for it.
    pub parent: Option<usize>,
    /// Plies from the root.
    pub ply: usize,
    /// The move that led to it, `null` for passing; absent where the position is the parent's.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// The move that is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<String>,
    /// `pv`, `cut`, `all` or `quiescence`.
    pub kind: String,
    /// Plies to search below the node.
    pub depth: i32,
    /// The lower end of the window.
    pub alpha: i32,
    /// The upper end of the window.
    pub beta: i32,
    /// The static score, if the node has one.
    #[serde(rename = "static")]
    pub static_score: Option<i32>,
    /// The score; none if the search was stopped inside.
    pub result: Option<i32>,
    /// The rule that ended it; none if its moves were searched and none of them cut.
    pub end: Option<String>,
    /// The moves left out, each with the rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<(String, String)>,
}

impl Node {
    /// A node as it is written.
    #[must_use]
    pub fn new(node: &TraceNode, castling: Castling) -> Self {
        let text = |mv: chess::Move| mv.to_uci(castling);
        Self {
            id: node.id,
            parent: node.parent,
            ply: node.ply,
            mv: match node.step {
                Step::Move(mv) => Some(text(mv)),
                Step::Null => Some(String::from("null")),
                Step::Root | Step::Again | Step::Without(_) => None,
            },
            without: match node.step {
                Step::Without(mv) => Some(text(mv)),
                _ => None,
            },
            kind: node.kind.name().to_owned(),
            depth: node.depth,
            alpha: node.alpha.raw(),
            beta: node.beta.raw(),
            static_score: node.static_score.map(Score::raw),
            result: node.result.map(Score::raw),
            end: node.end.map(Event::rule),
            skipped: node.skipped.iter().map(|&(rule, mv)| (text(mv), rule.rule())).collect(),
        }
    }
}

/// The last line of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footer {
    /// Nodes that the file holds.
    pub written: usize,
    /// Nodes that there was no room for.
    pub omitted: u64,
    /// Nodes of the whole search, all iterations.
    pub searched: u64,
    /// The score, if there is a legal move.
    pub score: Option<i32>,
    /// The best line from the root.
    pub line: Vec<String>,
}

impl Footer {
    fn new(traced: &Traced, castling: Castling) -> Self {
        let line = traced.line.as_ref();
        Self {
            written: traced.tree.nodes.len(),
            omitted: traced.tree.omitted,
            searched: traced.nodes,
            score: line.map(|line| line.score.raw()),
            line: line.map_or_else(Vec::new, |line| {
                line.pv.iter().map(|mv| mv.to_uci(castling)).collect()
            }),
        }
    }
}

/// Writes a trace.
///
/// # Errors
/// If it cannot be written.
pub fn write(
    mut file: impl Write,
    position: &Position,
    depth: u32,
    traced: &Traced,
    castling: Castling,
) -> io::Result<()> {
    let mut line = |value: &dyn Fn() -> serde_json::Result<String>| -> io::Result<()> {
        writeln!(file, "{}", value()?)
    };
    let header = Header { halcyon_trace: VERSION, fen: position.to_fen(), depth };
    line(&|| serde_json::to_string(&header))?;
    for node in &traced.tree.nodes {
        line(&|| serde_json::to_string(&Node::new(node, castling)))?;
    }
    line(&|| serde_json::to_string(&Footer::new(traced, castling)))?;
    file.flush()
}

/// Nodes on the way to a node at most; the line of a changed file could be as long as the file.
const MAX_LEVELS: usize = 1024;

/// A trace that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What was searched, from the first line.
    pub header: Header,
    /// The nodes in the order of the search; each has a parent on the way to the node before it, or none.
    pub nodes: Vec<Node>,
    /// What it came to; none if the file was cut off.
    pub footer: Option<Footer>,
}

/// Reads a trace.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read(file: impl BufRead) -> Result<Trace, String> {
    let mut lines = file.lines();
    let first = lines.next().transpose().map_err(|error| error.to_string())?.unwrap_or_default();
    let header: Header =
        serde_json::from_str(&first).map_err(|_| String::from("this is not a trace of Halcyon"))?;
    if header.halcyon_trace != VERSION {
        return Err(format!("its format has the version {}, not {VERSION}", header.halcyon_trace));
    }
    let mut trace = Trace { header, nodes: Vec::new(), footer: None };
    let mut way: Vec<usize> = Vec::new();
    for (number, line) in lines.enumerate() {
        let wrong = |what: &str| format!("line {}: {what}", number + 2);
        let line = line.map_err(|error| wrong(&error.to_string()))?;
        if trace.footer.is_some() {
            return Err(wrong("something stands after the end"));
        }
        if let Ok(node) = serde_json::from_str::<Node>(&line) {
            // In the order of the search a node's parent is on the way to the node before it.
            way.truncate(match node.parent {
                None => 0,
                Some(parent) => way.binary_search(&parent).map_or(usize::MAX, |level| level + 1),
            });
            let is_next = node.id == trace.nodes.len();
            let has_parent = node.parent.is_none() || way.last() == node.parent.as_ref();
            if !is_next || !has_parent {
                return Err(wrong("the nodes are not in order"));
            }
            if way.len() == MAX_LEVELS {
                return Err(wrong("no search is so deep"));
            }
            way.push(node.id);
            trace.nodes.push(node);
        } else if let Ok(footer) = serde_json::from_str(&line) {
            trace.footer = Some(footer);
        } else {
            return Err(wrong("this is no node"));
        }
    }
    Ok(trace)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace whose nodes have these parents.
    fn trace(parents: impl Iterator<Item = Option<usize>>) -> Result<Trace, String> {
        let mut text = String::from("{\"halcyon_trace\":1,\"fen\":\"startpos\",\"depth\":3}\n");
        for (id, parent) in parents.enumerate() {
            let parent = parent.map_or_else(|| String::from("null"), |parent| parent.to_string());
            text.push_str(&format!(
                "{{\"id\":{id},\"parent\":{parent},\"ply\":1,\"kind\":\"pv\",\"depth\":1,\"alpha\":0,\
                 \"beta\":1,\"static\":0,\"result\":0,\"end\":null}}\n"
            ));
        }
        read(text.as_bytes())
    }

    #[test]
    fn nodes_come_in_the_order_of_a_search_and_no_deeper() {
        let tree = [None, Some(0), Some(1), Some(1), Some(0), Some(4), None];
        assert_eq!(trace(tree.into_iter()).unwrap().nodes.len(), tree.len());
        // The second child of the first move stands behind the second move.
        let refusal = trace([None, Some(0), Some(0), Some(1)].into_iter()).unwrap_err();
        assert_eq!(refusal, "line 5: the nodes are not in order");
        assert!(
            trace([Some(0)].into_iter()).is_err() && trace([None, Some(1)].into_iter()).is_err()
        );
        let chain = |length: usize| trace((0..length).map(|id| id.checked_sub(1)));
        assert!(chain(MAX_LEVELS).is_ok());
        let refusal = chain(MAX_LEVELS + 1).unwrap_err();
        assert!(refusal.ends_with("no search is so deep"), "{refusal}");
    }
}
