//! Which games of the input are analysed.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use chess::Color;
use clap::{Args, ValueEnum};
use review::GameTree;

/// Which games to analyse, and where in them to begin. All that are given hold together.
#[derive(Clone, Debug, Default, Args)]
pub struct Selection {
    /// Only games of this player; a part of the name is enough
    #[arg(long)]
    player: Option<String>,
    /// Only games in which the player has this side
    #[arg(long, requires = "player")]
    side: Option<Side>,
    /// Only these items of the input, as 7 or 1-50
    #[arg(long, value_name = "RANGE")]
    games: Option<ItemRange>,
    /// Do not judge the first so many moves of each side
    #[arg(long, default_value_t = 0, value_name = "MOVES")]
    skip_moves: usize,
    /// Only games in which both players have at least this rating
    #[arg(long, value_name = "ELO")]
    min_elo: Option<u32>,
}

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
}

/// Items from one number to another, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ItemRange(RangeInclusive<u64>);

impl FromStr for ItemRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is not of the form 7 or 1-50");
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        let (from, to) = match text.split_once('-') {
            Some((from, to)) => (number(from)?, number(to)?),
            None => (number(text)?, number(text)?),
        };
        if from == 0 || from > to { Err(wrong()) } else { Ok(Self(from..=to)) }
    }
}

impl Selection {
    /// Whether an item of this number may be among the selected ones.
    #[must_use]
    pub fn has_item(&self, item: u64) -> bool {
        self.games.as_ref().is_none_or(|range| range.0.contains(&item))
    }

    /// Whether no item after this one can be selected.
    #[must_use]
    pub fn is_past(&self, item: u64) -> bool {
        self.games.as_ref().is_some_and(|range| item >= *range.0.end())
    }

    /// Whether positions that belong to no game are selected: only if nothing is said of players.
    #[must_use]
    pub fn has_positions(&self) -> bool {
        self.player.is_none() && self.min_elo.is_none()
    }

    /// Whether a game is selected by its tags.
    #[must_use]
    pub fn has_game(&self, tree: &GameTree) -> bool {
        let tag = |color: Color, white: &str, black: &str| {
            let name = if color == Color::White { white } else { black };
            tree.tag(name).unwrap_or_default().to_owned()
        };
        let plays = |color: Color| {
            let name = tag(color, "White", "Black").to_lowercase();
            self.player.as_ref().is_none_or(|player| name.contains(&player.to_lowercase()))
        };
        let is_rated = |color: Color| {
            let elo = tag(color, "WhiteElo", "BlackElo").parse::<u32>().ok();
            self.min_elo.is_none_or(|least| elo.is_some_and(|elo| elo >= least))
        };
        let has_player = match self.side {
            Some(Side::White) => plays(Color::White),
            Some(Side::Black) => plays(Color::Black),
            None => plays(Color::White) || plays(Color::Black),
        };
        has_player && is_rated(Color::White) && is_rated(Color::Black)
    }

    /// Plies at the beginning of a game that are not judged.
    #[must_use]
    pub fn skipped_plies(&self) -> usize {
        self.skip_moves.saturating_mul(2)
    }
}

/// As the header of a run has it; empty if everything is analysed.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(player) = &self.player {
            parts.push(format!("player {player:?}"));
        }
        if let Some(side) = self.side {
            parts.push(format!("side {side:?}"));
        }
        if let Some(ItemRange(range)) = &self.games {
            parts.push(format!("games {}-{}", range.start(), range.end()));
        }
        if self.skip_moves > 0 {
            parts.push(format!("skip-moves {}", self.skip_moves));
        }
        if let Some(elo) = self.min_elo {
            parts.push(format!("min-elo {elo}"));
        }
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, elo: [&str; 2]) -> GameTree {
        let mut tree = GameTree::new(chess::Position::startpos());
        for (name, value) in
            [("White", white), ("Black", black), ("WhiteElo", elo[0]), ("BlackElo", elo[1])]
        {
            tree.set_tag(name, value);
        }
        tree
    }

    #[test]
    fn players_sides_and_ratings_select_games() {
        let mine = game("Ann Lee", "Bob", ["1900", "2100"]);
        let everything = Selection::default();
        assert!(everything.has_game(&mine) && everything.to_string().is_empty());
        let ann = Selection { player: Some("ann".into()), ..everything.clone() };
        assert!(ann.has_game(&mine) && !ann.has_positions() && !ann.to_string().is_empty());
        assert!(!ann.has_game(&game("Carl", "Bob", ["", ""])));
        assert!(Selection { side: Some(Side::White), ..ann.clone() }.has_game(&mine));
        assert!(!Selection { side: Some(Side::Black), ..ann }.has_game(&mine));
        assert!(Selection { min_elo: Some(1900), ..everything.clone() }.has_game(&mine));
        assert!(!Selection { min_elo: Some(1901), ..everything.clone() }.has_game(&mine));
        assert!(!Selection { min_elo: Some(1), ..everything }.has_game(&game(
            "a",
            "b",
            ["?", "9"]
        )));
    }

    #[test]
    fn ranges_are_read_and_nonsense_is_refused() {
        let range = |text: &str| text.parse::<ItemRange>();
        assert_eq!(range("7"), Ok(ItemRange(7..=7)));
        assert_eq!(range("1-50"), Ok(ItemRange(1..=50)));
        for text in ["", "0", "5-2", "a-b", "1-", "-3"] {
            assert!(range(text).is_err(), "{text}");
        }
        let some = Selection { games: Some(ItemRange(2..=3)), ..Selection::default() };
        assert!(!some.has_item(1) && some.has_item(3) && !some.has_item(4));
        assert!(!some.is_past(2) && some.is_past(3));
    }
}
