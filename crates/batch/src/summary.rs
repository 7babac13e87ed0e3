//! What a set of games comes to: by player, side, opening, phase, and in all.

mod tally;

use std::collections::BTreeMap;
use std::fmt::Write;

use review::{GameResult, Motif, Phase};

use crate::record::{GameRecord, PlyRecord, Record};
use crate::text::counted;
pub use tally::{ClockTally, MotifTally, OpeningTally, Tally};

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
    /// Moves of all games, judged or not.
    pub moves: u64,
    /// Nodes of all searches.
    pub nodes: u64,
    /// The players by name.
    pub players: BTreeMap<String, Tally>,
    /// White's moves and Black's.
    pub sides: [Tally; 2],
    /// By opening, without its variation, and by side.
    pub openings: BTreeMap<(String, bool), OpeningSides>,
    /// The use of the clock, by player.
    pub clocks: BTreeMap<String, ClockTally>,
    /// Motifs missed and allowed, by player.
    pub coach: BTreeMap<String, MotifTally>,
    /// A move or a position was read.
    has_content: bool,
    /// Games with judged moves.
    judged_games: u64,
    /// The players of the first of them: whoever plays in all games is one of these.
    first_players: [String; 2],
    /// By part of the game.
    pub phases: [Tally; 3],
    /// How often a move gave away so much of the chance to win: 0, up to 1, 2, 5, 10, 15 percent, more.
    pub losses: [u64; 7],
    /// Results: White, Black, drawn, unknown.
    pub results: [u64; 4],
    /// Puzzles that were made.
    pub puzzles: u64,
    /// How many puzzles have a motif.
    pub motifs: BTreeMap<Motif, u64>,
}

