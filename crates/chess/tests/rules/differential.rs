//! Random games played in parallel with `shakmaty`: every answer must be the same.

use chess::{Castling, Move, Position};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::oracle;
use crate::play::{Rng, Start, game};

/// Compares everything but the moves' names, and returns the moves in pairs.
fn compare_position(position: &Position, oracle: &Chess) -> Vec<(Move, shakmaty::Move)> {
    let fen = position.to_fen();
    assert_eq!(fen, oracle::fen(oracle));
    assert_eq!(position.to_shredder_fen(), oracle::shredder_fen(oracle));
    for text in [&fen, &position.to_shredder_fen()] {
        let read = Position::from_fen(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read, *position, "{text}");
        assert_eq!(read.key(), position.key(), "{text}");
    }
    assert_eq!(position.checkers(), oracle::checkers(oracle), "{fen}");
    assert_eq!(position.outcome(), oracle::outcome(oracle), "{fen}");

    let mut ours: Vec<Move> = position.legal_moves().to_vec();
    let mut theirs: Vec<shakmaty::Move> = oracle.legal_moves().to_vec();
    ours.sort_unstable_by_key(|&mv| oracle::our_signature(mv));
    theirs.sort_unstable_by_key(|&mv| oracle::their_signature(mv));
    let our_signatures: Vec<_> = ours.iter().map(|&mv| oracle::our_signature(mv)).collect();
    let their_signatures: Vec<_> = theirs.iter().map(|&mv| oracle::their_signature(mv)).collect();
    assert_eq!(our_signatures, their_signatures, "{fen}");
    ours.into_iter().zip(theirs).collect()
}

/// Compares the names of a move, and reads them back.
fn compare_names(position: &Position, oracle: &Chess, ours: Move, theirs: shakmaty::Move) {
    let san = position.to_san(ours);
    assert_eq!(san, SanPlus::from_move(oracle.clone(), theirs).to_string(), "{position:?}");
    assert_eq!(position.parse_san(&san), Ok(ours), "{position:?} {san}");
    let bare = san.trim_end_matches(['+', '#']).replace('=', "");
    assert_eq!(position.parse_san(&bare), Ok(ours), "{position:?} {bare}");

    let uci = ours.to_uci(Castling::KingTakesRook);
    assert_eq!(uci, theirs.to_uci(CastlingMode::Chess960).to_string());
    assert_eq!(position.parse_uci(&uci), Ok(ours), "{position:?} {uci}");
    // For chess, but nothing else may be read in it where it meets an array of Chess960.
    let uci = ours.to_uci(Castling::KingMove);
    assert_eq!(position.parse_uci(&uci), Ok(ours), "{position:?} {uci}");
}

fn compare_games(start: Start, positions: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let mut seen = 0;
    while seen < positions {
        let first = start.position(&mut rng);
        let mut oracle = oracle::translate(&first);
        game(first, 300, &mut rng, |position, played| {
            seen += 1;
            let moves = compare_position(position, &oracle);
            for &(ours, theirs) in &moves {
                compare_names(position, &oracle, ours, theirs);
            }
            if let Some(&(_, theirs)) = moves.iter().find(|&&(ours, _)| Some(ours) == played) {
                oracle.play_unchecked(theirs);
            }
        });
    }
}

#[test]
#[cfg_attr(miri, ignore)]
fn games_from_the_start_position_agree_with_another_implementation() {
    compare_games(Start::Standard, 60_000, 1);
}

#[test]
#[cfg_attr(miri, ignore)]
fn games_of_chess960_agree_with_another_implementation() {
    compare_games(Start::Chess960, 60_000, 2);
}

#[test]
#[cfg_attr(miri, ignore)]
fn games_of_double_chess960_agree_with_another_implementation() {
    compare_games(Start::DoubleChess960, 40_000, 3);
}

#[test]
#[cfg_attr(miri, ignore)]
fn games_from_later_positions_agree_with_another_implementation() {
    compare_games(Start::Later, 60_000, 4);
}

#[test]
fn standard_castling_text_agrees_with_another_implementation() {
    let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    let oracle = oracle::translate(&position);
    for (ours, theirs) in compare_position(&position, &oracle) {
        let uci = ours.to_uci(Castling::KingMove);
        assert_eq!(uci, theirs.to_uci(CastlingMode::Standard).to_string());
        assert_eq!(position.parse_uci(&uci), Ok(ours));
    }
}
