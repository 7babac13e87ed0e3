//! A limited player obeys every other wish.

#![allow(clippy::print_stderr, reason = "a test says what it skipped or counted")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chess::rng::Rng;
use chess::{Move, Position};
use engine::{ClockTime, Engine, Game, LEVELS, Limits, Outcome, Report, Tablebases};

const MIDDLEGAME: &str = "r2q1rk1/1p1nbppp/p2pbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R b - - 3 11";
const ENDGAME: &str = "8/8/8/3k4/8/8/1R6/K7 w - - 0 1";

fn limited(elo: u32) -> Engine {
    let mut engine = Engine::new();
    engine.settings_mut().limit_strength = true;
    engine.settings_mut().elo = elo;
    engine
}

/// Searches and checks what every answer must have.
fn search(engine: &mut Engine, fen: &str, limits: &Limits) -> Outcome {
    let position = Position::from_fen(fen).unwrap();
    engine.set_game(Game::new(position));
    let multipv = engine.settings().multipv;
    let mut last = None;
    let outcome = engine.search(limits, &mut |report: &Report| {
        if let Report::Line(line, _) = report {
            assert!(line.multipv <= multipv);
            if line.multipv == 1 {
                last = Some(line.clone());
            }
        }
    });
    let best = outcome.best_move.expect("the game is not over");
    assert!(position.is_legal(best));
    assert!(outcome.lines.len() <= multipv);
    assert_eq!(outcome.lines[0].pv[0], best);
    assert_eq!(last.as_ref(), outcome.lines.first());
    assert!(outcome.lines.iter().enumerate().all(|(index, line)| line.multipv == index + 1));
    outcome
}

#[test]
fn every_level_obeys_every_limit() {
    // The upper rungs differ in nothing but their patience.
    for level in LEVELS.iter().filter(|level| level.nodes < 50_000).step_by(2) {
        let mut engine = limited(level.elo);
        let clock = ClockTime { remaining: Duration::from_secs(2), increment: Duration::ZERO };
        for limits in [
            Limits::default(),
            Limits::depth(2),
            Limits::nodes(30),
            Limits { clock: Some(clock), ..Limits::default() },
            Limits { move_time: Some(Duration::from_millis(3)), ..Limits::default() },
            Limits { mate: Some(2), ..Limits::default() },
        ] {
            for fen in [MIDDLEGAME, ENDGAME] {
                for multipv in [1, 3, 256] {
                    engine.settings_mut().multipv = multipv;
                    search(&mut engine, fen, &limits);
                }
            }
        }
    }
}

#[test]
fn only_the_moves_asked_for_are_played() {
    let position = Position::from_fen(MIDDLEGAME).unwrap();
    let wanted: Vec<Move> = position.legal_moves().iter().copied().step_by(9).collect();
    let mut engine = limited(800);
    for count in 1..=wanted.len() {
        let limits = Limits { search_moves: wanted[..count].to_vec(), ..Limits::default() };
        for _ in 0..5 {
            engine.new_game();
            let best = search(&mut engine, MIDDLEGAME, &limits).best_move.unwrap();
            assert!(wanted[..count].contains(&best));
        }
    }
}

#[test]
fn a_game_is_played_the_same_way_again_and_the_next_is_not() {
    let play = |engine: &mut Engine| -> Vec<Move> {
        let mut game = Game::new(Position::startpos());
        let mut moves = Vec::new();
        for _ in 0..12 {
            engine.set_game(game.clone());
            let outcome = engine.search(&Limits::default(), &mut engine::Silent);
            let Some(mv) = outcome.best_move else { break };
            game.play(mv);
            moves.push(mv);
        }
        moves
    };
    let (mut one, mut other) = (limited(1000), limited(1000));
    other.set_threads(2).unwrap();
    let first = play(&mut one);
    assert_eq!(first, play(&mut other), "threads make no difference");
    one.new_game();
    assert_ne!(first, play(&mut one));
}

#[test]
fn endgame_tables_are_left_alone() {
    let Some(data) = std::env::var_os("HALCYON_DATA") else {
        eprintln!("skipped: no data");
        return;
    };
    let folder = PathBuf::from(data).join("syzygy");
    let tables = Arc::new(Tablebases::open(folder.to_str().unwrap()).unwrap());
    for level in LEVELS {
        let mut engine = limited(level.elo);
        engine.set_tablebases(Some(Arc::clone(&tables)));
        for fen in [ENDGAME, "8/8/8/3k4/8/8/1R6/K7 b - - 0 1", "k7/P7/K7/8/8/8/8/6b1 w - - 0 1"] {
            if !Position::from_fen(fen).unwrap().has_legal_move() {
                continue;
            }
            let outcome = search(&mut engine, fen, &Limits::depth(8));
            assert_eq!(outcome.progress.tb_hits, 0);
        }
    }
}

