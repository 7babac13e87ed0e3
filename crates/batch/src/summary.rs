//! What a pile of games comes to: by player, by phase, in all.

use std::collections::BTreeMap;
use std::fmt::Write;

use review::{GameResult, Judgement, Motif, Phase};

use crate::record::{GameRecord, PlyRecord, Record};

/// The sums of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Games that were read.
    pub games: u64,
    /// Positions that were read, besides those of games.
    pub positions: u64,
    /// Items about whose text something was said.
    pub faulty: u64,
    /// Items that were left out altogether.
    pub left_out: u64,
    /// Moves of games.
    pub moves: u64,
    /// Nodes in all.
    pub nodes: u64,
    /// By name.
    pub players: BTreeMap<String, Tally>,
    /// By part of the game.
    pub phases: [Tally; 3],
    /// How often a move gave away so much of the chance to win: 0, up to 1, 2, 5, 10, 15 percent, more.
    pub losses: [u64; 7],
    /// Results: White, Black, drawn, unknown.
    pub results: [u64; 4],
    /// Puzzles.
    pub puzzles: u64,
    /// How many puzzles have a motif.
    pub motifs: BTreeMap<Motif, u64>,
}

/// Sums over moves that were judged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games in which there were any.
    pub games: u64,
    /// The moves.
    pub moves: u64,
    /// Percent of the chance to win given away.
    pub loss: f64,
    /// Centipawns given away.
    pub centipawn_loss: f64,
    /// How many of them.
    pub inaccuracies: u64,
    /// How many of them.
    pub mistakes: u64,
    /// How many of them.
    pub blunders: u64,
    /// Sum of the accuracies of games.
    accuracy: f64,
    /// Games with an accuracy.
    rated: u64,
}

impl Tally {
    fn add(&mut self, ply: &PlyRecord) {
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

/// What the columns of a table of tallies are called.
pub(crate) const COLUMNS: [&str; 8] =
    ["games", "moves", "accuracy", "loss %", "acpl", "?!", "?", "??"];

/// The upper ends of the classes of losses, in percent.
pub const LOSS_CLASSES: [f64; 6] = [0.0, 1.0, 2.0, 5.0, 10.0, 15.0];

impl Summary {
    /// Takes a record in.
    pub fn add(&mut self, record: &Record) {
        match record {
            Record::Game(game) => self.add_game(game),
            Record::Position(position) => {
                self.positions += 1;
                self.nodes += position.nodes;
                self.faulty += u64::from(position.fault.is_some());
                self.left_out += u64::from(position.fault.is_some());
            }
            Record::Puzzles(game) => {
                self.games += 1;
                self.nodes += game.nodes;
                self.faulty += u64::from(!game.faults.is_empty());
                self.puzzles += game.puzzles.len() as u64;
                for motif in game.puzzles.iter().flat_map(|puzzle| &puzzle.themes) {
                    *self.motifs.entry(*motif).or_default() += 1;
                }
            }
            Record::Header(_) | Record::End { .. } => {}
        }
    }

    fn add_game(&mut self, game: &GameRecord) {
        self.games += 1;
        self.faulty += u64::from(!game.faults.is_empty());
        self.left_out += u64::from(game.pgn.is_empty());
        self.moves += game.plies.len() as u64;
        self.results[match game.result {
            GameResult::White => 0,
            GameResult::Black => 1,
            GameResult::Draw => 2,
            GameResult::Unknown => 3,
        }] += 1;
        for ply in &game.plies {
            self.nodes += ply.nodes;
        }
        let judged = game.plies.iter().filter(|ply| !ply.book);
        for (name, side, is_white) in
            [(game.tag("White"), &game.white, true), (game.tag("Black"), &game.black, false)]
        {
            if side.moves == 0 {
                continue;
            }
            let tally = self.players.entry(name.to_owned()).or_default();
            tally.games += 1;
            if let Some(accuracy) = side.accuracy {
                tally.accuracy += accuracy;
                tally.rated += 1;
            }
            judged.clone().filter(|ply| ply.white == is_white).for_each(|ply| tally.add(ply));
        }
        for (phase, tally) in Phase::ALL.into_iter().zip(&mut self.phases) {
            let mut own = judged.clone().filter(|ply| ply.phase == phase).peekable();
            tally.games += u64::from(own.peek().is_some());
            own.for_each(|ply| tally.add(ply));
        }
        for ply in judged {
            let class = LOSS_CLASSES.iter().position(|&limit| ply.loss <= limit);
            self.losses[class.unwrap_or(LOSS_CLASSES.len())] += 1;
        }
    }

    /// Players, those with the most games first.
    #[must_use]
    pub fn ranking(&self) -> Vec<(&str, &Tally)> {
        let mut players: Vec<_> =
            self.players.iter().map(|(name, tally)| (name.as_str(), tally)).collect();
        players.sort_by_key(|(name, tally)| (std::cmp::Reverse(tally.games), *name));
        players
    }

    /// As a table for people, with at most so many players.
    #[must_use]
    pub fn table(&self, max_players: usize) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        if self.games > 0 && self.moves > 0 {
            let [white, black, draws, unknown] = self.results;
            let _ = writeln!(
                text,
                "{} games, {} moves: White won {white}, Black {black}, {draws} drawn, {unknown} \
                 without result",
                self.games, self.moves
            );
        }
        if self.positions > 0 {
            let _ = writeln!(text, "{} positions", self.positions);
        }
        if self.puzzles > 0 {
            let _ = writeln!(text, "{} puzzles", self.puzzles);
            let mut motifs: Vec<_> = self.motifs.iter().collect();
            motifs.sort_by_key(|(motif, count)| (std::cmp::Reverse(**count), **motif));
            for (motif, count) in motifs {
                let _ = writeln!(text, "{count:6}  {motif}");
            }
        }
        if self.faulty > 0 {
            let _ = writeln!(
                text,
                "{} items are damaged, {} of them were left out",
                self.faulty, self.left_out
            );
        }
        if self.moves == 0 {
            return text;
        }
        let ranking = self.ranking();
        let names = ranking.iter().take(max_players).map(|(name, _)| name.chars().count());
        let width = names.max().unwrap_or(0).clamp(10, 40);
        let head = |title: &str| format!("\n{}", row(title, width, &COLUMNS));
        text.push_str(&head("player"));
        for (name, tally) in ranking.iter().take(max_players) {
            let name: String = name.chars().take(width).collect();
            text.push_str(&row(&name, width, &tally.columns()));
        }
        if ranking.len() > max_players {
            let _ = writeln!(text, "and {} players more", ranking.len() - max_players);
        }
        text.push_str(&head("phase"));
        for (phase, tally) in Phase::ALL.into_iter().zip(&self.phases) {
            text.push_str(&row(phase.name(), width, &tally.columns()));
        }
        text
    }
}

fn row(name: &str, width: usize, cells: &[impl AsRef<str>; 8]) -> String {
    const WIDTHS: [usize; 8] = [5, 6, 8, 6, 5, 5, 5, 5];
    let cells = WIDTHS.iter().zip(cells);
    let cells: String = cells.map(|(room, cell)| format!("  {:>room$}", cell.as_ref())).collect();
    format!("{name:width$}{cells}\n")
}
