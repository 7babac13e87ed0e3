//! **What people like to play.** Some kinds of moves come to a person's mind before others, whatever
//! they are worth: recaptures, captures, castling, saving an attacked piece. Each kind has a weight in
//! the logarithm of its odds against a plain quiet move.
//!
//! The weights were fitted, together with the loss that a search of six plies sees, to 800 moves of
//! players of 1300 to 1500 on Lichess (conditional logit; `docs/strength.md` says which games). Kinds
//! whose weight was within its error are left out.

use chess::{Board, Color, Move, PieceType, Position, Square, attacks};

/// A capture where the last move went.
const RECAPTURE: f64 = 3.2;
/// Any other capture.
const CAPTURE: f64 = 2.2;
const CASTLING: f64 = 2.4;
const QUEENING: f64 = 2.9;
/// A piece leaves a square where it could be taken at a profit.
const ESCAPE: f64 = 1.2;
/// A quiet move attacks a dearer piece.
const THREAT: f64 = 0.7;
const CHECK: f64 = 0.5;
/// A quiet move near the last one.
const NEAR: f64 = 0.5;
const KNIGHT: f64 = 0.3;
/// A quiet move backwards.
const RETREAT: f64 = -0.3;
/// A piece goes where a pawn can take it.
const INTO_PAWN: f64 = -1.2;

/// Squares between the last move and one that is near.
const NEAR_DISTANCE: usize = 2;

/// How much a move comes to mind. `next` is the position after it, `last` the square that the
/// opponent has just moved to.
pub(super) fn habit(position: &Position, mv: Move, next: &Position, last: Option<Square>) -> f64 {
    let (from, to, us) = (mv.from(), mv.to(), position.side_to_move());
    let kind = position.moved(mv).kind();
    let mut weight = 0.0;
    let mut add = |holds: bool, part: f64| weight += if holds { part } else { 0.0 };
    if mv.is_castle() {
        return CASTLING;
    }
    add(next.is_check(), CHECK);
    add(mv.promotion() == Some(PieceType::Queen), QUEENING);
    add(kind == PieceType::Knight, KNIGHT);
    let is_pawn = kind == PieceType::Pawn;
    let guards = attacks::pawn(us, to) & next.board().pieces(!us, PieceType::Pawn);
    add(!is_pawn && guards.any(), INTO_PAWN);
    if mv.is_capture() {
        add(true, if last == Some(to) { RECAPTURE } else { CAPTURE });
        return weight;
    }
    add(last.is_some_and(|last| last.distance(to) <= NEAR_DISTANCE), NEAR);
    add(from.relative_to(us).rank() > to.relative_to(us).rank(), RETREAT);
    add(is_en_prise(position.board(), from, kind, us), ESCAPE);
    add(attacks_dearer(next.board(), to, kind, us), THREAT);
    weight
}

/// Whether the piece, no pawn and no king, can be taken at a profit.
fn is_en_prise(board: &Board, square: Square, kind: PieceType, us: Color) -> bool {
    if matches!(kind, PieceType::Pawn | PieceType::King) {
        return false;
    }
    let around = board.attackers(square, board.occupied());
    let against = around & board.color(!us);
    let is_guarded = around.meets(board.color(us));
    let by_lesser = against
        .into_iter()
        .any(|from| board.piece_at(from).is_some_and(|piece| worth(piece.kind()) < worth(kind)));
    by_lesser || against.any() && !is_guarded
}

/// Whether the piece that has just moved attacks one that is worth more.
fn attacks_dearer(board: &Board, square: Square, kind: PieceType, us: Color) -> bool {
    let reach = match kind {
        PieceType::Pawn => attacks::pawn(us, square),
        kind => attacks::piece(kind, square, board.occupied()),
    };
    (reach & board.color(!us)).into_iter().any(|target| {
        let target = board.piece_at(target).map(chess::Piece::kind);
        target.is_some_and(|target| target != PieceType::King && worth(target) > worth(kind))
    })
}

fn worth(kind: PieceType) -> u32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => 50,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn habit_of(fen: &str, mv: &str, last: Option<&str>) -> f64 {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_uci(mv).unwrap();
        let mut next = position;
        next.make(mv);
        habit(&position, mv, &next, last.and_then(Square::parse))
    }

    #[test]
    fn captures_come_to_mind_first_and_recaptures_before_them() {
        let fen = "4k3/8/2p5/3n4/4P3/8/8/R3K2R w KQ - 0 1";
        let plain = habit_of(fen, "a1a2", None);
        let takes = habit_of(fen, "e4d5", None);
        let again = habit_of(fen, "e4d5", Some("d5"));
        let castles = habit_of(fen, "e1g1", None);
        assert_eq!(plain, 0.0);
        assert!(again > takes && takes > plain && castles > plain, "{again} {takes} {castles}");
    }

    #[test]
    fn attacked_pieces_are_saved_and_dearer_ones_attacked() {
        let check = |fen, mv, wanted: f64| {
            let found = habit_of(fen, mv, None);
            assert!((found - wanted).abs() < 1e-9, "{mv} in {fen}: {found}, not {wanted}");
        };
        let fen = "4k3/8/8/8/3p4/4N3/8/R3K3 w - - 0 1";
        check(fen, "e3g4", ESCAPE + KNIGHT);
        let rook = "4k3/8/2r5/8/8/8/4N3/4K3 w - - 0 1";
        check(rook, "e2d4", THREAT + KNIGHT);
        check(rook, "e2g1", RETREAT + KNIGHT);
        let guarded = "4k3/2p5/8/8/4N3/8/8/4K3 w - - 0 1";
        check(guarded, "e4d6", CHECK + INTO_PAWN + KNIGHT);
    }
}
