//! What a node tries before and beside its own search: the null move, ProbCut, the search without
//! the table move, and the endgame tables.

use chess::{Move, Position};

use super::extend::{self, SingularFacts, Singularity};
use super::kind::{NodeKind, Stopped, Window, Zero};
use super::prune::{self, NodeFacts};
use super::worker::Worker;
use crate::history::MoveContext;
use crate::params;
use crate::picker::{Picker, Sources};
use crate::score::{Bound, Score};
use crate::stats::{Event, Recorder};
use crate::tablebase::Verdict;
use crate::tt::Entry;

impl<R: Recorder> Worker<'_, R> {
    /// Passes and searches shallower; a score that cuts, if there is one.
    pub(super) fn null_move(
        &mut self,
        position: &Position,
        facts: &NodeFacts,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let depth = facts.depth - prune::null_move_reduction(facts);
        let child = self.make_null(position, ply);
        let window = Window::below(facts.beta).flipped();
        self.record.count(Event::NullMoveTried);
        let score = -self.search::<Zero>(&child, window, depth, ply + 1, false)?;
        self.unmake();
        if score < facts.beta {
            return Ok(None);
        }
        // A win found after passing is not proven.
        let score = if score.is_win() { facts.beta } else { score };
        if facts.depth < params::nmp_verify_depth() || self.null_move_from > 0 {
            self.record.count(Event::NullMoveCut);
            return Ok(Some(score));
        }
        // At high depth a zugzwang would be costly: verify without null moves on this side.
        self.null_move_from = ply + (3 * depth.max(0) / 4) as usize;
        let verified = self.search::<Zero>(position, Window::below(facts.beta), depth, ply, false);
        self.null_move_from = 0;
        let holds = verified? >= facts.beta;
        self.record.count(if holds { Event::NullMoveCut } else { Event::NullMoveRefuted });
        Ok(holds.then_some(score))
    }

    /// Tries captures that win enough; a score at or above `beta` from a shallower search.
    pub(super) fn probcut(
        &mut self,
        context: &MoveContext<'_>,
        checks: &chess::CheckInfo,
        table_move: Option<Move>,
        beta: Score,
        (depth, ply, cut_node): (i32, usize, bool),
    ) -> Result<Option<Score>, Stopped> {
        let position = context.position;
        let Some(static_eval) = self.data.stack.at(ply).static_eval else { return Ok(None) };
        let mut picker =
            Picker::probcut(&self.data.moves, position, table_move, beta - static_eval);
        let window = Window::below(beta).flipped();
        loop {
            let sources = Sources { context: *context, history: &self.data.history, checks };
            let Some(mv) = picker.next(&mut self.data.moves, &sources) else { break };
            let child = self.make(position, mv, ply);
            self.record.count(Event::ProbCutTried);
            let mut score = -self.quiesce::<Zero>(&child, window, ply + 1)?;
            let reduced = depth - params::probcut_reduction();
            if score >= beta && reduced > 0 {
                score = -self.search::<Zero>(&child, window, reduced, ply + 1, !cut_node)?;
            }
            self.unmake();
            if score >= beta {
                self.record.count(Event::ProbCutCut);
                picker.finish(&mut self.data.moves);
                return Ok(Some(score));
            }
        }
        picker.finish(&mut self.data.moves);
        Ok(None)
    }

    /// Searches the node without the table move, if that move looks much better than the rest.
    pub(super) fn test_singular<N: NodeKind>(
        &mut self,
        position: &Position,
        hit: Option<Entry>,
        (depth, ply, cut_node): (i32, usize, bool),
        window: Window,
    ) -> Result<Option<Singularity>, Stopped> {
        let tt_pv = self.data.stack.at(ply).tt_pv;
        let Some(hit) = hit.filter(|hit| {
            depth >= params::singular_min_depth() + i32::from(tt_pv)
                && hit.depth >= depth - 3
                && hit.bound.is_some_and(Bound::is_lower)
                && !hit.score.is_decisive()
        }) else {
            return Ok(None);
        };
        if ply >= 2 * self.root_depth as usize {
            return Ok(None);
        }
        let mv = hit.best_move;
        let singular_beta = extend::singular_beta(hit.score, depth);
        self.data.stack.at(ply).excluded = mv;
        self.record.count(Event::SingularTried);
        let score = self.search::<Zero>(
            position,
            Window::below(singular_beta),
            (depth - 1) / 2,
            ply,
            cut_node,
        )?;
        self.data.stack.at(ply).excluded = None;
        let facts = SingularFacts {
            score,
            singular_beta,
            beta: window.beta,
            table_score: hit.score,
            pv_node: N::PV,
            cut_node,
            quiet: mv.is_some_and(Move::is_quiet),
            doubles: self.data.stack.back(ply.max(1), 1).doubles,
        };
        let verdict = extend::singularity(&facts);
        match verdict {
            Singularity::MultiCut(_) => self.record.count(Event::MultiCut),
            Singularity::Extend(1) => self.record.count(Event::Singular),
            Singularity::Extend(2) => self.record.count(Event::DoubleSingular),
            Singularity::Extend(3..) => self.record.count(Event::TripleSingular),
            Singularity::Extend(..0) => self.record.count(Event::Negative),
            Singularity::Extend(0) => {}
        }
        Ok(Some(verdict))
    }

    /// What the endgame tables say about a position, as a score with its bound. Only right after
    /// a capture or pawn move: then the fifty-move rule is fully accounted for.
    pub(super) fn probe_tablebases(
        &mut self,
        position: &Position,
        depth: i32,
        ply: usize,
    ) -> Option<(Score, Bound)> {
        let tables = self.job.tablebases.as_ref()?;
        let settings = &self.job.settings;
        let men = position.board().occupied().count();
        let limit = settings.syzygy_probe_limit.min(tables.men());
        if men > limit
            || (men == limit && depth < settings.syzygy_probe_depth)
            || position.halfmove_clock() != 0
        {
            return None;
        }
        let verdict = tables.probe(position)?;
        self.table_hits += 1;
        let verdict = if settings.syzygy_fifty_move_rule {
            verdict
        } else {
            verdict.without_fifty_move_rule()
        };
        Some(match verdict {
            Verdict::Win => (Score::tablebase_win(ply), Bound::Lower),
            Verdict::CursedWin => (Score::DRAW + 1, Bound::Exact),
            Verdict::Draw => (Score::DRAW, Bound::Exact),
            Verdict::BlessedLoss => (Score::DRAW - 1, Bound::Exact),
            Verdict::Loss => (Score::tablebase_loss(ply), Bound::Upper),
        })
    }
}
