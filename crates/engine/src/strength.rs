//! Playing below full strength, in a way that people recognise.
//!
//! A limited player looks at few nodes, so it misses what lies deeper. It overlooks moves, its own and
//! those of the opponent, by their kind ([`sight`]), and of the moves that look good to it it plays
//! one at random, better ones ([`choice`]) and those that people like ([`habit`]) more often. What it
//! plays is therefore a move that looks playable at its own depth, and its blunders are those that a
//! longer look would have prevented.
//!
//! The first moves come from a small book ([`opening`]).
//!
//! The choice is drawn from the position, the number of the move and the number of the game, so
//! the same game is played the same way again and the next game is not.
//!
//! Tablebases are not asked: they would play better than the player may.

mod choice;
mod habit;
mod opening;
mod sight;

use chess::{Bitboard, PieceType, Position};

pub(crate) use choice::{Candidate, Situation};

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
    /// Plain quiet moves that it does not see, in percent.
    pub overlooks: f64,
}

const fn level(elo: u32, nodes: u64, candidates: usize, temperature: f64, overlooks: f64) -> Level {
    Level { elo, nodes, candidates, temperature, overlooks }
}

/// The ladder. Between two rungs everything is interpolated. `docs/strength.md` says what the
/// numbers were measured against.
pub const LEVELS: [Level; 15] = [
    level(500, 100, 18, 92.0, 49.0),
    level(600, 150, 18, 67.0, 37.5),
    level(800, 290, 17, 39.0, 23.8),
    level(1000, 360, 16, 33.5, 20.6),
    level(1200, 650, 13, 20.0, 12.0),
    level(1400, 1300, 10, 13.4, 7.7),
    level(1600, 2400, 9, 9.1, 4.8),
    level(1800, 3800, 8, 6.6, 3.2),
    level(2000, 6000, 7, 4.7, 2.0),
    level(2200, 8900, 6, 3.3, 1.3),
    level(2400, 13_000, 4, 2.4, 0.8),
    level(2600, 21_000, 3, 1.7, 0.5),
    level(2800, 40_000, 2, 1.1, 0.2),
    level(3000, 80_000, 2, 0.8, 0.1),
    level(3200, 160_000, 2, 0.6, 0.0),
];

/// The Elo of the weakest level.
pub const MIN_ELO: u32 = LEVELS[0].elo;
/// The strongest level below full strength.
pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;

/// The `Skill Level` of full strength.
pub const MAX_SKILL: u32 = 20;

/// Nodes that are enough to mate a bare king.
const MATING_NODES: u64 = 20_000;

impl Level {
    /// The level of an Elo; beyond the ladder, its nearest end.
    #[must_use]
    pub fn of(elo: u32) -> Self {
        Self::on(&LEVELS, elo)
    }

    /// The level of an Elo on another ladder, of two rungs at least and the lowest first.
    #[must_use]
    pub fn on(ladder: &[Self], elo: u32) -> Self {
        let [first, .., last] = ladder else { return Self::of(elo) };
        let elo = elo.clamp(first.elo, last.elo);
        let upper = ladder.iter().position(|level| level.elo >= elo).unwrap_or(0).max(1);
        let (low, high) = (&ladder[upper - 1], &ladder[upper]);
        let part = f64::from(elo - low.elo) / f64::from(high.elo - low.elo);
        let between = |low: f64, high: f64| low * (1.0 - part) + high * part;
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

    /// The level in a position: in the opening all moves are looked at. Who has learned how to mate a
    /// bare king does not err there: a person of that strength does not, either.
    pub(crate) fn in_position(self, position: &Position) -> Self {
        if opening::is_known(position, self.elo) {
            // Every move of the book is to have a score.
            return Self { candidates: chess::MAX_MOVES, ..self };
        }
        if mating_elo(position).is_none_or(|elo| self.elo < elo) {
            return self;
        }
        Self { nodes: self.nodes.max(MATING_NODES), candidates: 1, overlooks: 0.0, ..self }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rung_is_stronger_than_the_one_below() {
        for pair in LEVELS.windows(2) {
            assert!(pair[0].elo < pair[1].elo && pair[0].nodes < pair[1].nodes);
            assert!(pair[0].temperature > pair[1].temperature);
            assert!(pair[0].overlooks >= pair[1].overlooks);
            assert!(pair[0].candidates >= pair[1].candidates && pair[1].candidates > 0);
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
        assert!(between.nodes > LEVELS[2].nodes && between.nodes < LEVELS[3].nodes);
        let middle = (LEVELS[2].temperature + LEVELS[3].temperature) / 2.0;
        assert!((between.temperature - middle).abs() < 1e-9);
        let other = [level(1000, 100, 9, 20.0, 8.0), level(2000, 10_000, 3, 10.0, 0.0)];
        assert_eq!(Level::on(&other, 1500), level(1500, 1000, 6, 15.0, 4.0));
        assert_eq!(Level::on(&other[..1], 800), Level::of(800));
    }

    #[test]
    fn skill_levels_climb_the_ladder_in_even_steps() {
        let levels: Vec<u32> =
            (0..MAX_SKILL).map(|skill| Level::of_skill(skill).unwrap().elo).collect();
        assert_eq!((levels[0], levels[19]), (MIN_ELO, MAX_ELO));
        assert!(
            levels.windows(2).all(|pair| (142..=143).contains(&(pair[1] - pair[0]))),
            "{levels:?}"
        );
        assert_eq!(Level::of_skill(MAX_SKILL), None);
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