#[test]
fn a_mate_in_one_is_played_from_the_third_rung_on() {
    for level in LEVELS.iter().filter(|level| level.elo >= 1200) {
        let mut engine = limited(level.elo);
        for _ in 0..10 {
            engine.new_game();
            let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
            let best = search(&mut engine, fen, &Limits::depth(8)).best_move.unwrap();
            assert_eq!(Position::from_fen(fen).unwrap().to_san(best), "Rd8#", "{}", level.elo);
        }
    }
}

#[test]
fn a_game_that_is_over_has_no_move() {
    let mut engine = limited(800);
    engine.set_game(Game::new(Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap()));
    assert_eq!(engine.search(&Limits::default(), &mut engine::Silent).best_move, None);
}

/// Plays a won ending to its end against the engine at full strength; the plies it took, if it was
/// won.
fn mates(elo: u32, fen: &str) -> Option<usize> {
    let (mut player, mut defender) = (limited(elo), Engine::new());
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    let winner = game.position().side_to_move();
    for ply in 0.. {
        let position = *game.position();
        let drawn = position.is_fifty_move_draw() || game.history().is_threefold(&position);
        match position.outcome() {
            Some(chess::Outcome::Win(side)) if side == winner => return Some(ply),
            None if !drawn => {}
            _ => return None,
        }
        let attacks = position.side_to_move() == winner;
        let engine = if attacks { &mut player } else { &mut defender };
        engine.set_game(game.clone());
        let limits = if attacks { Limits::default() } else { Limits::nodes(5000) };
        game.play(engine.search(&limits, &mut engine::Silent).best_move.unwrap());
    }
    None
}

#[test]
fn players_mate_a_bare_king_as_people_of_their_strength_do() {
    for (elo, fen) in [
        (1000, "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1"),
        (1000, "8/8/3k4/8/8/8/8/KR6 w - - 0 1"),
        (1200, "8/8/8/3K4/8/8/8/kr6 b - - 0 1"),
        (1400, "8/8/8/3k4/8/8/8/KBB5 w - - 0 1"),
        (1800, "8/8/8/4k3/8/8/8/K2R4 w - - 0 1"),
        (2000, "8/8/8/3k4/8/8/8/KBN5 w - - 0 1"),
    ] {
        let plies = mates(elo, fen);
        assert!(plies.is_some(), "{elo} in {fen}");
    }
}

/// A legal position with a king and this piece against a king, the stronger side to move.
fn random_ending(piece: char, rng: &mut Rng) -> String {
    loop {
        let squares: [usize; 3] = std::array::from_fn(|_| rng.below(64));
        let mut board = ['1'; 64];
        for (square, piece) in squares.into_iter().zip(['K', piece, 'k']) {
            board[square] = piece;
        }
        let ranks: Vec<String> = board.chunks(8).map(|rank| rank.iter().collect()).collect();
        let fen = format!("{} w - - 0 1", ranks.join("/"));
        let is_fair = |position: Position| {
            let taken = |mv: &Move| {
                let mut next = position;
                next.make(*mv);
                next.legal_moves().iter().any(|answer| answer.is_capture())
            };
            !position.legal_moves().iter().all(taken)
        };
        if Position::from_fen(&fen).is_ok_and(is_fair) {
            return fen;
        }
    }
}

/// `HALCYON_MATES=50` makes it the measurement in `docs/strength.md`.
#[test]
fn random_endings_with_a_queen_or_a_rook_are_won_from_1000_on() {
    let count = std::env::var("HALCYON_MATES").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    for elo in LEVELS.iter().map(|level| level.elo).filter(|&elo| elo >= 1000).step_by(2) {
        for piece in ['Q', 'R'] {
            let mut rng = Rng::new(u64::from(elo));
            let won = (0..count)
                .map(|_| random_ending(piece, &mut rng))
                .filter(|fen| mates(elo, fen).is_some())
                .count();
            eprintln!("{elo}: {won} of {count} with {piece}");
            assert_eq!(won, count, "{elo} with {piece}");
        }
    }
}
