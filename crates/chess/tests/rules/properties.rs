//! Any bytes at all: never a panic, and what is accepted comes back the same.

use chess::Position;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

use crate::play::{self, Rng, Start};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 2_000 },
        failure_persistence: if cfg!(miri) {
            None
        } else {
            Some(Box::new(FileFailurePersistence::WithSource("regressions")))
        },
        ..ProptestConfig::default()
    }
}

/// A position of a random game.
fn reached() -> impl Strategy<Value = Position> {
    (any::<u64>(), 0..120_usize).prop_map(|(seed, plies)| {
        let mut rng = Rng::new(seed);
        let mut last = Start::ALL[rng.below(4)].position(&mut rng);
        play::game(last, if cfg!(miri) { plies / 20 } else { plies }, &mut rng, |position, _| {
            last = *position;
        });
        last
    })
}

/// Text made of the letters of a FEN, which gets further than arbitrary text.
fn fen_like() -> impl Strategy<Value = String> {
    let placement = "[pnbrqkPNBRQK1-9/]{0,70}";
    let rest = "( [wbx])?( [KQkqA-Ha-h-]{0,5})?( ([a-h][1-8]|-|zz))?( [0-9]{0,6})?( [0-9-]{0,22})?";
    (placement, rest).prop_map(|(placement, rest)| placement + &rest)
}

/// A legal FEN with a few bytes exchanged.
fn damaged() -> impl Strategy<Value = String> {
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (reached(), edits).prop_map(|(position, edits)| {
        let mut bytes = position.to_fen().into_bytes();
        for (index, byte) in edits {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn assert_sound(text: &str) {
    if let Ok(position) = Position::from_fen(text) {
        assert!(position.is_consistent(), "{text}");
        for fen in [position.to_fen(), position.to_shredder_fen()] {
            assert_eq!(Position::from_fen(&fen), Ok(position), "{text}");
        }
        for &mv in &position.legal_moves() {
            let mut next = position;
            next.make(mv);
            assert!(next.is_consistent(), "{text} {mv:?}");
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_as_a_position_is_an_answer(text in any::<String>()) {
        assert_sound(&text);
    }

    #[test]
    fn any_bytes_as_a_position_are_an_answer(bytes in any::<Vec<u8>>()) {
        assert_sound(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn text_that_looks_like_a_position_is_an_answer(text in fen_like()) {
        assert_sound(&text);
    }

    #[test]
    fn a_damaged_position_is_an_answer(text in damaged()) {
        assert_sound(&text);
    }

    #[test]
    fn any_text_as_a_move_is_an_answer(position in reached(), text in any::<String>()) {
        let _ = position.parse_uci(&text);
        let _ = position.parse_san(&text);
    }

    #[test]
    fn text_that_looks_like_a_move_is_legal_or_refused(
        position in reached(),
        uci in "[a-h][1-8][a-h][1-8][nbrqkpNQ]?",
        san in "[NBRQK]?[a-h]?[1-8]?x?[a-h][1-8](=?[NBRQK])?[+#!?]{0,2}",
    ) {
        for mv in [position.parse_uci(&uci).ok(), position.parse_san(&san).ok()] {
            prop_assert!(mv.is_none_or(|mv| position.is_legal(mv)));
        }
    }

    #[test]
    fn positions_survive_being_written_and_read(position in reached()) {
        assert_sound(&position.to_fen());
    }
}
