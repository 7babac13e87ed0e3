//! Limits of every sort, also absurd ones: a legal move comes out.

use std::time::{Duration, Instant};

use chess::{Move, MoveKind, Square};
use engine::{Bound, ClockTime, Limits, Score};

use crate::support::{engine_at, game, search, small_engine};

const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
const CROWDED: &str = "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1";

fn clock(remaining: u64, increment: u64) -> Limits {
    Limits {
        clock: Some(ClockTime {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        }),
        ..Limits::default()
    }
}

#[test]
fn the_first_iteration_is_finished_however_short_the_time() {
    for fen in [MIDDLE, CROWDED] {
        let mut engine = engine_at(fen);
        let exact = |time| Limits { move_time: Some(time), ..Limits::default() };
        for limits in [
            clock(0, 0),
            clock(1, 0),
            clock(1, 5000),
            exact(Duration::ZERO),
            exact(Duration::from_millis(1)),
            Limits { started: Instant::now().checked_sub(Duration::from_secs(5)), ..clock(1, 0) },
            Limits::nodes(0),
            Limits::nodes(1),
            Limits { moves_to_go: Some(1), ..clock(1, 0) },
            Limits { moves_to_go: Some(0), ..clock(2, 0) },
        ] {
            engine.new_game();
            let outcome = search(&mut engine, &limits);
            assert_eq!(outcome.lines[0].bound, Bound::Exact, "{limits:?}");
        }
    }
}

#[test]
fn depths_below_one_are_one_and_a_depth_is_kept() {
    let mut engine = engine_at(MIDDLE);
    for (asked, searched) in [(i32::MIN, 1), (-3, 1), (0, 1), (1, 1), (6, 6)] {
        engine.new_game();
        assert_eq!(search(&mut engine, &Limits::depth(asked)).lines[0].depth, searched);
    }
    // A mate in one leaves nothing to search: any depth is reached.
    let mut engine = engine_at("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1");
    let outcome = search(&mut engine, &Limits::depth(i32::MAX));
    assert_eq!(outcome.score, Score::mate_in(1));
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    for fen in [MIDDLE, "8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1"] {
        let mut engine = engine_at(fen);
        for limit in [1500, 5000, 20_011, 60_000] {
            engine.new_game();
            let nodes = search(&mut engine, &Limits::nodes(limit)).progress.nodes;
            assert!(nodes <= limit + 1 && nodes + 1 >= limit, "{nodes} of {limit} in {fen}");
        }
    }
    // Where nearly all nodes belong to quiescence, too.
    let nodes = search(&mut engine_at(CROWDED), &Limits::nodes(100_000)).progress.nodes;
    assert!(nodes <= 100_001, "{nodes}");
}

#[test]
fn a_soft_limit_of_nodes_ends_after_an_iteration() {
    let mut engine = engine_at(MIDDLE);
    let limits = Limits { soft_nodes: Some(5000), ..Limits::default() };
    let outcome = search(&mut engine, &limits);
    assert!(outcome.progress.nodes >= 5000);
    engine.new_game();
    let again = search(&mut engine, &Limits::depth(outcome.lines[0].depth));
    assert_eq!(again.progress.nodes, outcome.progress.nodes, "no part of an iteration");
}

#[test]
fn the_tightest_of_several_limits_counts() {
    let mut engine = engine_at(MIDDLE);
    let several = Limits { depth: Some(40), nodes: Some(3000), ..clock(3_600_000, 0) };
    assert!(search(&mut engine, &several).progress.nodes <= 3001);
    let several = Limits { depth: Some(2), nodes: Some(u64::MAX), ..clock(3_600_000, 0) };
    assert_eq!(search(&mut engine, &several).lines[0].depth, 2);
    let begun = Instant::now();
    let move_time = Some(Duration::from_millis(30));
    search(&mut engine, &Limits { move_time, ..clock(3_600_000, 0) });
    assert!(begun.elapsed() < Duration::from_secs(20), "30 ms were asked for");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = engine_at(MIDDLE);
    let root = *engine.game().position();
    let asked = [root.parse_san("a3").unwrap(), root.parse_san("h3").unwrap()];
    let limits = Limits { search_moves: asked.to_vec(), ..Limits::depth(6) };
    assert!(asked.contains(&search(&mut engine, &limits).best_move.unwrap()));
    engine.settings_mut().multipv = 10;
    let outcome = search(&mut engine, &limits);
    assert_eq!(outcome.lines.len(), 2);
    assert!(outcome.lines.iter().all(|line| asked.contains(&line.pv[0])));
}

#[test]
fn moves_asked_for_that_are_not_legal_count_for_nothing() {
    let illegal = Move::new(Square::A1, Square::H8, MoveKind::Quiet);
    let mut engine = engine_at(MIDDLE);
    let only = engine.game().position().parse_san("Kh1").unwrap();
    let limits = Limits { search_moves: vec![illegal, only], ..Limits::depth(4) };
    assert_eq!(search(&mut engine, &limits).best_move, Some(only));
    let limits = Limits { search_moves: vec![illegal], ..Limits::depth(4) };
    assert!(search(&mut engine, &limits).best_move.is_some());
}

#[test]
fn a_search_for_a_mate_ends_when_it_is_found() {
    let mut engine = engine_at("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let limits = Limits { mate: Some(3), ..Limits::default() };
    let outcome = search(&mut engine, &limits);
    assert_eq!(outcome.score, Score::mate_in(5));
}

#[test]
fn a_root_without_moves_says_how_the_game_ended() {
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    for (fen, score) in [(mated, Score::mated_in(0)), ("k7/P7/K7/8/8/8/8/8 b - - 0 1", Score::DRAW)]
    {
        let outcome = search(&mut engine_at(fen), &Limits::depth(5));
        assert_eq!((outcome.best_move, outcome.ponder_move), (None, None));
        assert_eq!(outcome.score, score);
        assert!(outcome.lines.is_empty());
    }
}

#[test]
fn a_root_that_is_already_drawn_still_gets_a_move() {
    let shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(3);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for drawn in [
        game(start, &shuffle),
        game("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", &[]),
        game("4k3/8/8/8/8/8/8/QQ2K3 w - - 100 80", &[]),
        game("4k3/8/8/8/8/8/8/QQ2K3 w - - 300 280", &[]),
    ] {
        let mut engine = small_engine();
        engine.set_game(drawn);
        assert!(search(&mut engine, &Limits::depth(5)).best_move.is_some());
    }
}

#[test]
fn a_game_of_a_thousand_moves_is_searched_like_any_other() {
    let mut long = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[]);
    for index in 0..2000 {
        let text = ["g1f3", "g8f6", "f3g1", "f6g8"][index % 4];
        long.play(long.position().parse_uci(text).unwrap());
    }
    let mut engine = small_engine();
    engine.set_game(long);
    search(&mut engine, &Limits::depth(5));
}
