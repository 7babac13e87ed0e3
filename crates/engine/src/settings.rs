//! What can be set about a search besides its limits.

use std::time::Duration;

use crate::strength::{Level, MAX_ELO, MAX_SKILL};

/// Settings that hold from search to search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchSettings {
    /// How many best lines to find.
    pub multipv: usize,
    /// Time lost on the way between clock and engine.
    pub move_overhead: Duration,
    /// Whether leaves are played out; off, they get their static score.
    pub use_quiescence: bool,
    /// Deepest quiescence below the main search.
    pub qsearch_max_ply: usize,
    /// What a capture may fall short of alpha in quiescence and still be tried; none for the
    /// parameter `qs_delta_margin`.
    pub qsearch_delta_margin: Option<i32>,
    /// Most nodes of one quiescence search; 0 for no limit.
    pub qsearch_node_limit: u64,
    /// Whether the search counts what it does. The answers are the same either way.
    pub statistics: bool,
    /// Least depth at which the largest tablebases are asked.
    pub syzygy_probe_depth: i32,
    /// Tablebases with more pieces than this are not asked.
    pub syzygy_probe_limit: u32,
    /// Whether wins that the fifty-move rule spoils count as draws.
    pub syzygy_fifty_move_rule: bool,
    /// Whether to play below full strength.
    pub limit_strength: bool,
    /// The Elo to play at then.
    pub elo: u32,
    /// What that Elo is to mean, if not what the ladder says.
    pub custom_level: Option<Level>,
    /// A step of the ladder of levels, for those who do not name an Elo: [`MAX_SKILL`] is full
    /// strength. Counts for nothing where the strength is limited by an Elo.
    pub skill_level: u32,
}

impl SearchSettings {
    /// The level to play at; none at full strength.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        if self.limit_strength {
            return Some(self.custom_level.unwrap_or_else(|| Level::of(self.elo)));
        }
        Level::of_skill(self.skill_level)
    }
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            multipv: 1,
            move_overhead: Duration::from_millis(10),
            use_quiescence: true,
            qsearch_max_ply: 32,
            qsearch_delta_margin: None,
            qsearch_node_limit: 0,
            statistics: false,
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_fifty_move_rule: true,
            limit_strength: false,
            elo: MAX_ELO,
            custom_level: None,
            skill_level: MAX_SKILL,
        }
    }
}
