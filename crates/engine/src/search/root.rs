//! The root: deepening, aspiration windows, several lines, and when to stop.

use std::sync::atomic::Ordering::Relaxed;

use chess::Move;

use super::kind::{Root, Stopped, Window};
use super::mate::MateHunt;
use super::worker::{SearchJob, Worker};
use crate::clock::Stability;
use crate::params;
use crate::report::{Line, Progress, Report};
use crate::score::{Bound, MAX_PLY, Score};
use crate::stats::{Iteration, Recorder, StopReason};
use crate::tablebase::Verdict;

/// A move at the root and what the search knows about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    /// What is known about the score.
    pub(crate) bound: Bound,
    /// Iteration of the score.
    pub(crate) depth: i32,
    pub(crate) seldepth: usize,
    pub(crate) pv: Vec<Move>,
    /// How many moves of the line belong to the main search.
    pub(crate) main_plies: usize,
    /// Nodes spent on it in this search.
    pub(crate) nodes: u64,
    /// The score of the iteration before, which orders moves whose scores are not known.
    previous: Score,
    /// A running mean of the scores, around which the next window is laid.
    average: Option<Score>,
    /// What the endgame tables say about the root if this move is played.
    proven: Option<Verdict>,
}

impl RootMove {
    /// The moves to search: those asked for that are legal, or without any those that keep what
    /// the endgame tables promise, or all.
    pub(crate) fn all(job: &SearchJob) -> Vec<Self> {
        let legal = job.game.position().legal_moves();
        let verdict = job.root_verdict.as_ref();
        let wanted = &job.limits.search_moves;
        let some_wanted = legal.iter().any(|mv| wanted.contains(mv));
        let fits = |mv: &Move| match verdict {
            _ if some_wanted => wanted.contains(mv),
            Some(verdict) => verdict.moves.contains(mv),
            None => true,
        };
        let proven = verdict.filter(|_| !some_wanted).map(|verdict| verdict.verdict);
        legal.iter().copied().filter(fits).map(|mv| Self::new(mv, proven)).collect()
    }

    pub(crate) fn new(mv: Move, proven: Option<Verdict>) -> Self {
        Self {
            mv,
            score: -Score::INFINITE,
            bound: Bound::Upper,
            depth: 0,
            seldepth: 0,
            pv: vec![mv],
            main_plies: 1,
            nodes: 0,
            previous: -Score::INFINITE,
            average: None,
            proven,
        }
    }

    /// The score to tell: what the tables prove, unless the search proved more.
    fn told_score(&self) -> Score {
        match self.proven {
            Some(Verdict::Win) if !self.score.is_win() => Score::tablebase_win(0),
            Some(Verdict::Loss) if !self.score.is_loss() => Score::tablebase_loss(0),
            Some(Verdict::CursedWin | Verdict::Draw | Verdict::BlessedLoss) => Score::DRAW,
            _ => self.score,
        }
    }

    /// The move as a line of a report.
    pub(crate) fn line(&self, multipv: usize) -> Line {
        Line {
            multipv,
            depth: self.depth,
            seldepth: self.seldepth,
            score: self.told_score(),
            bound: self.bound,
            pv: self.pv.clone(),
            main_plies: self.main_plies,
        }
    }
}

/// How the best move and its score behave from iteration to iteration.
#[derive(Default)]
struct Trend {
    best_move: Option<Move>,
    unchanged: i32,
    /// The score of the last move of the game.
    last_move: Option<Score>,
    /// The scores of the last iterations, the newest first.
    scores: [Option<Score>; 4],
    fall: i32,
    fall_since_move: i32,
}

impl Trend {
    fn since(last_move: Option<Score>) -> Self {
        Self { last_move, ..Self::default() }
    }

    fn update(&mut self, mv: Move, score: Score) {
        self.unchanged = if self.best_move == Some(mv) { self.unchanged + 1 } else { 0 };
        self.best_move = Some(mv);
        let fall_from = |before: Option<Score>| before.map_or(0, |before| before - score);
        self.fall = fall_from(self.scores[3]);
        self.fall_since_move = fall_from(self.last_move);
        self.scores.rotate_right(1);
        self.scores[0] = Some(score);
    }
}

