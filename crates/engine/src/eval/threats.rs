//! Men under attack.

use chess::{Bitboard, PieceType, Rank};

use super::facts::Facts;
use super::side::Side;
use super::trace::{Tally, Trace, add};

/// What this side attacks and may soon win.
#[inline]
pub(super) fn threats<S: Side, T: Trace>(facts: &Facts, tally: &mut Tally<T>) {
    let board = facts.board;
    let us = S::US.index();
    let them = S::THEM.index();
    let enemies = board.color(S::THEM);
    let pawn_guard = facts.by(S::THEM, PieceType::Pawn);
    let count = |set: Bitboard| set.count() as i32;

    let pieces = enemies.minus(facts.pawns[them] | board.kind(PieceType::King));
    let by_pawn = facts.by(S::US, PieceType::Pawn) & pieces;
    if by_pawn.any() {
        add!(tally, threat_by_pawn[0], count(by_pawn & board.kind(PieceType::Knight)));
        add!(tally, threat_by_pawn[1], count(by_pawn & board.kind(PieceType::Bishop)));
        add!(tally, threat_by_pawn[2], count(by_pawn & board.kind(PieceType::Rook)));
        add!(tally, threat_by_pawn[3], count(by_pawn & board.kind(PieceType::Queen)));
    }
    let push = pushes::<S>(facts);
    add!(tally, threat_by_push[0], count(chess::attacks::pawns(S::US, push) & pieces));

    // A man that a pawn guards, or that is guarded at least as often as attacked, is no target for
    // a piece of its own value or more.
    let strong = pawn_guard | facts.doubly[them].minus(facts.doubly[us]);
    let weak = (enemies & facts.attacked[us]).minus(strong | board.kind(PieceType::King));
    let heavy = board.kind(PieceType::Rook) | board.kind(PieceType::Queen);
    let minors = facts.by(S::US, PieceType::Knight) | facts.by(S::US, PieceType::Bishop);
    for square in minors & (weak | enemies & heavy) {
        if let Some(piece) = board.piece_at(square) {
            add!(tally, threat_by_minor[piece.kind().index()]);
        }
    }
    let queens = board.kind(PieceType::Queen);
    for square in facts.by(S::US, PieceType::Rook) & (weak | enemies & queens) {
        if let Some(piece) = board.piece_at(square) {
            add!(tally, threat_by_rook[piece.kind().index()]);
        }
    }
    let unguarded = weak.minus(facts.attacked[them]);
    add!(tally, hanging[0], count(unguarded));
    if facts.by(S::US, PieceType::King).meets(unguarded) {
        add!(tally, threat_by_king[0]);
    }
}

/// Where the pawns can step without being lost.
#[inline]
fn pushes<S: Side>(facts: &Facts) -> Bitboard {
    let free = !facts.occupied;
    let third = Bitboard::rank(Rank::R3.relative_to(S::US));
    let single = facts.pawns[S::US.index()].forward(S::US) & free;
    let double = (single & third).forward(S::US) & free;
    let lost = facts.attacked[S::THEM.index()].minus(facts.attacked[S::US.index()]);
    (single | double).minus(facts.by(S::THEM, PieceType::Pawn) | lost)
}
