//! Castling in chess and Chess960, with its odd cases.

use chess::{Bitboard, Castling, Color, Move, MoveKind, PieceType, Position, Rank, Square};
use chess::{chess960, double_chess960};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn castles(position: &Position) -> Vec<String> {
    let castle = |mv: &&Move| mv.is_castle();
    let mut names: Vec<String> =
        position.legal_moves().iter().filter(castle).map(|&mv| position.to_san(mv)).collect();
    names.sort();
    for name in &mut names {
        *name = name.trim_end_matches(['+', '#']).to_string();
    }
    names
}

/// Plays the castling move and returns the squares of the king and the rooks after it.
fn castle(position: &Position, san: &str) -> (Square, Vec<Square>) {
    let mut next = *position;
    next.make(position.parse_san(san).unwrap());
    assert!(next.is_consistent());
    let us = position.side_to_move();
    let rooks = next.board().pieces(us, PieceType::Rook).into_iter().collect();
    (next.board().king(us), rooks)
}

/// All array numbers; a few where every step is interpreted.
fn array_numbers() -> impl Iterator<Item = u16> {
    (0..960).step_by(if cfg!(miri) { 240 } else { 1 })
}

#[test]
#[cfg_attr(miri, ignore)]
fn number_518_is_the_start_of_chess_and_all_960_are_different_and_legal() {
    assert_eq!(chess960(518), Position::startpos());
    let mut fens: Vec<String> = (0..960).map(|number| chess960(number).to_fen()).collect();
    fens.sort();
    fens.dedup();
    assert_eq!(fens.len(), 960);
}

#[test]
fn chess960_arrays_have_the_king_between_the_rooks_and_bishops_of_both_colours() {
    for number in array_numbers() {
        let start = chess960(number);
        assert!(start.is_consistent());
        for side in Color::ALL {
            let files = |kind| {
                let pieces = start.board().pieces(side, kind);
                pieces.into_iter().map(|square| square.file() as usize).collect::<Vec<_>>()
            };
            let (rooks, king) = (files(PieceType::Rook), files(PieceType::King));
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{number}");
            let bishops = files(PieceType::Bishop);
            assert_ne!(bishops[0] % 2, bishops[1] % 2, "{number}");
            assert_eq!(files(PieceType::Queen).len() + files(PieceType::Knight).len(), 3);
        }
        assert_eq!(start.castling_rooks(), start.board().kind(PieceType::Rook));
    }
}

#[test]
fn chess960_numbers_follow_the_usual_table() {
    let arrays =
        [(0, "BBQNNRKR"), (1, "BQNBNRKR"), (518, "RNBQKBNR"), (534, "RNBKQBNR"), (959, "RKRNNQBB")];
    for (number, array) in arrays {
        let fen = chess960(number).to_fen();
        assert!(fen.contains(&format!("/{array} w")), "{number}: {fen}");
    }
    assert_eq!(chess960(960), chess960(0));
}

