//! What is known about each item, as it goes into JSON lines: the master copy from which every other
//! output is made.

use std::collections::BTreeMap;

use chess::{Castling, Move, Position};
use review::{
    Eval, Fault, GameResult, GameTree, Judgement, Look, Phase, PlyReview, Review, SideReview,
};
use serde::{Deserialize, Serialize};

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// How everything was made; the first line.
    Header(Header),
    /// A game.
    Game(Box<GameRecord>),
    /// A position.
    Position(Box<PositionRecord>),
    /// The last line of a run that was not interrupted.
    End {
        /// Items in the input, those of other shards among them.
        items: u64,
    },
}

/// How a file was made. Runs with the same header give the same records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The program.
    pub program: String,
    /// What was spent on a position.
    pub budget: String,
    /// Lines for each position.
    pub multipv: usize,
    /// Threads of one search.
    pub search_threads: usize,
    /// Table of one search in MiB.
    pub hash: usize,
    /// The network, if one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The book whose moves are not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    /// Longest variation that is written.
    pub line_plies: usize,
    /// The input files and their lengths.
    pub inputs: Vec<Input>,
    /// Which part of the input, if it was divided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// An input file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its length in bytes; unknown for standard input.
    pub bytes: Option<u64>,
}

/// One of several parts of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// Whether an item, numbered from 1, belongs to it.
    #[must_use]
    pub fn has(self, item: u64) -> bool {
        item % self.count == self.index % self.count
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not of the form 2/8");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let shard = Self {
            index: index.parse().map_err(|_| wrong())?,
            count: count.parse().map_err(|_| wrong())?,
        };
        if (1..=shard.count).contains(&shard.index) { Ok(shard) } else { Err(wrong()) }
    }
}

/// A game with what the engine thinks of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number among all items of all files, from 1.
    pub item: u64,
    /// The file.
    pub file: String,
    /// Number in the file, from 1.
    pub game: u64,
    /// Line of the file on which it begins.
    pub line: u64,
    /// The tags.
    pub tags: BTreeMap<String, String>,
    /// How it ended.
    pub result: GameResult,
    /// What the start is worth, if there are moves.
    pub start: Option<Eval>,
    /// The moves.
    pub plies: Vec<PlyRecord>,
    /// How White played.
    pub white: SideReview,
    /// How Black played.
    pub black: SideReview,
    /// What was wrong with the text.
    pub faults: Vec<FaultRecord>,
    /// The annotated game; empty if there is none.
    pub pgn: String,
}

impl GameRecord {
    /// The value of a tag, `?` if it is not there.
    #[must_use]
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("?", String::as_str)
    }
}

/// A move with what the engine thinks of it. Scores are from White's side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyRecord {
    /// The number of the move.
    pub number: u16,
    /// Whether White moved.
    pub white: bool,
    /// The move in algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// What the position after it is worth.
    pub eval: Eval,
    /// White's chances to win, draw and lose after it, in thousandths.
    pub wdl: [u32; 3],
    /// The best lines before it, best first.
    pub lines: Vec<LineRecord>,
    /// Percent of the chance to win given away.
    pub loss: f64,
    /// Centipawns given away.
    pub centipawn_loss: i32,
    /// From 0 to 100.
    pub accuracy: f64,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// The part of the game.
    pub phase: Phase,
    /// It is from the book.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// Depth of the search before it.
    pub depth: i32,
    /// Nodes of the search before it.
    pub nodes: u64,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineRecord {
    /// What it is worth.
    pub eval: Eval,
    /// Its moves in algebraic notation.
    pub san: String,
}

/// Something wrong with the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The line of the file.
    pub line: u64,
    /// What.
    pub text: String,
}

impl From<&Fault> for FaultRecord {
    fn from(fault: &Fault) -> Self {
        Self { line: fault.line, text: fault.kind.to_string() }
    }
}

/// A position with what the engine thinks of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionRecord {
    /// Number among all items of all files, from 1.
    pub item: u64,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u64,
    /// The position; as it stood there if it is none.
    pub fen: String,
    /// What the rest of the line said.
    pub operations: String,
    /// What it is worth; none if it is no position.
    pub eval: Option<Eval>,
    /// White's chances to win, draw and lose, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// The best lines, best first.
    pub lines: Vec<LineRecord>,
    /// Depth of the search.
    pub depth: i32,
    /// Nodes of the search.
    pub nodes: u64,
    /// What was wrong with the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Record {
    /// The number of the item, if it is one.
    #[must_use]
    pub fn item(&self) -> Option<u64> {
        match self {
            Self::Game(game) => Some(game.item),
            Self::Position(position) => Some(position.item),
            Self::Header(_) | Self::End { .. } => None,
        }
    }
}

/// Numbers that say no more than they know, and read the same everywhere.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10_f64.powi(digits);
    (value * scale).round() / scale
}

pub(crate) fn rounded_side(side: &SideReview) -> SideReview {
    SideReview {
        accuracy: side.accuracy.map(|accuracy| rounded(accuracy, 1)),
        average_loss: rounded(side.average_loss, 2),
        average_centipawn_loss: rounded(side.average_centipawn_loss, 1),
        ..*side
    }
}

/// The records of a game's moves.
pub(crate) fn ply_records(tree: &GameTree, looks: &[Look], review: &Review) -> Vec<PlyRecord> {
    let positions = tree.positions();
    let castling = tree.castling();
    let plies = tree.main.plies.iter().zip(&review.plies).enumerate();
    plies
        .map(|(index, (ply, review))| {
            let step = Step { position: &positions[index], looks: &looks[index..=index + 1] };
            step.record(ply.mv, review, castling)
        })
        .collect()
}

struct Step<'a> {
    position: &'a Position,
    /// Before and after.
    looks: &'a [Look],
}

impl Step<'_> {
    fn record(&self, mv: Move, review: &PlyReview, castling: Castling) -> PlyRecord {
        let (before, after) = (&self.looks[0], &self.looks[1]);
        PlyRecord {
            number: self.position.fullmove(),
            white: self.position.side_to_move() == chess::Color::White,
            san: self.position.to_san(mv),
            uci: mv.to_uci(castling),
            eval: after.eval,
            wdl: after.wdl,
            lines: line_records(self.position, before),
            loss: rounded(100.0 * review.loss, 2),
            centipawn_loss: review.centipawn_loss,
            accuracy: rounded(review.accuracy, 1),
            judgement: review.judgement,
            phase: review.phase,
            book: review.is_book,
            depth: before.depth,
            nodes: before.nodes,
        }
    }
}

pub(crate) fn line_records(position: &Position, look: &Look) -> Vec<LineRecord> {
    let text = |moves: &[Move]| {
        let mut position = *position;
        let mut words = Vec::with_capacity(moves.len());
        for &mv in moves {
            words.push(position.to_san(mv));
            position.make(mv);
        }
        words.join(" ")
    };
    look.lines.iter().map(|line| LineRecord { eval: line.eval, san: text(&line.moves) }).collect()
}
