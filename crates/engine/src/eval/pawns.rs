//! Pawn structure and passed pawns.

use chess::{Bitboard, Color, PieceType, Rank, Square, attacks};

use super::facts::Facts;
use super::side::{Side, ahead, beside, files};
use super::trace::{Tally, Trace, add};

/// Weak and strong pawns, counted set by set.
#[inline]
pub(super) fn structure<S: Side, T: Trace>(facts: &Facts, tally: &mut Tally<T>) {
    let ours = facts.pawns[S::US.index()];
    let theirs = facts.pawns[S::THEM.index()];
    let count = |set: Bitboard| set.count() as i32;

    add!(tally, doubled[0], count(ours & ahead(ours, S::US)));

    let opposed = ours & ahead(theirs, S::THEM);
    let isolated = ours.minus(beside(files(ours)));
    add!(tally, isolated[0], count(isolated.minus(opposed)));
    add!(tally, isolated[1], count(isolated & opposed));

    // The way ahead is guarded by a pawn, and no own pawn beside or behind can ever contest it.
    let guarded = facts.by(S::THEM, PieceType::Pawn).minus(facts.reach[S::US.index()]);
    let backward = (ours & guarded.forward(S::THEM)).minus(isolated);
    add!(tally, backward[0], count(backward.minus(opposed)));
    add!(tally, backward[1], count(backward & opposed));

    for square in ours & facts.by(S::US, PieceType::Pawn) {
        add!(tally, supported[square.relative_to(S::US).rank().index()]);
    }
    for square in ours & beside(ours) {
        add!(tally, phalanx[square.relative_to(S::US).rank().index()]);
    }
}

/// Passed pawns: how far, how free, how well escorted.
#[inline]
pub(super) fn passed<S: Side, T: Trace>(facts: &Facts, side: Color, tally: &mut Tally<T>) {
    let us = S::US.index();
    let them = S::THEM.index();
    let pieces = facts.board.color(S::THEM).minus(facts.pawns[them]);
    let only_king = !pieces.many();
    for square in facts.passed::<S>() {
        let rank = square.relative_to(S::US).rank();
        add!(tally, passed[rank.index()]);
        if facts.by(S::US, PieceType::Pawn).has(square) {
            add!(tally, passed_supported[0]);
        }
        if rank < Rank::R4 {
            continue;
        }
        let next = square.forward(S::US);
        let way = ahead(Bitboard::of(square), S::US);
        if facts.occupied.has(next) {
            add!(tally, passed_blocked[rank.index()]);
        } else if !facts.attacked[them].has(next) {
            add!(tally, passed_next_safe[rank.index()]);
        }
        if !way.meets(facts.occupied | facts.attacked[them]) {
            add!(tally, passed_way_safe[rank.index()]);
        }
        if has_rook_behind::<S>(facts, square) {
            add!(tally, passed_rook_behind[0]);
        }
        let weight = (rank.index() - Rank::R3.index()) as i32;
        add!(tally, passed_own_king[facts.king[us].distance(next)], weight);
        add!(tally, passed_enemy_king[facts.king[them].distance(next)], weight);
        if only_king && outruns::<S>(facts, square, side) {
            add!(tally, passed_unstoppable[0]);
        }
    }
}

fn has_rook_behind<S: Side>(facts: &Facts, square: Square) -> bool {
    let behind = ahead(Bitboard::of(square), S::THEM);
    let rooks = behind & facts.board.pieces(S::US, PieceType::Rook);
    rooks.any() && attacks::rook(square, facts.occupied).meets(rooks)
}

/// Whether a pawn reaches the last rank before a lone enemy king can take it or the queen it
/// becomes.
fn outruns<S: Side>(facts: &Facts, square: Square, side: Color) -> bool {
    let way = ahead(Bitboard::of(square), S::US);
    if way.meets(facts.occupied) {
        return false;
    }
    let promotion = Square::new(square.file(), Rank::R8.relative_to(S::US));
    let steps = way.count() as usize;
    let king_moves = facts.king[S::THEM.index()].distance(promotion);
    king_moves > steps + usize::from(side == S::THEM)
}
