//! What bishops, rooks and queens do along lines: pins, skewers, discoveries and x-rays.

use chess::{Bitboard, PieceType, Placed, geometry};

use super::line::ForcedLine;
use super::worth::{attackers, attacks_of, is_en_prise, is_loose, is_slider, king, placed, value};
use super::{Finding, Motif};

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    found.extend(line.own().find_map(|ply| pin(line, ply)));
    found.extend(line.own().find_map(|ply| relative_pin(line, ply)));
    found.extend(line.later_own().find_map(|ply| skewer(line, ply)));
    let check = line.own().find_map(|ply| discovered_check(line, ply));
    let attack = line.later_own().find_map(|ply| discovered_attack(line, ply));
    if let Some(check) = &check {
        found.push(Finding { motif: Motif::DiscoveredAttack, ..check.clone() });
    }
    found.extend(check);
    found.extend(attack);
    found.extend(line.later_own().find_map(|ply| x_ray(line, ply)));
}

/// A piece of the opponent may not leave the line to its king, and that matters: either it would
/// otherwise take something worthwhile, or it is attacked along the line and cannot save itself.
fn pin(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let board = line.board_after(ply);
    let position = line.position_after(ply);
    let king = king(board, line.them());
    (position.pinned() & board.color(line.them())).into_iter().find_map(|square| {
        let pinned = placed(board, square)?;
        let ray = geometry::line(king.square, square);
        let occupied = board.occupied();
        let pinner = (attackers(board, king.square, line.us())
            | board.attackers(king.square, occupied.without(square)) & board.color(line.us()))
            & ray;
        let pinner = pinner.into_iter().find_map(|pinner| {
            geometry::between(king.square, pinner).has(square).then(|| placed(board, pinner))?
        })?;
        let matters = prevents_capture(line, ply, pinned, ray)
            || prevents_escape(line, ply, pinned, pinner, ray);
        matters.then(|| Finding::new(Motif::Pin, ply, vec![pinner, pinned, king]))
    })
}

/// The pinned piece attacks something off the line that is dearer or loose.
fn prevents_capture(line: &ForcedLine, ply: usize, pinned: Placed, ray: Bitboard) -> bool {
    let board = line.board_after(ply);
    let attacked = attacks_of(board, pinned.square).minus(ray) & board.color(line.us());
    attacked.into_iter().filter_map(|square| placed(board, square)).any(|target| {
        target.piece.kind() != PieceType::King
            && (value(target.piece.kind()) > value(pinned.piece.kind()) || is_loose(board, target))
    })
}

/// The pinned piece is dearer than the pinning one, or loose; it cannot take that one and could
/// otherwise go away.
fn prevents_escape(
    line: &ForcedLine,
    ply: usize,
    pinned: Placed,
    pinner: Placed,
    ray: Bitboard,
) -> bool {
    let board = line.board_after(ply);
    if value(pinned.piece.kind()) > value(pinner.piece.kind()) {
        return true;
    }
    let free = attacks_of(board, pinned.square).minus(board.color(line.them()));
    let free = if pinned.piece.kind() == PieceType::Pawn {
        let ahead = pinned.square.forward(line.them());
        (free & board.color(line.us()))
            | if board.piece_at(ahead).is_none() { ahead.into() } else { Bitboard::EMPTY }
    } else {
        free
    };
    is_loose(board, pinned)
        && !attacks_of(board, pinned.square).has(pinner.square)
        && free.minus(ray).any()
}

