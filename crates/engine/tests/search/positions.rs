//! Positions whose truth is known, also those about which wrong things are said.

use chess::Position;
use engine::{Limits, Outcome, Score};

use crate::support::{engine_at, search};

fn find(fen: &str, limits: &Limits) -> (Position, Outcome) {
    let mut engine = engine_at(fen);
    let outcome = search(&mut engine, limits);
    (*engine.game().position(), outcome)
}

fn assert_finds(fen: &str, wanted: &[&str], limits: &Limits) -> Score {
    let (root, outcome) = find(fen, limits);
    let san = root.to_san(outcome.best_move.expect("a move"));
    assert!(wanted.contains(&san.as_str()), "{san} {} in {fen}", outcome.score);
    outcome.score
}

fn between(score: Score, low: i32, high: i32) {
    assert!(score >= Score::from_cp(low) && score <= Score::from_cp(high), "{score}");
}

#[test]
fn a_calm_opening_is_calm() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 4 4";
    let (_, outcome) = find(fen, &Limits::depth(10));
    between(outcome.score, -30, 200);
}

#[test]
fn a_queen_each_is_a_draw() {
    let fen = "3Q4/8/3K4/8/8/3k4/8/3q4 b - - 0 1";
    let (root, outcome) = find(fen, &Limits::depth(12));
    between(outcome.score, -60, 60);
    assert_ne!(root.to_san(outcome.best_move.unwrap()), "Kd4");
}

#[test]
fn positions_that_cannot_be_are_refused_with_the_reason() {
    let reason = |fen: &str| Position::from_fen(fen).unwrap_err().to_string();
    assert!(reason("7k/8/6KQ/8/8/8/8/8 w - - 0 1").contains("check"));
    assert!(reason("8/1P6/8/8/8/8/1p6/R6K b - - 0 1").contains("king"));
}

#[test]
fn a_position_said_to_be_won_is_a_little_worse_for_black() {
    let fen = "r4rk1/1b2qppp/p1n1p3/1p6/3P4/P1N1P3/1PQ2PPP/R1B2RK1 b - - 0 1";
    let (_, outcome) = find(fen, &Limits::depth(10));
    between(outcome.score, -180, 60);
    assert!(outcome.progress.nodes < 1_000_000, "it must not explode");
}

#[test]
fn the_fastest_mate_leaves_no_move() {
    let fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let (_, outcome) = find(fen, &Limits::depth(5));
    assert_eq!((outcome.best_move, outcome.score), (None, Score::mated_in(0)));
}

#[test]
fn a_missing_queen_counts() {
    let fen = "r1b1kb1r/1pp2ppp/p1n2n2/3pp3/8/2NP1NP1/PPP1PP1P/R1BQKB1R w KQkq - 0 6";
    let (_, outcome) = find(fen, &Limits::depth(8));
    between(outcome.score, 350, 1100);
}

#[test]
fn the_rook_is_won_not_lost() {
    let fen = "r3k2r/8/8/8/b7/8/8/R3K2R w KQkq - 0 1";
    let score = assert_finds(fen, &["Rxh8+"], &Limits::depth(8));
    between(score, 200, 1200);
}

#[test]
fn the_rook_must_be_taken() {
    let score = assert_finds("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", &["Kxe2"], &Limits::depth(8));
    between(score, -1, 1);
}

#[test]
fn forks_win_material() {
    let score = assert_finds("2q1k3/8/8/1N6/8/8/5PPP/6K1 w - - 0 1", &["Nd6+"], &Limits::depth(8));
    between(score, 200, 2000);
    let fen = "r3k2r/ppp2ppp/8/3N4/8/8/PPP2PPP/4K2R w Kkq - 0 1";
    assert_finds(fen, &["Nxc7+"], &Limits::depth(8));
}

#[test]
fn perpetual_check_saves_the_game() {
    let fen = "6k1/6p1/8/8/8/8/rr6/3Q3K w - - 0 1";
    let score = assert_finds(fen, &["Qd8+", "Qd5+"], &Limits::depth(12));
    between(score, -1, 1);
}

#[test]
fn stalemate_traps_are_seen() {
    let fen = "8/k1P5/8/K7/8/8/8/8 w - - 0 1";
    let score = assert_finds(fen, &["c8=R"], &Limits::depth(8));
    assert!(score > Score::from_cp(300), "{score}");
    let score = assert_finds("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", &["Qf8#"], &Limits::depth(4));
    assert_eq!(score, Score::mate_in(1));
}

