//! One node of the main search, as numbered steps.

use chess::{Move, Position};

use super::extend::{self, MoveFacts, Singularity};
use super::kind::{NodeKind, Pv, Searched, Window, Zero};
use super::learn::Tried;
use super::prune::{self, NodeFacts};
use super::reduce::{self, ReductionFacts};
use super::worker::Worker;
use crate::history::{MoveContext, Threats};
use crate::params;
use crate::picker::{Picker, Sources, Stage};
use crate::score::{Bound, Score};
use crate::stats::{Event, Recorder};
use crate::tt::{Entry, table_key};

impl<R: Recorder> Worker<'_, R> {
    /// The score of `position`, `ply` plies from the root, searched to `depth`. `cut_node` says
    /// that a zero-window node is expected to reach beta.
    #[allow(clippy::too_many_lines)]
    pub(super) fn search_node<N: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Searched {
        // 1. A move that repeats an earlier position makes a draw at least.
        if !N::ROOT
            && window.alpha < Score::DRAW
            && self.data.keys.has_upcoming_repetition(position, ply)
        {
            window.alpha = self.draw_score();
            if window.alpha >= window.beta {
                self.record.count(Event::UpcomingDraw);
                return Ok(window.alpha);
            }
        }

        // 2. Leaves go to quiescence.
        if depth <= 0 {
            return self.quiesce::<N>(position, window, ply);
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
        let in_check = position.is_check();
        let us = position.side_to_move();

        if !N::ROOT {
            // 3. Draws, the ply ceiling.
            if self.is_draw(position, ply) {
                self.record.count(Event::Draw);
                return Ok(self.draw_score());
            }
            if Self::at_ceiling(ply) {
                self.record.count(Event::Ceiling);
                return Ok(self.ceiling_score(position));
            }
            // 4. A shorter mate than one already found cannot come from here.
            window.alpha = window.alpha.max(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in(ply + 1));
            if window.alpha >= window.beta {
                self.record.count(Event::MateDistance);
                return Ok(window.alpha);
            }
        }
        let original_alpha = window.alpha;

        // 5. What the table knows.
        let excluded = self.data.stack.at(ply).excluded;
        let key = table_key(position);
        let hit = match excluded {
            None => self.job.table.probe(key, ply, position.halfmove_clock()),
            Some(_) => None,
        };
        let table_move = if N::ROOT {
            Some(self.root_moves[self.pv_index].mv)
        } else {
            hit.and_then(|hit| hit.best_move).filter(|&mv| position.is_legal(mv))
        };
        let tt_pv = match excluded {
            None => N::PV || hit.is_some_and(|hit| hit.pv),
            Some(_) => self.data.stack.at(ply).tt_pv,
        };
        self.data.stack.at(ply).tt_pv = tt_pv;
        if let Some(hit) = hit {
            self.record.count(Event::TableHit);
            if !N::PV
                && hit.depth >= depth
                && hit.bound.is_some_and(|bound| bound.decides(hit.score, window.beta))
                && (cut_node == (hit.score >= window.beta)
                    || depth > params::table_cut_expected_depth())
                && i32::from(position.halfmove_clock()) < params::table_cut_max_clock()
            {
                self.record.count(Event::TableCut);
                if let Some(mv) = table_move.filter(|mv| mv.is_quiet())
                    && hit.score >= window.beta
                {
                    let threats = Threats::new(position);
                    let continuations = self.continuations(ply);
                    let context = MoveContext { position, threats: &threats, continuations };
                    let bonus = super::learn::bonus(depth) * params::table_cut_bonus() / 1024;
                    self.data.history.update_quiet(&context, mv, bonus);
                }
                return Ok(hit.score);
            }
        }

        // 6. What the endgame tables know.
        let mut table_ceiling = Score::INFINITE;
        let mut table_floor = -Score::INFINITE;
        if !N::ROOT
            && excluded.is_none()
            && let Some((score, bound)) = self.probe_tablebases(position, depth, ply)
        {
            if bound == Bound::Exact || bound.decides(score, window.beta) && !N::PV {
                let entry = Entry {
                    depth: depth + 6,
                    score,
                    bound: Some(bound),
                    best_move: None,
                    eval: None,
                    pv: tt_pv,
                };
                self.job.table.store(key, ply, entry);
                self.record.count(Event::TablebaseCut);
                return Ok(score);
            }
            if bound == Bound::Lower {
                table_floor = score;
                window.alpha = window.alpha.max(score);
                if window.alpha >= window.beta {
                    self.record.count(Event::TablebaseCut);
                    return Ok(score);
                }
            } else {
                table_ceiling = score;
            }
        }

        // 7. What the position looks like.
        let correction_context = self.correction_context(ply);
        let mut raw_eval = None;
        let mut eval = Score::DRAW;
        let mut correction = 0;
        if in_check {
            self.data.stack.at(ply).static_eval = None;
        } else if excluded.is_some() {
            eval = self.data.stack.at(ply).static_eval.unwrap_or(Score::DRAW);
        } else {
            let raw = hit
                .and_then(|hit| hit.eval)
                .map_or_else(|| self.data.evaluator.evaluate(position), Score::from_raw);
            raw_eval = Some(raw.raw());
            correction = self.data.correction.value(position, correction_context);
            eval = Score::from_cp(raw.raw() + correction);
            self.data.stack.at(ply).static_eval = Some(eval);
            self.record.evaluated(eval, correction);
            self.learn_eval_difference(ply, us);
            match hit {
                // A table score that bounds the true one on the right side is the better guess.
                Some(hit)
                    if !hit.score.is_decisive()
                        && hit.bound.is_some_and(|bound| bound.decides(hit.score, eval)) =>
                {
                    eval = hit.score;
                }
                Some(_) => {}
                None => {
                    let entry = Entry {
                        depth: -1,
                        score: Score::DRAW,
                        bound: None,
                        best_move: None,
                        eval: raw_eval,
                        pv: tt_pv,
                    };
                    self.job.table.store(key, ply, entry);
                }
            }
        }
        let static_eval = self.data.stack.at(ply).static_eval;
        let improving = self.is_improving(ply);
        self.data.stack.at(ply + 2).cutoffs = 0;
        self.data.stack.at(ply + 1).killers = [None; 2];
        let doubles = if ply > 0 { self.data.stack.back(ply, 1).doubles } else { 0 };
        self.data.stack.at(ply).doubles = doubles;

        // 8. A parent that reduced this node on a judgement that proved wrong.
        if !N::ROOT && !in_check && excluded.is_none() {
            depth += self.hindsight(ply, depth);
        }

        let quiet_node = !N::PV && !in_check && excluded.is_none();
        let facts = static_eval.filter(|_| quiet_node).map(|static_eval| NodeFacts {
            depth,
            eval,
            static_eval,
            alpha: window.alpha,
            beta: window.beta,
            improving,
            worsening: self.is_worsening(ply),
            tt_pv,
        });
        if let Some(facts) = facts {
            // 9. Hopeless: only captures can help.
            if prune::razors(&facts) && !window.alpha.is_decisive() {
                self.record.count(Event::RazorTried);
                let score = self.quiesce::<Zero>(position, window, ply)?;
                if score <= window.alpha {
                    self.record.count(Event::RazorCut);
                    return Ok(score);
                }
            }
            // 10. Far above beta.
            if eval >= window.beta {
                self.record.count(Event::ReverseFutilityTried);
            }
            if let Some(score) = prune::reverse_futility(&facts) {
                self.record.count(Event::ReverseFutilityCut);
                return Ok(score);
            }
            // 11. If passing still beats beta, a real move almost surely does; not without
            // pieces, where passing can be the best move.
            if cut_node
                && ply >= self.null_move_from
                && self.data.stack.back(ply, 1).mv.is_some()
                && position.has_pieces(us)
                && prune::tries_null_move(&facts)
                && let Some(score) = self.null_move(position, &facts, ply)?
            {
                return Ok(score);
            }
        }

        // 12. Without a table move the node is not worth its full depth yet.
        if (N::PV || cut_node)
            && table_move.is_none()
            && excluded.is_none()
            && depth >= params::iir_min_depth()
        {
            self.record.count(Event::IterativeReduction);
            depth -= 1;
        }

        let threats = Threats::new(position);
        let checks = position.check_info();
        let continuations = self.continuations(ply);
        let context = MoveContext { position, threats: &threats, continuations };

        // 13. A table score, or a capture, that beats beta by a margin in a shallower search.
        if !N::PV
            && i32::from(position.halfmove_clock()) < params::table_cut_max_clock()
            && let Some(score) = hit.and_then(|hit| prune::table_probcut(&hit, depth, window.beta))
        {
            self.record.count(Event::TableProbCut);
            return Ok(score);
        }
        if let Some(facts) = facts.map(|facts| NodeFacts { depth, ..facts })
            && depth >= params::probcut_min_depth()
            && !window.beta.is_decisive()
        {
            let beta = prune::probcut_beta(&facts);
            let refuted = hit.is_some_and(|hit| {
                hit.depth >= depth - params::probcut_reduction() && hit.score < beta
            });
            if !refuted
                && let Some(score) =
                    self.probcut(&context, &checks, table_move, beta, (depth, ply, cut_node))?
            {
                let entry = Entry {
                    depth: depth - params::probcut_reduction() + 1,
                    score,
                    bound: Some(Bound::Lower),
                    best_move: self.data.stack.at(ply).mv,
                    eval: raw_eval,
                    pv: tt_pv,
                };
                self.job.table.store(key, ply, entry);
                return Ok(if score.is_decisive() { score } else { score - (beta - window.beta) });
            }
        }

        // 14. The moves.
        let mark = self.job.trail.enter(key, ply, self.index);
        let killers = self.data.stack.at(ply).killers;
        let slots = params::killers() as usize;
        let refutations = [
            killers[0].filter(|_| slots > 0),
            killers[1].filter(|_| slots > 1),
            self.data.history.countermove(continuations[0]).filter(|_| params::countermove() != 0),
        ];
        let tt_capture = table_move.is_some_and(Move::is_capture);
        let last_capture = self.data.stack.back(ply, 1).mv.filter(|mv| mv.is_capture());
        let mut picker = Picker::main(&self.data.moves, position, table_move, refutations, depth);
        let mut quiets_tried = Tried::default();
        let mut captures_tried = Tried::default();
        let mut best = table_floor;
        let mut best_move = None;
        let mut move_number = 0;
        loop {
            let sources = Sources { context, history: &self.data.history, checks: &checks };
            let Some(mv) = picker.next(&mut self.data.moves, &sources) else { break };
            if Some(mv) == excluded || (N::ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            move_number += 1;
            let quiet = mv.is_quiet();
            let gives_check = position.gives_check(mv, &checks);
            let history = if quiet {
                self.data.history.quiet(&context, mv)
            } else {
                self.data.history.capture(&context, mv)
            };

            // 15. Moves that will hardly matter, once something is known that does not lose.
            if !N::ROOT && !best.is_loss() && position.has_pieces(us) {
                let reduction = reduce::base_reduction(depth, move_number, quiet)
                    + params::lmr_not_improving() * i32::from(!improving);
                let reduced_depth = (depth - reduction / 1024).max(0);
                if quiet {
                    if move_number >= prune::late_move_limit(depth, improving) {
                        picker.skip_quiets();
                        if !gives_check {
                            self.record.skip(Event::LateMove, mv);
                            continue;
                        }
                    }
                    let continuation = self.data.history.continuation(&context, mv);
                    if !gives_check && prune::history_prunes(continuation, reduced_depth) {
                        self.record.skip(Event::HistoryPrune, mv);
                        continue;
                    }
                    if let Some(static_eval) = static_eval.filter(|_| !gives_check)
                        && reduced_depth < params::futility_max_depth()
                    {
                        let hope = prune::futility_score(static_eval, reduced_depth)
                            + history / params::futility_history_divisor();
                        if hope <= window.alpha {
                            if !best.is_decisive() && !hope.is_decisive() {
                                best = best.max(hope);
                            }
                            picker.skip_quiets();
                            self.record.skip(Event::FutilityPrune, mv);
                            continue;
                        }
                    }
                } else if picker.source() == Stage::BadNoisy
                    && !gives_check
                    && depth < params::capture_futility_max_depth()
                    && let Some(static_eval) = static_eval
                {
                    let victim = position.captured(mv).map_or(0, chess::exchange_value);
                    let hope = static_eval
                        + (params::futility_base() + params::futility_slope() * depth + victim);
                    if hope <= window.alpha {
                        if !hope.is_decisive() {
                            best = best.max(hope);
                        }
                        self.record.skip(Event::CaptureFutilityPrune, mv);
                        continue;
                    }
                }
                let least = if quiet {
                    prune::quiet_exchange_limit(reduced_depth)
                } else {
                    prune::noisy_exchange_limit(depth, history)
                };
                if reduced_depth < params::see_pruning_max_depth()
                    && !(in_check && quiet)
                    && !position.see_ge(mv, least)
                {
                    self.record.skip(Event::MoveExchangePrune, mv);
                    continue;
                }
            }

            // 16. Moves that deserve more depth.
            let mut extension = 0;
            if !N::ROOT && Some(mv) == table_move && excluded.is_none() {
                match self.test_singular::<N>(position, hit, (depth, ply, cut_node), window)? {
                    Some(Singularity::MultiCut(score)) => {
                        picker.finish(&mut self.data.moves);
                        return Ok(score);
                    }
                    Some(Singularity::Extend(plies)) => extension = plies,
                    None => {}
                }
            }
            if extension == 0 && !N::ROOT {
                let facts = MoveFacts {
                    ply,
                    root_depth: self.root_depth,
                    gives_check,
                    pv_node: N::PV,
                    last_capture: last_capture.map(Move::to),
                };
                if let Some(kind) = extend::of_move(position, mv, &facts) {
                    self.record.count(kind);
                    extension = 1;
                }
            }
            if ply >= 2 * self.root_depth as usize {
                extension = extension.min(0);
            }
            self.data.stack.at(ply).doubles = doubles + i32::from(extension >= 2);
            let new_depth = depth - 1 + extension;

            // 17. Search it: late moves shallower and with a zero window first.
            let nodes_before = self.nodes;
            let child = self.make(position, mv, ply);
            let mut score = Score::DRAW;
            if depth >= params::lmr_min_depth() && move_number > 1 + i32::from(N::ROOT) {
                let facts = ReductionFacts {
                    depth,
                    move_number,
                    quiet,
                    pv_node: N::PV,
                    tt_pv,
                    cut_node,
                    improving,
                    gives_check,
                    tt_capture,
                    has_table_move: table_move.is_some(),
                    child_cutoffs: self.data.stack.back(ply + 1, 0).cutoffs,
                    history,
                    correction,
                    crowded: mark.crowded,
                };
                let reduction = reduce::reduction(&facts);
                let reduced = (new_depth - reduction / 1024)
                    .clamp(1.min(new_depth.max(0)), new_depth + 1 + i32::from(N::PV));
                self.record.count(Event::Reduced);
                self.data.stack.at(ply).reduction = (new_depth - reduced) * 1024;
                score =
                    -self.search::<Zero>(&child, window.zero_flipped(), reduced, ply + 1, true)?;
                self.data.stack.at(ply).reduction = 0;
                if score > window.alpha && reduced < new_depth {
                    let deeper = score > best + params::lmr_deeper_margin();
                    let shallower = score < best + params::lmr_shallower_margin();
                    let again = new_depth + i32::from(deeper && !N::ROOT)
                        - i32::from(shallower && !N::ROOT);
                    if again > reduced {
                        self.record.count(Event::Researched);
                        score = -self.search::<Zero>(
                            &child,
                            window.zero_flipped(),
                            again,
                            ply + 1,
                            !cut_node,
                        )?;
                    }
                    if quiet && (score <= window.alpha || score >= window.beta) {
                        let share = super::learn::bonus(depth) * params::research_bonus() / 1024;
                        let amount = if score >= window.beta { share } else { -share };
                        if let Some(row) = self.data.stack.at(ply).continuation {
                            self.data.history.update_continuation(
                                continuations,
                                row.piece_to(),
                                amount,
                            );
                        }
                    }
                }
            } else if !N::PV || move_number > 1 {
                score = -self.search::<Zero>(
                    &child,
                    window.zero_flipped(),
                    new_depth,
                    ply + 1,
                    !cut_node,
                )?;
            }
            if N::PV && (move_number == 1 || score > window.alpha) {
                score = -self.search::<Pv>(&child, window.flipped(), new_depth, ply + 1, false)?;
            }
            self.unmake();
            if N::ROOT {
                self.update_root_move(mv, score, window, move_number, self.nodes - nodes_before);
            }

            // 18. Is it the best so far?
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.data.pv.extend(ply, mv, false);
                    }
                    if score >= window.beta {
                        self.data.stack.at(ply).cutoffs += 1;
                        self.record.count(picker.source().cutoff());
                        self.record.cutoff(move_number);
                        break;
                    }
                    window.alpha = score;
                }
            }
            if Some(mv) != best_move {
                if quiet {
                    quiets_tried.push(mv);
                } else {
                    captures_tried.push(mv);
                }
            }
        }
        picker.finish(&mut self.data.moves);

        // 19. No move: mate or stalemate; without the excluded move, nothing is known.
        if move_number == 0 {
            self.record.count(Event::NoMove);
            return Ok(match (excluded, in_check) {
                (Some(_), _) => window.alpha,
                (None, true) => Score::mated_in(ply),
                (None, false) => Score::DRAW,
            });
        }
        if best == -Score::INFINITE {
            // Everything was pruned, which needs a score that is not a loss.
            best = window.alpha;
        }
        best = best.min(table_ceiling);
        if best >= window.beta && !best.is_decisive() && !window.beta.is_decisive() {
            best = Score::from_raw((best.raw() * depth + window.beta.raw()) / (depth + 1));
        }

        // 20. Learn from it.
        match best_move {
            Some(mv) => {
                let surprise = static_eval.is_some_and(|eval| eval <= original_alpha);
                let weight = depth + params::bonus_surprise() * i32::from(surprise);
                self.learn_cutoff(&context, ply, mv, weight, (&quiets_tried, &captures_tried));
            }
            None if ply > 0 => self.learn_fail_low(ply, depth, us),
            None => {}
        }
        if excluded.is_some() {
            return Ok(best);
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if N::PV && best_move.is_some() && best > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        if let Some(static_eval) = static_eval
            && !best_move.is_some_and(Move::is_noisy)
            && !best.is_decisive()
            && bound.decides_against(best, static_eval)
        {
            let error = best - static_eval;
            self.data.correction.update(position, correction_context, depth, error);
        }
        if !N::ROOT || self.pv_index == 0 {
            let inherited = params::table_pv_inherit() != 0
                && ply > 0
                && best <= original_alpha
                && self.data.stack.back(ply, 1).tt_pv;
            let entry = Entry {
                depth,
                score: best,
                bound: Some(bound),
                best_move,
                eval: raw_eval,
                pv: tt_pv || inherited,
            };
            self.job.table.store(key, ply, entry);
        }
        Ok(best)
    }
}
