//! Several threads.

use std::time::Duration;

use engine::{ClockTime, Limits, Score};

use crate::support::{engine_at, game, search, small_engine};

#[test]
fn one_to_four_threads_start_search_and_stop() {
    let mut engine = engine_at("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10");
    for round in 0..3 {
        for threads in [1, 2, 3, 4, 2] {
            engine.set_threads(threads).unwrap();
            assert_eq!(engine.threads(), threads);
            search(&mut engine, &Limits::depth(4 + round));
            search(&mut engine, &Limits::nodes(3000));
            let move_time = Some(Duration::from_millis(3));
            search(&mut engine, &Limits { move_time, ..Limits::default() });
        }
        engine.new_game();
    }
}

#[test]
fn no_threads_at_all_are_one() {
    let mut engine = small_engine();
    engine.set_threads(0).unwrap();
    assert_eq!(engine.threads(), 1);
    search(&mut engine, &Limits::depth(4));
}

#[test]
fn all_threads_know_the_history_of_the_game() {
    // A thread without the history would think that it can go on without repeating.
    let shuffle = ["a1b1", "h8g8", "b1a1", "g8h8", "a1b1", "h8g8", "b1a1", "g8h8"];
    let mut engine = small_engine();
    engine.set_threads(3).unwrap();
    engine.set_game(game("7k/8/8/8/8/8/5q2/K7 w - - 0 1", &shuffle));
    let outcome = search(&mut engine, &Limits::depth(7));
    assert!(outcome.score.raw().abs() <= 1, "{}", outcome.score);
}

#[test]
fn several_threads_find_the_same_mates_with_whole_lines() {
    for fen in [
        "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
        "6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1",
        "8/8/8/8/8/2k5/1q6/K7 w - - 0 1",
    ] {
        let mut engine = engine_at(fen);
        engine.set_threads(3).unwrap();
        search(&mut engine, &Limits::depth(9));
    }
    let mut engine = engine_at("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    engine.set_threads(2).unwrap();
    assert_eq!(search(&mut engine, &Limits::depth(9)).score, Score::mate_in(5));
}

#[test]
fn threads_together_keep_the_limits() {
    let mut engine = engine_at("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10");
    engine.set_threads(2).unwrap();
    let nodes = search(&mut engine, &Limits::nodes(40_000)).progress.nodes;
    // Helpers tell their nodes every now and then, and may work on while the main thread waits
    // for a processor.
    assert!(nodes >= 35_000, "{nodes}");
    let clock = ClockTime { remaining: Duration::from_millis(40), ..ClockTime::default() };
    search(&mut engine, &Limits { clock: Some(clock), ..Limits::default() });
}

#[test]
fn a_search_to_a_depth_tells_that_depth_whoever_reaches_it_first() {
    let mut engine = small_engine();
    engine.set_threads(2).unwrap();
    for fen in [
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
        "8/8/1p1k4/5ppp/PPK1p3/6P1/5PP1/8 b - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ] {
        for depth in 1..=9 {
            engine.new_game();
            engine.set_game(game(fen, &[]));
            let outcome = search(&mut engine, &Limits::depth(depth));
            assert_eq!(outcome.lines[0].depth, depth, "{fen}");
        }
    }
}
