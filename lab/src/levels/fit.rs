//! **Ratings from games**, by maximum likelihood. The expected share of points is Elo's logistic curve
//! of the difference, as in the model of Bradley and Terry; every match has its own rate of draws.
//!
//! With the share `s` and a number `k` from 0 to 1 a game is drawn with the chance `2 k s (1 - s)` and
//! won with `s - k s (1 - s)`: without draws for `k` = 0, and like two independent halves for `k` = 1.
//! The fit goes by Fisher's scoring: Newton's method with the expected information for the second
//! derivatives, whose inverse also gives the errors.

use std::collections::BTreeMap;

use super::journal::Player;

/// What a match came to for its first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
}

impl Score {
    pub(super) fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of points.
    pub(super) fn share(self) -> f64 {
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games().max(1) as f64
    }

    pub(super) fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

/// All matches, by their players.
pub(super) type Scores = BTreeMap<(Player, Player), Score>;

/// A player on the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rating {
    pub(super) player: Player,
    pub(super) elo: f64,
    /// How far off it may be, 95 times out of 100.
    pub(super) error: f64,
    /// Games against other levels, and against anchors.
    pub(super) games: [u64; 2],
}

/// Elo that make the odds e times better.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;
/// How well the mean of the anchors is known, as a standard deviation: by definition.
const DEFINED: f64 = 0.1;
/// How far a player may be from its name before any game is seen, as a standard deviation: far, but
/// not so far that a lost match makes a rating infinite.
const PRIOR: f64 = 1000.0;
const STEPS: usize = 200;
/// The longest step, and the one that is short enough, in Elo.
const LONGEST: f64 = 150.0;
const SHORTEST: f64 = 0.001;

/// The ratings of all players, levels first. What an engine's own names are worth depends on how long
/// it thinks, so anchors are players like others; only the mean of those in `scale` is where their
/// names say, which makes the scale theirs.
pub(super) fn fit(scores: &Scores, scale: &[u32]) -> Vec<Rating> {
    let mut players: Vec<Player> =
        scores.keys().flat_map(|&(first, second)| [first, second]).collect();
    players.sort_unstable();
    players.dedup();
    let mut elos: Vec<f64> = players.iter().map(|player| f64::from(player.elo())).collect();
    for _ in 0..STEPS {
        let (slope, information) = derivatives(scores, scale, &players, &elos);
        let step = solve(information, slope);
        for (elo, step) in elos.iter_mut().zip(&step) {
            *elo += step.clamp(-LONGEST, LONGEST);
        }
        if step.iter().all(|step| step.abs() < SHORTEST) {
            break;
        }
    }
    let (_, information) = derivatives(scores, scale, &players, &elos);
    let variance = |index: usize| {
        let unit = (0..players.len()).map(|row| f64::from(u8::from(row == index))).collect();
        solve(information.clone(), unit)[index]
    };
    let games = |player: Player| {
        let mut games = [0; 2];
        for (&(first, second), score) in scores {
            let with = [first, second].contains(&player);
            let anchored = first.level().is_none() || second.level().is_none();
            games[usize::from(anchored)] += if with { score.games() } else { 0 };
        }
        games
    };
    players
        .iter()
        .enumerate()
        .map(|(index, &player)| Rating {
            player,
            elo: elos[index],
            error: 1.96 * variance(index).max(0.0).sqrt(),
            games: games(player),
        })
        .collect()
}

/// The slope of the likelihood's logarithm and the expected information, by Elo.
fn derivatives(
    scores: &Scores,
    scale: &[u32],
    players: &[Player],
    elos: &[f64],
) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = players.len();
    let index = |player: Player| players.binary_search(&player).unwrap_or(0);
    let (mut slope, mut information) = (vec![0.0; count], vec![vec![0.0; count]; count]);
    for (row, player) in players.iter().enumerate() {
        slope[row] = (f64::from(player.elo()) - elos[row]) / (PRIOR * PRIOR);
        information[row][row] = 1.0 / (PRIOR * PRIOR);
    }
    for (&(first, second), &score) in scores {
        let (first, second) = (index(first), index(second));
        let (along, certainty) = of_match(score, elos[first] - elos[second]);
        for (row, sign) in [(first, 1.0), (second, -1.0)] {
            slope[row] += sign * along;
            information[row][row] += certainty;
        }
        information[first][second] -= certainty;
        information[second][first] -= certainty;
    }
    let sets_scale = |player: &Player| player.level().is_none() && scale.contains(&player.elo());
    let anchors: Vec<usize> = (0..count).filter(|&row| sets_scale(&players[row])).collect();
    let mean = 1.0 / anchors.len().max(1) as f64;
    let known = mean * mean / (DEFINED * DEFINED);
    let off: f64 = anchors.iter().map(|&row| elos[row] - f64::from(players[row].elo())).sum();
    for &row in &anchors {
        slope[row] -= known * off;
        for &column in &anchors {
            information[row][column] += known;
        }
    }
    (slope, information)
}

