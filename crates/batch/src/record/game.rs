//! A game and its moves with what the engine thinks of them.

use std::collections::BTreeMap;

use chess::{Castling, Move, Position};
use review::{
    Clause, Eval, GameResult, GameTree, Judgement, Motif, Phase, PlyReview, PositionAnalysis,
    Review, SideReview, castling_form,
};
use serde::{Deserialize, Serialize};

use super::line::{FaultRecord, LineRecord, line_records};

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
