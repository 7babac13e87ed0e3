//! The list of root moves as the search goes on: what each came to, their order, and what counts of
//! an iteration that was cut short.

use std::slice::SliceIndex;

use chess::Move;

use super::kind::Window;
use super::root_move::RootMove;
use super::worker::Worker;
use crate::score::{Bound, Score};
use crate::stats::Recorder;

impl<R: Recorder> Worker<'_, R> {
    /// Best first, by what the tablebases prove before what the search believes; moves whose
    /// score is not known keep their order.
    pub(super) fn sort_root_moves(
        &mut self,
        range: impl SliceIndex<[RootMove], Output = [RootMove]>,
    ) {
        self.root_moves[range].sort_by_key(|root_move| {
            std::cmp::Reverse((root_move.rank, root_move.score, root_move.previous))
        });
    }

    /// A search that was cut short keeps what its last whole iteration found, unless the move it
    /// was about to prefer has been searched to the end. That this move loses says nothing about
    /// the moves that were still to come.
    pub(super) fn adopt_interrupted(&mut self, finished: Vec<RootMove>, lines: usize) {
        if lines == 1 {
            self.sort_root_moves(..);
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
    pub(super) fn adopt_mate(&mut self, line: Vec<Move>) {
        let index =
            self.root_moves.iter().position(|root_move| Some(&root_move.mv) == line.first());
        let Some(index) = index else { return };
        self.root_moves[..=index].rotate_right(1);
        let best = &mut self.root_moves[0];
        let is_mated = line.len().is_multiple_of(2);
        best.score =
            if is_mated { Score::mated_in(line.len()) } else { Score::mate_in(line.len()) };
        best.bound = Bound::Exact;
        best.depth = best.depth.max(self.root_depth);
        best.seldepth = best.seldepth.max(line.len());
        best.main_plies = line.len();
        best.pv = line;
    }

    /// Whether no legal move is left out at the root.
    pub(super) fn has_all_root_moves(&self) -> bool {
        self.root_moves.len() == self.job.game.position().legal_moves().len()
    }

    /// Whether the root looks at this move while it searches the present line.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        let left = &self.root_moves[self.pv_index..];
        left.iter().any(|root_move| root_move.mv == mv && root_move.rank == left[0].rank)
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
        if let Some(tables) = &self.job.tablebases {
            root_move.end_line_where_tables_disagree(self.job.game.position(), tables);
        }
    }
}
