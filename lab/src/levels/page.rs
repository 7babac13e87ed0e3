//! What the games say: a table, a picture, and the ladder as it should be.

use std::fmt::Write as _;

use engine::Level;

use super::fit::{Rating, Scores};
use super::journal::Player;
use crate::svg::{Chart, Style};

/// The tables as Markdown.
pub(super) fn tables(ratings: &[Rating], scores: &Scores) -> String {
    let mut page = String::from(
        "| player | fitted | ± | games with levels | with anchors |\n\
         | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for &Rating { player, elo, error, games: [levels, anchors] } in ratings {
        let name = name(player);
        let _ = writeln!(page, "| {name} | {elo:.0} | {error:.0} | {levels} | {anchors} |");
    }
    page.push_str("\n| match | games | won | drawn | lost | points |\n");
    page.push_str("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    for (&(first, second), score) in scores {
        let _ = writeln!(
            page,
            "| {} against {} | {} | {} | {} | {} | {:.1} % |",
            name(first),
            name(second),
            score.games(),
            score.wins,
            score.draws,
            score.losses,
            100.0 * score.share()
        );
    }
    page
}

fn name(player: Player) -> String {
    match player {
        Player::Level(elo) => elo.to_string(),
        Player::Anchor(elo) => format!("anchor {elo}"),
    }
}

/// Ratings by name, with their errors.
pub(super) fn picture(ratings: &[Rating]) -> String {
    let ratings = levels(ratings);
    let named = |rating: &Rating| f64::from(rating.player.elo());
    let equal = ratings.iter().map(|rating| (named(rating), named(rating))).collect();
    let fitted = ratings.iter().map(|rating| (named(rating), rating.elo)).collect();
    let mut chart = Chart::new("Levels on the scale of the anchors", "UCI_Elo", "Elo in games")
        .with("as named", Style::Line, equal)
        .with("fitted, 95 %", Style::Dots, fitted);
    for rating in &ratings {
        let ends = [rating.elo - rating.error, rating.elo + rating.error];
        chart = chart.with("", Style::Line, ends.map(|end| (named(rating), end)).to_vec());
    }
    chart.to_svg()
}

/// The ratings of levels, without those of anchors.
fn levels(ratings: &[Rating]) -> Vec<Rating> {
    ratings.iter().copied().filter(|rating| rating.player.level().is_some()).collect()
}

/// The ladder that has the strengths it names, as it stands in `strength.rs`.
pub(super) fn constants(ratings: &[Rating], ladder: &[Level]) -> String {
    let ratings = levels(ratings);
    let mut text = String::new();
    for &Level { elo: name, .. } in ladder {
        let Level { nodes, candidates, temperature, overlooks, .. } =
            Level::on(ladder, place(&ratings, f64::from(name)).round().max(0.0) as u32);
        let _ = writeln!(
            text,
            "    level({name}, {}, {candidates}, {temperature:.1}, {overlooks:.1}),",
            round(nodes)
        );
    }
    text
}

/// Reads a ladder as [`constants`] writes it.
pub(super) fn read_ladder(text: &str) -> Option<Vec<Level>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let rung = |line: &str| {
        let inner = line.strip_prefix("level(")?.trim_end_matches(',').strip_suffix(')')?;
        let numbers: Vec<&str> = inner.split(',').map(str::trim).collect();
        let [elo, nodes, candidates, temperature, overlooks] = numbers[..] else { return None };
        Some(Level {
            elo: elo.parse().ok()?,
            nodes: nodes.replace('_', "").parse().ok()?,
            candidates: candidates.parse().ok()?,
            temperature: temperature.parse().ok()?,
            overlooks: overlooks.parse().ok()?,
        })
    };
    let ladder: Vec<Level> = lines.map(rung).collect::<Option<_>>()?;
    let is_sound = ladder.len() > 1 && ladder.is_sorted_by(|a, b| a.elo < b.elo);
    is_sound.then_some(ladder)
}

