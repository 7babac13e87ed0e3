//! A position and bytes that are read as moves: what is legal is generated, and what is played
//! leaves a sound position with the accumulators of one seen for the first time.

#![no_main]

use std::sync::Arc;

use chess::{Castling, KeyHistory, Move, Position, double_chess960};
use libfuzzer_sys::fuzz_target;
use nnue::{AccumulatorStack, MAX_PLIES};

/// The text up to the end of the line if it is a position, else two start arrays.
fn read_position(bytes: &[u8]) -> Option<(Position, &[u8])> {
    if let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(&bytes[..end]);
        if let Ok(position) = Position::from_fen(&text) {
            return Some((position, &bytes[end + 1..]));
        }
    }
    let (arrays, rest) = bytes.split_first_chunk::<4>()?;
    let white = u16::from_le_bytes([arrays[0], arrays[1]]);
    let black = u16::from_le_bytes([arrays[2], arrays[3]]);
    Some((double_chess960(white, black), rest))
}

/// Checks one move in every notation and plays it on a copy.
fn play(position: &Position, mv: Move) -> Position {
    let san = position.to_san(mv);
    assert_eq!(position.parse_san(&san), Ok(mv), "{position:?} {san}");
    let uci = mv.to_uci(Castling::KingTakesRook);
    assert_eq!(position.parse_uci(&uci), Ok(mv), "{position:?} {uci}");
    let value = position.see(mv);
    assert!(position.see_ge(mv, value) && !position.see_ge(mv, value + 1), "{position:?} {uci}");

    let fen = position.to_fen();
    let mut next = *position;
    next.make(mv);
    assert!(next.is_consistent(), "{position:?} {uci}");
    assert_eq!(next.is_check(), position.gives_check(mv, &position.check_info()), "{fen} {uci}");
    assert_eq!(position.to_fen(), fen, "the copy has changed the original");
    assert_eq!(Position::from_fen(&next.to_fen()), Ok(next));
    next
}

fuzz_target!(|bytes: &[u8]| {
    let Some((mut position, rest)) = read_position(bytes) else { return };
    let mut history = KeyHistory::default();
    let (mut carried, mut fresh) = (
        AccumulatorStack::new(Arc::clone(nnue::embedded())),
        AccumulatorStack::new(Arc::clone(nnue::embedded())),
    );
    carried.reset(&position);
    for pair in rest.chunks_exact(2).take(MAX_PLIES) {
        let bits = u16::from_le_bytes([pair[0], pair[1]]);
        let legal = position.legal_moves();
        let foreign = Move::from_bits(bits);
        if let Some(mv) = foreign {
            assert_eq!(position.is_legal(mv), legal.contains(&mv), "{position:?} {mv:?}");
        }
        if bits == 0 && !position.is_check() {
            position.make_null();
            carried.push(chess::Delta::Nothing);
            assert!(position.is_consistent());
            history.clear();
            continue;
        }
        if legal.is_empty() {
            return;
        }
        let mv = foreign
            .filter(|mv| legal.contains(mv))
            .unwrap_or(legal[usize::from(bits) % legal.len()]);
        let next = play(&position, mv);
        history.push(&position);
        carried.push(position.make(mv));
        assert_eq!(position, next);
        // Not every position of a search is evaluated: what lies between is carried over.
        if bits & 1 == 0 {
            fresh.reset(&position);
            assert_eq!(carried.evaluate(&position), fresh.evaluate(&position), "{position:?}");
        }
        let threefold = history.is_threefold(&position);
        assert!(!threefold || history.is_repetition(&position, 0), "{position:?}");
    }
});
