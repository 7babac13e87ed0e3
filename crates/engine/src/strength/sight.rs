//! **What a player does not see.** People overlook moves by their kind: a capture next to the last
//! move hardly ever, a long move backwards or a piece that uncovers another one often. Every move has
//! an *obscurity*: how many times as often it is overlooked as a plain quiet move.
//!
//! Who overlooks a move goes on overlooking it for a while: whether it is seen depends on the game,
//! the move and the stage of the game, not on the position.

use chess::rng::{Rng, mix};
use chess::{Bitboard, Move, PieceType, Position, attacks};

/// A capture where the last move went.
const RECAPTURE: f64 = 0.08;
/// Any other capture, and a promotion to a queen.
const CAPTURE: f64 = 0.4;
/// A capture of the queen, beyond that.
const QUEEN_TAKEN: f64 = 0.3;
/// A promotion to something else than a queen.
const UNDERPROMOTION: f64 = 4.0;
/// A quiet move near the last one.
const NEAR: f64 = 0.6;
/// A long move of a piece back towards its own side.
const LONG_RETREAT: f64 = 2.0;
/// A knight's move: its lines are not straight.
const KNIGHT: f64 = 1.4;
/// A piece that steps out of the way of another one, which then attacks something.
const DISCOVERY: f64 = 1.8;

/// Squares between the ends of a move that is near, and of one that is long.
const NEAR_DISTANCE: usize = 2;
const LONG_DISTANCE: usize = 3;
/// Legal moves in a position that is neither empty nor cluttered.
const USUAL_MOVES: f64 = 32.0;
/// Moves of a game for which somebody is blind to the same move.
const STAGE: u16 = 4;

/// How many times as often a move is overlooked as a plain quiet one. `last` is the square that the
/// opponent has just moved to.
pub(super) fn obscurity(position: &Position, mv: Move, last: Option<chess::Square>) -> f64 {
    let (from, to, us) = (mv.from(), mv.to(), position.side_to_move());
    let kind = position.moved(mv).kind();
    let mut times = 1.0;
    if mv.is_capture() {
        times *= if last == Some(to) { RECAPTURE } else { CAPTURE };
        if position.captured(mv) == Some(PieceType::Queen) {
            times *= QUEEN_TAKEN;
        }
    } else if let Some(piece) = mv.promotion() {
        times *= if piece == PieceType::Queen { CAPTURE } else { UNDERPROMOTION };
    } else if last.is_some_and(|last| last.distance(to) <= NEAR_DISTANCE) {
        times *= NEAR;
    }
    let is_retreat = from.relative_to(us).rank() > to.relative_to(us).rank();
    if is_retreat && from.distance(to) >= LONG_DISTANCE {
        times *= LONG_RETREAT;
    }
    if kind == PieceType::Knight {
        times *= KNIGHT;
    }
    if uncovers(position, mv) {
        times *= DISCOVERY;
    }
    times
}

/// Whether the move opens a line of another own piece to a piece of the opponent's.
fn uncovers(position: &Position, mv: Move) -> bool {
    let (board, us) = (position.board(), position.side_to_move());
    let before = board.occupied();
    let after = before.without(mv.from()).with(mv.to());
    let own = board.color(us).without(mv.from());
    let targets = board.color(!us).minus(board.kind(PieceType::Pawn)).without(mv.to());
    let opened = |sliders: Bitboard, reach: fn(chess::Square, Bitboard) -> Bitboard| {
        (sliders & own).into_iter().any(|square| {
            let new = reach(square, after).minus(reach(square, before));
            new.meets(targets)
        })
    };
    opened(board.diagonal_sliders(), attacks::bishop)
        || opened(board.straight_sliders(), attacks::rook)
}

/// How much more is overlooked where there is more to look at.
pub(super) fn clutter(legal_moves: usize) -> f64 {
    (legal_moves as f64 / USUAL_MOVES).clamp(0.5, 1.5)
}

/// Whether a move that is overlooked with this chance is overlooked now.
pub(super) fn is_blind(chance: f64, game: u64, position: &Position, mv: Move) -> bool {
    let stage = u64::from(position.fullmove() / STAGE) << 1 | position.side_to_move() as u64;
    let what = u64::from(mv.bits()) | stage << 16;
    Rng::new(mix(what.wrapping_add(mix(game)))).unit() < chance
}

#[cfg(test)]
mod tests {
    use super::*;

    fn obscurity_of(fen: &str, mv: &str, last: Option<&str>) -> f64 {
        let position = Position::from_fen(fen).unwrap();
        let last = last.and_then(chess::Square::parse);
        obscurity(&position, position.parse_uci(mv).unwrap(), last)
    }

    #[test]
    fn what_is_close_and_takes_is_seen_first() {
        let fen = "4k3/8/8/3q4/8/4N2B/8/R3K3 w - - 0 1";
        let back = obscurity_of(fen, "a1a2", None);
        let takes = obscurity_of(fen, "e3d5", Some("d5"));
        let elsewhere = obscurity_of(fen, "e3d5", Some("e8"));
        assert!(takes < elsewhere && elsewhere < back, "{takes} {elsewhere} {back}");
        assert!(obscurity_of(fen, "e3f5", Some("e8")) > back, "a knight");
        let far = "4k3/8/8/R7/8/8/8/4K3 w - - 0 1";
        let (retreat, advance) = (obscurity_of(far, "a5a1", None), obscurity_of(far, "a5a8", None));
        assert!(retreat > advance, "{retreat} {advance}");
    }

    #[test]
    fn a_piece_that_uncovers_another_is_hard_to_see() {
        let fen = "4r2k/8/8/8/8/4B3/8/K3R3 w - - 0 1";
        let (opens, stays) = (obscurity_of(fen, "e3f4", None), obscurity_of(fen, "a1b1", None));
        assert!(opens > stays, "{opens} {stays}");
    }

    #[test]
    fn blindness_lasts_for_some_moves_and_not_for_the_next_game() {
        let fen = |number: u32| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {number}");
        let blind = |number, game| {
            let position = Position::from_fen(&fen(number)).unwrap();
            is_blind(0.5, game, &position, position.parse_uci("e2e4").unwrap())
        };
        assert!((0..100).all(|game| blind(8, game) == blind(11, game)));
        assert!((0..100).any(|game| blind(8, game) != blind(12, game)));
        let share = (0..4000).filter(|&game| blind(8, game)).count();
        assert!((1800..2200).contains(&share), "{share}");
    }
}
