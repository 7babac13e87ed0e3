//! **Aspiration windows.** The root is searched with a window around the expected score, which is
//! widened until the score fits: most of the tree is cut off by a bound that is near.
//!
//! Source: the chess programming wiki, "Aspiration Windows".
//! Worth: docs/ablations.md, row "Aspiration windows".

use std::time::Duration;

use super::kind::{Node, Root, Stopped, Window};
use super::worker::Worker;
use crate::params;
use crate::score::Score;
use crate::stats::Recorder;

/// A search shorter than this does not report bounds.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

impl<R: Recorder> Worker<'_, R> {
    /// Searches with a window around the expected score and widens it until the score fits.
    pub(super) fn aspiration_search(&mut self, depth: i32, lines: usize) -> Result<(), Stopped> {
        let expected = self.root_moves[self.pv_index].average;
        let mut window = Window::full();
        let mut delta = params::aspiration_delta();
        if let Some(expected) =
            expected.filter(|score| depth >= params::aspiration_depth() && !score.is_decisive())
        {
            delta += expected.raw() * expected.raw() / params::aspiration_score_divisor();
            window = around(expected, delta);
        }
        let mut shallower = 0;
        loop {
            let adjusted = (depth - shallower).max(1);
            let root = *self.job.game.position();
            let node = Node { depth: adjusted, ply: 0, cut_node: false, window };
            self.root_width = window.width();
            let score = self.search::<Root>(&root, node)?;
            self.sort_root_moves(self.pv_index..);
            if score > window.alpha && score < window.beta {
                return Ok(());
            }
            if self.index == 0 && lines == 1 && self.job.time.elapsed() >= BOUNDS_AFTER {
                self.report_line(self.pv_index);
            }
            if score <= window.alpha {
                window.beta = Score::from_raw((window.alpha.raw() + window.beta.raw()) / 2);
                window.alpha = lower(score, delta);
                shallower = 0;
            } else {
                window.beta = -lower(-score, delta);
                shallower = (shallower + i32::from(!score.is_decisive())).min(3);
            }
            delta += delta * params::aspiration_growth() / 1024;
            if delta > params::aspiration_limit() {
                window = Window::full();
            }
        }
    }
}

fn around(score: Score, delta: i32) -> Window {
    Window { alpha: lower(score, delta), beta: -lower(-score, delta) }
}

/// A score less a margin, not below all scores.
fn lower(score: Score, delta: i32) -> Score {
    (score - delta).max(-Score::INFINITE)
}
