//! What a node teaches the histories: a bonus for its best move, a malus for those tried before.

use super::*;
use crate::history::{MoveContext, Threats};
use crate::params::with;
use crate::search::history_updates::SearchedMoves;
use crate::testing::game;

/// A quiet position with one capture, at ply 1 of a line whose last move was Ra1-b1.
const FEN: &str = "4k3/2p5/8/3p4/4P3/2N5/8/1R2K3 w - - 0 1";

/// What the histories say of moves before and after one update.
struct Taught {
    quiets: [(i32, i32); 3],
    captures: [(i32, i32); 1],
    killers: [Option<Move>; 2],
    countermove: Option<Move>,
    moves: Vec<Move>,
}

/// Updates the histories at depth 5: `best` was best, the others were tried before it.
fn teach(best: usize) -> Taught {
    let game = game(FEN, &[]);
    let position = game.position();
    let moves: Vec<Move> = ["c3b5", "c3a4", "b1b7", "e4d5"]
        .iter()
        .map(|text| position.parse_uci(text).unwrap())
        .collect();
    let mut bench = Bench::new();
    let job = bench.job(&game, &Limits::default());
    let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
    let rook = chess::Piece::ALL[7];
    let last = crate::history::ContinuationKey::new(rook, chess::Square::from_index(17));
    let threats = Threats::new(position);
    let continuations = [Some(last), None, None, None];
    let context = MoveContext { position, threats: &threats, continuations, ply: 1 };
    let read = |worker: &Worker<'_, Counters>| {
        let history = &worker.data.history;
        let quiets = [0, 1, 2].map(|index| history.quiet(&context, moves[index]));
        (quiets, [history.capture(&context, moves[3])])
    };
    let before = read(&worker);
    let mut searched = SearchedMoves::default();
    for (index, &mv) in moves.iter().enumerate() {
        if index != best {
            searched.push(mv);
        }
    }
    worker.update_histories(&context, 1, moves[best], 5, &searched);
    let after = read(&worker);
    Taught {
        quiets: [0, 1, 2].map(|index| (before.0[index], after.0[index])),
        captures: [(before.1[0], after.1[0])],
        killers: worker.data.stack.at(1).killers,
        countermove: worker.data.history.countermove(Some(last)),
        moves,
    }
}

fn gain((before, after): (i32, i32)) -> i32 {
    after - before
}

#[test]
fn the_best_quiet_move_gains_and_those_before_it_lose() {
    let taught = teach(1);
    assert!(gain(taught.quiets[1]) > 0, "{:?}", taught.quiets);
    assert!(gain(taught.quiets[0]) < 0 && gain(taught.quiets[2]) < 0, "{:?}", taught.quiets);
    assert!(gain(taught.captures[0]) < 0, "a capture that was tried loses too");
}

#[test]
fn a_capture_that_is_best_leaves_the_quiet_moves_alone() {
    let taught = teach(3);
    assert!(gain(taught.captures[0]) > 0);
    assert!(taught.quiets.iter().all(|&quiet| gain(quiet) == 0), "{:?}", taught.quiets);
}

#[test]
fn the_malus_is_as_large_as_its_parameters_say() {
    let plain = teach(1);
    let none = with(&[("malus_max", 0)], || teach(1));
    assert!(none.quiets.iter().all(|&quiet| gain(quiet) >= 0), "{:?}", none.quiets);
    assert!(gain(none.quiets[1]) > 0, "the bonus does not depend on it");
    let steep = with(&[("malus_slope", 600), ("malus_max", 6_000)], || teach(1));
    assert!(gain(steep.quiets[0]) < gain(plain.quiets[0]));
    // With a decay, the move that was tried first loses most.
    let flat = with(&[("malus_decay", 0)], || teach(1));
    let decayed = with(&[("malus_decay", 256)], || teach(1));
    assert_eq!(gain(decayed.quiets[0]), gain(flat.quiets[0]));
    assert!(gain(decayed.quiets[2]) > gain(flat.quiets[2]), "{:?}", decayed.quiets);
}

