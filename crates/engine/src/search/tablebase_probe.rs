//! **Tablebase probe.** With few pieces left the Syzygy tablebases know who wins: a node ends with
//! that, or the score is kept within it.
//!
//! Source: Ronald de Man, the Syzygy tablebases (2013); the chess programming wiki, "Syzygy Bases".
//! Worth: not part of docs/ablations.md, whose games use no tablebases.

use chess::Position;

use super::kind::{Node, NodeKind};
use super::tt_cutoff::TtProbe;
use super::worker::Worker;
use crate::score::{Bound, Score};
use crate::stats::{Event, Recorder};
use crate::tablebase::Verdict;
use crate::tt::Entry;

/// What the tablebases make of a node.
pub(super) enum TbProbe {
    /// They end it with this score.
    Cutoff(Score),
    /// The score lies between these.
    Bounds { floor: Score, ceiling: Score },
}

impl<R: Recorder> Worker<'_, R> {
    /// Asks the tablebases about a node and raises its alpha to what they promise.
    #[inline(always)]
    pub(super) fn tablebase_probe<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &mut Node,
        tt: &TtProbe,
    ) -> TbProbe {
        let (mut floor, mut ceiling) = (-Score::INFINITE, Score::INFINITE);
        let Some((score, bound)) = self.probe_tablebases(position, node) else {
            return TbProbe::Bounds { floor, ceiling };
        };
        let window = &mut node.window;
        if bound == Bound::Exact || bound.decides(score, window.beta) && !N::PV {
            let entry = Entry {
                depth: node.depth + 6,
                score,
                bound: Some(bound),
                best_move: None,
                eval: None,
                pv: tt.pv,
            };
            self.job.tt.store(tt.key, node.ply, entry);
            self.record.count(Event::TbCutoff);
            return TbProbe::Cutoff(score);
        }
        if bound == Bound::Lower {
            floor = score;
            window.alpha = window.alpha.max(score);
            if window.alpha >= window.beta {
                self.record.count(Event::TbCutoff);
                return TbProbe::Cutoff(score);
            }
        } else {
            ceiling = score;
        }
        TbProbe::Bounds { floor, ceiling }
    }

    /// What the tablebases say about a position, as a score with its bound. Only right after a
    /// capture or pawn move: then the fifty-move rule is fully accounted for.
    fn probe_tablebases(&mut self, position: &Position, node: &Node) -> Option<(Score, Bound)> {
        let tables = self.job.tablebases.as_ref()?;
        let settings = &self.job.settings;
        let pieces = position.board().occupied().count();
        let limit = settings.syzygy_probe_limit.min(tables.max_pieces());
        if pieces > limit
            || (pieces == limit && node.depth < settings.syzygy_probe_depth)
            || position.halfmove_clock() != 0
        {
            return None;
        }
        let verdict = tables.probe(position)?;
        self.tb_hits += 1;
        let verdict = if settings.syzygy_fifty_move_rule {
            verdict
        } else {
            verdict.without_fifty_move_rule()
        };
        let ply = node.ply;
        Some(match verdict {
            Verdict::Win => (Score::tablebase_win(ply), Bound::Lower),
            Verdict::CursedWin => (Score::DRAW + 1, Bound::Exact),
            Verdict::Draw => (Score::DRAW, Bound::Exact),
            Verdict::BlessedLoss => (Score::DRAW - 1, Bound::Exact),
            Verdict::Loss => (Score::tablebase_loss(ply), Bound::Upper),
        })
    }
}
