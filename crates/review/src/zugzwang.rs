//! Zugzwang: a side whose every move makes things worse. Two searches prove it: one of the position,
//! which takes the best of its moves, and one of the position after a pass.

use chess::{Color, Position};
use engine::Game;

use crate::analyst::Analyst;
use crate::motif::{Finding, ForcedLine, Motif};

/// With more legal moves than this some move changes nothing.
const MOST_MOVES: u32 = 15;
/// How much better, in the chance to win, it must be to pass than to make the best move: as much as a
/// blunder gives away.
const GAIN: f64 = 0.15;

/// The first own move of a line after which the other side is in zugzwang.
pub fn zugzwang(analyst: &mut Analyst, line: &ForcedLine) -> Option<Finding> {
    let ply = line.own().find(|&ply| is_zugzwang(analyst, line.position_after(ply)))?;
    Some(Finding::new(Motif::Zugzwang, ply, vec![line.moved(ply)]))
}

/// Whether it would be much better for the side to move to pass.
pub(crate) fn is_zugzwang(analyst: &mut Analyst, position: &Position) -> bool {
    if !may_be(position) {
        return false;
    }
    let us = position.side_to_move();
    let mut passed = *position;
    passed.make_null();
    let passing = chance(analyst, &passed, us);
    // Most positions are as good as lost even after a pass: one search tells.
    passing >= GAIN && passing - chance(analyst, position, us) >= GAIN
}

/// Whoever is in check cannot pass, and whoever has many moves has one that changes nothing.
fn may_be(position: &Position) -> bool {
    !position.is_check() && (1..=MOST_MOVES).contains(&position.count_legal_moves())
}

fn chance(analyst: &mut Analyst, position: &Position, us: Color) -> f64 {
    analyst.study(&Game::new(*position), 1, &[]).look.eval.chance(us)
}

#[cfg(test)]
mod tests {
    use engine::{Engine, Limits};

    use super::*;

    fn analyst() -> Analyst {
        Analyst::new(Engine::new(), Limits::nodes(20_000))
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a legal position")
    }

    #[test]
    fn a_side_whose_every_move_loses_is_in_zugzwang() {
        for fen in [
            // Whoever moves gives up the pawn.
            "8/8/8/8/4pK2/3kP3/8/8 w - - 0 1",
            "8/8/8/8/4pK2/3kP3/8/8 b - - 0 1",
            // The king must let the other one through.
            "3k4/3P4/4K3/8/8/8/8/8 b - - 0 1",
        ] {
            assert!(is_zugzwang(&mut analyst(), &position(fen)), "{fen}");
        }
    }

    #[test]
    fn a_side_that_is_lost_anyway_or_has_a_move_is_not() {
        for fen in [
            "8/8/8/8/8/4k3/3q4/7K w - - 0 1",
            "8/8/4k3/8/8/4K3/4P3/8 b - - 0 1",
            "4k3/8/8/8/8/8/8/4K2R b - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            assert!(!is_zugzwang(&mut analyst(), &position(fen)), "{fen}");
        }
    }

    #[test]
    fn the_move_that_leads_to_it_is_found_in_a_line() {
        let start = position("8/8/8/8/4pK2/2k1P3/8/8 b - - 0 1");
        let found = |san: &str| {
            let mv = start.parse_san(san).expect("a legal move");
            zugzwang(&mut analyst(), &ForcedLine::new(start, &[mv]))
        };
        let finding = found("Kd3").expect("White must give up the pawn");
        assert_eq!((finding.motif, finding.ply), (Motif::Zugzwang, 0));
        assert_eq!(finding.pieces[0].square.to_string(), "d3");
        assert_eq!(found("Kd2"), None);
    }
}
