//! `is_legal` for moves that come from elsewhere.

use chess::{Move, Position};

use crate::play::{self, Rng};

fn assert_agrees_with_the_generator(position: &Position) {
    let mut legal: Vec<u16> = position.legal_moves().iter().map(|mv| mv.bits()).collect();
    legal.sort_unstable();
    assert!(legal.windows(2).all(|pair| pair[0] != pair[1]), "twice the same in {position:?}");
    let accepted: Vec<u16> = (0..=u16::MAX)
        .filter(|&bits| Move::from_bits(bits).is_some_and(|mv| position.is_legal(mv)))
        .collect();
    assert_eq!(accepted, legal, "{position:?}");
}

#[test]
#[cfg_attr(miri, ignore)]
fn of_all_encodings_exactly_the_generated_moves_are_legal() {
    let mut rng = Rng::new(21);
    let (mut count, mut checks) = (0, 0);
    play::positions(40_000, 22, |position| {
        // All kinds of play, and more of the positions where less is allowed.
        let rare =
            position.is_check() || position.pinned().any() || position.en_passant().is_some();
        if rng.below(if rare { 20 } else { 100 }) == 0 {
            assert_agrees_with_the_generator(position);
            count += 1;
            checks += usize::from(position.is_check());
        }
    });
    assert!(count > 400 && checks > 50, "{count} positions, {checks} checks");
}

#[test]
#[cfg_attr(miri, ignore)]
fn of_all_encodings_exactly_the_generated_moves_are_legal_in_a_crowded_position() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    assert_agrees_with_the_generator(&Position::from_fen(fen).unwrap());
}

#[test]
#[cfg_attr(miri, ignore)]
fn encodings_that_no_move_has_are_refused() {
    let readable = (0..=u16::MAX).filter_map(Move::from_bits);
    for mv in readable.clone() {
        assert_eq!(Move::new(mv.from(), mv.to(), mv.kind()), mv);
        assert_eq!(Move::from_bits(mv.bits()), Some(mv));
    }
    // Thirteen kinds, and two squares that differ.
    assert_eq!(readable.count(), 13 * 64 * 63);
}

#[test]
#[cfg_attr(miri, ignore)]
fn a_king_on_the_enemy_back_rank_does_not_borrow_a_castling_right() {
    // White's king stands on Black's back rank.
    let fen = "r2k2K1/8/8/8/8/8/8/8 w q - 0 1";
    let position = Position::from_fen(fen).unwrap();
    assert!(position.castling_rooks().any() && !position.is_check());
    assert_agrees_with_the_generator(&position);
}
