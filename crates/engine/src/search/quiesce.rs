//! **Quiescence.** At the leaves of the main search the forcing moves are played out, and only then
//! is the evaluation believed. Captures that cannot reach alpha (*delta pruning*) or that lose
//! material (*SEE pruning*) are skipped.
//!
//! Source: the chess programming wiki, "Quiescence Search", "Delta Pruning".
//! Worth: docs/ablations.md, rows "Quiescence" and those that end in "in quiescence".

use chess::{Bitboard, PieceType, Position, Rank, exchange_value};

use super::kind::{NodeKind, Searched, Window};
use super::place::Place;
use super::worker::Worker;
use crate::history::{MoveContext, Threats};
use crate::params;
use crate::picker::{Picker, QuiescenceMode};
use crate::score::{Bound, Score};
use crate::stats::{Event, Part, Recorder};
use crate::tt::{Entry, tt_key};

impl<R: Recorder> Worker<'_, R> {
    /// Enters quiescence from the main search.
    pub(crate) fn quiesce<N: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Searched {
        self.quiescence_start = self.nodes;
        if !self.job.settings.use_quiescence {
            if N::PV {
                self.data.pv.clear(ply);
            }
            self.check_limits()?;
            self.nodes += 1;
            self.record.count(Event::QuiescenceNode);
            return Ok(self.data.evaluator.evaluate(position));
        }
        let place = Place::below_main_search(position, ply, &self.job.settings);
        let started = self.record.start(Part::Quiescence);
        let searched = self.quiesce_node::<N>(position, window, place);
        self.record.stop(Part::Quiescence, started);
        if R::ON {
            self.watch_quiescence(position);
        }
        searched
    }

    pub(super) fn quiescence_node<N: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        place: Place,
    ) -> Searched {
        // Step 1. Limits, draws, the longest possible line.
        let ply = place.ply;
        debug_assert!(window.alpha < window.beta, "{window:?}");
        self.check_limits()?;
        self.nodes += 1;
        self.record.count(Event::QuiescenceNode);
        self.record.quiescence_ply(place.below);
        self.seldepth = self.seldepth.max(ply);
        if N::PV {
            self.data.pv.clear(ply);
        }
        if let Some(score) = self.draw(position, ply) {
            return Ok(score);
        }
        if let Some(score) = self.upcoming_repetition(position, &mut window, ply) {
            return Ok(score);
        }
        if let Some(score) = self.max_ply(position, ply) {
            return Ok(score);
        }
        if place.below >= place.max_plies {
            return Ok(self.cut_off_line(position));
        }
        let limit = self.job.settings.qsearch_node_limit;
        if limit > 0 && self.nodes - self.quiescence_start > limit {
            self.record.count(Event::Explosion);
            return Ok(self.leaf_score(position));
        }
        let in_check = position.is_check();

        // Step 2. TT probe and TT cutoff.
        let key = tt_key(position);
        let hit = self.job.tt.probe(key, ply, position.halfmove_clock());
        let tt_pv = hit.is_some_and(|hit| hit.pv);
        if let Some(hit) = hit {
            self.record.count(Event::QuiescenceTtHit);
            let decides = hit.bound.is_some_and(|bound| bound.decides(hit.score, window.beta));
            let deep = params::qs_tt_depth() == 0 || hit.depth >= i32::from(in_check) - 1;
            if !N::PV && decides && deep {
                self.record.count(Event::QuiescenceTtCutoff);
                return Ok(hit.score);
            }
        }

        // Step 3. Stand pat, unless in check: nobody is forced to capture.
        let mut raw_eval = None;
        let mut best = -Score::INFINITE;
        let mut stand_pat = None;
        if in_check {
            self.record.count(Event::EvasionNode);
        } else {
            if is_stalemate(position) {
                self.record.count(Event::Stalemate);
                return Ok(Score::DRAW);
            }
            let raw = hit
                .and_then(|hit| hit.eval)
                .map_or_else(|| self.static_score(position, window), Score::from_raw);
            raw_eval = Some(raw.raw());
            let context = self.correction_context(ply);
            let correction = self.data.correction.value(position, context);
            let mut corrected = Score::from_cp(raw.raw() + correction);
            self.record.evaluated(corrected, correction);
            self.record.position_evaluated(position);
            if params::qs_zugzwang() != 0
                && place.below == 0
                && !position.has_pieces(position.side_to_move())
                && let Some(quiet) = self.best_quiet_score(position, ply)
            {
                corrected = corrected.min(Score::from_cp(quiet.raw() + correction));
            }
            stand_pat = Some(corrected);
            best = corrected;
            if let Some(hit) = hit
                && !hit.score.is_decisive()
                && hit.bound.is_some_and(|bound| bound.decides(hit.score, best))
            {
                best = hit.score;
            }
            if best >= window.beta {
                self.record.count(Event::StandPatCut);
                if !best.is_decisive() && !window.beta.is_decisive() {
                    best = best.blend(window.beta, params::qs_blend());
                }
                if hit.is_none() {
                    let entry = Entry {
                        depth: -1,
                        score: best,
                        bound: Some(Bound::Lower),
                        best_move: None,
                        eval: raw_eval,
                        pv: tt_pv,
                    };
                    self.job.tt.store(key, ply, entry);
                }
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }

        // Step 4. The forcing moves, best first.
        let last_move = if ply > 0 { self.data.stack.back(ply, 1).mv } else { None };
        let last_capture = last_move.filter(|mv| mv.is_capture()).map(chess::Move::to);
        let mode = place.mode(last_capture);
        let threats = Threats::new(position);
        if let Some(stand_pat) = stand_pat {
            if place.is_exhausted(last_capture) {
                return Ok(best);
            }
            if params::qs_node_delta() != 0 && !window.alpha.is_decisive() && !can_promote(position)
            {
                let margin = self.delta_margin(position, &threats);
                let hope = saturating(stand_pat, exchange_value(PieceType::Queen) + margin);
                if hope <= window.alpha {
                    self.record.count(Event::DeltaPrune);
                    return Ok(best.max(hope));
                }
            }
        }
        let checks = position.check_info();
        let tt_move = hit.and_then(|hit| hit.best_move).filter(|&mv| position.is_legal(mv));
        let mut picker = Picker::quiescence(&self.data.moves, position, tt_move, mode);
        let limited_evasions = in_check && place.checks >= params::qs_check_plies();
        if limited_evasions {
            picker.skip_quiets();
        }
        let context = MoveContext {
            position,
            threats: &threats,
            continuations: self.continuations(ply),
            ply,
        };
        let original_alpha = window.alpha;
        let mut delta_margin = None;
        let mut best_move = None;
        let mut moves = 0;
        let mut captures = 0;
        while let Some(mv) = self.next_move(&mut picker, context, &checks) {
            if limit > 0 && best > -Score::INFINITE && self.nodes - self.quiescence_start > limit {
                // The branch is given up with the best that is known of it.
                self.record.count(Event::Explosion);
                picker.finish(&mut self.data.moves);
                return Ok(best);
            }
            moves += 1;
            // Step 5. Delta and SEE pruning, never while the best that is known is a loss.
            if !best.is_loss() {
                if in_check {
                    if mv.is_quiet()
                        && params::qs_skip_evasions() != 0
                        && self.record.allows(Event::EvasionSkip)
                    {
                        // One answer is known to hold; the quiet rest rarely does better.
                        picker.skip_quiets();
                        self.record.skip(Event::EvasionSkip, mv);
                        continue;
                    }
                } else if mv.is_capture() && captures >= params::qs_max_captures() {
                    self.record.skip(Event::CaptureLimit, mv);
                    continue;
                } else if captures >= params::qs_late_moves()
                    && !mv.is_promotion()
                    && last_capture != Some(mv.to())
                    && !position.gives_check(mv, &checks)
                    && self.record.allows(Event::QuiescenceLateMove)
                {
                    self.record.skip(Event::QuiescenceLateMove, mv);
                    continue;
                }
                if let Some(stand_pat) = stand_pat
                    && !mv.is_promotion()
                    && !mv.is_en_passant()
                    && mv.is_capture()
                    && !position.gives_check(mv, &checks)
                    && !window.alpha.is_loss()
                    && self.record.allows(Event::DeltaPrune)
                {
                    let margin =
                        *delta_margin.get_or_insert_with(|| self.delta_margin(position, &threats));
                    let victim = position.captured(mv).map_or(0, exchange_value);
                    let futility_value = saturating(stand_pat, victim + margin);
                    if futility_value <= window.alpha {
                        self.record.skip(Event::DeltaPrune, mv);
                        best = best.max(futility_value);
                        continue;
                    }
                    // Where something must be won, an exchange that wins nothing is no help.
                    let without = saturating(stand_pat, margin);
                    if params::qs_futility() != 0
                        && without <= window.alpha
                        && !position.see_ge(mv, 1)
                    {
                        self.record.skip(Event::DeltaPrune, mv);
                        best = best.max(without);
                        continue;
                    }
                }
                let is_kept = params::qs_keep_forcing() != 0
                    && (mv.is_promotion()
                        || mv.is_en_passant()
                        || position.gives_check(mv, &checks));
                if !in_check
                    && !is_kept
                    && !position.see_ge(mv, params::qs_see_threshold())
                    && self.record.allows(Event::QuiescenceSeePrune)
                {
                    self.record.skip(Event::QuiescenceSeePrune, mv);
                    continue;
                }
            }
            // Step 6. Search it.
            captures += i32::from(mv.is_capture());
            let child = self.make_picked(&context, mv, moves);
            let score = -self.quiesce_node::<N>(&child, window.flipped(), place.after(in_check))?;
            self.unmake();
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = Some(mv);
                    window.alpha = score;
                    if N::PV {
                        self.data.pv.extend(ply, mv, true);
                    }
                    if score >= window.beta {
                        self.record.count(Event::QuiescenceCut);
                        if params::qs_capture_bonus() != 0 && mv.is_noisy() {
                            let bonus = params::qs_capture_bonus();
                            self.data.history.update_capture(&context, mv, bonus);
                        }
                        if moves == 1 {
                            self.record.count(Event::QuiescenceFirstMoveCut);
                        }
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.data.moves);

        // Step 7. No evasion is mate. Where quiet evasions were left out, a loss is not
        // proven.
        if limited_evasions && best.is_loss() && position.has_legal_move() {
            return Ok(self.data.evaluator.evaluate(position));
        }
        if in_check && best == -Score::INFINITE {
            self.record.count(Event::QuiescenceMate);
            return Ok(Score::mated_in(ply));
        }
        if best >= window.beta && !best.is_decisive() && !window.beta.is_decisive() {
            best = best.blend(window.beta, params::qs_blend());
        }
        // Recaptures alone prove what they reach, and nothing about what other captures would: only
        // a cutoff holds for a node that looks at all of them.
        let is_partial = !in_check && matches!(mode, QuiescenceMode::Recaptures(_));
        if is_partial && best < window.beta {
            if hit.is_none() {
                let (score, bound) = (Score::DRAW, None);
                let entry = Entry { depth: -1, score, bound, best_move, eval: raw_eval, pv: tt_pv };
                self.job.tt.store(key, ply, entry);
            }
            return Ok(best);
        }
        let bound = if best >= window.beta {
            Bound::Lower
        } else if N::PV && best > original_alpha && best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            depth: if in_check || mode == QuiescenceMode::WithChecks { 0 } else { -1 },
            score: best,
            bound: Some(bound),
            best_move,
            eval: raw_eval,
            pv: tt_pv,
        };
        self.job.tt.store(key, ply, entry);
        Ok(best)
    }

    /// The best static score after a quiet move; none if there is no quiet move.
    fn best_quiet_score(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let mut best = None;
        for &mv in position.legal_moves().iter().filter(|mv| mv.is_quiet()) {
            let child = self.make(position, mv, ply);
            let score = -self.leaf_score(&child);
            self.unmake();
            best = best.max(Some(score));
        }
        best
    }

    /// What a capture may fall short of alpha and still be tried: more in late endings, where a
    /// pawn decides, and when several pieces hang, where one capture brings the next.
    fn delta_margin(&self, position: &Position, threats: &Threats) -> i32 {
        let board = position.board();
        let us = position.side_to_move();
        let settings = &self.job.settings;
        let mut margin = settings.qsearch_delta_margin.unwrap_or_else(params::qs_delta_margin);
        if board.occupied().count() <= 8 {
            margin += margin / 2;
        }
        let ours = board.attacked_squares(us, board.occupied());
        let loose = (board.color(!us) & ours).minus(threats.all).minus(board.kind(PieceType::Pawn));
        if loose.many() {
            margin += margin / 2;
        }
        margin
    }
}

/// A score and some centipawns more, short of a proven win.
fn saturating(score: Score, more: i32) -> Score {
    Score::from_cp(score.raw() + more)
}

/// Whether a pawn of the side to move stands one step from promotion.
fn can_promote(position: &Position) -> bool {
    let us = position.side_to_move();
    let seventh = Bitboard::rank(Rank::R7.relative_to(us));
    (position.board().pieces(us, PieceType::Pawn) & seventh).any()
}

/// Whether the side to move, with nothing but its king and blocked pawns, has no legal move. Ends
/// at the first test in every ordinary position.
fn is_stalemate(position: &Position) -> bool {
    let us = position.side_to_move();
    if position.has_pieces(us) {
        return false;
    }
    let board = position.board();
    let pawns = board.pieces(us, PieceType::Pawn);
    pawns.forward(us).minus(board.occupied()).is_empty() && !position.has_legal_move()
}
