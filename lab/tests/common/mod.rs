//! Games and positions for tests, made by playing at random.
#![allow(dead_code, reason = "every test file uses its own part of this")]

use std::path::PathBuf;

use chess::{Color, Outcome, PieceType, Position};
use lab::data::{Game, GameResult, PackedPosition, ScoredMove};
use lab::rng::Rng;

/// White's material minus Black's, in centipawns.
pub(crate) fn material(position: &Position) -> i16 {
    let board = position.board();
    let values = [100, 300, 320, 500, 900, 0];
    let count = |color| -> i16 {
        let kinds = PieceType::ALL.into_iter().zip(values);
        kinds.map(|(kind, value)| value * board.pieces(color, kind).count() as i16).sum()
    };
    count(Color::White) - count(Color::Black)
}

/// A game of at most `plies` random moves, scored by material; the result is what the board says,
/// or a draw.
pub(crate) fn random_game(rng: &mut Rng, start: Position, plies: usize) -> Game {
    let mut game = Game::new(start);
    let mut position = start;
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.outcome().is_some() {
            break;
        }
        let mv = moves[rng.below(moves.len())];
        game.moves.push(ScoredMove { mv, white_score: material(&position) });
        position.make(mv);
    }
    if let Some(Outcome::Win(color)) = position.outcome() {
        game.result = GameResult::win_for(color);
    }
    game
}

/// Random games, every second one from a Chess960 start.
pub(crate) fn random_games(seed: u64, count: usize, plies: usize) -> Vec<Game> {
    let mut rng = Rng::new(seed);
    let mut game = |index: usize| {
        let number = if index.is_multiple_of(2) { 518 } else { rng.below(960) as u16 };
        random_game(&mut rng, chess::chess960(number), plies)
    };
    (0..count).map(&mut game).collect()
}

/// Positions from random games, every second one of Chess960, with either side to move.
pub(crate) fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    while positions.len() < count {
        let number = if positions.len() % 2 == 0 { 518 } else { rng.below(960) as u16 };
        let mut ply = 0;
        random_game(&mut rng, chess::chess960(number), 300).replay(|position, _| {
            if ply % 7 == 0 {
                positions.push(*position);
            }
            ply += 1;
        });
    }
    rng.shuffle(&mut positions);
    positions.truncate(count);
    positions
}

/// Training positions from random games, labelled with material for score and result.
pub(crate) fn material_positions(seed: u64, count: usize) -> Vec<PackedPosition> {
    let label = |position: &Position| {
        let score = material(position);
        let result = 1 + i16::signum(score / 200);
        PackedPosition::new(position, score, result as u8)
    };
    random_positions(seed, count).iter().map(label).collect()
}

/// The bytes of games in a row.
pub(crate) fn encode_all(games: &[Game]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for game in games {
        game.encode(&mut bytes);
    }
    bytes
}

/// A fresh folder for a test's files.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("halcyon-lab-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).expect("the temporary folder can be written");
    path
}
