//! What more threads are worth: nodes a second and time to a depth, against one thread, position
//! by position in one run.
//!
//! `cargo run --release -p halcyon-chess-engine --example smp -- [depth] [threads] [hash MiB]`

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::time::Duration;

use chess::Position;
use engine::{Engine, Game, Limits, Silent, bench};

/// Searches that are over sooner say nothing about speed.
const WORTH_COUNTING: Duration = Duration::from_millis(20);

/// One search to the depth, with nothing known.
fn search(engine: &mut Engine, fen: &str, depth: i32) -> Result<(u64, Duration), Box<dyn Error>> {
    engine.new_game();
    engine.set_game(Game::new(Position::from_fen(fen)?));
    let progress = engine.search(&Limits::depth(depth), &mut Silent).progress;
    Ok((progress.nodes, progress.time))
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| -> Result<usize, Box<dyn Error>> {
        Ok(arguments.next().map_or(Ok(default), |text| text.parse())?)
    };
    let (depth, threads, hash) = (number(16)? as i32, number(2)?, number(64)?);
    let (mut one, mut many) = (Engine::new(), Engine::new());
    one.set_hash(hash)?;
    many.set_hash(hash)?;
    many.set_threads(threads).unwrap();
    let (mut speeds, mut times) = (Vec::new(), Vec::new());
    println!("   knps 1   knps {threads}  speed   ms 1   ms {threads}  sooner  position");
    for fen in bench::POSITIONS {
        let (nodes, time) = search(&mut one, fen, depth)?;
        let (more_nodes, less_time) = search(&mut many, fen, depth)?;
        if time.min(less_time) < WORTH_COUNTING {
            continue;
        }
        let rate = |nodes: u64, time: Duration| nodes as f64 / time.as_secs_f64() / 1000.0;
        let speed = rate(more_nodes, less_time) / rate(nodes, time);
        let sooner = time.as_secs_f64() / less_time.as_secs_f64();
        println!(
            "{:9.0} {:8.0} {speed:6.2} {:6} {:6} {sooner:7.2}  {fen}",
            rate(nodes, time),
            rate(more_nodes, less_time),
            time.as_millis(),
            less_time.as_millis()
        );
        speeds.push(speed);
        times.push(sooner);
    }
    if speeds.is_empty() {
        return Err("every search was over at once: ask for more depth".into());
    }
    println!(
        "{threads} threads against one, depth {depth}, {} positions, geometric means: \
         {:.2} x the nodes a second, the depth {:.2} x as soon",
        speeds.len(),
        geometric_mean(&speeds),
        geometric_mean(&times)
    );
    Ok(())
}
