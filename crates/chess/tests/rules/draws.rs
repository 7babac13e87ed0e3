//! Draws that the board and the clock tell.

use chess::{Color, Outcome, Position};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn fifty_moves_without_capture_or_pawn_move_are_a_draw() {
    assert!(!position("7k/8/8/8/8/8/R7/K7 w - - 99 80").is_fifty_move_draw());
    assert!(position("7k/8/8/8/8/8/R7/K7 w - - 100 80").is_fifty_move_draw());
    assert!(position("7k/8/8/8/8/8/R7/K7 w - - 150 130").is_fifty_move_draw());
    // A check that can be answered changes nothing.
    assert!(position("7k/8/8/8/8/8/8/K6R b - - 100 80").is_fifty_move_draw());
}

#[test]
fn mate_on_the_hundredth_ply_comes_before_the_fifty_move_draw() {
    let mut game = position("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    game.make(game.parse_san("Ra8#").unwrap());
    assert_eq!(game.halfmove_clock(), 100);
    assert!(!game.is_fifty_move_draw());
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White)));
}

#[test]
fn the_clock_does_not_run_over() {
    let mut game = position("7k/8/8/8/8/8/R7/K7 w - - 65535 65535");
    for san in ["Rb2", "Kg8", "Ra2", "Kh8"] {
        game.make(game.parse_san(san).unwrap());
    }
    assert_eq!((game.halfmove_clock(), game.fullmove()), (65535, 65535));
    assert!(game.is_fifty_move_draw());
}

#[test]
fn mate_and_stalemate_end_the_game() {
    let fool = position("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_eq!(fool.outcome(), Some(Outcome::Win(Color::Black)));
    assert_eq!(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(), Some(Outcome::Draw));
    assert_eq!(Position::startpos().outcome(), None);
}

#[test]
fn positions_without_enough_material_to_mate_are_draws() {
    let dead = [
        "8/8/8/4k3/8/8/8/4K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/4KN2 w - - 0 1",
        "8/8/8/4k3/8/8/8/4KB2 b - - 0 1",
        // Bishops that all stand on one colour, however many and whosesoever.
        "2b5/8/8/4k3/8/8/8/4KB2 w - - 0 1",
        "2b1b3/8/8/4k3/8/8/8/3BKB2 w - - 0 1",
    ];
    for fen in dead {
        assert_eq!(position(fen).outcome(), Some(Outcome::Draw), "{fen}");
    }
    let alive = [
        "8/8/8/4k3/8/8/8/4KNN1 w - - 0 1",
        "5n2/8/8/4k3/8/8/8/4KN2 w - - 0 1",
        "5n2/8/8/4k3/8/8/8/4KB2 w - - 0 1",
        "5b2/8/8/4k3/8/8/8/4KB2 w - - 0 1",
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/4K2R w - - 0 1",
    ];
    for fen in alive {
        assert_eq!(position(fen).outcome(), None, "{fen}");
    }
}
