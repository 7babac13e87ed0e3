//! How often a level mates a bare king that full strength defends, from random positions:
//! `cargo run --release -p halcyon-chess-engine --example bare_king -- 1000 50`.

#![allow(clippy::print_stdout, reason = "it tells what it measures")]

use chess::rng::Rng;
use chess::{Outcome, Position};
use engine::{Engine, Game, Limits, Silent};

/// Nodes of the defender.
const DEFENCE: u64 = 5000;

/// A random legal position with these pieces of White against a bare king, White to move.
fn random_position(pieces: &str, rng: &mut Rng) -> Position {
    loop {
        let mut board = ['.'; 64];
        for piece in pieces.chars() {
            board[rng.next_u64() as usize % 64] = piece;
        }
        let rows: Vec<String> = board
            .chunks(8)
            .map(|row| row.iter().map(|&c| if c == '.' { '1' } else { c }).collect())
            .collect();
        let complete = board.iter().filter(|&&c| c != '.').count() == pieces.len();
        let position = Position::from_fen(&format!("{} w - - 0 1", rows.join("/")));
        if let Some(position) = position.ok().filter(|_| complete)
            && position.outcome().is_none()
        {
            return position;
        }
    }
}

/// Whether the level wins.
fn wins(elo: u32, start: Position) -> bool {
    let (mut player, mut defender) = (Engine::new(), Engine::new());
    player.settings_mut().limit_strength = true;
    player.settings_mut().elo = elo;
    let winner = start.side_to_move();
    let mut game = Game::new(start);
    loop {
        let position = *game.position();
        match position.outcome() {
            Some(outcome) => return outcome == Outcome::Win(winner),
            None if position.is_fifty_move_draw() => return false,
            None if game.history().is_threefold(&position) => return false,
            None => {}
        }
        let attacks = position.side_to_move() == winner;
        let engine = if attacks { &mut player } else { &mut defender };
        engine.set_game(game.clone());
        let limits = if attacks { Limits::default() } else { Limits::nodes(DEFENCE) };
        let Some(mv) = engine.search(&limits, &mut Silent).best_move else { return false };
        game.play(mv);
    }
}

fn main() {
    let number = |index| std::env::args().nth(index).and_then(|text| text.parse().ok());
    let (elo, games) = (number(1).unwrap_or(1000), number(2).unwrap_or(50));
    for pieces in ["KkQ", "KkR", "KkBB", "KkBN"] {
        let mut rng = Rng::new(1);
        let won = (0..games).filter(|_| wins(elo, random_position(pieces, &mut rng))).count();
        println!("{elo} with {}: {won} of {games}", pieces.replace('k', ""));
    }
}
