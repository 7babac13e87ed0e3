//! Playing below full strength, in a way that people recognise.
//!
//! A limited player looks at few nodes, so it misses what lies deeper. Of the moves that look good
//! so far it plays one at random, better ones more often: the chance falls by a factor of e for
//! each `temperature` of centipawns that a move loses. And it overlooks some moves altogether,
//! captures and promotions half as often as others. What it plays is therefore a move that looks
//! playable at its own depth, and its blunders are those that a longer look would have prevented.
//!
//! The choice is drawn from the position, the number of the move and the number of the game, so
//! the same game is played the same way again and the next game is not.
//!
//! Tablebases are not asked: they would play better than the player may.

use chess::rng::Rng;
use chess::{Bitboard, PieceType, Position};

use crate::score::Score;

/// How a player of limited strength searches and chooses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The Elo that the level stands for.
    pub elo: u32,
    /// Nodes it looks at. The first iteration is always finished.
    pub nodes: u64,
    /// The best moves it chooses among.
    pub candidates: usize,
    /// Centipawns of loss that make a move e times less likely.
    pub temperature: f64,
    /// Quiet moves that it does not see at all, in percent.
    pub overlooks: f64,
}

const fn level(elo: u32, nodes: u64, candidates: usize, temperature: f64, overlooks: f64) -> Level {
    Level { elo, nodes, candidates, temperature, overlooks }
}

/// The ladder. Between two rungs everything is interpolated. `docs/strength.md` says what the
/// numbers were measured against.
pub const LEVELS: [Level; 11] = [
    level(800, 400, 16, 57.0, 12.0),
    level(1000, 700, 12, 43.0, 8.0),
    level(1200, 1100, 11, 34.0, 5.0),
    level(1400, 1700, 10, 27.0, 3.5),
    level(1600, 3500, 9, 20.0, 1.5),
    level(1800, 9000, 7, 12.0, 0.5),
    level(2000, 30_000, 6, 7.0, 0.0),
    level(2200, 90_000, 5, 4.5, 0.0),
    level(2400, 220_000, 4, 3.0, 0.0),
    level(2600, 450_000, 3, 2.0, 0.0),
    level(2800, 900_000, 2, 1.0, 0.0),
];

/// The Elo of the weakest level.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// The strongest level below full strength.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;

/// The `Skill Level` of full strength.
pub const MAX_SKILL: u32 = 20;

/// From this level on a mate in one is never missed.
const SEES_MATE_FROM: u32 = 1200;
/// Nodes that are enough to mate a bare king.
const MATING_NODES: u64 = 20_000;
/// A score beyond this is worth no more to a person.
const HORIZON: i32 = 1500;
/// What a ply less to a mate is worth beyond that, in centipawns, and up to how many plies.
const MATE_STEP: i32 = 10;
const MATE_PLIES: i32 = 50;

impl Level {
    /// The level of an Elo; beyond the ladder, its nearest end.
    #[must_use]
    pub fn of(elo: u32) -> Self {
        let elo = elo.clamp(MIN_ELO, MAX_ELO);
        let upper = LEVELS.iter().position(|level| level.elo >= elo).unwrap_or(0).max(1);
        let (low, high) = (&LEVELS[upper - 1], &LEVELS[upper]);
        let part = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low + (high - low) * part;
        let nodes = (low.nodes as f64) * (high.nodes as f64 / low.nodes as f64).powf(part);
        Self {
            elo,
            nodes: nodes.round() as u64,
            candidates: between(low.candidates as f64, high.candidates as f64).round() as usize,
            temperature: between(low.temperature, high.temperature),
            overlooks: between(low.overlooks, high.overlooks),
        }
    }

    /// The level of a `Skill Level` as other engines have it, from 0 to 20: even steps from the
    /// weakest level to the strongest below full strength, and none at 20.
    #[must_use]
    pub fn of_skill(skill: u32) -> Option<Self> {
        let steps = MAX_SKILL - 1;
        (skill < MAX_SKILL).then(|| Self::of(MIN_ELO + (MAX_ELO - MIN_ELO) * skill / steps))
    }

    /// The level in a position. Who has learned how to mate a bare king does not err there: a
    /// person of that strength does not, either.
    pub(crate) fn in_position(self, position: &Position) -> Self {
        if mating_elo(position).is_none_or(|elo| self.elo < elo) {
            return self;
        }
        Self { nodes: self.nodes.max(MATING_NODES), candidates: 1, overlooks: 0.0, ..self }
    }

    /// Which of the moves, best first, to play.
    pub(crate) fn choose(&self, candidates: &[Candidate], seed: u64) -> usize {
        let Some(best) = candidates.first() else { return 0 };
        if best.score == Score::mate_in(1) && self.elo >= SEES_MATE_FROM {
            return 0;
        }
        let mut luck = Rng::new(seed);
        let weights: Vec<f64> = candidates
            .iter()
            .map(|candidate| {
                let overlooks = self.overlooks / if candidate.noisy { 200.0 } else { 100.0 };
                let seen = luck.unit() >= overlooks;
                let loss = f64::from(value(best.score) - value(candidate.score));
                if seen { (-loss / self.temperature).exp() } else { 0.0 }
            })
            .collect();
        let mut left = luck.unit() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        0
    }
}

