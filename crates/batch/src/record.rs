//! What is known about each item, as it goes into JSON lines: the master copy from which every other
//! output is made.

use std::collections::BTreeMap;

use chess::{Castling, Move, Position};
use review::{
    Clause, Eval, Fault, GameResult, GameTree, Judgement, Motif, Phase, PlyReview,
    PositionAnalysis, Puzzle, Review, SideReview, castling_form,
};
use serde::{Deserialize, Serialize};

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// How everything was made; the first line.
    Header(Box<Header>),
    /// A game.
    Game(Box<GameRecord>),
    /// A position.
    Position(Box<PositionRecord>),
    /// The puzzles of a game.
    Puzzles(Box<PuzzlesRecord>),
    /// The last line of a run that was not interrupted.
    End {
        /// Items in the input, those of other shards among them.
        items: u64,
    },
}

/// What is done with each item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Every move is judged.
    #[default]
    Analyse,
    /// Mistakes become puzzles.
    Puzzles,
}

impl Task {
    fn is_analyse(&self) -> bool {
        *self == Self::Analyse
    }
}

/// How a file was made. Runs with the same header give the same records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The program.
    pub program: String,
    /// What was done.
    #[serde(default, skip_serializing_if = "Task::is_analyse")]
    pub task: Task,
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
    /// The folders of the tablebases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<String>,
    /// Which games were selected, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection: Option<String>,
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
    /// The position before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fen: String,
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
    /// Why it was bad, if it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<ClauseRecord>,
    /// Depth of the search before it.
    pub depth: i32,
    /// Nodes of the search before it.
    pub nodes: u64,
}

/// A clause about a move, with the line that proves it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClauseRecord {
    /// What is said.
    pub text: String,
    /// Where the line begins.
    pub fen: String,
    /// The line in UCI notation.
    pub line: String,
    /// The motif that the text names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motif: Option<Motif>,
}

impl From<&Clause> for ClauseRecord {
    fn from(clause: &Clause) -> Self {
        let castling = castling_form(&clause.start);
        let line: Vec<String> = clause.line.iter().map(|mv| mv.to_uci(castling)).collect();
        Self {
            text: clause.text.clone(),
            fen: clause.start.to_fen(),
            line: line.join(" "),
            motif: clause.motif,
        }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineRecord {
    /// What it is worth.
    pub eval: Eval,
    /// Its moves in algebraic notation.
    pub san: String,
    /// Its moves in UCI notation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uci: String,
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

/// The puzzles of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzlesRecord {
    /// Number among all items of all files, from 1.
    pub item: u64,
    /// The file.
    pub file: String,
    /// Number in the file, from 1.
    pub game: u64,
    /// Line of the file on which it begins.
    pub line: u64,
    /// The tags that say where the game is from.
    pub tags: BTreeMap<String, String>,
    /// Moves that were looked at.
    pub moves: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// The puzzles.
    pub puzzles: Vec<PuzzleRecord>,
    /// What was wrong with the text.
    pub faults: Vec<FaultRecord>,
}

/// A puzzle.
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
    /// What the position after the mistake is worth.
    pub eval: Eval,
    /// The estimated rating of people who solve it half of the time.
    pub rating: i32,
    /// The depth at which the search first prefers the answer and keeps it.
    pub depth: i32,
    /// The nodes until then.
    pub nodes: u64,
    /// The Elo of the weakest strength level that looks at enough nodes to prefer the answer.
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
            eval: puzzle.eval,
            rating: puzzle.difficulty.rating,
            depth: puzzle.difficulty.depth,
            nodes: puzzle.difficulty.nodes,
            level: puzzle.difficulty.level(),
            themes: puzzle.findings.iter().map(|finding| finding.motif).collect(),
        }
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
            Self::Puzzles(game) => Some(game.item),
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
pub(crate) fn ply_records(
    tree: &GameTree,
    looks: &[PositionAnalysis],
    review: &Review,
) -> Vec<PlyRecord> {
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
    looks: &'a [PositionAnalysis],
}

impl Step<'_> {
    fn record(&self, mv: Move, review: &PlyReview, castling: Castling) -> PlyRecord {
        let (before, after) = (&self.looks[0], &self.looks[1]);
        PlyRecord {
            number: self.position.fullmove(),
            white: self.position.side_to_move() == chess::Color::White,
            san: self.position.to_san(mv),
            uci: mv.to_uci(castling),
            fen: self.position.to_fen(),
            eval: after.eval,
            wdl: after.wdl,
            lines: line_records(self.position, before),
            loss: rounded(100.0 * review.loss, 2),
            centipawn_loss: review.centipawn_loss,
            accuracy: rounded(review.accuracy, 1),
            judgement: review.judgement,
            phase: review.phase,
            book: review.is_book,
            why: Vec::new(),
            depth: before.depth,
            nodes: before.nodes,
        }
    }
}

/// Moves in algebraic notation.
fn san(position: &Position, moves: &[Move]) -> String {
    let mut position = *position;
    let mut words = Vec::with_capacity(moves.len());
    for &mv in moves {
        words.push(position.to_san(mv));
        position.make(mv);
    }
    words.join(" ")
}

pub(crate) fn line_records(position: &Position, look: &PositionAnalysis) -> Vec<LineRecord> {
    let text = |moves: &[Move]| san(position, moves);
    let castling = castling_form(position);
    let uci =
        |moves: &[Move]| moves.iter().map(|mv| mv.to_uci(castling)).collect::<Vec<_>>().join(" ");
    look.lines
        .iter()
        .map(|line| LineRecord { eval: line.eval, san: text(&line.moves), uci: uci(&line.moves) })
        .collect()
}
