//! **Time management.** How long to think: a share of the clock, scaled by how settled the best
//! move and its score are.
//!
//! Source: the chess programming wiki, "Time Management".

use std::num::NonZeroU64;
use std::time::Duration;

use crate::limits::Limits;
use crate::params;
use crate::stats::TimePlan;
use crate::time::Instant;

/// The time plan of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    started: Instant,
    /// No new iteration after this, before the factors of the position.
    soft: Option<Duration>,
    /// The search is cut off here.
    hard: Option<Duration>,
    /// Nodes to the second, if the clock runs by nodes.
    rate: Option<NonZeroU64>,
}

/// What an iteration showed that makes a move worth more or less time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stability {
    /// Share of the nodes spent on the best move, in 1/1024.
    pub(crate) best_move_nodes: i32,
    /// Iterations since the best move changed.
    pub(crate) unchanged: i32,
    /// How far the score fell within a few iterations, in centipawns.
    pub(crate) fall: i32,
    /// How far it fell since the last move of the game.
    pub(crate) fall_since_move: i32,
}

/// Reserved whatever the clock says: answering takes time too.
const RESERVE: Duration = Duration::from_millis(2);

/// A search may always take this long.
const LEAST: Duration = Duration::from_micros(500);

impl TimeManager {
    /// The plan for a move of this number in its game.
    pub(crate) fn new(limits: &Limits, overhead: Duration, fullmove: u16) -> Self {
        let started = limits.started.unwrap_or_else(Instant::now);
        let (mut soft, mut hard) = (None, None);
        if let Some(time) = limits.move_time {
            let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
            hard = Some(time);
        }
        if let Some(clock) = limits.clock {
            let safe = clock.remaining.saturating_sub(overhead + RESERVE);
            // With moves to go, each of them needs its share and its overhead.
            let (share, limit) = match limits.moves_to_go.filter(|&moves| moves > 0) {
                Some(moves) => {
                    let moves = moves.min(40);
                    let spare = safe.saturating_sub(overhead * (moves - 1));
                    let factor = if moves == 1 { 0.75 } else { 0.85 };
                    (
                        spare.mul_f64(factor) / moves,
                        spare.mul_f64(if moves == 1 { 0.9 } else { 0.6 }),
                    )
                }
                None => (
                    safe.mul_f64(fraction(share_at(fullmove)))
                        + clock.increment.mul_f64(fraction(params::time_increment())),
                    safe.mul_f64(fraction(params::time_hard_share())),
                ),
            };
            let limit = limit.min(safe).max(LEAST);
            let share = share.min(limit);
            // An iteration that goes wrong may take several times the share, not half of the clock.
            let longest = share.mul_f64(fraction(params::time_max_scale()));
            let limit = limit.min(longest.max(LEAST));
            soft = Some(share);
            hard = Some(hard.map_or(limit, |hard: Duration| hard.min(limit)));
        }
        Self { started, soft, hard, rate: limits.nodes_per_second }
    }

    /// Time since the search was asked for.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What a search has taken from the clock after so many nodes.
    pub(crate) fn used(&self, nodes: u64) -> Duration {
        match self.rate {
            None => self.elapsed(),
            Some(rate) => Duration::from_secs_f64(nodes as f64 / rate.get() as f64),
        }
    }

    /// Whether a search must stop after so many nodes.
    pub(crate) fn is_over(&self, nodes: u64) -> bool {
        self.hard.is_some_and(|hard| self.used(nodes) >= hard)
    }

    /// The nodes after which a search must stop; known only if the clock runs by nodes.
    pub(crate) fn last_node(&self) -> Option<u64> {
        let (hard, rate) = (self.hard?, self.rate?);
        Some((hard.as_secs_f64() * rate.get() as f64).ceil() as u64)
    }

    /// What the clock allows, given how long the last iteration wanted to think.
    pub(crate) fn plan(&self, wanted: Option<Duration>) -> TimePlan {
        TimePlan { soft: self.soft, wanted, hard: self.hard }
    }

    /// How long the search should take, as far as an iteration showed.
    pub(crate) fn wanted(&self, stability: Stability) -> Option<Duration> {
        let soft = self.soft?;
        let nodes =
            params::time_node_base() - params::time_node_slope() * stability.best_move_nodes / 1024;
        let stable = params::time_stability_base()
            - params::time_stability_slope() * stability.unchanged.min(10);
        let score = (params::time_score_base()
            + params::time_score_slope() * stability.fall
            + params::time_move_slope() * stability.fall_since_move)
            .clamp(params::time_score_min(), params::time_score_max());
        let factor = fraction(nodes.max(256)) * fraction(stable.max(256)) * fraction(score);
        let wanted = soft.mul_f64(factor);
        Some(self.hard.map_or(wanted, |hard| wanted.min(hard)))
    }
}

