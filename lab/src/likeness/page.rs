//! Tables and pictures of what was seen.

use std::fmt::Write as _;

use super::measure::{Choice, Player};
use crate::svg::{Chart, Style};

/// Losses in centipawns at which the distributions are told.
const BOUNDS: [i32; 7] = [0, 10, 25, 50, 100, 200, 400];

/// Everything seen at one rating.
pub(super) struct Band {
    pub(super) elo: u32,
    pub(super) choices: Vec<Choice>,
}

impl Band {
    /// The share of positions in which the player chose what the person played, and its 95 % error.
    pub(super) fn share(&self, player: Player) -> (f64, f64) {
        let count = self.choices.len().max(1) as f64;
        let hits = self.choices.iter().filter(|choice| choice.matches[player as usize]).count();
        let share = hits as f64 / count;
        (100.0 * share, 196.0 * (share * (1.0 - share) / count).sqrt())
    }

    /// The share of moves that lose no more than this.
    fn within(&self, player: Player, bound: i32) -> f64 {
        let hits = self.choices.iter().filter(|choice| choice.losses[player as usize] <= bound);
        100.0 * hits.count() as f64 / self.choices.len().max(1) as f64
    }

    fn mean(&self, player: Player) -> f64 {
        let sum: i32 = self.choices.iter().map(|choice| choice.losses[player as usize]).sum();
        f64::from(sum) / self.choices.len().max(1) as f64
    }

    /// How often the players lose no more than so much, as a picture.
    pub(super) fn picture(&self, players: &[Player]) -> String {
        let title = format!("What moves lose at {}", self.elo);
        let mut chart =
            Chart::new(&title, "loss in centipawns, at most", "share of the moves in percent");
        for &player in players {
            let points = (0..=40).map(|step| 10 * step);
            let points = points.map(|bound| (f64::from(bound), self.within(player, bound)));
            chart = chart.with(name(player), Style::Line, points.collect());
        }
        chart.to_svg()
    }
}

fn name(player: Player) -> &'static str {
    match player {
        Player::Person => "people",
        Player::Level => "level",
        Player::Full => "full strength",
        Player::Anchor => "anchor",
    }
}

/// The tables as Markdown.
pub(super) fn tables(bands: &[Band], players: &[Player]) -> String {
    let mut page = String::from("| rating | positions |");
    let others = || players.iter().filter(|&&player| player != Player::Person);
    for &player in others() {
        let _ = write!(page, " {} |", name(player));
    }
    page.push_str("\n| ---: | ---: |");
    page.push_str(&" ---: |".repeat(others().count()));
    for band in bands {
        let _ = write!(page, "\n| {} | {} |", band.elo, band.choices.len());
        for &player in others() {
            let (share, error) = band.share(player);
            let _ = write!(page, " {share:.1} ± {error:.1} % |");
        }
    }
    page.push_str("\n\n| rating | who | mean loss |");
    for bound in BOUNDS {
        let _ = write!(page, " ≤ {bound} |");
    }
    page.push_str("\n| ---: | --- | ---: |");
    page.push_str(&" ---: |".repeat(BOUNDS.len()));
    for band in bands {
        for &player in players {
            let mean = band.mean(player);
            let _ = write!(page, "\n| {} | {} | {mean:.0} |", band.elo, name(player));
            for bound in BOUNDS {
                let _ = write!(page, " {:.0} % |", band.within(player, bound));
            }
        }
    }
    page.push('\n');
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_losses_are_told() {
        let hit = Choice { matches: [true; 4], losses: [0, 0, 0, 0] };
        let miss = Choice { matches: [true, false, false, false], losses: [80, 120, 0, 30] };
        let band = Band { elo: 1600, choices: vec![hit, hit, hit, miss] };
        assert_eq!(band.share(Player::Level).0, 75.0);
        let page = tables(&[band], &Player::ALL);
        assert!(page.contains("| 1600 | 4 | 75.0 ± 42.4 % | 75.0"), "{page}");
        let people = "| 1600 | people | 20 | 75 % | 75 % | 75 % | 75 % | 100 % | 100 % | 100 % |";
        assert!(page.contains(people), "{page}");
        assert!(page.contains("| 1600 | level | 30 | 75 %"), "{page}");
    }
}
