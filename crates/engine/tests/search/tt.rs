//! What an earlier search left in the table must not mislead the next one.

use engine::{Limits, Score};

use crate::support::{engine_at, game, search};

#[test]
fn a_mate_in_the_table_counts_from_the_new_root() {
    let fen = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1";
    let mut engine = engine_at(fen);
    let first = search(&mut engine, &Limits::depth(10));
    assert_eq!(first.score, Score::mate_in(5));
    let line = first.lines[0].pv.clone();
    let mut later = game(fen, &[]);
    for (played, &mv) in line.iter().enumerate() {
        later.play(mv);
        engine.set_game(later.clone());
        let left = 4 - played;
        if left == 0 {
            break;
        }
        let expected = if played % 2 == 0 { Score::mated_in(left) } else { Score::mate_in(left) };
        assert_eq!(search(&mut engine, &Limits::depth(8)).score, expected, "after {played}");
    }
}

#[test]
fn a_mate_that_the_fifty_move_rule_forbids_is_not_promised() {
    // Every line that promises mate is checked to reach it before the rule ends the game.
    let mut engine = engine_at("8/1p2KP2/1p4q1/1Pp5/2P5/N1Pp1k2/3P4/1N6 b - - 76 40");
    search(&mut engine, &Limits::nodes(150_000));
    // First with time to spare, so that the table is full of mates, then with none.
    let mut engine = engine_at("8/8/8/3k4/8/8/6K1/7R w - - 0 1");
    let free = search(&mut engine, &Limits::nodes(300_000));
    assert!(free.score > Score::from_cp(300));
    for clock in [76, 90, 96, 99] {
        engine.set_game(game(&format!("8/8/8/3k4/8/8/6K1/7R w - - {clock} 60"), &[]));
        let late = search(&mut engine, &Limits::nodes(60_000));
        assert!(clock < 90 || !late.score.is_win(), "{} at {clock}", late.score);
    }
}

#[test]
fn a_mate_on_the_hundredth_ply_counts() {
    let mut engine = engine_at("7k/8/6K1/8/8/8/5Q2/8 w - - 99 90");
    assert_eq!(search(&mut engine, &Limits::depth(6)).score, Score::mate_in(1));
    // A mate in two is in time with 97 plies behind it and late with 98.
    let mut engine = engine_at("k7/8/2K5/8/8/8/8/7R w - - 97 90");
    assert_eq!(search(&mut engine, &Limits::depth(6)).score, Score::mate_in(3));
    engine.set_game(game("k7/8/2K5/8/8/8/8/7R w - - 98 90", &[]));
    let late = search(&mut engine, &Limits::depth(6)).score;
    assert!(late.raw().abs() <= 1, "{late}");
}

#[test]
fn several_lines_leave_the_root_as_the_best_one_found_it() {
    let fen = "6k1/5ppp/8/8/8/8/1r3PPP/R3R1K1 w - - 0 1";
    let mut engine = engine_at(fen);
    engine.settings_mut().multipv = 6;
    let several = search(&mut engine, &Limits::depth(7));
    assert!(several.score.is_win());
    engine.settings_mut().multipv = 1;
    for depth in 1..7 {
        let one = search(&mut engine, &Limits::depth(depth));
        assert_eq!(one.best_move, several.best_move, "depth {depth}");
    }
}

#[test]
fn an_engine_forgets_a_game_when_it_is_told_to() {
    let fen = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
    let mut engine = engine_at(fen);
    let fresh = search(&mut engine, &Limits::depth(9));
    let known = search(&mut engine, &Limits::depth(9));
    assert_ne!(known.progress.nodes, fresh.progress.nodes, "the table helps");
    engine.new_game();
    let again = search(&mut engine, &Limits::depth(9));
    assert_eq!(again.progress.nodes, fresh.progress.nodes);
    engine.clear_hash();
    let table_only = search(&mut engine, &Limits::depth(9));
    assert_ne!(table_only.progress.nodes, fresh.progress.nodes, "statistics live on in a game");
}
