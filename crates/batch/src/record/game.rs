//! A game and its moves with what the engine thinks of them.

use std::collections::BTreeMap;

use chess::{Castling, Move, Position};
use review::{
    Claim, Clause, Eval, GameResult, GameTree, Judgement, Motif, Phase, PlyReview,
    PositionAnalysis, Review, SideReview, castling_form, move_times, opening,
};
use serde::{Deserialize, Serialize};

use super::line::{FaultRecord, LineRecord, line_records};

/// A pass in UCI notation.
pub(crate) const PASS: &str = "0000";

/// A game with what the engine thinks of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Number among all items of all files, from 1.
    pub item: u64,
    /// The file that the game is from.
    pub file: String,
    /// Number in the file, from 1.
    pub game: u64,
    /// Line of the file on which it begins.
    pub line: u64,
    /// The tags of the game, by name.
    pub tags: BTreeMap<String, String>,
    /// How the game ended.
    pub result: GameResult,
    /// The opening, by its tags or else by its moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningRecord>,
    /// What the start is worth, if there are moves.
    pub start: Option<Eval>,
    /// The moves of the main line.
    pub plies: Vec<PlyRecord>,
    /// How White played, in numbers.
    pub white: SideReview,
    /// How Black played, in numbers.
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

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningRecord {
    /// The code, from A00 to E99; empty if it is not known.
    pub eco: String,
    /// The name, the variation behind a colon.
    pub name: String,
}

impl OpeningRecord {
    /// The opening of a game: what its tags say, or else what its moves are called.
    #[must_use]
    pub fn of(tree: &GameTree) -> Option<Self> {
        let tag = |name| tree.tag(name).filter(|value| !matches!(*value, "" | "?" | "-"));
        let found = opening(&tree.start, &tree.moves());
        let eco = tag("ECO").or(found.as_ref().map(|opening| opening.eco)).unwrap_or_default();
        let known = found.as_ref().map(|opening| opening.name.as_str());
        let name = tag("Opening").or(known)?;
        Some(Self { eco: eco.to_owned(), name: name.to_owned() })
    }

    /// The name without the variation.
    #[must_use]
    pub fn family(&self) -> &str {
        self.name.split([':', '#']).next().unwrap_or_default().trim()
    }
}

/// A move with what the engine thinks of it. Scores are from White's side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlyRecord {
    /// The number of the move.
    pub number: u16,
    /// Whether it is White's move.
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
    /// Centipawns that the move gave away.
    pub centipawn_loss: i32,
    /// From 0 to 100.
    pub accuracy: f64,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// The part of the game.
    pub phase: Phase,
    /// It is from the book, skipped or a pass, and not judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// Why it was bad, if it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<ClauseRecord>,
    /// Seconds on the player's clock after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// Seconds that the player spent on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spent: Option<f64>,
    /// Depth of the search before it.
    pub depth: i32,
    /// Nodes of the search before it.
    pub nodes: u64,
}

/// What a clause says about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClauseKind {
    /// The move allows the opponent something.
    Allows,
    /// The move misses an own chance.
    Misses,
    /// The opponent was threatening it already.
    Threatens,
    /// Another move is better.
    Prefers,
    /// The move is not bad.
    Good,
}

/// A clause about a move, with the line that proves it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClauseRecord {
    /// What is said, a whole sentence.
    pub text: String,
    /// What kind of clause it is; unknown in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ClauseKind>,
    /// Where the line begins.
    pub fen: String,
    /// The line in UCI notation.
    pub line: String,
    /// The motif that the text names; `mate` for any mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motif: Option<Motif>,
}

impl From<&Clause> for ClauseRecord {
    fn from(clause: &Clause) -> Self {
        let castling = castling_form(&clause.start);
        let line: Vec<String> = clause.line.iter().map(|mv| mv.to_uci(castling)).collect();
        let (kind, is_mate) = match clause.claim {
            Claim::Mate { .. } => (ClauseKind::Allows, true),
            Claim::Wins { .. } => (ClauseKind::Allows, false),
            Claim::Misses { mate, .. } => (ClauseKind::Misses, mate.is_some()),
            Claim::Threatens { .. } => (ClauseKind::Threatens, false),
            Claim::Prefers { .. } => (ClauseKind::Prefers, false),
            Claim::Good { .. } => (ClauseKind::Good, false),
        };
        Self {
            text: clause.text.clone(),
            kind: Some(kind),
            fen: clause.start.to_fen(),
            line: line.join(" "),
            motif: clause.motif.or(is_mate.then_some(Motif::Mate)),
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
    let times = move_times(tree);
    plies
        .map(|(index, (ply, review))| {
            let step = Step { position: &positions[index], looks: &looks[index..=index + 1] };
            PlyRecord {
                clock: times[index].left.map(|seconds| rounded(seconds, 1)),
                spent: times[index].spent.map(|seconds| rounded(seconds, 1)),
                ..step.record(ply.mv, review, castling)
            }
        })
        .collect()
}

struct Step<'a> {
    position: &'a Position,
    /// Before and after.
    looks: &'a [PositionAnalysis],
}

impl Step<'_> {
    fn record(&self, mv: Option<Move>, review: &PlyReview, castling: Castling) -> PlyRecord {
        let (before, after) = (&self.looks[0], &self.looks[1]);
        PlyRecord {
            number: self.position.fullmove(),
            white: self.position.side_to_move() == chess::Color::White,
            san: mv.map_or_else(|| String::from("--"), |mv| self.position.to_san(mv)),
            uci: mv.map_or_else(|| String::from(PASS), |mv| mv.to_uci(castling)),
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
            clock: None,
            spent: None,
            depth: before.depth,
            nodes: before.nodes,
        }
    }
}
