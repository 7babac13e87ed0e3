//! The table may lie: another position can have the same key.

use chess::rng::Rng;
use chess::{Move, Position};

use super::super::facts::NodeFacts;
use super::super::kind::NonPv;
use super::*;
use crate::params;
use crate::score::Bound;
use crate::testing::{game, position, random_positions};
use crate::tt::{Entry, tt_key};

#[test]
fn moves_that_are_not_legal_here_do_no_harm() {
    let mut rng = Rng::new(71);
    let mut bench = Bench::new();
    for position in random_positions(300, 71).into_iter().filter(Position::has_legal_move) {
        bench.context.tt.clear(1);
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
                best_move: Move::from_bits(rng.next_u64() as u16),
                eval: Some(rng.below(600) as i32 - 300),
                pv: rng.below(2) == 0,
            };
            bench.context.tt.store(tt_key(&lie), 0, entry);
        }
        // Playing an illegal move would panic.
        let found = bench.search_on(&game, &Limits::depth(4));
        assert!(position.is_legal(found.line.pv[0]));
    }
}

#[test]
fn a_score_from_the_table_cuts_where_its_bound_allows_it_and_nowhere_else() {
    let game = game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10", &[]);
    let window = Window::below(Score::from_cp(40));
    let nodes = |bound, score, depth| {
        let mut bench = Bench::new();
        let entry = Entry {
            depth,
            score: Score::from_cp(score),
            bound: Some(bound),
            best_move: None,
            eval: None,
            pv: false,
        };
        bench.context.tt.store(tt_key(game.position()), 1, entry);
        let job = bench.job(&game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
        worker.root_depth = 7;
        worker.search_at::<NonPv>(game.position(), window, (7, 1, true)).unwrap();
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
    let mut bench = Bench::new();
    let before = bench.quiesce(&game).score;
    for _ in 0..50 {
        bench.data.correction.update(game.position(), Default::default(), 10, 60);
    }
    let score = bench.quiesce(&game).score;
    assert_ne!(score, before);
    let entry = bench.context.tt.probe(tt_key(game.position()), 0, 0).unwrap();
    assert_eq!(entry.eval, Some(before.raw()));
    // Asked again, it corrects once, not twice.
    assert_eq!(bench.quiesce_within(&game, Window::full()).score, score);
}

#[test]
fn the_root_entry_belongs_to_the_first_of_several_lines() {
    // One move takes a queen for nothing; the others do not.
    let game = game("r1b2rk1/pp2bppp/2n1pn2/3pq3/3P4/2NB4/PP3PPP/R1BQ1RK1 w - - 0 10", &[]);
    let mut bench = Bench::new();
    bench.context.settings.multipv = 4;
    let found = bench.search(&game, &Limits::depth(6));
    let entry = bench.context.tt.probe(tt_key(game.position()), 0, 0).unwrap();
    let lines = &found.reported[found.reported.len() - 4..];
    assert_eq!((entry.best_move, entry.score), (Some(lines[0].pv[0]), lines[0].score));
}

#[test]
fn positions_near_the_fifty_move_draw_have_entries_of_their_own() {
    let key = |clock: u16| tt_key(&position(&format!("8/8/8/3k4/8/8/6K1/7R w - - {clock} 60")));
    assert_eq!(key(0), key(10), "far from it, the way there does not matter");
    assert_ne!(key(0), key(60));
    assert_ne!(key(60), key(90));
}

/// A child of a position, with an entry in the table that says it is mated.
fn call_mated(bench: &Bench, child: &Position, ply: usize) {
    let entry = Entry {
        depth: 60,
        score: Score::mated_in(ply + 4),
        bound: Some(Bound::Exact),
        best_move: None,
        eval: Some(0),
        pv: false,
    };
    bench.context.tt.store(tt_key(child), ply, entry);
}

#[test]
fn a_mate_after_passing_is_not_a_proven_mate() {
    let game = game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10", &[]);
    let mut bench = Bench::new();
    let mut passed = *game.position();
    passed.make_null();
    call_mated(&bench, &passed, 3);
    let job = bench.job(&game, &Limits::default());
    let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
    worker.root_depth = 9;
    let even = NodeFacts::example().with_depth(8).with_eval(Score::from_cp(50));
    let facts = NodeFacts { static_eval: even.eval, ..even };
    let facts = NodeFacts { node: Node { ply: 2, ..facts.node }, ..facts };
    let beta = facts.node.window.beta;
    assert_eq!(worker.search_null_move(game.position(), &facts).unwrap(), Some(beta));
}

#[test]
fn a_mate_found_by_a_capture_keeps_its_distance() {
    // ProbCut takes its margin off other scores; a mate is what it is.
    let game = game("3q2k1/5ppp/8/8/8/5N2/3R1PPP/3Q2K1 w - - 0 1", &[]);
    let mut bench = Bench::new();
    let mut taken = *game.position();
    taken.make(taken.parse_san("Rxd8+").unwrap());
    call_mated(&bench, &taken, 3);
    let job = bench.job(&game, &Limits::default());
    let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
    worker.root_depth = 9;
    let beta = Score::from_cp(1200);
    let score =
        worker.search_at::<NonPv>(game.position(), Window::below(beta), (8, 2, true)).unwrap();
    assert_eq!(score, Score::mate_in(7));
    assert!(worker.record.get(Event::ProbCutCut) > 0);
}

#[test]
fn a_node_that_fails_low_is_near_the_principal_variation_if_its_parent_is() {
    let game = game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10", &[]);
    let marked = |parent: bool| {
        let mut bench = Bench::new();
        let job = bench.job(&game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
        worker.root_depth = 5;
        worker.data.stack.at(0).tt_pv = parent;
        let window = Window::below(Score::from_cp(150));
        let score = worker.search_at::<NonPv>(game.position(), window, (5, 1, false)).unwrap();
        assert!(score < window.beta);
        bench.context.tt.probe(tt_key(game.position()), 1, 0).unwrap().pv
    };
    assert!(marked(true));
    assert!(!marked(false));
    assert!(!params::with(&[("tt_pv_inherit", 0)], || marked(true)));
}
