//! What happens to pieces that protect something: they are taken, drawn away, cut off, overburdened;
//! and pieces that are drawn to where they can be attacked.

use chess::{PieceType, Placed, geometry};

use super::line::ForcedLine;
use super::worth::{attackers, attacks_of, is_loose, is_slider, placed, value};
use super::{Finding, Motif};

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    found.extend(line.later_own().find_map(|ply| capturing_defender(line, ply)));
    found.extend(line.later_own().find_map(|ply| deflection(line, ply)));
    found.extend(line.later_own().find_map(|ply| overloading(line, ply)));
    found.extend(line.later_own().find_map(|ply| attraction(line, ply)));
    found.extend(line.later_own().find_map(|ply| interference(line, ply)));
}

/// What a later move takes, or the square on which it mates, was protected by a piece that the own
/// move before has taken, without check.
fn capturing_defender(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (square, first) = (line.to(ply), ply - 2);
    let mates = line.gives_check(ply) && !line.position_after(ply).has_legal_move();
    let wins = line.captured_piece(ply).is_some_and(|taken| {
        line.kind(ply) != PieceType::King
            && value(taken.piece.kind()) <= value(line.kind(ply))
            && is_loose(line.board_before(ply), taken)
            && line.to(ply - 1) != square
    });
    let defender = line.captured_piece(first)?;
    let protects = attacks_of(line.board_before(first), defender.square).has(square);
    let is_quiet = !line.gives_check(first) && !line.before(first).is_check();
    (protects && is_quiet && (mates || wins) && line.to(first) != line.from(ply)).then(|| {
        let mut pieces = vec![line.moved(first), defender];
        pieces.extend(line.captured_piece(ply));
        Finding::new(Motif::CapturingDefender, first, pieces)
    })
}

/// A piece that guards a square is made to leave, by an offer that it takes or by a check, and then
/// that square is taken or a pawn promotes there.
fn deflection(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (first, reply) = (ply - 2, ply - 1);
    let (square, mv) = (line.to(ply), line.moves()[ply]);
    let taken = line.captured_piece(ply);
    if taken.is_none() && !mv.is_promotion() {
        return None;
    }
    // Taking something dearer needs no deflected guard.
    if taken.is_some_and(|taken| value(taken.piece.kind()) > value(line.kind(ply))) {
        return None;
    }
    // The first move must be an offer, not a profitable capture.
    let is_offer = line.captured(first).is_none_or(|kind| value(kind) < value(line.kind(first)));
    let lures = line.to(reply) == line.to(first) || line.gives_check(first);
    let elsewhere = square != line.to(reply) && square != line.to(first);
    let board = line.board_after(first);
    let guards = attacks_of(board, line.from(reply));
    let guarded = guards.has(square)
        || mv.is_promotion()
            && square.file() == line.from(reply).file()
            && guards.has(line.from(ply));
    let still = attacks_of(line.board_after(reply), line.to(reply)).has(square);
    (is_offer && lures && elsewhere && guarded && !still).then(|| {
        let guard = Placed { square: line.from(reply), ..line.moved(reply) };
        let mut pieces = vec![line.moved(first), guard];
        pieces.extend(taken);
        Finding::new(Motif::Deflection, first, pieces)
    })
}

/// A piece protects two others: it recaptures the one and cannot recapture the other.
fn overloading(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (first, reply) = (ply - 2, ply - 1);
    let one = line.captured_piece(first)?;
    let other = line.captured_piece(ply)?;
    let guard = Placed { square: line.from(reply), ..line.moved(reply) };
    let guarded = attacks_of(line.board_before(first), guard.square);
    let still = attacks_of(line.board_after(reply), line.to(reply)).has(other.square);
    let is_overloaded = guard.piece.kind() != PieceType::King
        && line.to(reply) == one.square
        && other.square != one.square
        && guarded.has(one.square)
        && guarded.has(other.square)
        && !still
        && is_loose(line.board_before(ply), other);
    is_overloaded.then(|| Finding::new(Motif::Overloading, first, vec![guard, one, other]))
}

/// King, queen or rook takes an offered piece and is attacked on that square at once: the king is
/// checked, the others are taken later.
fn attraction(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (first, reply) = (ply - 2, ply - 1);
    let lure = line.to(first);
    let attracted = line.moved(reply);
    let kind = attracted.piece.kind();
    let is_dear = matches!(kind, PieceType::King | PieceType::Queen | PieceType::Rook);
    if line.to(reply) != lure || !is_dear {
        return None;
    }
    let attacks = attackers(line.board_after(ply), lure, line.us()).has(line.to(ply));
    let falls = || ply + 2 < line.len() && line.to(ply + 2) == lure;
    (attacks && (kind == PieceType::King || falls()))
        .then(|| Finding::new(Motif::Attraction, first, vec![line.moved(first), attracted]))
}

/// A piece is taken whose protector, a slider, was cut off by a move in between: by the opponent's own
/// or by ours.
fn interference(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let taken = line.captured_piece(ply)?;
    if !is_loose(line.board_before(ply), taken) {
        return None;
    }
    let cut = |by: usize| {
        let before = line.board_before(by);
        let guards = attackers(before, taken.square, line.them());
        let cut_off = |guard: &Placed| {
            is_slider(guard.piece.kind())
                && geometry::between(taken.square, guard.square).has(line.to(by))
        };
        guards.into_iter().filter_map(|square| placed(before, square)).find(cut_off)
    };
    // If it has just moved there, nothing of ours cut its protector off.
    let by_us = (line.to(ply - 1) != taken.square).then(|| cut(ply - 2)).flatten();
    let by_them = || (line.to(ply - 1) != taken.square).then(|| cut(ply - 1)).flatten();
    let guard = by_us.or_else(by_them)?;
    let blocker = if by_us.is_some() { line.moved(ply - 2) } else { line.moved(ply - 1) };
    Some(Finding::new(Motif::Interference, ply - 2, vec![blocker, guard, taken]))
}
