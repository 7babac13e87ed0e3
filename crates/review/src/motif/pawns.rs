//! Pawns that get far.

use chess::{PieceType, Rank};

use super::line::ForcedLine;
use super::{Finding, Motif};

pub(super) fn find(line: &ForcedLine, found: &mut Vec<Finding>) {
    let moves = line.moves();
    let mut first = |motif, ply: Option<usize>| {
        found.extend(ply.map(|ply| Finding::new(motif, ply, vec![line.moved(ply)])));
    };
    first(Motif::Promotion, line.own().find(|&ply| moves[ply].is_promotion()));
    let is_under = |&ply: &usize| moves[ply].promotion().is_some_and(|to| to != PieceType::Queen);
    first(Motif::UnderPromotion, line.own().find(is_under));
    first(Motif::AdvancedPawn, line.own().find(|&ply| reaches(line, ply, Rank::R7)));
    first(Motif::EnPassant, line.own().find(|&ply| moves[ply].is_en_passant()));
}

/// A pawn that comes to the sixth rank or beyond.
pub(super) fn is_advanced(line: &ForcedLine, ply: usize) -> bool {
    reaches(line, ply, Rank::R6)
}

fn reaches(line: &ForcedLine, ply: usize, rank: Rank) -> bool {
    let before = line.before(ply);
    let us = before.side_to_move();
    before.moved(line.moves()[ply]).kind() == PieceType::Pawn
        && line.to(ply).relative_to(us).rank() >= rank
}
