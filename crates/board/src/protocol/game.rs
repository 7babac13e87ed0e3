//! Games: lists, moves with variations, and how good they were.

use std::collections::BTreeMap;

use review::Judgement;
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

#[cfg(test)]
use super::tests;
use super::{Lesson, Score, Step};

/// What a list of games shows of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct GameSummary {
    /// Its number in the text, counted from 1.
    pub number: u64,
    /// Who played White; empty if unknown.
    pub white: String,
    /// Who played Black; empty if unknown.
    pub black: String,
    /// Where it was played; empty if unknown.
    pub event: String,
    /// The date as PGN writes it; empty if unknown.
    pub date: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[cfg_attr(test, ts(type = "'1-0' | '0-1' | '1/2-1/2' | '*'"))]
    pub result: &'static str,
    /// How many half-moves it has.
    pub plies: usize,
}

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PgnGame {
    /// Where it began, as FEN.
    pub start_fen: String,
    /// The number of the Chess960 position it began with, if it is not that of chess.
    pub chess960: Option<u16>,
    /// Its tags by name.
    pub headers: BTreeMap<String, String>,
    /// The comment before the first move.
    pub comment: String,
    /// Its moves with all variations, each after the one before it.
    pub moves: Vec<PgnMove>,
    /// What was wrong with the text.
    pub problems: Vec<String>,
}

/// A move of a game that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PgnMove {
    /// The index of the move before it in the list; none for the first moves.
    pub parent: Option<usize>,
    /// The move and the position after it.
    #[serde(flatten)]
    pub step: Step,
    /// Glyphs by number, such as 1 for `!`.
    pub nags: Vec<u8>,
    /// The comment before the move, at the beginning of a variation.
    pub comment_before: String,
    /// The comment after the move.
    pub comment: String,
}

/// A side beside the engine's level of the same rating, in the same positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct PeerReview {
    /// The Elo of the level: the nearest there is to the rating of the player.
    pub elo: u32,
    /// How many positions were compared.
    pub positions: usize,
    /// The accuracy of the player there, from 0 to 100.
    pub own: f64,
    /// The accuracy of the level.
    pub level: f64,
}

/// How good a move was.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct JudgedMove {
    /// The chance to win that it gave away, from 0 to 1.
    pub loss: f64,
    /// From 0 to 100.
    pub accuracy: f64,
    /// What it is called, if it gave something away.
    #[cfg_attr(test, ts(as = "Option<tests::Judgement>"))]
    pub judgement: Option<Judgement>,
    /// The best line instead of it, the best move first; empty if the game was over.
    pub best: Vec<Step>,
    /// The score after it; none if the game is over.
    pub score: Option<Score>,
    /// White's chances after it.
    pub wdl: [u32; 3],
    /// How deep the position after it was searched.
    pub depth: i32,
    /// Why it was bad, if that was asked for and it gave something away.
    pub lesson: Option<Box<Lesson>>,
}