#[test]
fn double_chess960_gives_each_side_its_own_array() {
    let start = double_chess960(0, 959);
    assert_eq!(start.to_shredder_fen(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
    assert!(start.is_consistent());
}

#[test]
fn the_king_may_stay_where_it_is() {
    let start = position("1k6/8/8/8/8/8/8/6KR w K - 0 1");
    assert_eq!(castle(&start, "O-O"), (Square::G1, vec![Square::F1]));
    let start = position("7k/8/8/8/8/8/8/R1K5 w Q - 0 1");
    assert_eq!(castle(&start, "O-O-O"), (Square::C1, vec![Square::D1]));
}

#[test]
fn the_rook_may_stay_where_it_is() {
    let start = position("1k6/8/8/8/8/8/8/4KR2 w K - 0 1");
    assert_eq!(castle(&start, "O-O"), (Square::G1, vec![Square::F1]));
    let start = position("7k/8/8/8/8/8/8/3RK3 w Q - 0 1");
    assert_eq!(castle(&start, "O-O-O"), (Square::C1, vec![Square::D1]));
}

#[test]
fn king_and_rook_may_change_places_or_pass_each_other() {
    let start = position("1k6/8/8/8/8/8/8/5KR1 w K - 0 1");
    assert_eq!(castle(&start, "O-O"), (Square::G1, vec![Square::F1]));
    let start = position("7k/8/8/8/8/8/8/RK6 w Q - 0 1");
    assert_eq!(castle(&start, "O-O-O"), (Square::C1, vec![Square::D1]));
    let start = position("7k/8/8/8/8/8/8/2RK4 w Q - 0 1");
    assert_eq!(castle(&start, "O-O-O"), (Square::C1, vec![Square::D1]));
    let start = position("7k/8/8/8/8/8/8/1RK5 w Q - 0 1");
    assert_eq!(castle(&start, "O-O-O"), (Square::C1, vec![Square::D1]));
}

#[test]
fn black_castles_like_white() {
    let start = position("rk6/8/8/8/8/8/8/6K1 b q - 0 1");
    assert_eq!(castle(&start, "O-O-O"), (Square::C8, vec![Square::D8]));
    let start = position("5kr1/8/8/8/8/8/8/1K6 b k - 0 1");
    assert_eq!(castle(&start, "O-O"), (Square::G8, vec![Square::F8]));
}

#[test]
fn a_rook_that_shields_the_king_along_the_rank_may_not_castle() {
    // With the rook on b1 gone the queen on a1 would look at the king on c1.
    assert!(castles(&position("7k/8/8/8/8/8/8/qRK5 w B - 0 1")).is_empty());
    // Without the queen it may.
    assert_eq!(castles(&position("7k/8/8/8/8/8/8/1RK5 w B - 0 1")), ["O-O-O"]);
}

#[test]
fn no_square_on_the_kings_way_may_be_attacked_but_the_rooks_way_may() {
    let base = |file: char, name: &str| {
        let index = file as usize - 'a' as usize;
        let mut rank = String::new();
        if index > 0 {
            rank.push_str(&index.to_string());
        }
        rank.push('r');
        if index < 7 {
            rank.push_str(&(7 - index).to_string());
        }
        let start = position(&format!("1k6/8/8/{rank}/8/8/8/R3K2R w KQ - 0 1"));
        castles(&start).contains(&name.to_string())
    };
    let allowed = |name| ('a'..='h').filter(|&file| base(file, name)).collect::<String>();
    assert_eq!(allowed("O-O"), "abcdh");
    assert_eq!(allowed("O-O-O"), "abfgh");
}

#[test]
fn nothing_may_stand_in_the_way_of_king_or_rook() {
    assert_eq!(castles(&position("4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1")), ["O-O-O"]);
    assert_eq!(castles(&position("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1")), ["O-O"]);
    // The king stays on c1, but the rook has to pass b1.
    assert!(castles(&position("4k3/8/8/8/8/8/8/RNK5 w Q - 0 1")).is_empty());
    // The other rook is in the way like any piece.
    assert!(castles(&position("4k3/8/8/8/8/8/8/4KRR1 w G - 0 1")).is_empty());
}

#[test]
fn nobody_castles_out_of_check() {
    assert!(castles(&position("1k2r3/8/8/8/8/8/8/R3K2R w KQ - 0 1")).is_empty());
}

#[test]
fn rights_go_with_the_king_the_rook_and_the_captured_rook() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let rights_after = |san: &str| {
        let mut next = position(fen);
        next.make(next.parse_san(san).unwrap());
        next.to_fen().split(' ').nth(2).unwrap().to_string()
    };
    assert_eq!(rights_after("Ke2"), "kq");
    assert_eq!(rights_after("O-O"), "kq");
    assert_eq!(rights_after("Rb1"), "Kkq");
    assert_eq!(rights_after("Rxh8+"), "Qq");
    assert_eq!(rights_after("Rxa8+"), "Kk");
}

#[test]
fn castling_is_read_in_both_spellings() {
    let start = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let short = Move::new(Square::E1, Square::H1, MoveKind::Castle);
    for text in ["e1g1", "e1h1"] {
        assert_eq!(start.parse_uci(text), Ok(short));
    }
    for text in ["O-O", "0-0", "O-O+", "0-0!?"] {
        assert_eq!(start.parse_san(text), Ok(short));
    }
    // A step of one square is a step where a step is possible, and castling where the rook stands.
    let start = position("7k/8/8/8/8/8/8/RK6 w Q - 0 1");
    assert_eq!(start.parse_uci("b1c1").map(Move::kind), Ok(MoveKind::Quiet));
    assert_eq!(start.parse_uci("b1a1").map(Move::kind), Ok(MoveKind::Castle));
    assert_eq!(start.parse_san("O-O-O").unwrap().to_uci(Castling::KingTakesRook), "b1a1");
}

#[test]
fn castling_ends_on_the_usual_squares_from_every_array() {
    for number in array_numbers() {
        let start = chess960(number);
        for (rook, name) in start.castling_rooks().into_iter().zip(["O-O-O", "O-O"]) {
            // Of White's back rank only the king and this rook stay.
            let mut setup = start.to_setup();
            setup.castling = rook.into();
            let king = start.board().king(Color::White);
            for square in Bitboard::rank(Rank::R1).without(rook).without(king) {
                setup.board.take(start.board().piece_at(square).unwrap(), square);
            }
            let cleared = Position::from_setup(setup).unwrap();
            let (king, rook) =
                if name == "O-O" { (Square::G1, Square::F1) } else { (Square::C1, Square::D1) };
            assert_eq!(castle(&cleared, name), (king, vec![rook]), "{number}");
        }
    }
}

#[test]
fn a_king_that_castles_by_one_square_is_not_written_as_a_step() {
    let position = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let castle = position.parse_san("O-O").unwrap();
    let step = position.parse_san("Kg1").unwrap();
    assert_eq!(castle.to_uci(Castling::KingMove), "f1h1");
    assert_eq!(step.to_uci(Castling::KingMove), "f1g1");
    assert_eq!(position.parse_uci("f1g1"), Ok(step));
    assert_eq!(position.parse_uci("f1h1"), Ok(castle));
}
