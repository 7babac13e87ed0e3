//! The rules in a few lines: a game by hand, its moves checked, its end recognised.
//!
//! `cargo run --example play -- f3 e5 g4 Qh4`

#![allow(clippy::print_stdout)]

use chess::{Castling, Position};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut position = Position::startpos();
    for text in std::env::args().skip(1) {
        let mv = position.parse_san(&text)?;
        print!("{} ", mv.to_uci(Castling::KingMove));
        position.make(mv);
    }
    println!("\n{}", position.to_fen());
    println!("{} legal moves, {:?}", position.legal_moves().len(), position.outcome());
    Ok(())
}
