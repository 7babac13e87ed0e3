//! A position in, its best line out, and a stop from another thread.
//!
//! `cargo run --release --example best_line -- "<FEN>"`

#![allow(clippy::print_stdout)]

use std::{env, thread, time::Duration};

use engine::chess::Position;
use engine::{Engine, Game, Limits, Silent};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fen = env::args().nth(1);
    let position = fen.map_or(Ok(Position::startpos()), |fen| Position::from_fen(&fen))?;
    let mut engine = Engine::new();
    engine.set_game(Game::new(position));
    let control = engine.control();
    control.arm();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(1));
        control.stop();
    });
    let outcome = engine.search(&Limits::default(), &mut Silent);
    let mut walk = position;
    for &mv in outcome.lines.first().map_or(&[][..], |line| &line.pv) {
        print!("{} ", walk.to_san(mv));
        walk.make(mv);
    }
    println!("({} nodes)", outcome.progress.nodes);
    Ok(())
}
