//! Positions that everybody knows something about.

use chess::{Color, MAX_MOVES, Move, Position};

#[test]
fn a_list_holds_the_most_moves_a_position_can_have() {
    let positions = [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    ];
    for fen in positions {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.legal_moves().len(), 218, "{fen}");
        assert!(position.legal_moves().len() < MAX_MOVES);
    }
}

#[test]
fn a_position_is_small_enough_to_be_copied_at_every_node() {
    assert!(size_of::<Position>() <= 256, "{} bytes", size_of::<Position>());
}

#[test]
fn two_pawns_that_can_take_in_passing_both_do() {
    let position = Position::from_fen("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1").unwrap();
    let taking = position.legal_moves().iter().filter(|mv| mv.is_en_passant()).count();
    assert_eq!(taking, 2);
}

#[test]
fn a_check_by_the_pawn_that_moved_two_squares_is_answered_in_passing() {
    let position = Position::from_fen("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1").unwrap();
    assert_eq!(position.legal_moves().len(), 9);
    assert!(position.parse_san("exd3").is_ok());
}

#[test]
fn a_capture_in_passing_that_exposes_the_king_is_illegal() {
    for fen in [
        "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
        "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1",
        "k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert!(position.legal_moves().iter().all(|mv| !mv.is_en_passant()), "{fen}");
    }
}

#[test]
fn algebraic_names_say_as_much_as_is_needed_and_no_more() {
    let cases = [
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1d1", "Rd1"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
        ("R7/4k3/8/8/8/8/4K3/R7 w - - 0 1", "a1a4", "R1a4"),
        ("8/7k/8/1Q2Q3/8/8/1Q6/K7 w - - 0 1", "b5e2", "Qb5e2"),
        // The other knight is pinned.
        ("4k3/4r3/8/8/8/4N3/4K3/N7 w - - 0 1", "a1c2", "Nc2"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"),
    ];
    for (fen, uci, san) in cases {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{fen} {uci}: {error}"));
        assert_eq!(position.to_san(mv), san, "{fen}");
    }
}

#[test]
fn algebraic_names_are_read_with_too_much_said_but_not_with_too_little() {
    use chess::SanError::{Ambiguous, Illegal, Malformed};
    let position = Position::from_fen("4k3/P7/8/8/8/8/4K3/R6R w - - 0 1").unwrap();
    for text in ["Rad1", "Ra1d1", "Rad1!?"] {
        assert_eq!(position.parse_san(text), position.parse_uci("a1d1").map_err(|_| Illegal));
    }
    for text in ["a8=Q", "a8Q", "a8=Q+", "a7a8=Q"] {
        assert_eq!(position.parse_san(text), position.parse_uci("a7a8q").map_err(|_| Illegal));
    }
    assert_eq!(position.parse_san("Rd1"), Err(Ambiguous));
    assert_eq!(position.parse_san("Rd2"), Err(Illegal));
    assert_eq!(position.parse_san("a8"), Err(Illegal));
    assert_eq!(position.parse_san("O-O"), Err(Illegal));
    for text in ["", "R", "x", "e9", "Rz1", "a8=K", "Raad1", "e2-e4", "=Q", "♖d1"] {
        assert_eq!(position.parse_san(text), Err(Malformed), "{text}");
    }
}

#[test]
fn move_text_that_is_not_a_move_says_why() {
    use chess::MoveTextError::{Illegal, Malformed, NoPromotion};
    let start = Position::startpos();
    for text in ["", "e2", "e2e", "e2e4e5", "i2i4", "e0e4", "é2e4", "e2e4k", "e2e4p", "ää"] {
        assert_eq!(start.parse_uci(text), Err(Malformed), "{text}");
    }
    for text in ["e2e5", "e7e5", "e2e2", "e4e5", "e1g1", "e2e4q", "a1a1"] {
        assert_eq!(start.parse_uci(text), Err(Illegal), "{text}");
    }
    // A king may take a rook that could castle.
    let taking = Position::from_fen("4k2r/6K1/8/8/8/8/8/8 w k - 0 1").unwrap();
    assert!(taking.parse_uci("g7h8").is_ok_and(Move::is_capture));
    let promoting = Position::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(promoting.parse_uci("a7a8"), Err(NoPromotion));
    assert_eq!(promoting.parse_uci("a7b8"), Err(Illegal));
    assert!(promoting.parse_uci("a7a8Q").is_ok());
}

#[test]
fn pieces_are_more_than_king_and_pawns() {
    for (fen, expected) in [
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", [false, false]),
        ("4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1", [true, false]),
        ("q3k3/8/8/8/8/8/8/4K3 w - - 0 1", [false, true]),
        ("b3k3/8/8/8/8/8/8/R3K3 w - - 0 1", [true, true]),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(Color::ALL.map(|color| position.has_pieces(color)), expected, "{fen}");
    }
}

#[test]
fn positions_are_equal_if_everything_is() {
    let fens = [
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 3",
        "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w Qkq d6 0 3",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq d6 0 3",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 3",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 3",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 1 3",
        "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 4",
    ];
    for (number, fen) in fens.into_iter().enumerate() {
        let position = Position::from_fen(fen).unwrap();
        for (other_number, other) in fens.into_iter().enumerate() {
            let other = Position::from_fen(other).unwrap();
            assert_eq!(position == other, number == other_number, "{position:?} {other:?}");
        }
        assert_eq!(format!("{position:?}"), format!("Position({fen})"));
    }
}
