//! What every test needs.

use chess::{KeyHistory, Position};
use engine::{Bound, Engine, Game, Limits, Line, Outcome, Report, Score};

/// A game that starts at a position and goes on with these moves.
pub(crate) fn game(fen: &str, moves: &[&str]) -> Game {
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut game = Game::new(position);
    for text in moves {
        game.play(game.position().parse_uci(text).unwrap_or_else(|e| panic!("{text}: {e}")));
    }
    game
}

/// A small engine with a game on its board.
pub(crate) fn engine_at(fen: &str) -> Engine {
    let mut engine = small_engine();
    engine.set_game(game(fen, &[]));
    engine
}

/// An engine with a small table.
pub(crate) fn small_engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_hash(2).expect("memory for a small table");
    engine
}

/// Searches, and checks everything that is told on the way and at the end.
pub(crate) fn search(engine: &mut Engine, limits: &Limits) -> Outcome {
    let game = engine.game().clone();
    let outcome = engine.search(limits, &mut |report: &Report| {
        if let Report::Line(line, _) = report {
            check_line(&game, line);
        }
    });
    check_outcome(&game, &outcome);
    outcome
}

/// Checks what a search came to.
pub(crate) fn check_outcome(game: &Game, outcome: &Outcome) {
    let root = game.position();
    for line in &outcome.lines {
        check_line(game, line);
    }
    match outcome.best_move {
        None => assert!(!root.has_legal_move(), "no move in {}", root.to_fen()),
        Some(mv) => {
            assert!(root.is_legal(mv));
            assert_eq!(outcome.lines[0].pv[0], mv, "the best move begins the best line");
            assert_eq!(outcome.lines[0].score, outcome.score);
            assert!(outcome.lines[0].depth >= 1);
            let mut next = *root;
            next.make(mv);
            assert!(outcome.ponder_move.is_none_or(|answer| next.is_legal(answer)));
        }
    }
}

/// Checks that a line can be played, goes on no further than the game does, and leads to mate in
/// just the time it promises.
pub(crate) fn check_line(game: &Game, line: &Line) {
    let fen = game.position().to_fen();
    let mut position = *game.position();
    let mut keys: KeyHistory = game.history().clone();
    assert!(!line.pv.is_empty());
    for (ply, &mv) in line.pv.iter().enumerate() {
        assert!(position.is_legal(mv), "{mv:?} of {:?} in {fen}", line.pv);
        let over = position.is_fifty_move_draw()
            || position.board().is_insufficient_material()
            || keys.is_threefold(&position);
        assert!(ply == 0 || !over, "{:?} goes on after a draw in {fen}", line.pv);
        keys.push(&position);
        position.make(mv);
    }
    let reached = Score::mate_in(0);
    assert!(line.score < reached && line.score > -reached, "{:?} in {fen}", line.score);
    if let Some(plies) = line.score.mate_plies()
        && line.bound == Bound::Exact
    {
        let told = line.pv.len();
        assert_eq!(told, plies.unsigned_abs() as usize, "{} {:?} in {fen}", line.score, line.pv);
        assert!(position.is_check() && !position.has_legal_move(), "no mate at the end in {fen}");
        assert_eq!(told % 2 == 1, plies > 0, "the wrong side mates in {fen}");
    }
}

/// The lines of a file of the public collections.
pub(crate) fn shared_lines(name: &str) -> Option<Vec<String>> {
    let Some(folder) = std::env::var_os("HALCYON_DATA") else {
        eprintln!("skipped: no data (HALCYON_DATA is not set)");
        return None;
    };
    let path = std::path::Path::new(&folder).join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Some(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
}