/// Slope and information of one match, by the difference in Elo.
fn of_match(score: Score, difference: f64) -> (f64, f64) {
    let games = score.games() as f64;
    if games == 0.0 {
        return (0.0, 0.0);
    }
    let share = 1.0 / (1.0 + (-difference / SCALE).exp());
    let spread = share * (1.0 - share);
    let drawish = (score.draws as f64 / (2.0 * games * spread)).min(1.0);
    let tilt = drawish * spread * (1.0 - 2.0 * share);
    let outcomes = [
        (score.wins, share - drawish * spread, spread - tilt),
        (score.draws, 2.0 * drawish * spread, 2.0 * tilt),
        (score.losses, 1.0 - share - drawish * spread, -spread - tilt),
    ];
    let (mut slope, mut information) = (0.0, 0.0);
    for (seen, chance, change) in outcomes {
        if chance > 0.0 {
            slope += seen as f64 * change / chance;
            information += games * change * change / chance;
        }
    }
    (slope / SCALE, information / (SCALE * SCALE))
}

/// Solves a system of equations with a positive definite matrix, by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for column in 0..count {
        for row in column + 1..count {
            let factor = matrix[row][column] / matrix[column][column];
            let (above, below) = matrix.split_at_mut(row);
            for (value, pivot) in below[0].iter_mut().zip(&above[column]).skip(column) {
                *value -= factor * pivot;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Matches of players with these true ratings, by name: neighbours, and anchors near them.
    fn played(truth: &[(u32, f64)], games: u64, draws: f64) -> Scores {
        let mut rng = Rng::new(5);
        let mut scores = Scores::new();
        let mut play = |first: (Player, f64), second: (Player, f64)| {
            let share = 1.0 / (1.0 + ((second.1 - first.1) / SCALE).exp());
            let drawn = 2.0 * draws * share * (1.0 - share);
            let score = scores.entry((first.0, second.0)).or_default();
            for _ in 0..games {
                let luck = rng.unit();
                let won = luck < share - drawn / 2.0;
                score.add(if won { 2 } else { u8::from(luck < share + drawn / 2.0) });
            }
        };
        let level = |&(name, elo): &(u32, f64)| (Player::Level(name), elo);
        for pair in truth.windows(2) {
            play(level(&pair[1]), level(&pair[0]));
        }
        for rung in truth.iter().filter(|rung| rung.1 > 1400.0) {
            let anchor = (rung.1 / 100.0).round() * 100.0;
            play(level(rung), (Player::Anchor(anchor as u32), anchor));
        }
        scores
    }

    const TRUTH: [(u32, f64); 6] = [
        (800, 1010.0),
        (1000, 1150.0),
        (1200, 1320.0),
        (1400, 1530.0),
        (1600, 1590.0),
        (1800, 1930.0),
    ];

    /// The anchors that `played` has.
    const ANCHORS: [u32; 3] = [1500, 1600, 1900];

    #[test]
    fn known_strengths_are_recovered_within_their_errors() {
        for draws in [0.0, 0.3, 0.9] {
            let ratings = fit(&played(&TRUTH, 2000, draws), &ANCHORS);
            for (rating, (name, elo)) in ratings.iter().zip(TRUTH) {
                assert_eq!(rating.player, Player::Level(name));
                let off = (rating.elo - elo).abs();
                assert!(off < 1.5 * rating.error && rating.error < 45.0, "{rating:?} {elo}");
            }
            assert!(ratings[..TRUTH.len()].is_sorted_by(|a, b| a.elo < b.elo));
        }
    }

    #[test]
    fn errors_shrink_with_games_and_draws_say_more_than_none() {
        let errors = |games, draws| -> Vec<f64> {
            fit(&played(&TRUTH, games, draws), &ANCHORS).iter().map(|rating| rating.error).collect()
        };
        let (few, many) = (errors(200, 0.3), errors(3200, 0.3));
        for (few, many) in few.iter().zip(&many) {
            assert!((3.0..5.0).contains(&(few / many)), "{few} {many}");
        }
        assert!(errors(200, 0.9)[3] < errors(200, 0.0)[3]);
    }

    #[test]
    fn the_mean_of_the_anchors_sets_the_scale_and_guests_do_not() {
        let level = Player::Level(1500);
        let even = Score { wins: 500, draws: 0, losses: 500 };
        let scores = Scores::from([
            ((level, Player::Anchor(1400)), even),
            ((level, Player::Anchor(1800)), even),
            ((level, Player::Anchor(2400)), even),
        ]);
        for rating in fit(&scores, &[1400, 1800]) {
            assert!((rating.elo - 1600.0).abs() < 3.0, "{rating:?}");
        }
    }

    #[test]
    fn a_lost_match_keeps_ratings_finite_and_counts_games() {
        let mut scores = Scores::new();
        let whole = Score { wins: 50, draws: 0, losses: 0 };
        scores.insert((Player::Level(1200), Player::Level(1000)), whole);
        scores.insert(
            (Player::Level(1200), Player::Anchor(1350)),
            Score { wins: 0, draws: 0, losses: 50 },
        );
        let ratings = fit(&scores, &ANCHORS);
        assert!(ratings.iter().all(|rating| rating.elo.is_finite() && rating.error > 100.0));
        assert!(ratings[1].elo > ratings[0].elo + 300.0);
        assert_eq!((ratings[0].games, ratings[1].games), ([50, 0], [50, 50]));
        assert!(fit(&Scores::new(), &ANCHORS).is_empty());
    }
}
