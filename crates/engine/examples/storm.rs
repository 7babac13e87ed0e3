//! Searches that begin, stop and change everything around them as fast as they can: what the
//! sanitizers watch. `cargo run --example storm -- <rounds> <seed>`
#![allow(clippy::print_stdout)]

use std::thread;
use std::time::Duration;

use chess::Position;
use engine::bench::POSITIONS;
use engine::{Engine, Game, Limits, Silent};

/// The next of a sequence of numbers that look like chance.
fn number(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let (rounds, seed) = (arguments.next().unwrap_or(500), arguments.next().unwrap_or(1));
    let mut state: u64 = seed;
    let mut chance = |below: u64| number(&mut state) % below;
    let mut engine = Engine::new();
    engine.set_hash(1).expect("memory");
    engine.set_threads(4).expect("threads");
    let mut nodes = 0;
    for round in 0..rounds {
        match chance(12) {
            0 => engine.set_threads(2 + chance(7) as usize).expect("threads"),
            1 => engine.set_hash(1 + chance(4) as usize).expect("memory"),
            2 => engine.new_game(),
            3 => engine.clear_hash(),
            4 => engine.settings_mut().multipv = 1 + chance(3) as usize,
            5 => engine.settings_mut().statistics = chance(2) == 0,
            _ => {}
        }
        let fen = POSITIONS[chance(POSITIONS.len() as u64) as usize];
        let position = Position::from_fen(fen).expect("a position of the bench");
        engine.set_game(Game::new(position));
        let (ponder, infinite) = (chance(4) == 0, chance(3) == 0);
        let limits = match chance(3) {
            _ if infinite => Limits { infinite, ponder, ..Limits::default() },
            0 => Limits { ponder, ..Limits::depth(1 + chance(6) as i32) },
            1 => Limits { nodes: Some(chance(5000)), ponder, ..Limits::default() },
            _ => Limits {
                move_time: Some(Duration::from_millis(chance(8))),
                ponder,
                ..Limits::default()
            },
        };
        let control = engine.control();
        control.arm();
        let (first, second) = (chance(3000), chance(3000));
        let telling = thread::spawn(move || {
            thread::sleep(Duration::from_micros(first));
            control.ponder_hit();
            thread::sleep(Duration::from_micros(second));
            // A search that is over must not mind.
            control.stop();
        });
        let outcome = engine.search(&limits, &mut Silent);
        assert_eq!(outcome.failed_threads, 0, "round {round}");
        assert_eq!(outcome.best_move.is_some(), position.has_legal_move(), "round {round}");
        for line in &outcome.lines {
            let mut walk = position;
            for &mv in &line.pv {
                assert!(walk.is_legal(mv), "round {round}: {fen} {:?}", line.pv);
                walk.make(mv);
            }
        }
        telling.join().expect("the other thread only waits and tells");
        nodes += outcome.progress.nodes;
    }
    println!("{rounds} searches, {nodes} nodes, seed {seed}");
}