/// Where on the present ladder this strength is: between the levels whose ratings enclose it, or
/// beyond the last on the line through the last two.
fn place(ratings: &[Rating], elo: f64) -> f64 {
    let [first, .., last] = ratings else { return elo };
    // A level that lost to a weaker one by luck must not turn the ladder round.
    let mut highest = first.elo;
    let mut points: Vec<(f64, f64)> = Vec::new();
    for rating in ratings {
        if rating.elo >= highest || rating == first || rating == last {
            highest = highest.max(rating.elo);
            points.push((f64::from(rating.player.elo()), highest));
        }
    }
    let upper = points.iter().position(|point| point.1 >= elo).unwrap_or(points.len() - 1).max(1);
    let ((low, low_elo), (high, high_elo)) = (points[upper - 1], points[upper]);
    low + (high - low) * (elo - low_elo) / (high_elo - low_elo).max(1.0)
}

/// Two digits are enough.
fn round(nodes: u64) -> u64 {
    let unit = 10u64.pow(nodes.max(1).ilog10().saturating_sub(1));
    (nodes + unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::fit::Score;

    fn ratings(elos: &[(u32, f64)]) -> Vec<Rating> {
        let rating = |&(name, elo)| Rating {
            player: Player::Level(name),
            elo,
            error: 20.0,
            games: [400, 200],
        };
        elos.iter().map(rating).collect()
    }

    #[test]
    fn the_place_of_a_strength_is_between_the_levels_around_it() {
        let wide = ratings(&[(800, 600.0), (1000, 1000.0), (1200, 1400.0)]);
        for (elo, wanted) in [(800.0, 900.0), (1000.0, 1000.0), (1300.0, 1150.0), (400.0, 700.0)] {
            assert_eq!(place(&wide, elo), wanted);
        }
        let crossed = ratings(&[(800, 800.0), (1000, 700.0), (1200, 1200.0)]);
        assert_eq!(place(&crossed, 1000.0), 1000.0);
        assert_eq!(place(&[], 1000.0), 1000.0);
    }

    #[test]
    fn a_true_ladder_is_left_as_it_is() {
        let names: Vec<u32> = engine::LEVELS.iter().map(|level| level.elo).collect();
        let same: Vec<(u32, f64)> = names.iter().map(|&name| (name, f64::from(name))).collect();
        let text = constants(&ratings(&same), &engine::LEVELS);
        for (line, level) in text.lines().zip(engine::LEVELS) {
            let start = format!("    level({}, {}, ", level.elo, round(level.nodes));
            assert!(line.starts_with(&start), "{line} {level:?}");
        }
    }

    #[test]
    fn a_ladder_that_was_written_can_be_read() {
        let names: Vec<(u32, f64)> =
            engine::LEVELS.iter().map(|level| (level.elo, f64::from(level.elo))).collect();
        let ladder = read_ladder(&constants(&ratings(&names), &engine::LEVELS)).unwrap();
        assert_eq!(ladder.len(), engine::LEVELS.len());
        assert_eq!(ladder[0].candidates, engine::LEVELS[0].candidates);
        assert_eq!(read_ladder("level(500, 10_000, 3, 2.5, 0.5),\nlevel(600, 2)"), None);
        assert_eq!(read_ladder("level(500, 10_000, 3, 2.5, 0.5),"), None);
    }

    #[test]
    fn tables_and_picture_have_every_level() {
        let list = ratings(&[(800, 810.0), (1000, 990.0)]);
        let mut scores = Scores::new();
        let players = (Player::Level(1000), Player::Anchor(1350));
        scores.insert(players, Score { wins: 1, draws: 2, losses: 5 });
        let page = tables(&list, &scores);
        assert!(page.contains("| 800 | 810 | 20 | 400 | 200 |"), "{page}");
        assert!(page.contains("| 1000 against anchor 1350 | 8 | 1 | 2 | 5 | 25.0 % |"), "{page}");
        assert!(picture(&list).contains("fitted"));
        assert_eq!([7, 94, 1234, 98_765].map(round), [7, 94, 1200, 99_000]);
    }
}
