//! Forks and double checks.

use chess::{PieceType, Placed};

use super::line::ForcedLine;
use super::worth::{attacks_of, is_en_prise, is_loose, placed, targets, value};
use super::{Finding, Motif};

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    found.extend(line.own().find_map(|ply| fork(line, ply)));
    found.extend(line.own().find_map(|ply| double_check(line, ply)));
}

/// The moved piece, itself safe, attacks two pieces that are worth it: each is dearer than itself, or
/// loose and unable to take it. The line goes on, so that something comes of it.
fn fork(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let moved = line.moved(ply);
    let kind = moved.piece.kind();
    let board = line.board_after(ply);
    if ply + 2 >= line.len() || kind == PieceType::King || is_en_prise(board, moved) {
        return None;
    }
    let is_worth_it = |target: &Placed| {
        target.piece.kind() != PieceType::Pawn
            && (value(target.piece.kind()) > value(kind)
                || is_loose(board, *target) && !attacks_of(board, target.square).has(moved.square))
    };
    let forked: Vec<Placed> =
        targets(board, moved.square).into_iter().filter(is_worth_it).collect();
    (forked.len() > 1).then(|| {
        let pieces = std::iter::once(moved).chain(forked).collect();
        Finding::new(Motif::Fork, ply, pieces)
    })
}

fn double_check(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let checkers = line.position_after(ply).checkers();
    checkers.many().then(|| {
        let board = line.board_after(ply);
        let pieces = checkers.into_iter().filter_map(|square| placed(board, square)).collect();
        Finding::new(Motif::DoubleCheck, ply, pieces)
    })
}
