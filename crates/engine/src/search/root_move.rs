//! The moves at the root and what the search knows about them.

use chess::{Move, Position};

use super::job::SearchJob;
use crate::report::Line;
use crate::score::{Bound, Score};
use crate::tablebase::{RootRank, Tablebases, Verdict};

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
    pub(super) previous: Score,
    /// A running mean of the scores, around which the next window is laid.
    pub(super) average: Option<Score>,
    /// What the tablebases say about it.
    pub(super) rank: Option<RootRank>,
}

impl RootMove {
    /// The moves to search: those asked for that are legal, or all. Of those the tablebases know
    /// the best are left, unless several lines are wanted: then the better ones come first.
    pub(crate) fn all(job: &SearchJob) -> Vec<Self> {
        let legal = job.game.position().legal_moves();
        let wanted = &job.limits.search_moves;
        let some_wanted = legal.iter().any(|mv| wanted.contains(mv));
        let rank = |mv| job.root_verdict.as_ref().and_then(|verdict| verdict.rank(mv));
        let mut moves: Vec<Self> = legal
            .iter()
            .filter(|mv| !some_wanted || wanted.contains(mv))
            .map(|&mv| Self::new(mv, rank(mv)))
            .collect();
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.rank));
        if job.settings.multipv <= 1 {
            let best = moves.first().and_then(|best| best.rank);
            moves.retain(|root_move| root_move.rank == best);
        }
        moves
    }

    pub(crate) fn new(mv: Move, rank: Option<RootRank>) -> Self {
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
            rank,
        }
    }

    /// The score to report: what the tablebases prove, unless the search proved a mate. The search
    /// tells equal draws apart by a little, which is nothing to report; nor is how far it had to look
    /// until the tables confirmed what they say of the root.
    fn reported_score(&self) -> Score {
        let is_mate = self.score.mate_plies().is_some();
        match self.rank.map(|rank| rank.verdict) {
            Some(Verdict::Win) if !(is_mate && self.score.is_win()) => Score::tablebase_win(0),
            Some(Verdict::Loss) if !(is_mate && self.score.is_loss()) => Score::tablebase_loss(0),
            Some(Verdict::CursedWin | Verdict::Draw | Verdict::BlessedLoss) => Score::DRAW,
            _ if self.score.is_near_draw() => Score::DRAW,
            _ => self.score,
        }
    }

    /// Cuts a line that promises a tablebase win or loss where one of its moves gives it away. The
    /// search asks the tables only after captures and pawn moves, so the moves between may be
    /// anything.
    pub(super) fn end_line_where_tables_disagree(&mut self, root: &Position, tables: &Tablebases) {
        let score = self.reported_score();
        if !score.is_decisive() || score.mate_plies().is_some() {
            return;
        }
        let winner = if score.is_win() { root.side_to_move() } else { !root.side_to_move() };
        let mut position = *root;
        let sound = self.pv.iter().position(|&mv| {
            position.make(mv);
            let value = tables.value(&position);
            value.is_some_and(|value| match value.verdict {
                Verdict::Win => position.side_to_move() != winner,
                Verdict::Loss => position.side_to_move() == winner,
                _ => true,
            })
        });
        if let Some(length) = sound {
            self.pv.truncate(length.max(1));
            self.main_plies = self.main_plies.min(self.pv.len());
        }
    }

    /// The move as a line of a report.
    pub(crate) fn line(&self, multipv: usize) -> Line {
        Line {
            multipv,
            depth: self.depth,
            seldepth: self.seldepth,
            score: self.reported_score(),
            bound: self.bound,
            pv: self.pv.clone(),
            main_plies: self.main_plies,
        }
    }
}
