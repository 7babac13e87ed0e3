//! One node of the main search, as numbered steps. Each technique lives in the file of its name.

use chess::{Move, Position};

use super::extensions::{self, ExtensionFacts};
use super::facts::NodeFacts;
use super::history_updates::SearchedMoves;
use super::kind::{Node, NodeKind, NonPv, Pv, Searched};
use super::late_move_reductions::{LateMove, ReductionFacts, first_move_reduction};
use super::move_pruning::{MoveFacts, PruningContext};
use super::singular::Singularity;
use super::tablebase_probe::TbProbe;
use super::worker::Worker;
use crate::history::{MoveContext, Threats};
use crate::params;
use crate::picker::Picker;
use crate::score::{Bound, Score};
use crate::stats::{Event, Recorder};
use crate::tt::Entry;

impl<R: Recorder> Worker<'_, R> {
    #[allow(clippy::too_many_lines)]
    pub(super) fn search_node<N: NodeKind>(
        &mut self,
        position: &Position,
        mut node: Node,
    ) -> Searched {
        let Node { ply, cut_node, .. } = node;
        debug_assert!(node.window.alpha < node.window.beta, "{:?}", node.window);

        // Step 1. Upcoming repetition: a move that repeats a position makes a draw at least.
        if !N::ROOT
            && let Some(score) = self.upcoming_repetition(position, &mut node.window, ply)
        {
            return Ok(score);
        }

        // Step 2. Quiescence takes over at the leaves.
        if node.depth <= 0 {
            return self.quiesce::<N>(position, node.window, ply);
        }
        self.check_limits()?;
        self.nodes += 1;
        self.record.count(match (N::PV, cut_node) {
            (true, _) => Event::PvNode,
            (false, true) => Event::CutNode,
            (false, false) => Event::AllNode,
        });
        self.seldepth = self.seldepth.max(ply);
        if N::PV {
            self.data.pv.clear(ply);
        }

        if !N::ROOT {
            // Step 3. Draws and the longest possible line.
            if let Some(score) = self.draw(position, ply) {
                return Ok(score);
            }
            if let Some(score) = self.max_ply(position, ply) {
                return Ok(score);
            }
            // Step 4. Mate distance pruning: a shorter mate is known already.
            if let Some(score) = self.mate_distance(&mut node.window, ply) {
                return Ok(score);
            }
        }
        let original_alpha = node.window.alpha;

        // Step 5. TT probe and TT cutoff: the position was searched deep enough before.
        let excluded = self.data.stack.at(ply).excluded;
        let tt = self.probe_tt::<N>(position, ply, excluded);
        if let Some(score) = self.tt_cutoff::<N>(position, &node, &tt) {
            return Ok(score);
        }

        // Step 6. Tablebase probe.
        let (mut tb_floor, mut tb_ceiling) = (-Score::INFINITE, Score::INFINITE);
        if !N::ROOT && excluded.is_none() {
            match self.tablebase_probe::<N>(position, &mut node, &tt) {
                TbProbe::Cutoff(score) => return Ok(score),
                TbProbe::Bounds { floor, ceiling } => (tb_floor, tb_ceiling) = (floor, ceiling),
            }
        }

        // Step 7. Static evaluation, corrected by history, and where it is going.
        let in_check = position.is_check();
        let us = position.side_to_move();
        let eval = self.evaluate_node(position, &node, &tt, excluded);
        let static_eval = eval.static_eval;
        let improving = self.is_improving(ply);
        self.data.stack.at(ply + 2).cutoffs = 0;
        if params::killers() > 0 {
            self.data.stack.at(ply + 1).killers = [None; 2];
        }
        let double_extensions =
            if ply > 0 { self.data.stack.back(ply, 1).double_extensions } else { 0 };
        self.data.stack.at(ply).double_extensions = double_extensions;

        // Step 8. Hindsight: the parent reduced this node on a judgement that can now be checked.
        if !N::ROOT && !in_check && excluded.is_none() {
            node.depth += self.hindsight(ply, node.depth);
        }

        let prunable = !N::PV && !in_check && excluded.is_none();
        let facts = static_eval.filter(|_| prunable).map(|static_eval| NodeFacts {
            node,
            eval: eval.eval,
            static_eval,
            improving,
            opponent_worsening: self.is_opponent_worsening(ply),
            tt_pv: tt.pv,
        });
        if let Some(facts) = facts {
            // Step 9. Razoring: far below alpha, only a capture can save the node.
            if let Some(score) = self.razoring(position, &facts)? {
                return Ok(score);
            }
            // Step 10. Reverse futility pruning: far above beta, some quiet move will hold.
            if let Some(score) = self.reverse_futility(&facts) {
                return Ok(score);
            }
            // Step 11. Null move pruning: passing still beats beta.
            if let Some(score) = self.null_move(position, &facts, &tt)? {
                return Ok(score);
            }
        }

        // Step 12. Internal iterative reduction: no TT move, not worth the full depth yet.
        if excluded.is_none() {
            node.depth = self.iterative_reduction::<N>(&node, tt.best_move);
        }

        let threats = Threats::new(position);
        let checks = position.check_info();
        let continuations = self.continuations(ply);
        let context = MoveContext { position, threats: &threats, continuations, ply };

        // Step 13. ProbCut: a TT score or a capture beats beta by a margin, a little shallower.
        if !N::PV {
            let clock = position.halfmove_clock();
            if let Some(score) = self.tt_probcut(tt.hit, node.depth, node.window.beta, clock) {
                return Ok(score);
            }
        }
        if let Some(facts) = facts.map(|facts| NodeFacts { node, ..facts })
            && let Some(score) = self.probcut((&context, &checks), &facts, &tt, eval.raw)?
        {
            return Ok(score);
        }

        // Step 14. The moves, best first.
        let breadcrumb = self.job.breadcrumbs.enter(tt.key, ply, self.index);
        let refutations = self.refutations(ply, continuations[0]);
        let tt_capture = tt.best_move.is_some_and(Move::is_capture);
        let last_capture = self.data.stack.back(ply, 1).mv.filter(|mv| mv.is_capture());
        let mut picker =
            Picker::main(&self.data.moves, position, tt.best_move, refutations, node.depth);
        let mut searched = SearchedMoves::default();
        let mut best = tb_floor;
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = self.next_move(&mut picker, context, &checks) {
            if Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            number += 1;
            if N::ROOT {
                self.report_current_move(mv, number);
            }
            let quiet = mv.is_quiet();
            let gives_check = position.gives_check(mv, &checks);
            let history = if quiet {
                self.data.history.quiet(&context, mv)
            } else {
                self.data.history.capture(&context, mv)
            };

            // Step 15. Pruning of moves: late, futile, losing, or bad before.
            if !N::ROOT && !best.is_loss() && position.has_pieces(us) {
                let pruning = PruningContext { node, moves: context, static_eval, improving };
                let facts = MoveFacts { mv, number, quiet, gives_check, history };
                if self.is_pruned(&pruning, &facts, &mut picker, &mut best) {
                    continue;
                }
            }

            // Step 16. Extensions: singular moves deserve more depth.
            let mut extension = 0;
            if !N::ROOT && Some(mv) == tt.best_move && excluded.is_none() {
                match self.singular_search::<N>(position, &node, &tt)? {
                    Singularity::MultiCut(score) => {
                        picker.finish(&mut self.data.moves);
                        return Ok(score);
                    }
                    Singularity::Extend(plies) => extension = plies,
                }
            }
            if extension == 0 && !N::ROOT {
                let facts = ExtensionFacts {
                    ply,
                    root_depth: self.root_depth,
                    gives_check,
                    pv_node: N::PV,
                    last_capture: last_capture.map(Move::to),
                };
                if let Some(kind) = extensions::of_move(position, mv, &facts) {
                    self.record.count(kind);
                    extension = 1;
                }
            }
            if ply >= 2 * self.root_depth as usize {
                extension = extension.min(0);
            }
            self.data.stack.at(ply).double_extensions =
                double_extensions + i32::from(extension >= 2);
            let new_depth = node.depth - 1 + extension;

            // Step 17. Late move reductions: late moves are searched shallower first.
            let nodes_before = self.nodes;
            let child = self.make_picked(&context, mv, number);
            let mut score = Score::DRAW;
            let facts = ReductionFacts {
                depth: node.depth,
                move_number: number,
                quiet,
                pv_node: N::PV,
                tt_pv: tt.pv,
                cut_node,
                improving,
                gives_check,
                tt_capture,
                tt_above_alpha: tt.hit.is_some_and(|hit| hit.score > node.window.alpha),
                tt_deep: tt.hit.is_some_and(|hit| hit.depth >= node.depth),
                has_tt_move: tt.best_move.is_some(),
                child_cutoffs: self.data.stack.back(ply + 1, 0).cutoffs,
                history,
                correction: eval.correction,
                concurrent: breadcrumb.concurrent,
                window: (node.window.width() * 1024 / self.root_width).min(1024),
            };
            if node.depth >= params::lmr_min_depth() && number > 1 + i32::from(N::ROOT) {
                let late = LateMove { facts, new_depth, best, continuations };
                score = self.search_late_move::<N>(&child, &node, &late)?;
            } else if !N::PV || number > 1 {
                let depth = new_depth - first_move_reduction(&facts);
                let zero = node.child(node.window.zero_flipped(), depth, !cut_node);
                score = -self.search::<NonPv>(&child, zero)?;
            }

            // Step 18. The full window for the first move of a PV node and for those above alpha.
            if N::PV && (number == 1 || score > node.window.alpha) {
                let open = node.child(node.window.flipped(), new_depth, false);
                score = -self.search::<Pv>(&child, open)?;
            }
            self.unmake();
            if N::ROOT {
                self.update_root_move(mv, score, node.window, number, self.nodes - nodes_before);
            }

            // Step 19. Is it the best so far?
            if score > best {
                best = score;
                if score > node.window.alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.data.pv.extend(ply, mv, false);
                    }
                    if score >= node.window.beta {
                        self.data.stack.at(ply).cutoffs += 1;
                        self.record.count(picker.source().cutoff());
                        self.record.cutoff(number);
                        break;
                    }
                    node.window.alpha = score;
                }
            }
            if Some(mv) != best_move {
                searched.push(mv);
            }
        }
        picker.finish(&mut self.data.moves);

        // Step 20. Mate and stalemate; without the excluded move, nothing is known.
        if number == 0 {
            self.record.count(Event::NoMove);
            return Ok(match (excluded, in_check) {
                (Some(_), _) => node.window.alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            });
        }
        if best == -Score::INFINITE {
            // Everything was pruned, which needs a score that is not a loss.
            best = node.window.alpha;
        }
        if best > tb_ceiling {
            // The tablebases know better than the moves that were found: the line ends here.
            best = tb_ceiling;
            if N::PV && !N::ROOT {
                self.data.pv.clear(ply);
            }
        }
        let beta = node.window.beta;
        if best >= beta && !best.is_decisive() && !beta.is_decisive() {
            best = Score::from_raw((best.raw() * node.depth + beta.raw()) / (node.depth + 1));
        }

        // Step 21. History updates: what the node teaches about moves.
        match best_move {
            Some(mv) => {
                if best >= node.window.beta {
                    self.penalise_parent(ply, node.depth);
                }
                let surprise = static_eval.is_some_and(|eval| eval <= original_alpha);
                let weight = node.depth + params::bonus_surprise() * i32::from(surprise);
                self.update_histories(&context, ply, mv, weight, &searched);
            }
            None if ply > 0 => self.update_parent_history(us, ply, node.depth),
            None => {}
        }
        if excluded.is_some() {
            return Ok(best);
        }

        // Step 22. Correction history: how wrong the evaluation was.
        let bound = if best >= beta {
            Bound::Lower
        } else if N::PV && best_move.is_some() && best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.update_correction(position, &node, static_eval, (best, bound, best_move));

        // Step 23. TT store.
        if !N::ROOT || self.pv_index == 0 {
            let inherited = params::tt_pv_inherit() != 0
                && ply > 0
                && best <= original_alpha
                && self.data.stack.back(ply, 1).tt_pv;
            let entry = Entry {
                depth: node.depth,
                score: best,
                bound: Some(bound),
                best_move,
                eval: eval.raw,
                pv: tt.pv || inherited,
            };
            self.job.tt.store(tt.key, ply, entry);
        }
        Ok(best)
    }

    /// Killers and the countermove, which have stages of their own where they are turned on.
    #[inline]
    fn refutations(
        &self,
        ply: usize,
        last: Option<crate::history::ContinuationKey>,
    ) -> [Option<Move>; 3] {
        let killers = self.data.stack.back(ply, 0).killers;
        let slots = params::killers() as usize;
        [
            killers[0].filter(|_| slots > 0),
            killers[1].filter(|_| slots > 1),
            self.data.history.countermove(last).filter(|_| params::countermove() != 0),
        ]
    }
}