#[test]
fn a_deep_forcing_line_stays_bounded() {
    let fen = "b2r3r/k4p1p/p2q1np1/NppP4/3p1Q2/P4PPB/1PP4P/1K1RR3 w - - 1 24";
    let (_, outcome) = find(fen, &Limits::depth(9));
    assert!(outcome.progress.nodes < 1_000_000, "{}", outcome.progress.nodes);
}

#[test]
fn promotion_races_are_won_by_the_first_queen() {
    assert_finds("8/P7/6k1/8/8/8/K6p/8 b - - 0 1", &["h1=Q"], &Limits::depth(12));
    assert_finds("8/7P/4K3/8/1k6/8/p7/8 b - - 0 1", &["a1=Q"], &Limits::depth(12));
}

#[test]
fn every_kind_of_evasion_is_considered() {
    let fen = "4k3/8/8/8/1b6/P4N2/2P2PPP/R1BQK2R w KQ - 0 1";
    let root = Position::from_fen(fen).unwrap();
    assert_eq!(root.legal_moves().len(), 7);
    let mate = Limits { mate: Some(4), ..Limits::default() };
    assert_eq!(assert_finds(fen, &["axb4"], &mate), Score::mate_in(7));
    let score = assert_finds(fen, &["axb4"], &Limits::depth(22));
    assert!(score.is_win() && score <= Score::mate_in(7), "{score}");
    let fen = "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1";
    let root = Position::from_fen(fen).unwrap();
    assert_eq!(root.legal_moves().len(), 9);
    assert!(root.legal_moves().iter().any(|mv| mv.is_en_passant()));
    search(&mut engine_at(fen), &Limits::depth(8));
}

#[test]
fn crowds_of_captures_end() {
    let fen = "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1";
    let root = Position::from_fen(fen).unwrap();
    let moves = root.legal_moves();
    assert_eq!(moves.len(), 127);
    assert_eq!(moves.iter().filter(|mv| mv.is_capture()).count(), 74);
    let (_, outcome) = find(fen, &Limits::nodes(300_000));
    assert!(outcome.score <= Score::mate_in(7), "{}", outcome.score);
    let fen = "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1";
    let (_, outcome) = find(fen, &Limits::depth(4));
    assert!(outcome.progress.nodes < 500_000, "{}", outcome.progress.nodes);
}

#[test]
fn a_lost_rook_is_lost() {
    let (_, outcome) = find("4k2r/8/8/8/8/8/2n5/R3K3 w - - 0 1", &Limits::depth(8));
    assert!(outcome.score < Score::from_cp(-400), "{}", outcome.score);
}

#[test]
fn the_position_with_most_moves_is_searched() {
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    assert_eq!(Position::from_fen(fen).unwrap().legal_moves().len(), 218);
    let (_, outcome) = find(fen, &Limits::depth(3));
    assert_eq!(outcome.score, Score::mate_in(1));
}

#[test]
fn underpromotions_that_win_are_found() {
    // A queen would stalemate.
    assert_finds("8/k1P5/8/K7/8/8/8/8 w - - 0 1", &["c8=R"], &Limits::depth(8));
    // Only the knight mates.
    let fen = "6nr/5Ppk/7p/8/8/8/8/K7 w - - 0 1";
    assert_eq!(assert_finds(fen, &["f8=N#"], &Limits::depth(4)), Score::mate_in(1));
}

#[test]
fn odd_castling_and_en_passant_are_searched_without_harm() {
    for fen in [
        // En passant would expose the king along the rank.
        "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
        // Castling where the king or the rook does not move, or one passes over the other.
        "4k3/8/8/8/8/8/8/5RK1 w F - 0 1",
        "4k3/8/8/8/8/8/8/2KR4 w D - 0 1",
        "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
        "4k3/8/8/8/8/8/8/KR6 w B - 0 1",
        // The rook is pinned along the back rank.
        "4k3/8/8/8/8/8/8/rR1K4 w B - 0 1",
        // Kings and blocked pawns only.
        "8/8/p1p1p1p1/P1P1P1P1/8/8/1k6/7K w - - 0 1",
    ] {
        let Ok(root) = Position::from_fen(fen) else { panic!("{fen}") };
        assert!(root.has_legal_move());
        search(&mut engine_at(fen), &Limits::depth(9));
    }
}