/// Who is told how the search goes. A report is made only if it is asked for: to many short
/// searches nobody listens, and to look how full the table is takes as long as several nodes.
pub(crate) type Tell<'a> = dyn FnMut(&dyn Fn() -> Report) + 'a;

impl<R: Recorder> Worker<'_, R> {
    /// Searches deeper and deeper until something says that it is enough.
    pub(crate) fn deepen(&mut self, tell: &mut Tell<'_>) {
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
        let mut hunt = wanted.map(MateHunt::new);
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
            if self.iterate(depth, lines, tell).is_err() {
                self.settle_interrupted(finished, lines);
                break;
            }
            self.completed_depth = depth;
            debug_assert!(self.has_legal_lines(lines), "{:?}", self.root_moves);
            finished.clone_from(&self.root_moves);
            if self.index == 0 {
                for index in 0..lines {
                    tell(&|| self.report(index));
                }
                trend.update(self.root_moves[0].mv, self.root_moves[0].score);
                self.note_iteration(depth);
                if let Some(reason) = self.enough(&trend) {
                    self.job.note_stop(reason);
                    break;
                }
                if let Some(line) = hunt.as_mut().and_then(|hunt| hunt.go_on(self)) {
                    self.settle_mate(line);
                    tell(&|| self.report(0));
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
            let Progress { nodes, time, .. } = self.progress();
            self.job.course().iterations.push(Iteration { depth, nodes, time });
        }
    }

    fn iterate(&mut self, depth: i32, lines: usize, tell: &mut Tell<'_>) -> Result<(), Stopped> {
        for index in 0..lines {
            self.pv_index = index;
            self.seldepth = 0;
            self.aspire(depth, lines, tell)?;
            self.sort_root_moves(index);
        }
        self.sort_root_moves(0);
        Ok(())
    }

    /// Searches with a window around the expected score and widens it until the score fits.
    fn aspire(&mut self, depth: i32, lines: usize, tell: &mut Tell<'_>) -> Result<(), Stopped> {
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
            let score = self.search::<Root>(&root, window, adjusted, 0, false)?;
            self.sort_root_moves(self.pv_index);
            if score > window.alpha && score < window.beta {
                return Ok(());
            }
            if self.index == 0 && lines == 1 && self.job.clock.elapsed().as_secs() >= 3 {
                tell(&|| self.report(self.pv_index));
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

    /// Best first; moves whose score is not known keep their order.
    fn sort_root_moves(&mut self, from: usize) {
        self.root_moves[from..]
            .sort_by_key(|root_move| std::cmp::Reverse((root_move.score, root_move.previous)));
    }

    /// A search that was cut short keeps what its last whole iteration found, unless the move it
    /// was about to prefer has been searched to the end. That this move loses says nothing about
    /// the moves that were still to come.
    pub(super) fn settle_interrupted(&mut self, finished: Vec<RootMove>, lines: usize) {
        if lines == 1 {
            self.sort_root_moves(0);
            let best = &self.root_moves[0];
            let whole = best.depth == self.root_depth && best.bound == Bound::Exact;
            if whole && !best.score.is_loss() {
                return;
            }
        }
        let nodes: Vec<(Move, u64)> = self.root_moves.iter().map(|m| (m.mv, m.nodes)).collect();
        self.root_moves = finished;
        for root_move in &mut self.root_moves {
            if let Some(&(_, nodes)) = nodes.iter().find(|(mv, _)| *mv == root_move.mv) {
                root_move.nodes = nodes;
            }
        }
    }

    /// A mate was proven: nothing is left to find.
    fn settle_mate(&mut self, line: Vec<Move>) {
        let index =
            self.root_moves.iter().position(|root_move| Some(&root_move.mv) == line.first());
        let Some(index) = index else { return };
        self.root_moves[..=index].rotate_right(1);
        let best = &mut self.root_moves[0];
        best.score = Score::mate_in(line.len());
        best.bound = Bound::Exact;
        best.depth = best.depth.max(self.root_depth);
        best.seldepth = best.seldepth.max(line.len());
        best.main_plies = line.len();
        best.pv = line;
    }

    /// Whether the root looks at this move while it searches the present line.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Notes what the search of a root move came to.
    pub(super) fn update_root_move(
        &mut self,
        mv: Move,
        score: Score,
        window: Window,
        move_number: i32,
        nodes: u64,
    ) {
        let (depth, seldepth) = (self.root_depth, self.seldepth);
        let (line, main_plies) = self.data.pv.line(1);
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        root_move.nodes += nodes;
        debug_assert!(score.is_possible(0), "{score:?}");
        if move_number > 1 && score <= window.alpha {
            root_move.score = -Score::INFINITE;
            return;
        }
        root_move.average = Some(
            root_move
                .average
                .filter(|_| !score.is_decisive())
                .map_or(score, |average| Score::from_raw((average.raw() + score.raw()) / 2)),
        );
        root_move.score = score;
        root_move.bound = if score >= window.beta {
            Bound::Lower
        } else if score <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        root_move.depth = depth;
        root_move.seldepth = seldepth;
        root_move.pv.clear();
        root_move.pv.push(mv);
        if score > window.alpha {
            root_move.pv.extend_from_slice(line);
        }
        root_move.main_plies = main_plies + 1;
    }

    /// Why the main thread has found out enough, if it has.
    fn enough(&mut self, trend: &Trend) -> Option<StopReason> {
        let limits = &self.job.limits;
        self.publish_nodes();
        if limits.soft_nodes.is_some_and(|soft| self.job.total_nodes() >= soft)
            || limits.nodes.is_some_and(|nodes| self.job.total_nodes() >= nodes)
        {
            return Some(StopReason::Nodes);
        }
        let best = &self.root_moves[0];
        let mate = best.score.mate_plies();
        if let (Some(wanted), Some(plies)) = (limits.mate, mate)
            && plies > 0
            && plies <= 2 * wanted as i32
        {
            return Some(StopReason::Mate);
        }
        let forced = self.root_moves.len() == 1 && limits.clock.is_some();
        let stability = Stability {
            best_move_nodes: (best.nodes * 1024 / self.nodes.max(1)) as i32,
            unchanged: trend.unchanged,
            fall: trend.fall,
            fall_since_move: trend.fall_since_move,
        };
        let wanted = self.job.clock.wanted(stability);
        if R::ON {
            self.job.course().wanted = wanted;
        }
        let used = self.job.clock.used(self.job.total_nodes());
        let reason = if wanted.is_some_and(|wanted| used >= wanted) {
            StopReason::Enough
        } else if self.job.clock.is_over(self.job.total_nodes()) {
            StopReason::TimeIsUp
        } else if forced && self.completed_depth >= 6 {
            StopReason::OnlyMove
        } else if limits.clock.is_some()
            && mate.is_some_and(|plies| plies.abs() * 2 < self.completed_depth)
        {
            StopReason::MateIsNear
        } else {
            return None;
        };
        if self.job.flags.ponder.load(Relaxed) {
            // The opponent still thinks: go on, and stop at once when the move is played.
            self.job.flags.enough.store(true, Relaxed);
            return None;
        }
        Some(reason)
    }

    /// What is known about a line.
    fn report(&self, index: usize) -> Report {
        Report::Line(self.root_moves[index].line(index + 1), self.progress())
    }

    fn progress(&self) -> Progress {
        self.publish_nodes();
        Progress {
            nodes: self.job.total_nodes(),
            time: self.job.clock.elapsed(),
            hashfull: self.job.table.hashfull(),
            tablebase_hits: self.job.total_table_hits(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_tells_how_far_the_score_fell_within_the_search_and_since_the_last_move() {
        let mv = chess::Position::startpos().parse_uci("e2e4").unwrap();
        let mut trend = Trend::since(Some(Score::from_cp(50)));
        let mut falls = |score: i32| {
            trend.update(mv, Score::from_cp(score));
            (trend.fall, trend.fall_since_move)
        };
        assert_eq!(falls(40), (0, 10));
        assert_eq!((falls(30), falls(60), falls(20)), ((0, 20), (0, -10), (0, 30)));
        assert_eq!((falls(25), falls(25)), ((15, 25), (5, 25)));
        assert_eq!(trend.unchanged, 5);
        let mut first = Trend::since(None);
        first.update(mv, Score::from_cp(-90));
        assert_eq!((first.fall, first.fall_since_move), (0, 0));
    }
}