/// The share of the remaining time that a move should take: the fewer moves are to come, the more.
fn share_at(fullmove: u16) -> i32 {
    params::time_share() + params::time_growth() * i32::from(fullmove.min(80)) / 40
}

fn fraction(parts: i32) -> f64 {
    f64::from(parts) / 1024.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::ClockTime;

    fn clock(
        remaining: u64,
        increment: u64,
        moves_to_go: Option<u32>,
        overhead: u64,
    ) -> TimeManager {
        let limits = Limits {
            clock: Some(ClockTime {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
            }),
            moves_to_go,
            ..Limits::default()
        };
        TimeManager::new(&limits, Duration::from_millis(overhead), 1)
    }

    const CALM: Stability =
        Stability { best_move_nodes: 700, unchanged: 8, fall: 0, fall_since_move: 0 };

    #[test]
    fn a_falling_score_is_given_time_up_to_a_limit() {
        let clock = clock(60_000, 600, None, 10);
        let wanted = |fall, fall_since_move| {
            clock.wanted(Stability { fall, fall_since_move, ..CALM }).unwrap()
        };
        assert!(wanted(20, 0) > wanted(0, 0) && wanted(0, 20) > wanted(0, 0));
        assert!(wanted(0, -20) < wanted(0, 0));
        assert_eq!(wanted(0, 5_000), wanted(30_000, 60_000));
        assert_eq!(wanted(0, -5_000), wanted(-30_000, -60_000));
    }

    #[test]
    fn the_plan_never_exceeds_the_clock() {
        for remaining in [0, 1, 5, 10, 50, 1000, 60_000, 10_000_000] {
            for increment in [0, 1, 100, 60_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for overhead in [0, 10, 5000] {
                        let clock = clock(remaining, increment, moves, overhead);
                        let (soft, hard) = (clock.soft.unwrap(), clock.hard.unwrap());
                        assert!(soft <= hard);
                        assert!(
                            hard <= Duration::from_millis(remaining)
                                .max(Duration::from_micros(500))
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_large_increment_does_not_tempt_a_nearly_empty_clock() {
        let clock = clock(10, 1000, None, 0);
        assert!(clock.hard.unwrap() < Duration::from_millis(10));
    }

    #[test]
    fn later_moves_take_a_larger_share_of_what_is_left() {
        let shares: Vec<i32> = [1, 20, 40, 80, 400, u16::MAX].map(share_at).into();
        assert!(shares.is_sorted() && shares[0] < shares[3], "{shares:?}");
        assert_eq!(shares[3], shares[5], "a long game does not take all of it");
    }

    #[test]
    fn one_move_takes_a_few_shares_at_most() {
        let clock = clock(10_000, 100, None, 0);
        let (soft, hard) = (clock.soft.unwrap(), clock.hard.unwrap());
        assert!(hard > soft * 4 && hard < soft * 6, "{soft:?} {hard:?}");
    }

    #[test]
    fn the_last_move_before_the_control_keeps_a_margin() {
        let clock = clock(1000, 0, Some(1), 10);
        assert!(clock.hard.unwrap() < Duration::from_millis(950));
        assert!(clock.soft.unwrap() > Duration::from_millis(300));
    }

    #[test]
    fn a_clock_that_runs_by_nodes_knows_its_last_one() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(250)),
            nodes_per_second: NonZeroU64::new(40_000),
            ..Limits::default()
        };
        let clock = TimeManager::new(&limits, Duration::ZERO, 1);
        assert_eq!(clock.used(20_000), Duration::from_millis(500));
        assert_eq!(clock.last_node(), Some(10_000));
        assert!(!clock.is_over(9_999) && clock.is_over(10_000));
        let by_time =
            TimeManager::new(&Limits { nodes_per_second: None, ..limits }, Duration::ZERO, 1);
        assert_eq!(by_time.last_node(), None);
    }

    #[test]
    fn no_clock_means_no_limit() {
        let clock = TimeManager::new(&Limits::default(), Duration::ZERO, 1);
        assert!(!clock.is_over(u64::MAX));
        assert_eq!(clock.wanted(CALM), None);
    }
}
