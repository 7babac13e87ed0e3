//! The puzzles of a game.

use std::collections::BTreeMap;

use review::{Eval, Motif, Puzzle, castling_form};
use serde::{Deserialize, Serialize};

use super::line::{FaultRecord, san};

/// The puzzles of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzlesRecord {
    /// Number among all items of all files, from 1.
    pub item: u64,
    /// The file that the game is from.
    pub file: String,
    /// Number in the file, from 1.
    pub game: u64,
    /// Line of the file on which it begins.
    pub line: u64,
    /// The tags that say where the game is from.
    pub tags: BTreeMap<String, String>,
    /// Moves that were looked at.
    pub moves: u64,
    /// Nodes searched for all its puzzles.
    pub nodes: u64,
    /// The puzzles, in the order of the game.
    pub puzzles: Vec<PuzzleRecord>,
    /// What was wrong with the text.
    pub faults: Vec<FaultRecord>,
}

/// A puzzle as it is written down.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzleRecord {
    /// A name that depends on the position only.
    pub id: String,
    /// The position before the mistake.
    pub fen: String,
    /// The mistake and the solution in UCI notation.
    pub moves: String,
    /// The same in algebraic notation.
    pub san: String,
    /// The first move was none: a mate follows that only one move reaches.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_mistake: bool,
    /// What the position after the mistake is worth.
    pub eval: Eval,
    /// The estimated rating of people who solve it half of the time.
    pub rating: i32,
    /// The depth at which the search first prefers the answer and keeps it.
    pub depth: i32,
    /// The nodes until then.
    pub nodes: u64,
    /// The Elo of the weakest strength level that finds an answer, if one that was asked does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// The motifs, by name.
    pub themes: Vec<Motif>,
}

/// Tags that are kept with puzzles.
const SOURCE_TAGS: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// The tags that say where a game is from.
pub(crate) fn source_tags<'a>(
    tags: impl Iterator<Item = (&'a str, &'a str)>,
) -> BTreeMap<String, String> {
    let known = tags.filter(|(name, _)| SOURCE_TAGS.contains(name));
    known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

impl From<&Puzzle> for PuzzleRecord {
    fn from(puzzle: &Puzzle) -> Self {
        let castling = castling_form(&puzzle.before);
        let uci: Vec<String> = puzzle.moves.iter().map(|mv| mv.to_uci(castling)).collect();
        let start = puzzle.start().to_fen();
        let fields: Vec<&str> = start.split(' ').take(4).collect();
        Self {
            id: format!("{:010x}", chess::rng::hash_bytes(fields.join(" ").as_bytes()) >> 24),
            fen: puzzle.before.to_fen(),
            moves: uci.join(" "),
            san: san(&puzzle.before, &puzzle.moves),
            no_mistake: !puzzle.is_mistake,
            eval: puzzle.eval,
            rating: puzzle.difficulty.rating,
            depth: puzzle.difficulty.depth,
            nodes: puzzle.difficulty.nodes,
            level: puzzle.level,
            themes: puzzle.findings.iter().map(|finding| finding.motif).collect(),
        }
    }
}
