//! What a search has found so far. Searches share the engine in time slices, so what one slice found
//! is kept until a later one has gone as deep.

use std::time::Duration;

use chess::{Color, Move, Position};
use engine::stats::{Counters, Statistics, Tree};
use engine::wdl::{Curve, Shown};
use engine::{Bound, Instant, Line as Found, Outcome, Progress, Report};
use review::Lesson;

use crate::protocol::{Line, Score, Search, State, Step};
use crate::rules::step;

/// Why and with what a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// `Done`, `Stopped` or `Idle`.
    pub state: State,
    /// The move to play, if it was searched for one.
    pub best: Option<Move>,
    /// What went wrong inside the engine.
    pub failure: Option<&'static str>,
}

/// A search as it is known at one moment.
pub struct View {
    root: Position,
    curve: Curve,
    state: State,
    end: Option<End>,
    /// The best line of each rank.
    lines: Vec<Found>,
    /// What earlier time slices have spent.
    before: Progress,
    /// What this slice has spent.
    now: Progress,
    /// When this slice began. The time of a game's clock includes waiting; this does not.
    began: Instant,
    /// What earlier slices have counted, and in which time.
    counted: Counters,
    counted_time: Duration,
    /// What this slice has counted.
    statistics: Option<Box<Statistics>>,
    /// The nodes of a recorded search.
    tree: Option<Tree>,
    /// What was to be explained.
    lesson: Option<Box<Lesson>>,
    /// Grows with every change.
    version: u64,
}

impl View {
    /// A search of this position that has not begun.
    #[must_use]
    pub fn new(root: &Position) -> Self {
        Self {
            root: *root,
            curve: Curve::of(root),
            state: State::Waiting,
            end: None,
            lines: Vec::new(),
            before: Progress::default(),
            now: Progress::default(),
            began: Instant::now(),
            counted: Counters::default(),
            counted_time: Duration::ZERO,
            statistics: None,
            tree: None,
            lesson: None,
            version: 0,
        }
    }

    /// Grows with every change.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The end of the search, once it has come.
    #[must_use]
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Ends the search for good.
    pub fn set_end(&mut self, end: End) {
        self.version += 1;
        self.state = end.state;
        self.end = Some(end);
    }

    /// A time slice begins.
    pub fn resume(&mut self) {
        self.version += 1;
        self.state = State::Running;
        self.began = Instant::now();
    }

    /// The time slice is over, the search is not.
    pub fn pause(&mut self, outcome: &Outcome) {
        self.finish_slice(outcome);
        if let Some(statistics) = self.statistics.take() {
            self.counted.merge(&statistics.counters);
            self.counted_time += statistics.time;
        }
        self.state = State::Waiting;
    }

    /// Takes in the result of a time slice.
    pub fn finish_slice(&mut self, outcome: &Outcome) {
        self.version += 1;
        self.now = Progress { time: self.began.elapsed(), ..outcome.progress };
        self.before = self.total();
        self.now = Progress::default();
        self.statistics = outcome.statistics.clone().map(Box::new);
        for line in &outcome.lines {
            self.take(line);
        }
    }

    /// Takes in a report of the running search.
    pub fn report(&mut self, report: &Report) {
        let time = self.began.elapsed();
        match report {
            Report::Line(line, progress) => {
                // A line may be older than what was counted meanwhile.
                let nodes = progress.nodes.max(self.now.nodes);
                self.now = Progress { time, nodes, ..*progress };
                self.take(line);
            }
            Report::Statistics(statistics) => {
                let nodes = statistics.nodes().max(self.now.nodes);
                self.now = Progress { time, nodes, ..self.now };
                self.statistics = Some(statistics.clone());
            }
            Report::Totals(progress) => {
                let nodes = progress.nodes.max(self.now.nodes);
                self.now = Progress { time, nodes, ..*progress };
            }
            Report::CurrentMove { .. } | Report::Warning(_) => return,
        }
        self.version += 1;
    }

    /// Takes in what is no line: the tree of a recorded search, or what was to be explained.
    pub fn record(&mut self, tree: Option<Tree>, lesson: Option<Box<Lesson>>) {
        self.tree = tree;
        self.lesson = lesson;
    }

    /// Gives away what was to be explained, with its position.
    pub fn take_lesson(&mut self) -> Option<(Position, Box<Lesson>)> {
        self.lesson.take().map(|lesson| (self.root, lesson))
    }

    /// Gives the recorded tree away, with its position.
    pub fn take_tree(&mut self) -> Option<(Position, Tree)> {
        self.tree.take().map(|tree| (self.root, tree))
    }

    /// All that was counted in all time slices, and in which time.
    fn statistics(&self) -> Option<Box<Statistics>> {
        let mut statistics = self.statistics.clone()?;
        statistics.counters.merge(&self.counted);
        statistics.time += self.counted_time;
        Some(statistics)
    }

    /// A line counts if it is exact and no shallower than what is known.
    fn take(&mut self, line: &Found) {
        if line.bound != Bound::Exact {
            return;
        }
        match self.lines.iter_mut().find(|old| old.multipv == line.multipv) {
            Some(old) if old.depth <= line.depth => *old = line.clone(),
            Some(_) => {}
            None => self.lines.push(line.clone()),
        }
    }