#[test]
fn the_last_move_is_judged_by_what_became_of_it() {
    use crate::history::ContinuationKey;
    let game = game(FEN, &[]);
    let position = game.position();
    let piece = chess::Piece::ALL[7];
    let key = |square| ContinuationKey::new(piece, chess::Square::from_index(square));
    let quiet = position.parse_uci("c3b5").unwrap();
    let capture = position.parse_uci("e4d5").unwrap();
    let threats = Threats::new(position);
    // What an answer at ply 2 teaches of the move at ply 1, which followed on a move at ply 0.
    let judged = |last: Move, number: i32, refuted: bool| {
        let mut bench = Bench::new();
        let job = bench.job(&game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
        let continuations = [Some(key(17)), None, None, None];
        let context = MoveContext { position, threats: &threats, continuations, ply: 1 };
        worker.data.stack.at(0).continuation = Some(key(17));
        worker.make_picked(&context, last, number);
        if refuted {
            worker.penalise_parent(2, 5);
        } else {
            let mut child = *position;
            child.make(last);
            worker.update_parent_history(child.side_to_move(), 2, 5);
        }
        let history = &worker.data.history;
        if last.is_quiet() {
            history.continuation(&context, last)
        } else {
            history.capture(&context, last)
        }
    };
    let on = [("prior_malus_slope", 80), ("prior_capture_bonus", 60)];
    let off = [("prior_malus_slope", 0), ("prior_capture_bonus", 0)];
    assert_eq!(with(&off, || judged(quiet, 1, true)), 0);
    assert_eq!(with(&on, || judged(quiet, 1, true)), -400);
    assert_eq!(with(&on, || judged(quiet, 2, true)), 0, "only the first move was expected");
    assert_eq!(with(&on, || judged(capture, 1, true)), 0);
    assert_eq!(with(&off, || judged(capture, 3, false)), 0);
    assert_eq!(with(&on, || judged(capture, 3, false)), 300);
    assert!(with(&on, || judged(quiet, 3, false)) > 0);
}

#[test]
fn a_move_that_was_not_picked_by_a_search_teaches_nothing() {
    // ProbCut tries captures by their exchange alone. What a picked move left at the same ply
    // earlier must not be taken for them.
    let game = game(FEN, &[]);
    let position = game.position();
    let (picked, tried) =
        (position.parse_uci("c3d5").unwrap(), position.parse_uci("e4d5").unwrap());
    let threats = Threats::new(position);
    let context = MoveContext { position, threats: &threats, continuations: [None; 4], ply: 1 };
    let learned = |last_is_picked: bool| {
        let mut bench = Bench::new();
        let job = bench.job(&game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
        worker.make_picked(&context, picked, 2);
        worker.unmake();
        if last_is_picked {
            worker.make_picked(&context, tried, 3);
        } else {
            worker.make(position, tried, 1);
        }
        worker.update_parent_history(!position.side_to_move(), 2, 5);
        [picked, tried].map(|mv| worker.data.history.capture(&context, mv))
    };
    let on = [("prior_capture_bonus", 60)];
    assert_eq!(with(&on, || learned(true)), [0, 300]);
    assert_eq!(with(&on, || learned(false)), [0, 0]);
}

#[test]
fn killers_and_the_countermove_are_kept_only_where_they_are_on() {
    let off = teach(1);
    assert_eq!((off.killers, off.countermove), ([None; 2], None));
    let on = with(&[("killers", 2), ("countermove", 1)], || teach(1));
    let best = Some(on.moves[1]);
    assert_eq!((on.killers, on.countermove), ([best, None], best));
    let capture = with(&[("killers", 2), ("countermove", 1)], || teach(3));
    assert_eq!((capture.killers, capture.countermove), ([None; 2], None));
}
