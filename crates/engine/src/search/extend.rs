//! Extensions: moves that deserve a deeper look than the rest of their node.

use chess::{Move, PieceType, Position, Rank};

use crate::params;
use crate::score::Score;
use crate::stats::Event;

/// What the search without the table move showed about the table move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Singularity {
    /// Everything else is worse: search the table move so many plies deeper (or shallower).
    Extend(i32),
    /// Something else also beats beta: this score cuts the node.
    MultiCut(Score),
}

/// What the verdict on the table move depends on.
#[derive(Clone, Copy)]
pub(crate) struct SingularFacts {
    /// Score of the search without the table move.
    pub(crate) score: Score,
    /// The bound it was searched with.
    pub(crate) singular_beta: Score,
    pub(crate) beta: Score,
    pub(crate) table_score: Score,
    pub(crate) pv_node: bool,
    pub(crate) cut_node: bool,
    pub(crate) quiet: bool,
    /// Double and triple extensions already on this line.
    pub(crate) doubles: i32,
}

/// Judges the table move after the node was searched without it.
pub(crate) fn singularity(facts: &SingularFacts) -> Singularity {
    if facts.score < facts.singular_beta {
        let room = !facts.pv_node && facts.doubles < params::double_limit();
        let short = facts.singular_beta - facts.score;
        let mut plies = 1;
        if room && short > params::double_margin() {
            plies += 1;
            plies += i32::from(facts.quiet && short > params::triple_margin());
        }
        return Singularity::Extend(plies);
    }
    if params::multicut() != 0 && facts.score >= facts.beta && !facts.score.is_decisive() {
        return Singularity::MultiCut(facts.score);
    }
    let expected_to_cut = facts.table_score >= facts.beta || facts.cut_node;
    Singularity::Extend(if expected_to_cut { -params::negative_extension() } else { 0 })
}

/// The window of the search without the table move: below its score by a margin that grows with
/// depth.
pub(crate) fn singular_beta(table_score: Score, depth: i32) -> Score {
    table_score - params::singular_margin() * depth / 64
}

/// Which of the classic extensions, if any, a move deserves by itself.
pub(crate) fn of_move(position: &Position, mv: Move, facts: &MoveFacts) -> Option<Event> {
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
pub(crate) struct MoveFacts {
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

    fn facts(score: i32) -> SingularFacts {
        SingularFacts {
            score: Score::from_cp(score),
            singular_beta: Score::from_cp(0),
            beta: Score::from_cp(50),
            table_score: Score::from_cp(10),
            pv_node: false,
            cut_node: false,
            quiet: true,
            doubles: 0,
        }
    }

    #[test]
    fn the_worse_the_rest_the_longer_the_extension() {
        assert_eq!(singularity(&facts(-5)), Singularity::Extend(1));
        assert_eq!(singularity(&facts(-60)), Singularity::Extend(2));
        assert_eq!(singularity(&facts(-500)), Singularity::Extend(3));
        let noisy = SingularFacts { quiet: false, ..facts(-500) };
        assert_eq!(singularity(&noisy), Singularity::Extend(2));
    }

    #[test]
    fn long_extensions_are_not_for_the_principal_variation_and_are_capped() {
        let pv = SingularFacts { pv_node: true, ..facts(-500) };
        assert_eq!(singularity(&pv), Singularity::Extend(1));
        let often = SingularFacts { doubles: 100, ..facts(-500) };
        assert_eq!(singularity(&often), Singularity::Extend(1));
    }

    #[test]
    fn two_good_moves_cut_and_an_ordinary_one_is_searched_shallower() {
        assert_eq!(singularity(&facts(60)), Singularity::MultiCut(Score::from_cp(60)));
        let high = SingularFacts { table_score: Score::from_cp(70), ..facts(10) };
        assert_eq!(singularity(&high), Singularity::Extend(-params::negative_extension()));
        assert_eq!(singularity(&facts(10)), Singularity::Extend(0));
        let mate = SingularFacts { score: Score::mate_in(9), ..facts(0) };
        assert!(matches!(singularity(&mate), Singularity::Extend(_)));
    }

    #[test]
    fn a_pawn_is_passed_if_nothing_ahead_can_stop_it() {
        let position = Position::from_fen("4k3/2p5/1P6/8/8/8/8/4K3 w - - 0 1").unwrap();
        let push = position.parse_uci("b6b7").unwrap();
        assert!(is_passed(&position, push));
        let position = Position::from_fen("4k3/7p/8/6P1/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(!is_passed(&position, position.parse_uci("g5g6").unwrap()));
    }
}
