//! Results of games by score and material.

use std::collections::BTreeMap;

use engine::material;

use crate::data::{Game, PositionFilter};

/// Scores this close together are counted together.
const SCORE_STEP: i32 = 8;

/// Positions with about the same score and the same material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// The score, seen from White.
    pub score: f64,
    /// The material of both sides.
    pub material: f64,
    /// How many of them White lost, drew and won.
    pub results: [f64; 3],
}

/// How positions ended, by score and material.
#[derive(Clone, Debug, Default)]
pub struct ResultTable {
    counts: BTreeMap<(i32, u32), [u64; 3]>,
    games: u64,
}

impl ResultTable {
    /// Counts the positions of a game that the filter keeps.
    pub fn add(&mut self, game: &Game, filter: &PositionFilter) {
        self.games += 1;
        game.replay(|position, scored| {
            if filter.keeps(position, scored) {
                let step = i32::from(scored.white_score).div_euclid(SCORE_STEP);
                let results = self.counts.entry((step, material(position))).or_default();
                results[game.result as usize] += 1;
            }
        });
    }

    /// How many games were counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many positions were counted.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.counts.values().flatten().sum()
    }

    /// The material that the middle 98 of 100 positions have.
    #[must_use]
    pub fn material_range(&self) -> (u32, u32) {
        let mut by_material: BTreeMap<u32, u64> = BTreeMap::new();
        for (&(_, material), results) in &self.counts {
            *by_material.entry(material).or_default() += results.iter().sum::<u64>();
        }
        let percent = self.positions() / 100;
        let end = |list: &mut dyn Iterator<Item = (&u32, &u64)>| {
            let mut seen = 0;
            let mut beyond = list.skip_while(|&(_, &count)| {
                seen += count;
                seen <= percent
            });
            beyond.next().map_or(0, |(&material, _)| material)
        };
        (end(&mut by_material.iter()), end(&mut by_material.iter().rev()))
    }

    /// The counts, cell by cell.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        let middle = f64::from(SCORE_STEP - 1) / 2.0;
        self.counts
            .iter()
            .map(|(&(step, material), results)| Cell {
                score: f64::from(step * SCORE_STEP) + middle,
                material: f64::from(material),
                results: results.map(|count| count as f64),
            })
            .collect()
    }
}
