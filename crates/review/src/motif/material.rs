//! What is won because it stands badly, and what is given up for it.

use chess::{PieceType, Placed};

use super::line::ForcedLine;
use super::worth::{is_loose, is_trapped, placed, value};
use super::{Finding, Motif};

/// Pawns that must be down before it is a sacrifice.
const SACRIFICE: i32 = 2;

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    found.extend(hanging_piece(line));
    found.extend(line.later_own().find_map(|ply| trapped_piece(line, ply)));
    found.extend(sacrifice(line));
}

/// The first move takes a piece, no pawn, that nobody protects; it is no mere recapture, and what was
/// won is not lost again with the next move.
fn hanging_piece(line: &ForcedLine) -> Option<Finding> {
    if line.is_empty() {
        return None;
    }
    let taken = line.captured_piece(0).filter(|taken| taken.piece.kind() != PieceType::Pawn)?;
    if !is_loose(line.start().board(), taken) {
        return None;
    }
    if let Some((before, mv)) = line.before_start()
        && mv.to() == taken.square
        && before.captured(mv).is_some_and(|kind| value(kind) >= value(taken.piece.kind()))
    {
        return None;
    }
    let keeps = line.len() < 3 || line.balance(3) >= line.balance(1);
    keeps.then(|| Finding::new(Motif::HangingPiece, 0, vec![line.moved(0), taken]))
}

/// A piece is taken that had no safe square before the opponent's last move.
fn trapped_piece(line: &ForcedLine, ply: usize) -> Option<Finding> {
    let taken = line.captured_piece(ply).filter(|taken| taken.piece.kind() != PieceType::Pawn)?;
    let stood = if line.to(ply - 1) == taken.square { line.from(ply - 1) } else { taken.square };
    let trapped = placed(line.board_before(ply - 1), stood)?;
    is_trapped(line.before(ply - 1), stood)
        .then(|| Finding::new(Motif::TrappedPiece, ply - 2, vec![line.moved(ply - 2), trapped]))
}

/// After a later own move the side has two pawns' worth less than at the start, and not because the
/// opponent has promoted. The finding is at the move that offers what is taken.
fn sacrifice(line: &ForcedLine) -> Option<Finding> {
    let promotes = line.moves().iter().skip(1).step_by(2).any(|mv| mv.is_promotion());
    let down = |&ply: &usize| line.balance(ply + 1) - line.balance(0) <= -SACRIFICE;
    let ply = line.later_own().find(down).filter(|_| !promotes)?;
    // The dearest piece that the opponent has taken until then.
    let taken = (1..ply).step_by(2).max_by_key(|&reply| line.captured(reply).map_or(0, value))?;
    let offered: Placed = line.captured_piece(taken)?;
    Some(Finding::new(Motif::Sacrifice, taken - 1, vec![offered]))
}
