//! **Watchdog.** Where statistics are counted, what looks wrong is reported: quiescence that
//! explodes or has most of the nodes, lines that reach the longest possible length, scores that
//! swing from iteration to iteration. A search that nobody watches has no trace of it.
//!
//! Source: the red flags of SeaJay's plan for quiescence; see docs/sources.md.
//! Worth: none in games; it finds faults.

use std::time::Duration;

use chess::Position;

use super::worker::Worker;
use crate::report::{Report, Warning};
use crate::score::Score;
use crate::stats::{Counters, Event, Recorder};

/// Nodes of one quiescence search that are worth a warning.
pub(super) const EXPLOSION_NODES: u64 = 10_000;
/// Quiescence with so many times the nodes of the main search is worth a warning.
const MOST_SHARE: u64 = 10;
/// Below this many nodes shares mean nothing.
const FEW_NODES: u64 = 10_000;
/// Centipawns between two iterations that are a swing.
const SWING: i32 = 100;
/// Warnings are at least this far apart.
const PAUSE: Duration = Duration::from_secs(1);

impl<R: Recorder> Worker<'_, R> {
    /// Warns, if anybody listens and the last warning was long enough ago.
    pub(super) fn warn(&mut self, make: impl FnOnce() -> Warning) {
        let now = self.job.time.elapsed();
        if R::ON && self.is_main() && now >= self.next_warning {
            self.next_warning = now + PAUSE;
            self.report(|_| Report::Warning(make()));
        }
    }

    /// Looks at a quiescence search that has ended.
    pub(super) fn watch_quiescence(&mut self, position: &Position) {
        let nodes = self.nodes - self.quiescence_start;
        if nodes >= EXPLOSION_NODES {
            self.record.count(Event::LargeQuiescence);
            self.warn(|| Warning::Explosion { position: Box::new(*position), nodes });
        }
    }

    /// Looks at an iteration that has ended, with the scores of the last ones, the newest first.
    pub(super) fn watch_iteration(&mut self, depth: i32, scores: [Option<Score>; 4]) {
        if !R::ON {
            return;
        }
        if let Some((quiescence, main)) = self.record.counters().and_then(unbalanced) {
            self.warn(|| Warning::QuiescenceShare { quiescence, main });
        }
        if let [Some(a), Some(b), Some(c), Some(d)] = scores
            && swings([a, b, c, d])
        {
            self.warn(|| Warning::Oscillation { depth, scores: [a, b, c, d] });
        }
    }
}

/// Nodes of quiescence and of the main search, if there are too many of the first.
fn unbalanced(counters: &Counters) -> Option<(u64, u64)> {
    let main = [Event::PvNode, Event::CutNode, Event::AllNode];
    let main: u64 = main.iter().map(|&event| counters.get(event)).sum();
    let quiescence = counters.get(Event::QuiescenceNode);
    (quiescence + main >= FEW_NODES && quiescence > MOST_SHARE * main).then_some((quiescence, main))
}

/// Whether the scores go up and down by turns, each time by much.
fn swings(scores: [Score; 4]) -> bool {
    let steps = [scores[0] - scores[1], scores[1] - scores[2], scores[2] - scores[3]];
    let is_plain = scores.iter().all(|score| !score.is_decisive());
    is_plain
        && steps.iter().all(|step| step.abs() >= SWING)
        && steps[0].signum() != steps[1].signum()
        && steps[1].signum() != steps[2].signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(values: [i32; 4]) -> [Score; 4] {
        values.map(Score::from_cp)
    }

    #[test]
    fn a_swing_goes_up_and_down_by_much_and_by_turns() {
        assert!(swings(scores([100, -50, 120, 0])));
        assert!(!swings(scores([300, 200, 100, 0])), "a score that rises");
        assert!(!swings(scores([20, -20, 20, -20])), "a score that trembles");
        let mut mate = scores([100, -50, 120, 0]);
        mate[0] = Score::mate_in(5);
        assert!(!swings(mate), "a mate is no swing");
    }

    #[test]
    fn only_a_share_beyond_all_reason_counts() {
        let mut counters = Counters::default();
        for (event, count) in [(Event::CutNode, 1_000), (Event::QuiescenceNode, 9_999)] {
            (0..count).for_each(|_| counters.count(event));
        }
        assert_eq!(unbalanced(&counters), None);
        (0..2).for_each(|_| counters.count(Event::QuiescenceNode));
        assert_eq!(unbalanced(&counters), Some((10_001, 1_000)));
    }
}
