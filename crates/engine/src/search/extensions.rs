//! **Classic extensions** of checks, recaptures and passed pawns. All are off: histories and
//! reductions make them worth nothing, but `ablate` and `tune` builds can still turn them on.
//!
//! Source: the chess programming wiki, "Extensions".
//! Worth: docs/ablations.md, rows "Check extension", "Recapture extension" and "Passed pawn
//! extension".

use chess::{Move, PieceType, Position, Rank};

use crate::params;
use crate::stats::Event;

/// Which of the classic extensions, if any, a move deserves by itself.
pub(crate) fn of_move(position: &Position, mv: Move, facts: &ExtensionFacts) -> Option<Event> {
    // Together they may not carry a line past twice the depth of the iteration.
    if facts.ply >= 2 * facts.root_depth as usize {
        return None;
    }
    if params::check_extension() != 0 && facts.gives_check && position.see_ge(mv, 0) {
        return Some(Event::CheckExtension);
    }
    if params::recapture_extension() != 0
        && facts.pv_node
        && mv.is_capture()
        && facts.last_capture == Some(mv.to())
    {
        return Some(Event::RecaptureExtension);
    }
    let to_seventh = mv.to().rank().relative_to(position.side_to_move()) == Rank::R7;
    (params::passed_pawn_extension() != 0
        && to_seventh
        && position.moved(mv).kind() == PieceType::Pawn
        && is_passed(position, mv)
        && position.see_ge(mv, 0))
    .then_some(Event::PassedPawnExtension)
}

/// What the classic extensions depend on besides position and move.
#[derive(Clone, Copy)]
pub(crate) struct ExtensionFacts {
    pub(crate) ply: usize,
    pub(crate) root_depth: i32,
    pub(crate) gives_check: bool,
    pub(crate) pv_node: bool,
    /// The square where the move before captured.
    pub(crate) last_capture: Option<chess::Square>,
}

/// Whether no enemy pawn can stop or take the pawn after this move.
fn is_passed(position: &Position, mv: Move) -> bool {
    let us = position.side_to_move();
    let lane = chess::Bitboard::file(mv.to().file());
    let lanes = lane | lane.east() | lane.west();
    let ahead: chess::Bitboard = Rank::ALL
        .into_iter()
        .filter(|rank| rank.relative_to(us) > mv.to().rank().relative_to(us))
        .map(chess::Bitboard::rank)
        .fold(chess::Bitboard::EMPTY, |set, rank| set | rank);
    !position.board().pieces(!us, PieceType::Pawn).meets(lanes & ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pawn_is_passed_if_nothing_ahead_can_stop_it() {
        let position = Position::from_fen("4k3/2p5/1P6/8/8/8/8/4K3 w - - 0 1").unwrap();
        let push = position.parse_uci("b6b7").unwrap();
        assert!(is_passed(&position, push));
        let position = Position::from_fen("4k3/7p/8/6P1/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(!is_passed(&position, position.parse_uci("g5g6").unwrap()));
    }
}
