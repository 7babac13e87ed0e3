//! The generators by kind partition the legal moves.

use chess::{Bitboard, Move, MoveList, Position, Sink};

use crate::play;

fn sorted(generate: impl FnOnce(&mut MoveList)) -> Vec<u16> {
    let mut list = MoveList::default();
    generate(&mut list);
    let mut bits: Vec<u16> = list.iter().map(|mv| mv.bits()).collect();
    bits.sort_unstable();
    bits
}

/// By playing it.
fn is_check_after(position: &Position, mv: Move) -> bool {
    let mut next = *position;
    next.make(mv);
    next.is_check()
}

fn filtered(moves: &[Move], keep: impl Fn(Move) -> bool) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.iter().filter(|&&mv| keep(mv)).map(|mv| mv.bits()).collect();
    bits.sort_unstable();
    bits
}

fn assert_partition(position: &Position) {
    let all = position.legal_moves();
    let info = position.check_info();
    let noisy = sorted(|list| position.generate_noisy(list));
    let quiets = sorted(|list| position.generate_quiets(list));
    let checks = sorted(|list| position.generate_quiet_checks(&info, list));
    assert_eq!(noisy, filtered(&all, Move::is_noisy), "{position:?}");
    assert_eq!(quiets, filtered(&all, Move::is_quiet), "{position:?}");
    assert_eq!(
        checks,
        filtered(&all, |mv| mv.is_quiet() && is_check_after(position, mv)),
        "{position:?}"
    );
    if position.is_check() {
        let evasions = sorted(|list| position.generate_evasions(list));
        assert_eq!(evasions, filtered(&all, |_| true), "{position:?}");
    }
    for &mv in &all {
        let check = is_check_after(position, mv);
        assert_eq!(position.gives_check(mv, &info), check, "{position:?} {mv:?}");
        assert_eq!(mv.is_capture(), position.captured(mv).is_some(), "{position:?} {mv:?}");
    }
    assert_eq!(position.count_legal_moves() as usize, all.len());
    assert_eq!(position.has_legal_move(), !all.is_empty());
}

#[test]
fn noisy_moves_and_quiets_are_all_moves_and_checks_are_known_before_they_are_played() {
    let count = if cfg!(miri) { 4 } else { 100_000 };
    play::positions(count, 41, assert_partition);
}

#[test]
fn every_way_of_giving_check_is_seen() {
    let positions = [
        // Castling either way, also with the rook passing the king.
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "5k2/8/8/8/8/8/8/2RK3R w HC - 0 1",
        // A promotion that looks back through the square the pawn left.
        "8/4P3/8/4k3/8/8/8/4K3 w - - 0 1",
        "8/4P3/8/8/4k3/8/8/K7 w - - 0 1",
        // Capture in passing that opens a file, a rank or either pawn's diagonal for a slider.
        "6k1/8/8/3pP3/8/8/B7/K7 w - d6 0 1",
        "7k/8/8/3pP3/8/8/1B6/K7 w - d6 0 1",
        "8/8/8/R2pP2k/8/8/8/K7 w - d6 0 1",
        "4k3/8/8/3pP3/8/8/8/K3R3 w - d6 0 1",
        // The king or a pawn steps aside.
        "3k4/8/8/8/8/3K4/8/3R4 w - - 0 1",
        "3k4/8/4p3/3P4/8/8/8/3R2K1 w - - 0 1",
        "6k1/8/8/3P4/8/8/Q7/6K1 w - - 0 1",
    ];
    for fen in positions {
        let position = Position::from_fen(fen).unwrap();
        assert_partition(&position);
        assert!(position.legal_moves().iter().any(|&mv| is_check_after(&position, mv)), "{fen}");
    }
}

#[test]
fn a_sink_may_keep_what_it_likes() {
    struct Targets(Bitboard);
    impl Sink for Targets {
        fn push(&mut self, mv: Move) {
            self.0 = self.0.with(mv.to());
        }
    }
    let mut targets = Targets(Bitboard::EMPTY);
    Position::startpos().generate_all(&mut targets);
    assert_eq!(targets.0, Bitboard(0xFFFF_0000));
}
