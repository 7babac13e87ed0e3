//! The lines that are reported.

use chess::Position;

use super::*;
use crate::testing::{game, random_positions};

/// Every move of a line must be legal after those before it.
fn check(game: &Game, line: &Line) {
    let mut position = *game.position();
    for &mv in &line.pv {
        assert!(position.is_legal(mv), "{mv:?} of {:?} in {}", line.pv, game.position().to_fen());
        position.make(mv);
    }
    assert!(!line.pv.is_empty() && line.main_plies >= 1 && line.main_plies <= line.pv.len());
}

#[test]
fn a_line_reaches_into_quiescence() {
    let mut bench = Bench::new();
    let mut reached = 0;
    for position in random_positions(100, 62).into_iter().filter(Position::has_legal_move) {
        let game = Game::new(position);
        let line = bench.search(&game, &Limits::depth(2)).line;
        check(&game, &line);
        reached += usize::from(line.pv.len() > line.main_plies);
    }
    assert!(reached > 10, "{reached}");
}

#[test]
fn lines_are_legal_with_and_without_quiescence() {
    let mut bench = Bench::new();
    for on in [true, false] {
        bench.context.settings.use_quiescence = on;
        for position in random_positions(150, 61).into_iter().filter(Position::has_legal_move) {
            let game = Game::new(position);
            for line in bench.search(&game, &Limits::depth(5)).reported {
                check(&game, &line);
            }
        }
    }
}

#[test]
fn an_interrupted_iteration_does_not_tell_a_loss_that_is_not_proven() {
    // A search that is cut short after its first root move was seen to lose must not say that
    // the root is lost: the other moves have not been looked at.
    let game = game("6k1/5ppp/8/8/8/8/q4PPP/3R2K1 w - - 0 1", &[]);
    let mut bench = Bench::new();
    let job = bench.job(&game, &Limits::default());
    let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
    for root_move in &mut worker.root_moves {
        root_move.score = -Score::INFINITE;
    }
    worker.root_moves[0].score = Score::from_cp(-50);
    let finished = worker.root_moves.clone();
    worker.root_depth = 7;
    worker.root_moves[0].score = Score::mated_in(6);
    worker.root_moves[0].depth = 7;
    worker.root_moves[0].bound = crate::score::Bound::Exact;
    worker.adopt_interrupted(finished.clone(), 1);
    assert_eq!(worker.root_moves[0].score, Score::from_cp(-50));
    // A win, and any other score, stands.
    worker.root_moves[1].score = Score::mate_in(5);
    worker.root_moves[1].depth = 7;
    worker.root_moves[1].bound = crate::score::Bound::Exact;
    worker.adopt_interrupted(finished, 1);
    assert_eq!(worker.root_moves[0].score, Score::mate_in(5));
}

#[test]
fn the_score_of_a_move_is_remembered_for_white_until_the_game_is_over() {
    let mut bench = Bench::new();
    for fen in ["4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "4k3/8/8/8/8/8/8/3QK3 b - - 0 1"] {
        let found = bench.search(&game(fen, &[]), &Limits::depth(3));
        let for_white = bench.data.last_score.unwrap();
        assert!(for_white > Score::from_cp(200), "{fen}: {for_white:?}");
        assert_eq!(for_white.raw().abs(), found.line.score.raw().abs());
    }
    bench.data.clear();
    assert_eq!(bench.data.last_score, None);
}