/// From which Elo on the side to move knows how to mate, if all it has to do is to mate a bare king.
fn mating_elo(position: &Position) -> Option<u32> {
    let (board, us) = (position.board(), position.side_to_move());
    if board.color(!us).many() {
        return None;
    }
    let has = |kind| board.pieces(us, kind).any();
    let bishops = board.pieces(us, PieceType::Bishop);
    let on_light = bishops & Bitboard::LIGHT;
    if has(PieceType::Queen) || has(PieceType::Rook) {
        Some(1000)
    } else if on_light.any() && bishops != on_light {
        Some(1400)
    } else if bishops.any() && has(PieceType::Knight) {
        Some(2000)
    } else {
        None
    }
}

/// A move that may be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) score: Score,
    pub(crate) noisy: bool,
}

/// What a score is worth to a person, in centipawns.
fn value(score: Score) -> i32 {
    match score.mate_plies() {
        Some(plies) => {
            let sooner = MATE_STEP * (MATE_PLIES - plies.abs()).max(0);
            (HORIZON + sooner) * plies.signum()
        }
        None => score.raw().clamp(-HORIZON, HORIZON),
    }
}

/// Odd and irregular, so that neighbouring numbers have far seeds.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The seed of the choice in a position.
pub(crate) fn seed(position: &Position, game: u64) -> u64 {
    let number = u64::from(position.fullmove()) << 32 | game;
    Rng::new(position.key() ^ number.wrapping_mul(STEP)).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(scores: &[i32]) -> Vec<Candidate> {
        let quiet = |&score: &i32| Candidate { score: Score::from_cp(score), noisy: false };
        scores.iter().map(quiet).collect()
    }

    /// How often each of the moves is chosen, of 4000 times.
    fn shares(level: &Level, candidates: &[Candidate]) -> Vec<u32> {
        let mut counts = vec![0; candidates.len()];
        for seed in 0..4000 {
            counts[level.choose(candidates, Rng::new(seed).next_u64())] += 1;
        }
        counts
    }

    #[test]
    fn every_rung_is_stronger_than_the_one_below() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].elo < pair[1].elo && pair[0].nodes < pair[1].nodes);
            assert!(pair[0].temperature > pair[1].temperature);
            assert!(pair[0].overlooks >= pair[1].overlooks);
            assert!(pair[0].candidates >= pair[1].candidates && pair[1].candidates > 1);
        }
    }

    #[test]
    fn levels_between_rungs_are_between_them() {
        for rung in LEVELS {
            assert_eq!(Level::of(rung.elo), rung);
        }
        assert_eq!(Level::of(0), LEVELS[0]);
        assert_eq!(Level::of(u32::MAX), LEVELS[LEVELS.len() - 1]);
        let between = Level::of(900);
        assert!(between.nodes > LEVELS[0].nodes && between.nodes < LEVELS[1].nodes);
        assert!((between.temperature - 50.0).abs() < 1e-9);
    }

    #[test]
    fn skill_levels_climb_the_ladder_in_even_steps() {
        let levels: Vec<u32> =
            (0..MAX_SKILL).map(|skill| Level::of_skill(skill).unwrap().elo).collect();
        assert_eq!((levels[0], levels[19]), (MIN_ELO, MAX_ELO));
        assert!(
            levels.windows(2).all(|pair| (105..=106).contains(&(pair[1] - pair[0]))),
            "{levels:?}"
        );
        assert_eq!(Level::of_skill(MAX_SKILL), None);
    }

    #[test]
    fn better_moves_are_played_more_often_and_by_better_players() {
        let moves = candidates(&[30, 10, -60, -150]);
        let (weak, strong) = (shares(&Level::of(800), &moves), shares(&Level::of(2000), &moves));
        assert!(weak.is_sorted_by(|a, b| a > b), "{weak:?}");
        assert!(weak[3] > 0 && weak[3] < 600, "{weak:?}");
        assert!(strong[0] > weak[0] && strong[3] == 0, "{strong:?}");
    }

    #[test]
    fn a_mate_in_one_is_missed_by_beginners_only() {
        let mut moves = candidates(&[0, 600, 500]);
        moves[0].score = Score::mate_in(1);
        assert!(shares(&Level::of(800), &moves)[0] < 3900);
        for elo in [SEES_MATE_FROM, 2000, MAX_ELO] {
            assert_eq!(shares(&Level::of(elo), &moves)[0], 4000);
        }
    }

    #[test]
    fn a_shorter_mate_is_better_and_being_mated_is_worst() {
        let order = [
            Score::mate_in(1),
            Score::mate_in(5),
            Score::tablebase_win(3),
            Score::from_cp(100),
            Score::tablebase_loss(3),
            Score::mated_in(8),
            Score::mated_in(2),
        ];
        assert!(order.map(value).is_sorted_by(|a, b| a > b), "{:?}", order.map(value));
    }

    #[test]
    fn the_choice_is_fixed_by_position_and_game() {
        let start = Position::startpos();
        assert_eq!(seed(&start, 3), seed(&start, 3));
        assert_ne!(seed(&start, 3), seed(&start, 4));
        assert_eq!(Level::of(1000).choose(&[], 1), 0);
    }

    #[test]
    fn the_manual_has_the_ladder_as_it_is() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/strength.md");
        let page = std::fs::read_to_string(path).unwrap_or_default();
        for Level { elo, nodes, candidates, temperature, overlooks } in LEVELS {
            let row = format!("| {elo} | {nodes} | {candidates} | {temperature} | {overlooks} |");
            assert!(page.contains(&row), "docs/strength.md has no row {row}");
        }
    }
}