/// Sums of one side of an opening: for everybody, and for each player of the first game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OpeningSides {
    all: OpeningTally,
    first: [OpeningTally; 2],
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
                self.nodes = self.nodes.saturating_add(position.nodes);
                self.faulty += u64::from(position.fault.is_some());
                self.left_out += u64::from(position.fault.is_some());
                self.has_content |= position.fault.is_none();
            }
            Record::Puzzles(game) => {
                self.games += 1;
                self.has_content |= game.moves > 0;
                self.nodes = self.nodes.saturating_add(game.nodes);
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
        self.has_content |= !game.plies.is_empty();
        self.results[match game.result {
            GameResult::White => 0,
            GameResult::Black => 1,
            GameResult::Draw => 2,
            GameResult::Unknown => 3,
        }] += 1;
        for ply in &game.plies {
            self.nodes = self.nodes.saturating_add(ply.nodes);
        }
        let judged = game.plies.iter().filter(|ply| !ply.book);
        if game.white.moves + game.black.moves > 0 {
            self.judged_games += 1;
            if self.judged_games == 1 {
                self.first_players = [game.tag("White"), game.tag("Black")].map(str::to_owned);
            }
        }
        for is_white in [true, false] {
            self.add_side(game, is_white);
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

    fn add_side(&mut self, game: &GameRecord, is_white: bool) {
        let (name, side) = if is_white {
            (game.tag("White"), &game.white)
        } else {
            (game.tag("Black"), &game.black)
        };
        let own: Vec<&PlyRecord> = game.plies.iter().filter(|ply| ply.white == is_white).collect();
        let most = own.iter().filter_map(|ply| ply.clock).fold(0.0, f64::max);
        if own.iter().any(|ply| ply.clock.is_some() || ply.spent.is_some()) {
            let clock = self.clocks.entry(name.to_owned()).or_default();
            own.iter().for_each(|ply| clock.add(ply, most));
        }
        if side.moves == 0 {
            return;
        }
        let add = |tally: &mut Tally| {
            tally.games += 1;
            if let Some(accuracy) = side.accuracy {
                tally.accuracy += accuracy;
                tally.rated += 1;
            }
            own.iter().filter(|ply| !ply.book).for_each(|ply| tally.add(ply));
        };
        add(self.players.entry(name.to_owned()).or_default());
        add(&mut self.sides[usize::from(!is_white)]);
        if let Some(opening) = &game.opening {
            let key = (opening.family().to_owned(), is_white);
            let entry = self.openings.entry(key).or_default();
            let first = self.first_players.iter().zip(&mut entry.first);
            let first = first.filter(|(first, _)| *first == name).map(|(_, tally)| tally);
            for tally in first.chain([&mut entry.all]) {
                add(&mut tally.tally);
                tally.add_result(game.result, is_white);
            }
        }
        let coach = self.coach.entry(name.to_owned()).or_default();
        own.iter().for_each(|ply| coach.add(ply));
    }

    /// Why a run over an input of so many items came to nothing, if it did.
    #[must_use]
    pub fn nothing(&self, read: u64) -> Option<&'static str> {
        match self.games + self.positions {
            0 if read == 0 => Some("there is no game or position in the input"),
            // Nothing may be what a selection leaves.
            0 => None,
            items if !self.has_content && self.faulty == items => {
                Some("nothing in the input could be analysed")
            }
            _ => None,
        }
    }

    /// Who plays in every game, if there are several games and only one such player.
    #[must_use]
    pub fn protagonist(&self) -> Option<&str> {
        self.protagonist_index().map(|index| self.first_players[index].as_str())
    }

    fn protagonist_index(&self) -> Option<usize> {
        let is_always_there = |index: &usize| {
            let tally = self.players.get(&self.first_players[*index]);
            tally.is_some_and(|tally| tally.games == self.judged_games)
        };
        let always: Vec<usize> = (0..2).filter(is_always_there).collect();
        (self.judged_games > 1 && always.len() == 1).then(|| always[0])
    }

    /// Openings and sides, those with the most games first; only those of the player who plays in
    /// every game, if there is one.
    #[must_use]
    pub fn opening_ranking(&self) -> Vec<(&str, bool, &OpeningTally)> {
        let index = self.protagonist_index();
        let mut openings: Vec<_> = self
            .openings
            .iter()
            .map(|((name, is_white), sides)| {
                let tally = index.map_or(&sides.all, |index| &sides.first[index]);
                (name.as_str(), *is_white, tally)
            })
            .filter(|(_, _, tally)| tally.tally.games > 0)
            .collect();
        openings.sort_by_key(|(name, is_white, tally)| {
            (std::cmp::Reverse(tally.tally.games), *name, !is_white)
        });
        openings
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
                "{}, {}: White won {white}, Black {black}, {draws} drawn, {unknown} without result",
                counted(self.games, "game"),
                counted(self.moves, "move")
            );
        }
        if self.positions > 0 {
            let _ = writeln!(text, "{}", counted(self.positions, "position"));
        }
        if self.puzzles > 0 {
            let _ = writeln!(text, "{}", counted(self.puzzles, "puzzle"));
            let mut motifs: Vec<_> = self.motifs.iter().collect();
            motifs.sort_by_key(|(motif, count)| (std::cmp::Reverse(**count), **motif));
            for (motif, count) in motifs {
                let _ = writeln!(text, "{count:6}  {motif}");
            }
        }
        if self.faulty > 0 {
            let _ = writeln!(
                text,
                "{}, {} of them left out",
                counted(self.faulty, "damaged item"),
                self.left_out
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
            let rest = (ranking.len() - max_players) as u64;
            let _ = writeln!(text, "and {}", counted(rest, "more player"));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Summary {
        let mut summary = Summary::default();
        for line in include_str!("../tests/data/report.jsonl").lines() {
            summary.add(&serde_json::from_str(line).unwrap());
        }
        summary
    }

    #[test]
    fn openings_are_those_of_the_player_who_plays_in_every_game() {
        let summary = report();
        assert_eq!(summary.protagonist(), Some("Ann"));
        let ranking = summary.opening_ranking();
        let found: Vec<_> = ranking
            .iter()
            .map(|(name, is_white, sums)| (*name, *is_white, sums.tally.games, sums.score()))
            .collect();
        assert_eq!(
            found,
            [
                ("Italian Game", true, 1, Some(0.0)),
                ("Philidor Defense", true, 1, Some(100.0)),
                ("Queen's Gambit Declined", false, 1, Some(100.0)),
            ]
        );
        assert_eq!(summary.openings.len(), 6, "both sides are counted");
        assert_eq!(summary.sides[0].games, 3);
        let moves = summary.sides[0].moves + summary.sides[1].moves;
        assert_eq!(moves, summary.moves);
    }

    #[test]
    fn clocks_and_motifs_are_counted_by_player() {
        let summary = report();
        let bo = &summary.clocks["Bo"];
        assert_eq!((bo.moves, bo.longest), (16, 112.0));
        assert_eq!(bo.hurried.0, 5, "under 29.8 seconds of 298");
        assert_eq!(bo.hurried.0 + bo.calm.0, 16);
        let allowed = MotifTally::words(&summary.coach["Bo"].allowed);
        assert_eq!(allowed, "forks: 1, pins: 1");
        assert_eq!(MotifTally::words(&summary.coach["Di"].missed), "");
    }
}
