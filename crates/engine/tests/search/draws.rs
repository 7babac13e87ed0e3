//! Repetitions, fifty moves, dead positions.

use engine::{Engine, Limits, Score};

use crate::support::{engine_at, game, search, small_engine};

fn score_of(fen: &str, moves: &[&str], depth: i32) -> Score {
    let mut engine: Engine = small_engine();
    engine.set_game(game(fen, moves));
    search(&mut engine, &Limits::depth(depth)).score
}

#[test]
fn a_position_that_stood_before_the_root_is_not_yet_a_draw() {
    // Black has shuffled, yet the pawn still wins.
    let shuffle = ["c1b1", "h1g1", "b1c1", "g1h1", "c1b1", "h1g1", "b1a1", "g1h1"];
    let score = score_of("8/8/8/8/8/8/p7/2k4K b - - 0 1", &shuffle, 12);
    assert!(score > Score::from_cp(400), "{score}");
}

#[test]
fn a_side_that_stands_worse_takes_a_repetition() {
    let score = score_of("6k1/6p1/8/8/8/8/rr6/3Q3K w - - 0 1", &[], 12);
    assert_eq!(score, Score::DRAW);
}

#[test]
fn a_side_that_stands_better_avoids_a_repetition() {
    // White has a queen more and has let the position stand twice.
    let shuffle = ["d1d2", "h8g8", "d2d1", "g8h8", "d1d2", "h8g8", "d2d1", "g8h8"];
    let fen = "7k/6pp/8/8/8/8/PP6/K2Q4 w - - 0 1";
    let mut engine = small_engine();
    engine.set_game(game(fen, &shuffle));
    let outcome = search(&mut engine, &Limits::depth(8));
    assert!(outcome.score > Score::from_cp(400), "{}", outcome.score);
    let repeats = engine.game().position().parse_uci("d1d2").unwrap();
    assert_ne!(outcome.best_move, Some(repeats));
}

#[test]
fn a_second_repetition_of_the_game_is_a_draw_at_once() {
    // Whatever Black does, White can bring the third repetition about with the queen on d1: the
    // only move that keeps the material balance is known to be a draw.
    let shuffle = ["a1b1", "h8g8", "b1a1", "g8h8", "a1b1", "h8g8", "b1a1", "g8h8"];
    let mut engine = small_engine();
    engine.set_game(game("7k/8/8/8/8/8/5q2/K7 w - - 0 1", &shuffle));
    let outcome = search(&mut engine, &Limits::depth(6));
    assert_eq!(outcome.score, Score::DRAW);
}

#[test]
fn a_repetition_is_reported_as_a_draw_to_the_centipawn() {
    let moves = ["d7c8", "f8f7", "c8d7", "f7f8", "d7d8", "f8f7"];
    let mut engine = small_engine();
    engine.set_game(game("q4kb1/3Q2nq/8/r3PpK1/2n5/7q/8/q7 w - f6 0 1", &moves));
    for nodes in [2_000, 5_000, 10_000, 20_000] {
        assert_eq!(search(&mut engine, &Limits::nodes(nodes)).score, Score::DRAW, "{nodes}");
    }
}

#[test]
fn the_fifty_move_rule_draws_a_won_game() {
    let won = "8/8/8/8/3k4/8/8/KQ6 w - -";
    assert!(score_of(&format!("{won} 0 1"), &[], 10) > Score::from_cp(400));
    let late = score_of(&format!("{won} 97 90"), &[], 10);
    assert_eq!(late, Score::DRAW);
}

#[test]
fn two_knights_are_not_called_dead_where_there_is_a_mate() {
    let mut engine = engine_at("7k/8/5N1K/4N3/8/8/8/8 w - - 0 1");
    let outcome = search(&mut engine, &Limits::depth(4));
    assert_eq!(outcome.score, Score::mate_in(1));
}

#[test]
fn a_fortress_ends_in_bounded_time() {
    let fen = "8/5k2/3p4/2pPp3/1pP1Pp2/pP3Pp1/P5P1/6K1 w - - 0 1";
    let outcome = search(&mut engine_at(fen), &Limits::depth(30));
    assert_eq!(outcome.lines[0].depth, 30);
    assert!(outcome.progress.nodes < 3_000_000, "{}", outcome.progress.nodes);
}
