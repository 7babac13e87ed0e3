//! The lines that are told: legal, complete, in order.

use std::collections::HashSet;

use engine::{Bound, Engine, Limits, Line, Report};

use crate::support::{check_line, engine_at, game, search, small_engine};

const LIVELY: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/1P4P1/3k4/8/8/3K4/1p4p1/8 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "6k1/6p1/8/8/8/8/rr6/3Q3K w - - 0 1",
];

#[test]
fn every_line_is_legal_and_no_longer_than_the_game() {
    for fen in LIVELY {
        search(&mut engine_at(fen), &Limits::depth(9));
    }
}

#[test]
fn lines_stay_legal_when_the_leaves_are_not_played_out() {
    for fen in LIVELY {
        let mut engine = engine_at(fen);
        engine.settings_mut().use_quiescence = false;
        search(&mut engine, &Limits::depth(7));
    }
}

/// The lines of the last whole iteration of each depth.
fn iterations(engine: &mut Engine, limits: &Limits) -> Vec<Vec<Line>> {
    let mut all: Vec<Vec<Line>> = Vec::new();
    engine.search(limits, &mut |report: &Report| {
        if let Report::Line(line, _) = report {
            if line.multipv == 1 {
                all.push(Vec::new());
            }
            all.last_mut().expect("the first line comes first").push(line.clone());
        }
    });
    all
}

#[test]
fn several_lines_are_distinct_sorted_and_all_told() {
    for fen in LIVELY {
        let mut engine = engine_at(fen);
        engine.settings_mut().multipv = 4;
        let wanted = engine.game().position().legal_moves().len().min(4);
        let game = engine.game().clone();
        for lines in iterations(&mut engine, &Limits::depth(7)) {
            assert_eq!(lines.len(), wanted);
            let first: HashSet<_> = lines.iter().map(|line| line.pv[0]).collect();
            assert_eq!(first.len(), wanted, "{lines:?}");
            assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{lines:?}");
            for (index, line) in lines.iter().enumerate() {
                assert_eq!((line.multipv, line.bound), (index + 1, Bound::Exact));
                check_line(&game, line);
            }
        }
        let outcome = search(&mut engine, &Limits::depth(5));
        assert_eq!(outcome.lines.len(), wanted);
    }
}

#[test]
fn more_lines_than_moves_are_as_many_as_moves() {
    let mut engine = engine_at("7k/8/8/8/8/8/r7/K7 w - - 0 1");
    engine.settings_mut().multipv = 500;
    let moves = engine.game().position().legal_moves().len();
    assert_eq!(search(&mut engine, &Limits::depth(4)).lines.len(), moves);
    engine.settings_mut().multipv = 0;
    assert_eq!(search(&mut engine, &Limits::depth(4)).lines.len(), 1);
}

#[test]
fn one_line_of_several_scores_like_the_only_one() {
    // A mate in two and nothing like it beside it.
    let mut engine = engine_at("6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1");
    let alone = search(&mut engine, &Limits::depth(5));
    engine.new_game();
    engine.settings_mut().multipv = 3;
    let several = search(&mut engine, &Limits::depth(5));
    assert_eq!((alone.best_move, alone.score), (several.best_move, several.score));
}

#[test]
fn an_unfinished_iteration_never_worsens_what_was_told() {
    // Whatever the node count at which the search is cut, its move and score are those of the
    // last line it told, or of a whole line found since.
    let mut engine = small_engine();
    for fen in LIVELY {
        for nodes in (200..6000).step_by(391) {
            engine.new_game();
            engine.set_game(game(fen, &[]));
            let mut told: Option<Line> = None;
            let outcome = engine.search(&Limits::nodes(nodes), &mut |report: &Report| {
                if let Report::Line(line, _) = report {
                    told = Some(line.clone());
                }
            });
            let last = told.expect("a line is told");
            assert_eq!(outcome.lines[0], last, "the end agrees with what was told last");
            assert_eq!(outcome.lines[0].bound, Bound::Exact);
        }
    }
}
