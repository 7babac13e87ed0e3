//! The search for a mate that is asked for.

use super::super::mate::MateSolver;
use super::*;
use crate::testing::{game, random_positions};

fn hunt(fen: &str, moves: u32, nodes: u64) -> Found {
    let limits = Limits { mate: Some(moves), ..Limits::nodes(nodes) };
    Bench::new().search(&game(fen, &[]), &limits)
}

fn check_mate(fen: &str, line: &Line, moves: usize) {
    assert_eq!(line.score, Score::mate_in(2 * moves - 1), "{fen}");
    assert_eq!(line.pv.len(), 2 * moves - 1, "{fen}");
    let mut position = *game(fen, &[]).position();
    for &mv in &line.pv {
        assert!(position.is_legal(mv), "{fen}");
        position.make(mv);
    }
    assert!(position.is_check() && !position.has_legal_move(), "{fen}");
}

#[test]
fn mates_that_an_ordinary_search_overlooks_are_found() {
    for (fen, moves) in [
        ("r3q1k1/5p2/3P2pQ/Ppp5/1pnbN2R/8/1P4PP/5R1K w - - 0 1", 2),
        ("8/r7/3pNb2/3R3p/1p2p3/pPk5/P1P3PP/1K6 w - - 0 1", 4),
        ("n4b2/1p3pkp/p2p1N2/P1rP4/2P4P/1P5r/R7/5RK1 w - - 0 1", 4),
    ] {
        check_mate(fen, &hunt(fen, moves as u32, 600_000).line, moves);
    }
}

#[test]
fn the_shortest_mate_is_found_though_a_longer_one_was_asked_for() {
    let fen = "k7/8/2K5/8/8/8/8/7R w - - 0 1";
    check_mate(fen, &hunt(fen, 6, 100_000).line, 2);
}

#[test]
fn the_fifty_move_rule_counts_here_too() {
    let fen = "k7/8/2K5/8/8/8/8/7R w - - 97 90";
    check_mate(fen, &hunt(fen, 6, 100_000).line, 2);
    let late = hunt("k7/8/2K5/8/8/8/8/7R w - - 98 90", 6, 20_000).line.score;
    assert!(late.raw().abs() <= 1, "{late}");
}

#[test]
fn where_there_is_no_mate_none_is_found_and_the_search_goes_on() {
    let calm = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
    let found = hunt(calm, 2, 100_000);
    assert!(!found.line.score.is_decisive());
    assert!(found.line.depth > 5 && found.nodes <= 100_001, "{:?}", found.line);
    // However long a mate is asked for.
    let found = hunt(calm, u32::MAX, 20_000);
    assert!(found.nodes <= 20_001 && found.line.depth > 3);
}

#[test]
fn only_the_moves_asked_for_may_mate() {
    let start = game("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1", &[]);
    let other = start.position().parse_san("Ra8+").unwrap();
    let limits = Limits { mate: Some(1), search_moves: vec![other], ..Limits::nodes(5000) };
    let found = Bench::new().search(&start, &limits);
    assert_eq!((found.line.pv[0], found.line.score), (other, Score::mate_in(1)));
}

/// Whether the side to move mates in so many moves, by definition.
fn mates(position: &chess::Position, moves: u32) -> bool {
    position.legal_moves().iter().any(|&mv| {
        let mut child = *position;
        child.make(mv);
        let answers = child.legal_moves();
        if answers.is_empty() {
            return child.is_check();
        }
        moves > 1
            && answers.iter().all(|&answer| {
                let mut next = child;
                next.make(answer);
                mates(&next, moves - 1)
            })
    })
}

#[test]
fn mates_in_two_are_those_that_the_definition_knows() {
    let mut bench = Bench::new();
    let mut found = 0;
    for position in random_positions(1000, 81) {
        if position.legal_moves().is_empty() || position.board().is_insufficient_material() {
            continue;
        }
        let game = Game::new(position);
        let job = bench.job(&game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
        // As if a long search had gone before: the hunt may take as long.
        worker.nodes = 10_000_000;
        let line = MateSolver::new(2).resume(&mut worker);
        let expected = [1, 2].into_iter().find(|&moves| mates(&position, moves));
        let length = expected.map(|moves| 2 * moves as usize - 1);
        assert_eq!(line.map(|line| line.len()), length, "{}", position.to_fen());
        found += usize::from(expected.is_some());
    }
    assert!(found > 20, "{found}");
}
