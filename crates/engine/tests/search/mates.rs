//! Mates: found, told with a whole line, and never invented.

use engine::{Limits, Score};

use crate::support::{game, search, shared_lines, small_engine};

/// The distance in moves that a line of a mate file names.
fn distance(line: &str) -> i32 {
    let (_, rest) = line.split_once("bm #").expect("a mate file names the mate");
    rest.split(';').next().and_then(|number| number.trim().parse().ok()).expect("a number")
}

/// The score that a mate in so many moves has at best, or being mated at worst.
fn best_score(moves: i32) -> Score {
    let moves_apart = moves.unsigned_abs() as usize;
    if moves > 0 { Score::mate_in(2 * moves_apart - 1) } else { Score::mated_in(2 * moves_apart) }
}

/// Searches a part of a file, checks every line that is told, and tells how many were found.
fn sample(file: &str, step: usize, nodes: u64, longest: i32) -> (usize, usize) {
    let Some(lines) = shared_lines(file) else { return (0, 0) };
    let mut engine = small_engine();
    let (mut tried, mut found) = (0, 0);
    for line in lines.iter().step_by(step).filter(|line| distance(line).abs() <= longest) {
        engine.new_game();
        engine.set_game(game(line, &[]));
        let mate = u32::try_from(distance(line)).ok();
        let outcome = search(&mut engine, &Limits { mate, ..Limits::nodes(nodes) });
        let best = best_score(distance(line));
        assert!(outcome.score <= best || !outcome.score.is_win(), "{} in {line}", outcome.score);
        assert!(outcome.score >= best || !outcome.score.is_loss(), "{} in {line}", outcome.score);
        tried += 1;
        found += usize::from(outcome.score == best);
    }
    (found, tried)
}

#[test]
fn short_mates_are_found_and_none_is_shorter_than_it_can_be() {
    let (found, tried) = sample("mates/mates_1to5.epd", 20, 100_000, 2);
    assert_eq!(found, tried);
    let (found, tried) = sample("mates/mates_1to5.epd", 30, 25_000, 5);
    assert!(found * 2 >= tried, "{found} of {tried}");
}

#[test]
fn a_rook_mates_in_no_fewer_moves_than_the_endgame_tables_say() {
    // The long ones only for what is told about them.
    sample("mates/KRvK1000.epd", 20, 20_000, 16);
    let (found, tried) = sample("mates/KRvK1000.epd", 1, 250_000, 5);
    assert!(found * 2 >= tried, "{found} of {tried}");
}

#[test]
fn a_search_for_a_mate_ends_when_the_side_to_move_is_the_one_mated() {
    // Two rooks drive the king to the edge.
    for (fen, moves) in [
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", 1),
        ("8/8/8/8/8/6k1/r7/1r5K w - - 0 1", 0),
        ("7k/R7/1R6/8/8/8/8/K7 b - - 0 1", 1),
        ("8/7k/R7/1R6/8/8/8/K7 b - - 0 1", 2),
    ] {
        let mut engine = small_engine();
        engine.set_game(game(fen, &[]));
        let limits = Limits { mate: Some(moves.max(1)), ..Limits::nodes(3_000_000) };
        let outcome = search(&mut engine, &limits);
        assert_eq!(outcome.score, Score::mated_in(2 * moves as usize), "{fen}");
        assert!(outcome.progress.nodes < 1_000_000, "{fen}: {}", outcome.progress.nodes);
    }
}

#[test]
fn a_side_that_is_mated_says_so_with_a_whole_line() {
    for (fen, plies) in
        [("7k/8/5K2/8/8/8/6Q1/8 b - - 0 1", 2), ("8/8/8/8/8/1k6/1q6/K7 w - - 0 1", 0)]
    {
        let mut engine = small_engine();
        engine.set_game(game(fen, &[]));
        let outcome = search(&mut engine, &Limits::depth(6));
        assert_eq!(outcome.score, Score::mated_in(plies), "{fen}");
    }
}
