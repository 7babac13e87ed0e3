//! One thread always gives the same answer.

use std::ops::ControlFlow;

use engine::bench::{self, Bench};
use engine::{DEFAULT_HASH_MIB, Engine, Limits, Outcome};

use crate::support::{game, search, small_engine};

/// What must not change from run to run.
fn essence(outcome: &Outcome) -> (u64, String, i32, Option<chess::Move>) {
    let line = &outcome.lines[0];
    (outcome.progress.nodes, format!("{:?}", line.pv), outcome.score.raw(), outcome.ponder_move)
}

fn play(engine: &mut Engine, nodes: u64) -> Vec<(u64, String, i32, Option<chess::Move>)> {
    let mut board = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[]);
    (0..8)
        .map(|_| {
            engine.set_game(board.clone());
            let outcome = search(engine, &Limits::nodes(nodes));
            board.play(outcome.best_move.expect("the game goes on"));
            essence(&outcome)
        })
        .collect()
}

#[test]
fn a_game_repeats_itself_after_everything_was_forgotten() {
    let mut engine = small_engine();
    for nodes in [700, 3001, 9999] {
        engine.new_game();
        let first = play(&mut engine, nodes);
        engine.new_game();
        assert_eq!(play(&mut engine, nodes), first, "{nodes} nodes");
        assert_eq!(play(&mut small_engine(), nodes), first, "a new engine, {nodes} nodes");
    }
}

#[test]
fn nothing_remains_of_more_threads_lines_or_stops() {
    let mut engine = small_engine();
    let first = play(&mut engine, 2000);
    engine.set_threads(3).unwrap();
    engine.settings_mut().multipv = 3;
    search(&mut engine, &Limits::depth(6));
    let control = engine.control();
    control.arm();
    control.stop();
    search(&mut engine, &Limits { infinite: true, ..Limits::default() });
    engine.settings_mut().multipv = 1;
    engine.set_threads(1).unwrap();
    engine.new_game();
    assert_eq!(play(&mut engine, 2000), first);
}

#[test]
fn counting_does_not_change_the_answers() {
    let mut engine = small_engine();
    let plain = play(&mut engine, 3000);
    engine.new_game();
    engine.settings_mut().statistics = true;
    assert_eq!(play(&mut engine, 3000), plain);
}

#[test]
fn every_bench_position_is_searched() {
    let mut searched = 0;
    let result = Bench { engine: Engine::new(), depth: 3 }.run(|fen, nodes| {
        assert!(nodes > 0, "{fen}");
        searched += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(searched, bench::POSITIONS.len());
    assert!(result.unwrap().nodes > 1000);
    assert_eq!(result.unwrap().nodes, bench::nodes(3, DEFAULT_HASH_MIB).unwrap());
}
