//! Quiescence: at the leaves of the main search the forcing moves are played out, and only then
//! is the evaluation believed.

use chess::{PieceType, Position, exchange_value};

use super::kind::{NodeKind, Searched, Window};
use super::worker::Worker;
use crate::history::{MoveContext, Threats};
use crate::params;
use crate::picker::{Picker, QuiescenceMode, Sources};
use crate::score::{Bound, Score};
use crate::stats::{Event, Recorder};
use crate::tt::{Entry, table_key};

/// Where a quiescence node stands below the main search.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) ply: usize,
    /// Plies below the hand-over.
    pub(super) below: usize,
    /// Plies of this quiescence line in which the side to move was in check.
    checks: i32,
}

impl Place {
    fn mode(self, last_capture: Option<chess::Square>) -> QuiescenceMode {
        match last_capture {
            Some(square) if self.below >= params::qs_recapture_ply() as usize => {
                QuiescenceMode::Recaptures(square)
            }
            _ if self.below == 0 && params::qs_quiet_checks() != 0 => QuiescenceMode::WithChecks,
            _ => QuiescenceMode::Noisy,
        }
    }
}

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
        self.quiesce_node::<N>(position, window, Place { ply, below: 0, checks: 0 })
    }

    pub(super) fn quiescence_node<N: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        place: Place,
    ) -> Searched {
        // 1. Limits, draws, the ply ceiling.
        let ply = place.ply;
        self.check_limits()?;
        self.nodes += 1;
        self.record.count(Event::QuiescenceNode);
        self.record.quiescence_ply(place.below);
        self.seldepth = self.seldepth.max(ply);
        if N::PV {
            self.data.pv.clear(ply);
        }
        if self.is_draw(position, ply) {
            self.record.count(Event::Draw);
            return Ok(self.draw_score());
        }
        if window.alpha < Score::DRAW && self.data.keys.has_upcoming_repetition(position, ply) {
            window.alpha = self.draw_score();
            if window.alpha >= window.beta {
                self.record.count(Event::UpcomingDraw);
                return Ok(window.alpha);
            }
        }
        if Self::at_ceiling(ply) || place.below >= self.job.settings.qsearch_max_ply {
            self.record.count(Event::Ceiling);
            return Ok(self.ceiling_score(position));
        }
        let limit = self.job.settings.qsearch_node_limit;
        if limit > 0 && self.nodes - self.quiescence_start > limit {
            self.record.count(Event::Explosion);
            return Ok(self.ceiling_score(position));
        }

        // 2. The table.
        let key = table_key(position);
        let hit = self.job.table.probe(key, ply, position.halfmove_clock());
        let table_pv = hit.is_some_and(|hit| hit.pv);
        if let Some(hit) = hit {
            self.record.count(Event::QuiescenceTableHit);
            let decides = hit.bound.is_some_and(|bound| bound.decides(hit.score, window.beta));
            if !N::PV && decides {
                self.record.count(Event::QuiescenceTableCut);
                return Ok(hit.score);
            }
        }

        // 3. Stand pat, unless in check.
        let in_check = position.is_check();
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
                .map_or_else(|| self.data.evaluator.evaluate(position), Score::from_raw);
            raw_eval = Some(raw.raw());
            let context = self.correction_context(ply);
            let correction = self.data.correction.value(position, context);
            let corrected = Score::from_cp(raw.raw() + correction);
            self.record.evaluated(corrected, correction);
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
                        pv: table_pv,
                    };
                    self.job.table.store(key, ply, entry);
                }
                return Ok(best);
            }
            window.alpha = window.alpha.max(best);
        }

        // 4. The forcing moves.
        let last_capture =
            self.data.stack.back(ply, 1).mv.filter(|mv| mv.is_capture()).map(chess::Move::to);
        let mode = place.mode(last_capture.filter(|_| ply > 0));
        let threats = Threats::new(position);
        let checks = position.check_info();
        let table_move = hit.and_then(|hit| hit.best_move).filter(|&mv| position.is_legal(mv));
        let mut picker = Picker::quiescence(&self.data.moves, position, table_move, mode);
        let limited_evasions = in_check && place.checks >= params::qs_check_plies();
        if limited_evasions {
            picker.skip_quiets();
        }
        let context =
            MoveContext { position, threats: &threats, continuations: self.continuations(ply) };
        let original_alpha = window.alpha;
        let mut delta_margin = None;
        let mut best_move = None;
        let mut moves = 0;
        let mut captures = 0;
        loop {
            let sources = Sources { context, history: &self.data.history, checks: &checks };
            let Some(mv) = picker.next(&mut self.data.moves, &sources) else { break };
            moves += 1;
            // 5. Pruning, never while the best that is known is a loss.
            if !best.is_loss() {
                if in_check {
                    if mv.is_quiet() && params::qs_skip_evasions() != 0 {
                        // One answer is known to hold; the quiet rest rarely does better.
                        picker.skip_quiets();
                        self.record.skip(Event::EvasionSkip, mv);
                        continue;
                    }
                } else if mv.is_capture() && captures >= params::qs_max_captures() {
                    self.record.skip(Event::CaptureLimit, mv);
                    continue;
                }
                if let Some(stand_pat) = stand_pat
                    && !mv.is_promotion()
                    && !mv.is_en_passant()
                    && mv.is_capture()
                    && !position.gives_check(mv, &checks)
                    && !window.alpha.is_loss()
                {
                    let margin =
                        *delta_margin.get_or_insert_with(|| self.delta_margin(position, &threats));
                    let victim = position.captured(mv).map_or(0, exchange_value);
                    let hope = stand_pat + (victim + margin);
                    if hope <= window.alpha {
                        self.record.skip(Event::DeltaPrune, mv);
                        best = best.max(hope);
                        continue;
                    }
                    // Where something must be won, an exchange that wins nothing is no help.
                    let without = stand_pat + margin;
                    if params::qs_futility() != 0
                        && without <= window.alpha
                        && !position.see_ge(mv, 1)
                    {
                        self.record.skip(Event::DeltaPrune, mv);
                        best = best.max(without);
                        continue;
                    }
                }
                if !in_check && !position.see_ge(mv, params::qs_see_threshold()) {
                    self.record.skip(Event::ExchangePrune, mv);
                    continue;
                }
            }
            // 6. Play it.
            captures += i32::from(mv.is_capture());
            let child = self.make(position, mv, ply);
            let below = Place {
                ply: ply + 1,
                below: place.below + 1,
                checks: place.checks + i32::from(in_check),
            };
            let score = -self.quiesce_node::<N>(&child, window.flipped(), below)?;
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
                        if moves == 1 {
                            self.record.count(Event::QuiescenceFirstMoveCut);
                        }
                        break;
                    }
                }
            }
        }
        picker.finish(&mut self.data.moves);

        // 7. Nothing to play in check is mate. Where quiet evasions were left out, a loss is not
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
            pv: table_pv,
        };
        self.job.table.store(key, ply, entry);
        Ok(best)
    }

    /// What a capture may fall short of alpha and still be tried: more in late endings, where a
    /// pawn decides, and when several pieces hang, where one capture brings the next.
    fn delta_margin(&self, position: &Position, threats: &Threats) -> i32 {
        let board = position.board();
        let us = position.side_to_move();
        let mut margin = self.job.settings.qsearch_delta_margin;
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