    fn total(&self) -> Progress {
        Progress {
            nodes: self.before.nodes + self.now.nodes,
            time: self.before.time + self.now.time,
            hashfull: self.now.hashfull.max(self.before.hashfull),
            tb_hits: self.before.tb_hits + self.now.tb_hits,
        }
    }

    /// Nodes searched so far, in all time slices.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.total().nodes
    }

    /// The best lines, best first.
    #[must_use]
    pub fn found(&self) -> Vec<&Found> {
        let mut lines: Vec<&Found> = self.lines.iter().collect();
        lines.sort_by_key(|line| line.multipv);
        lines
    }

    /// The search as the page shows it.
    #[must_use]
    pub fn search(&self) -> Search {
        let total = self.total();
        // While a deeper iteration fills in, a move may stand in its old and its new rank.
        let mut shown: Vec<&Found> = Vec::new();
        for line in self.found() {
            if !shown.iter().any(|better| better.pv.first() == line.pv.first()) {
                shown.push(line);
            }
        }
        let micros = total.time.as_micros().max(1);
        Search {
            state: self.state,
            depth: shown.first().map_or(0, |line| line.depth),
            seldepth: shown.iter().map(|line| line.seldepth).max().unwrap_or(0),
            nodes: total.nodes,
            nps: u64::try_from(u128::from(total.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX),
            time_ms: u64::try_from(total.time.as_millis()).unwrap_or(u64::MAX),
            hashfull: total.hashfull,
            tablebase_hits: total.tb_hits,
            lines: shown.into_iter().map(|line| self.line(line)).collect(),
            statistics: self.statistics(),
        }
    }

    fn line(&self, found: &Found) -> Line {
        let mut position = self.root;
        let moves: Vec<Step> = found.pv.iter().map(|&mv| step(&mut position, mv)).collect();
        let (score, wdl) = self.score(found.score);
        Line { depth: found.depth, score, wdl, moves, main_plies: found.main_plies }
    }

    /// A score and the chances as White sees them.
    #[must_use]
    pub fn score(&self, score: engine::Score) -> (Score, [u32; 3]) {
        let white = self.root.side_to_move() == Color::White;
        let for_white = |value: i32| if white { value } else { -value };
        let shown = match self.curve.shown(score) {
            Shown::Centipawns(value) => Score::Cp(for_white(value)),
            Shown::Mate(moves) => Score::Mate(for_white(moves)),
        };
        let chances = self.curve.wdl(score);
        let (win, loss) =
            if white { (chances.win, chances.loss) } else { (chances.loss, chances.win) };
        (shown, [win, chances.draw, loss])
    }

    /// A move of the search, as the page writes it.
    #[must_use]
    pub fn step(&self, mv: Move) -> Step {
        let mut position = self.root;
        step(&mut position, mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(multipv: usize, depth: i32, mv: &str, cp: i32) -> Found {
        let position = Position::startpos();
        Found {
            multipv,
            depth,
            seldepth: 9,
            score: engine::Score::from_cp(cp),
            bound: Bound::Exact,
            pv: vec![position.parse_uci(mv).unwrap()],
            main_plies: 1,
        }
    }

    fn progress(nodes: u64) -> Progress {
        Progress { nodes, time: Duration::from_millis(nodes), hashfull: 1, tb_hits: 0 }
    }

    fn first_moves(view: &View) -> Vec<String> {
        view.search().lines.iter().map(|line| line.moves[0].san.clone()).collect()
    }

    #[test]
    fn a_later_time_slice_keeps_what_an_earlier_one_found() {
        let mut view = View::new(&Position::startpos());
        view.resume();
        view.report(&Report::Line(line(1, 12, "e2e4", 30), progress(1000)));
        let outcome = Outcome {
            best_move: None,
            ponder_move: None,
            lines: vec![line(1, 12, "e2e4", 30)],
            score: engine::Score::DRAW,
            progress: progress(2000),
            statistics: None,
            failed_threads: 0,
        };
        view.pause(&outcome);
        view.resume();
        view.report(&Report::Line(line(1, 3, "a2a3", 5), progress(10)));
        assert_eq!(first_moves(&view), ["e4"]);
        assert_eq!((view.search().nodes, view.search().depth), (2010, 12));
        view.report(&Report::Line(line(1, 12, "d2d4", 31), progress(500)));
        assert_eq!(first_moves(&view), ["d4"]);
    }

    #[test]
    fn a_move_is_shown_once() {
        let mut view = View::new(&Position::startpos());
        for (rank, mv) in [(2, "d2d4"), (1, "e2e4"), (3, "c2c4")] {
            view.report(&Report::Line(line(rank, 5, mv, 0), progress(1)));
        }
        assert_eq!(first_moves(&view), ["e4", "d4", "c4"]);
        view.report(&Report::Line(line(1, 6, "d2d4", 9), progress(2)));
        assert_eq!(first_moves(&view), ["d4", "c4"]);
    }

    #[test]
    fn scores_are_those_of_white() {
        let mut after = Position::startpos();
        after.make(after.parse_san("e4").unwrap());
        let mut view = View::new(&after);
        let mut found = line(1, 5, "e2e4", 80);
        found.pv = vec![after.parse_san("e5").unwrap()];
        view.report(&Report::Line(found, progress(1)));
        let line = view.search().lines.remove(0);
        assert!(matches!(line.score, Score::Cp(cp) if cp < 0), "{:?}", line.score);
        assert!(line.wdl[0] < line.wdl[2] && line.wdl.iter().sum::<u32>() == 1000);
    }
}
