//! Sums over moves.

use std::collections::BTreeMap;

use review::{GameResult, Judgement, Motif};

use crate::record::{ClauseKind, PlyRecord};

/// Sums over moves that were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games in which there were any.
    pub games: u64,
    /// Moves that were judged.
    pub moves: u64,
    /// Percent of the chance to win given away.
    pub loss: f64,
    /// Centipawns given away by all of them.
    pub centipawn_loss: f64,
    /// Moves that gave away five percent of the chance to win.
    pub inaccuracies: u64,
    /// Moves that gave away ten percent.
    pub mistakes: u64,
    /// Moves that gave away fifteen percent.
    pub blunders: u64,
    /// Sum of the accuracies of games.
    pub(super) accuracy: f64,
    /// Games with an accuracy.
    pub(super) rated: u64,
}

impl Tally {
    pub(super) fn add(&mut self, ply: &PlyRecord) {
        self.moves += 1;
        self.loss += ply.loss;
        self.centipawn_loss += f64::from(ply.centipawn_loss);
        match ply.judgement {
            Some(Judgement::Inaccuracy) => self.inaccuracies += 1,
            Some(Judgement::Mistake) => self.mistakes += 1,
            Some(Judgement::Blunder) => self.blunders += 1,
            None => {}
        }
    }

    /// Percent of the chance to win given away by a move.
    #[must_use]
    pub fn average_loss(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }

    /// Centipawns given away by a move.
    #[must_use]
    pub fn average_centipawn_loss(&self) -> f64 {
        self.centipawn_loss / self.moves.max(1) as f64
    }

    /// Mean accuracy of the games.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.accuracy / self.rated as f64)
    }

    /// A row of a table, below [`COLUMNS`].
    pub(crate) fn columns(&self) -> [String; 8] {
        [
            self.games.to_string(),
            self.moves.to_string(),
            self.accuracy().map_or(String::new(), |value| format!("{value:.1}")),
            format!("{:.2}", self.average_loss()),
            format!("{:.1}", self.average_centipawn_loss()),
            self.inaccuracies.to_string(),
            self.mistakes.to_string(),
            self.blunders.to_string(),
        ]
    }
}

/// Sums over the games of one side in an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpeningTally {
    /// Sums over the moves.
    pub tally: Tally,
    /// Points: one for a win, half for a draw.
    points: f64,
    /// Games with a result.
    finished: u64,
}

impl OpeningTally {
    pub(super) fn add_result(&mut self, result: GameResult, is_white: bool) {
        let points = match result {
            GameResult::White => f64::from(u8::from(is_white)),
            GameResult::Black => f64::from(u8::from(!is_white)),
            GameResult::Draw => 0.5,
            GameResult::Unknown => return,
        };
        self.points += points;
        self.finished += 1;
    }

    /// Points of a hundred possible ones, if there are results.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.finished > 0).then(|| 100.0 * self.points / self.finished as f64)
    }
}

/// How a player used the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClockTally {
    /// Moves whose time is known.
    pub moves: u64,
    /// Seconds spent on them.
    pub seconds: f64,
    /// The longest, in seconds.
    pub longest: f64,
    /// Judged moves with more than a tenth of the clock left, and what they gave away, in percent.
    pub calm: (u64, f64),
    /// Judged moves with less.
    pub hurried: (u64, f64),
}

impl ClockTally {
    /// Takes a move in; `most` is what the player's clock showed at most, in seconds.
    pub(super) fn add(&mut self, ply: &PlyRecord, most: f64) {
        if let Some(spent) = ply.spent {
            self.moves += 1;
            self.seconds += spent;
            self.longest = self.longest.max(spent);
        }
        if let Some(left) = ply.clock.filter(|_| !ply.book) {
            let part = if left < most / 10.0 { &mut self.hurried } else { &mut self.calm };
            part.0 += 1;
            part.1 += ply.loss;
        }
    }
}

/// Which motifs a player missed and allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MotifTally {
    /// Own chances that were not taken.
    pub missed: BTreeMap<Motif, u64>,
    /// Chances that were given to the opponent.
    pub allowed: BTreeMap<Motif, u64>,
}

impl MotifTally {
    pub(super) fn add(&mut self, ply: &PlyRecord) {
        for clause in &ply.why {
            let Some(motif) = clause.motif else { continue };
            let counts = match clause.kind {
                Some(ClauseKind::Misses) => &mut self.missed,
                Some(ClauseKind::Allows) => &mut self.allowed,
                _ => continue,
            };
            *counts.entry(motif).or_default() += 1;
        }
    }

    /// The motifs with their number, most frequent first: `forks: 4`.
    pub(crate) fn words(counts: &BTreeMap<Motif, u64>) -> String {
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort_by_key(|(motif, count)| (std::cmp::Reverse(**count), **motif));
        let words = counts.iter().map(|(motif, count)| format!("{}: {count}", plural(**motif)));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// The name of a motif for a number of them.
fn plural(motif: Motif) -> String {
    let words = motif.words();
    let words = words.strip_prefix("a ").or_else(|| words.strip_prefix("an ")).unwrap_or(words);
    match motif {
        Motif::CapturingDefender => String::from("captures of the defender"),
        Motif::AttackingF2F7 => String::from("attacks on f2 or f7"),
        Motif::Zugzwang => words.to_owned(),
        _ => format!("{words}s"),
    }
}
