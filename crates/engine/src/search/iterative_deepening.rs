//! **Iterative deepening.** The root is searched to depth 1, 2, 3 and so on: each iteration orders
//! the moves of the next and leaves a move to play when the time is up. MultiPV searches the best
//! lines one after the other within an iteration; helper threads deepen side by side.
//!
//! Source: Slate and Atkin, "Chess 4.5" (1977); threads as in "Lazy SMP", the chess programming
//! wiki.
//! Worth: docs/strength.md for threads; without deepening there is no search to compare with.

use std::sync::atomic::Ordering::Relaxed;

use super::kind::Stopped;
use super::mate::MateSolver;
use super::stopping::Trend;
use super::worker::Worker;
use crate::report::Report;
use crate::score::MAX_PLY;
use crate::stats::{Iteration, Recorder, StopReason};

impl<R: Recorder> Worker<'_, R> {
    /// Searches deeper and deeper until a limit is reached or enough is known.
    pub(crate) fn iterative_deepening(&mut self) {
        if self.root_moves.is_empty() {
            return;
        }
        let lines = self.job.settings.multipv.clamp(1, self.root_moves.len());
        // Who reaches the depth first ends the search. Several lines are the main thread's alone;
        // its helpers are then useful until it is done.
        let limit = self
            .job
            .limits
            .last_iteration()
            .filter(|_| self.index == 0 || lines == 1)
            .unwrap_or(MAX_PLY as i32 - 1);
        let mut finished = self.root_moves.clone();
        let side = self.job.game.position().side_to_move();
        let mut trend = Trend::since(self.data.last_score.map(|score| score.seen_by(side)));
        let wanted = self.job.limits.mate.filter(|_| self.index == 0 && lines == 1);
        let mut solver = wanted.map(MateSolver::new);
        let mut depth = 0;
        loop {
            depth = self.next_depth(depth);
            if depth > limit {
                break;
            }
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.score;
            }
            if self.iterate(depth, lines).is_err() {
                self.adopt_interrupted(finished, lines);
                break;
            }
            self.completed_depth = depth;
            debug_assert!(self.has_legal_lines(lines), "{:?}", self.root_moves);
            finished.clone_from(&self.root_moves);
            if self.index == 0 {
                for index in 0..lines {
                    self.report_line(index);
                }
                trend.update(self.root_moves[0].mv, self.root_moves[0].score);
                self.note_iteration(depth);
                self.watch_iteration(depth, trend.scores());
                if let Some(reason) = self.enough(&trend) {
                    self.job.note_stop(reason);
                    break;
                }
                if let Some(line) = solver.as_mut().and_then(|solver| solver.resume(self)) {
                    self.adopt_mate(line);
                    self.report_line(0);
                    self.job.note_stop(StopReason::Mate);
                    break;
                }
            }
            if depth == limit {
                self.job.note_stop(StopReason::Depth);
                if self.index != 0 {
                    self.job.flags.stop.store(true, Relaxed);
                }
            }
            if self.is_stopped() {
                break;
            }
        }
    }

    /// Whether the lines to be shown can be played.
    fn has_legal_lines(&self, lines: usize) -> bool {
        self.root_moves[..lines].iter().all(|root_move| {
            let mut position = *self.job.game.position();
            root_move.pv.iter().all(|&mv| {
                let legal = position.is_legal(mv);
                if legal {
                    position.make(mv);
                }
                legal
            })
        })
    }

    /// The iteration after `depth`. The main thread takes one after the other; a helper that has
    /// fallen behind joins it.
    fn next_depth(&self, depth: i32) -> i32 {
        let next = depth + 1;
        if self.index == 0 {
            self.job.main_depth.store(next, Relaxed);
            return next;
        }
        next.max(self.job.main_depth.load(Relaxed))
    }

    fn note_iteration(&self, depth: i32) {
        if R::ON {
            self.publish_nodes();
            let (nodes, time) = (self.job.total_nodes(), self.job.time.elapsed());
            self.job.log().iterations.push(Iteration { depth, nodes, time });
        }
    }

    fn iterate(&mut self, depth: i32, lines: usize) -> Result<(), Stopped> {
        for index in 0..lines {
            self.pv_index = index;
            self.seldepth = 0;
            self.aspiration_search(depth, lines)?;
            self.sort_root_moves(index..);
        }
        // Only the lines: the first move of a window that failed low keeps a bound, which may be above
        // the score of an earlier line.
        self.sort_root_moves(..lines);
        Ok(())
    }

    /// Reports a line with the totals at this moment.
    pub(super) fn report_line(&mut self, index: usize) {
        self.report(|worker| {
            worker.publish_nodes();
            let line = worker.root_moves[index].line(index + 1);
            Report::Line(line, worker.job.progress())
        });
    }
}
