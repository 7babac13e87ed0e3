//! The engine's command line.
#![allow(clippy::print_stdout)]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let depth = args.get(1).and_then(|a| a.parse().ok()).unwrap_or(5);
    let p = args.get(2).map_or_else(chess::Position::startpos, |f| chess::Position::from_fen(f).unwrap());
    let t = std::time::Instant::now();
    let n = chess::perft(&p, depth);
    println!("{n} {:?} {:.1} Mn/s", t.elapsed(), n as f64 / t.elapsed().as_secs_f64() / 1e6);
}
