//! The table may lie: another position can have the same key.

use chess::{Move, Position};

use super::super::kind::Zero;
use super::*;
use crate::score::Bound;
use crate::testing::{Rng, game, random_positions};
use crate::tt::{Entry, table_key};

#[test]
fn moves_that_are_not_legal_here_do_no_harm() {
    let mut rng = Rng::new(71);
    let mut desk = Desk::new();
    for position in random_positions(300, 71).into_iter().filter(Position::has_legal_move) {
        desk.table.clear(1);
        let game = Game::new(position);
        // Lies about the root and about every position after one and two moves.
        let mut lies = vec![position];
        for &mv in &position.legal_moves() {
            let mut child = position;
            child.make(mv);
            lies.push(child);
            lies.extend(child.legal_moves().iter().take(3).map(|&mv| {
                let mut grandchild = child;
                grandchild.make(mv);
                grandchild
            }));
        }
        for lie in lies {
            let entry = Entry {
                depth: rng.below(6) as i32 - 1,
                score: Score::from_cp(rng.below(600) as i32 - 300),
                bound: rng.pick(&[
                    Some(Bound::Lower),
                    Some(Bound::Upper),
                    Some(Bound::Exact),
                    None,
                ]),
                best_move: Move::from_bits(rng.number() as u16),
                eval: Some(rng.below(600) as i32 - 300),
                pv: rng.below(2) == 0,
            };
            desk.table.store(table_key(&lie), 0, entry);
        }
        // Playing an illegal move would panic.
        let found = desk.search_on(&game, &Limits::depth(4));
        assert!(position.is_legal(found.line.pv[0]));
    }
}

#[test]
fn a_score_from_the_table_cuts_where_its_bound_allows_it_and_nowhere_else() {
    let game = game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10", &[]);
    let window = Window::below(Score::from_cp(40));
    let nodes = |bound, score, depth| {
        let mut desk = Desk::new();
        let entry = Entry {
            depth,
            score: Score::from_cp(score),
            bound: Some(bound),
            best_move: None,
            eval: None,
            pv: false,
        };
        desk.table.store(table_key(game.position()), 1, entry);
        let job = desk.job(&game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut desk.data, &job, 0);
        worker.root_depth = 7;
        worker.search::<Zero>(game.position(), window, 7, 1, true).unwrap();
        worker.nodes - 1
    };
    assert_eq!(nodes(Bound::Lower, 60, 7), 0);
    assert_eq!(nodes(Bound::Exact, 60, 9), 0);
    assert_eq!(nodes(Bound::Upper, 20, 7), 0);
    assert!(nodes(Bound::Lower, 60, 6) > 0, "too shallow");
    assert!(nodes(Bound::Upper, 60, 7) > 0, "at most 60 says nothing about 40");
    assert!(nodes(Bound::Lower, 20, 7) > 0, "at least 20 says nothing about 40");
}

#[test]
fn the_table_keeps_the_evaluation_as_it_was_before_corrections() {
    let game = game("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", &[]);
    let mut desk = Desk::new();
    let before = desk.quiesce(&game).score;
    for _ in 0..50 {
        desk.data.correction.update(game.position(), Default::default(), 10, 60);
    }
    let score = desk.quiesce(&game).score;
    assert_ne!(score, before);
    let entry = desk.table.probe(table_key(game.position()), 0, 0).unwrap();
    assert_eq!(entry.eval, Some(before.raw()));
    // Asked again, it corrects once, not twice.
    assert_eq!(desk.quiesce_within(&game, Window::full()).score, score);
}