/// A piece is attacked by a slider and shields a dearer one, no king, that the slider would win; and
/// one of the two is taken later in the line.
fn relative_pin(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let board = line.board_after(ply);
    let sliders = board.color(line.us()) & (board.diagonal_sliders() | board.straight_sliders());
    sliders.into_iter().filter_map(|square| placed(board, square)).find_map(|pinner| {
        let reached = attacks_of(board, pinner.square) & board.color(line.them());
        reached.into_iter().filter_map(|square| placed(board, square)).find_map(|pinned| {
            let occupied = board.occupied().without(pinned.square);
            let through = chess::attacks::piece(pinner.piece.kind(), pinner.square, occupied);
            let behind = through & geometry::line(pinner.square, pinned.square);
            let behind = behind.minus(attacks_of(board, pinner.square)) & board.color(line.them());
            let behind = behind.into_iter().find_map(|square| placed(board, square))?;
            let (front, back) = (pinned.piece.kind(), behind.piece.kind());
            let is_pin = back != PieceType::King
                && front != PieceType::Pawn
                && value(back) > value(front)
                && (value(back) > value(pinner.piece.kind()) || is_loose(board, behind));
            let is_used = (ply + 2..line.len())
                .step_by(2)
                .filter_map(|later| line.captured_piece(later))
                .any(|taken| taken.square == pinned.square && taken.piece == pinned.piece);
            (is_pin && is_used)
                .then(|| Finding::new(Motif::RelativePin, ply, vec![pinner, pinned, behind]))
        })
    })
}

/// A slider takes what stood behind a dearer piece that had to leave the line.
fn skewer(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let taken = line.captured_piece(ply)?;
    let (from, reply) = (line.from(ply), ply - 1);
    let left = geometry::between(from, taken.square).has(line.from(reply));
    let before = line.board_before(ply);
    let is_skewer = is_slider(line.kind(ply))
        && left
        && line.to(reply) != taken.square
        && value(line.kind(reply)) > value(taken.piece.kind())
        && is_en_prise(before, taken)
        && line.position_after(ply).has_legal_move();
    if !is_skewer {
        return None;
    }
    let attacker = placed(before, from)?;
    let front = Placed { square: line.from(reply), ..line.moved(reply) };
    Some(Finding::new(Motif::Skewer, ply - 2, vec![attacker, front, taken]))
}

/// A piece that did not move gives check, alone: two at once are a double check.
fn discovered_check(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let checkers = line.position_after(ply).checkers();
    let board = line.board_after(ply);
    let other = checkers.without(line.to(ply)).first().filter(|_| !checkers.many())?;
    // A rook that checks after castling has moved, too.
    (!line.moves()[ply].is_castle()).then(|| {
        let pieces = placed(board, other).into_iter();
        let pieces = pieces.chain([line.moved(ply), king(board, line.them())]).collect();
        Finding::new(Motif::DiscoveredCheck, ply, pieces)
    })
}

/// A slider takes along a line that the own move before has opened. What is taken stood there.
fn discovered_attack(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let taken = line.captured_piece(ply)?;
    let (from, opening) = (line.from(ply), ply - 2);
    let is_discovered = geometry::between(from, taken.square).has(line.from(opening))
        && !line.moves()[opening].is_castle()
        && line.to(ply - 1) != taken.square
        && line.to(opening) != taken.square
        && line.to(opening) != from;
    is_discovered.then(|| {
        let attacker = Placed { square: from, ..line.moved(ply) };
        let pieces = vec![attacker, line.moved(opening), taken];
        Finding::new(Motif::DiscoveredAttack, opening, pieces)
    })
}

/// Both sides take on one square, and the last to take is a slider that stood behind the piece of the
/// opponent which took there.
fn x_ray(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let (square, reply) = (line.to(ply), ply - 1);
    let is_x_ray = line.captured(ply).is_some()
        && line.to(reply) == square
        && line.kind(reply) != PieceType::King
        && line.to(ply - 2) == square
        && geometry::between(line.from(ply), square).has(line.from(reply));
    is_x_ray.then(|| {
        let through = Placed { square: line.from(reply), ..line.moved(reply) };
        let slider = Placed { square: line.from(ply), ..line.moved(ply) };
        Finding::new(Motif::XRayAttack, ply - 2, vec![slider, through])
    })
}
