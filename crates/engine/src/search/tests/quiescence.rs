//! Quiescence, row by row of its rules.

use chess::{Position, Square};

use super::super::kind::Stopped;
use super::*;
use crate::params::{self, with};
use crate::score::{Bound, MAX_PLY};
use crate::testing::{game, position, random_positions, shared_positions};
use crate::tt::tt_key;

const EXPLOSION: &str = "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1";

fn quiesce(fen: &str) -> Quiesced {
    Bench::new().quiesce(&game(fen, &[]))
}

fn at(fen: &str) -> Game {
    game(fen, &[])
}

fn static_score(game: &Game) -> Score {
    let mut evaluator = crate::evaluator::Evaluator::new(nnue::embedded());
    evaluator.reset(game.position(), nnue::embedded());
    evaluator.evaluate(game.position())
}

/// Random positions and those of the public suites.
fn many_positions() -> Vec<Position> {
    let mut positions = random_positions(10_000, 41);
    let suites = shared_positions("suites").unwrap_or_default();
    positions.extend(suites.into_iter().map(|(position, _)| position));
    positions
}

#[test]
fn a_quiet_position_is_worth_its_static_score() {
    let mut bench = Bench::new();
    let mut quiet = 0;
    for position in random_positions(4000, 42) {
        let calm = !position.is_check() && position.legal_moves().iter().all(|mv| mv.is_quiet());
        let game = Game::new(position);
        let drawn = position.is_fifty_move_draw() || position.board().is_insufficient_material();
        if !calm || drawn || position.legal_moves().is_empty() {
            continue;
        }
        quiet += 1;
        assert_eq!(bench.quiesce(&game).score, static_score(&game), "{}", position.to_fen());
    }
    assert!(quiet > 200, "{quiet}");
}

#[test]
fn the_static_score_is_corrected_before_it_is_believed() {
    let game = at("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
    let mut bench = Bench::new();
    let before = bench.quiesce(&game).score;
    for _ in 0..50 {
        bench.data.correction.update(game.position(), Default::default(), 10, 60);
    }
    let correction = bench.data.correction.value(game.position(), Default::default());
    assert!(correction > 10);
    assert_eq!(bench.quiesce(&game).score - before, correction);
}

#[test]
fn both_colours_get_the_same_score() {
    let mut bench = Bench::new();
    for position in many_positions() {
        let score = bench.quiesce(&Game::new(position)).score;
        let mirrored = bench.quiesce(&Game::new(position.color_flipped())).score;
        assert_eq!(score, mirrored, "{}", position.to_fen());
    }
}

#[test]
fn no_position_explodes_and_every_score_is_in_range() {
    let mut bench = Bench::new();
    for position in many_positions() {
        let result = bench.quiesce(&Game::new(position));
        let fen = position.to_fen();
        assert!(result.nodes < 20_000, "{} nodes in {fen}", result.nodes);
        assert!(result.seldepth < MAX_PLY, "{fen}");
        assert!(result.score.raw().abs() <= Score::mate_in(0).raw(), "{fen}");
        let mut child = position;
        for &mv in &result.pv {
            assert!(child.is_legal(mv), "{mv:?} of the line in {fen}");
            child.make(mv);
        }
        if let Some(plies) = result.score.mate_plies() {
            assert_eq!(result.pv.len(), plies.unsigned_abs() as usize, "{fen}");
            assert!(child.is_check() && !child.has_legal_move(), "{fen}");
        }
    }
}

#[test]
fn stand_pat_above_beta_returns_more_than_beta() {
    let game = at("4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1");
    let mut bench = Bench::new();
    let window = Window::below(Score::from_cp(-100));
    let result = bench.quiesce_within(&game, window);
    assert!(result.score > window.beta && result.score <= static_score(&game));
    assert_eq!((result.nodes, result.events.get(Event::StandPatCut)), (0, 1));
}

#[test]
fn in_check_nobody_stands_pat() {
    // Every evasion loses the rook.
    let game = at("4k2r/8/8/8/8/8/2n5/R3K3 w - - 0 1");
    let result = Bench::new().quiesce(&game);
    assert!(result.score < Score::from_cp(-400), "{}", result.score);
    assert!(result.score < static_score(&game) - 100);
    assert!(result.events.get(Event::EvasionNode) > 0);
    // The evasion of an attacked king by capture is found.
    assert_eq!(quiesce("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").score.raw().abs(), 1);
}

#[test]
fn no_evasion_is_mate_by_distance_from_the_root() {
    let mate = quiesce("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_eq!(mate.score, Score::mated_in(0));
    assert_eq!(mate.events.get(Event::QuiescenceMate), 1);
    let capture = quiesce("7k/5Q1r/6K1/8/8/8/8/8 w - - 0 1");
    assert_eq!(capture.score, Score::mate_in(1));
}

#[test]
fn the_first_answer_that_holds_ends_the_search_for_quiet_evasions() {
    let game = at("4k3/8/8/8/8/4r3/8/R3K2R w - - 0 1");
    let with_skipping = Bench::new().quiesce(&game);
    let all = with(&[("qs_skip_evasions", 0)], || Bench::new().quiesce(&game));
    assert!(with_skipping.nodes < all.nodes, "{} against {}", with_skipping.nodes, all.nodes);
    assert!(all.score >= with_skipping.score);
}

#[test]
fn stalemate_is_a_draw_and_not_a_stand_pat_score() {
    for fen in [
        "7k/7P/6K1/8/8/8/8/8 b - - 0 1",
        "k7/P7/K7/8/8/p7/P7/8 b - - 0 1",
        "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
    ] {
        let result = quiesce(fen);
        assert_eq!(result.score, Score::DRAW, "{fen}");
        assert_eq!(result.events.get(Event::Stalemate), 1, "{fen}");
    }
    // A pawn that can take or step is a way out.
    for fen in ["k7/P7/K7/8/8/1p6/P7/8 b - - 0 1", "k7/P7/K7/8/8/1p6/8/8 b - - 0 1"] {
        let result = quiesce(fen);
        assert_eq!(result.events.get(Event::Stalemate), 0, "{fen}");
        assert_ne!(result.score, Score::DRAW, "{fen}");
    }
}

#[test]
fn draws_are_draws_here_as_everywhere() {
    let repeated = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"];
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for drawn in [
        game(start, &repeated),
        at("4k3/8/8/8/8/8/8/QQ2K3 b - - 100 80"),
        at("4k3/8/8/8/8/8/8/2B1K3 b - - 0 1"),
    ] {
        let score = Bench::new().quiesce(&drawn).score;
        assert!(score.raw().abs() <= 1, "{score} in {}", drawn.position().to_fen());
    }
    // A mate on the board counts though a hundred plies have passed.
    let mate = at("R3k3/7R/4K3/8/8/8/8/8 b - - 100 90");
    assert_eq!(Bench::new().quiesce(&mate).score, Score::mated_in(0));
    // Capturing with the ninety-ninth ply behind one starts the count again.
    let capture = at("4k3/8/8/3q4/4P3/8/8/4K3 w - - 99 90");
    assert!(Bench::new().quiesce(&capture).score > Score::from_cp(50));
}

#[test]
fn a_side_that_can_repeat_counts_on_a_draw() {
    // White can go back to a position of the game that stood twice.
    let shuffle = ["a1b1", "h8g8", "b1a1", "g8h8", "a1b1", "h8g8", "b1a1", "g8h8", "a1b1", "h8g8"];
    let game = game("7k/8/8/8/8/8/5q2/K7 w - - 0 1", &shuffle);
    assert!(Bench::new().quiesce(&game).score.raw().abs() <= 1);
}

#[test]
fn hopeless_captures_are_skipped_but_never_those_that_may_surprise() {
    let hopeless = Window::below(Score::from_cp(4000));
    let cases = [
        ("4k3/8/8/3p4/4N3/2N5/8/4K3 w - - 0 1", true, "a plain capture"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", false, "a promotion"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", false, "a promotion by capture"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false, "a capture in passing"),
        ("4k3/4p3/8/8/8/8/4R3/K3Q3 w - - 0 1", false, "a capture that gives check"),
    ];
    for (fen, skipped, what) in cases {
        let result = Bench::new().quiesce_within(&at(fen), hopeless);
        assert_eq!(result.events.get(Event::DeltaPrune) > 0, skipped, "{what}");
        assert_eq!(result.nodes == 0, skipped, "{what}");
        assert!(!skipped || result.score > static_score(&at(fen)), "fail-soft after {what}");
    }
    let mated = Window { alpha: Score::mated_in(7), beta: Score::mated_in(9) };
    let plain = Bench::new().quiesce_within(&at(cases[0].0), mated);
    assert_eq!(plain.events.get(Event::DeltaPrune), 0, "alpha is a mated score");
}

#[test]
fn the_margin_of_hope_widens_in_late_endings_and_when_several_pieces_hang() {
    use chess::PieceType::{Knight, Pawn};
    let pruned = |fen: &str, victim: chess::PieceType, short: i32| {
        let game = at(fen);
        let margin = params::qs_delta_margin();
        let alpha = static_score(&game) + (chess::exchange_value(victim) + margin + short);
        let window = Window { alpha, beta: alpha + 1 };
        Bench::new().quiesce_within(&game, window).nodes == 0
    };
    let many = "4k3/1ppp1pp1/8/3p4/8/2N5/1PPP1PP1/4K3 w - - 0 1";
    assert!(!pruned(many, Pawn, -1) && pruned(many, Pawn, 10));
    let few = "4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1";
    assert!(!pruned(few, Pawn, 10) && pruned(few, Pawn, 200));
    let one_hangs = "4k3/2pp1pp1/8/8/1n6/B6P/2PP1PP1/4K3 w - - 0 1";
    assert!(pruned(one_hangs, Knight, 10));
    let two_hang = "4k3/2pp1pp1/8/8/1n4n1/B6P/2PP1PP1/4K3 w - - 0 1";
    assert!(!pruned(two_hang, Knight, 10) && pruned(two_hang, Knight, 400));
}

#[test]
fn exchanges_that_win_nothing_are_skipped_where_something_must_be_won() {
    let visited = |fen: &str, short: i32| {
        let game = at(fen);
        let margin = params::qs_delta_margin();
        let alpha = static_score(&game) + (margin + short);
        let found = Bench::new().quiesce_within(&game, Window { alpha, beta: alpha + 1 });
        (found.nodes, found.score - static_score(&game) - margin)
    };
    let even = "4k3/2p2ppp/3p4/4n3/8/5N2/5PPP/4K3 w - - 0 1";
    assert_eq!(visited(even, 5), (0, 0), "skipped, and the score says what was hoped for");
    assert!(visited(even, -5).0 > 0, "within the margin");
    assert!(with(&[("qs_futility", 0)], || visited(even, 5)).0 > 0, "switched off");
    let winning = "4k3/2p2ppp/3p4/8/4n3/3P1N2/5PPP/4K3 w - - 0 1";
    assert!(visited(winning, 5).0 > 0, "a knight is won");
}

#[test]
fn captures_that_lose_material_are_skipped() {
    let fen = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
    let result = quiesce(fen);
    assert_eq!(result.events.get(Event::QuiescenceSeePrune), 1);
    assert_eq!((result.nodes, result.score), (0, static_score(&at(fen))));
    let unpruned = with(&[("qs_see_threshold", -32_000)], || quiesce(fen));
    assert!(unpruned.nodes > 0 && unpruned.score == result.score);
}

#[test]
fn quiet_checks_belong_to_the_first_ply_alone() {
    let fen = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";
    assert_eq!(quiesce(fen).nodes, 0);
    let checks = with(&[("qs_quiet_checks", 1)], || quiesce(fen));
    assert_eq!(checks.score, Score::mate_in(1));
    // The same check one ply later, after a capture, is not tried.
    let later = "6k1/r4ppp/8/8/8/8/B7/4R1K1 b - - 0 1";
    let later = with(&[("qs_quiet_checks", 1)], || quiesce(later));
    assert!(!later.score.is_loss());
    assert!(later.nodes > 0);
}

#[test]
fn far_down_only_recaptures_are_searched() {
    let busy = at("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let wide = with(&[("qs_recapture_ply", 64)], || Bench::new().quiesce(&busy));
    let narrow = with(&[("qs_recapture_ply", 1)], || Bench::new().quiesce(&busy));
    assert!(narrow.nodes < wide.nodes, "{} against {}", narrow.nodes, wide.nodes);
    let mut squares = narrow.pv.iter().map(|mv| mv.to());
    let first: Option<Square> = squares.next();
    assert!(squares.all(|square| Some(square) == first), "{:?}", narrow.pv);
}

#[test]
fn what_is_stored_says_no_more_than_was_found() {
    let probe = |fen: &str| {
        let game = at(fen);
        let mut bench = Bench::new();
        let score = bench.quiesce(&game).score;
        let key = tt_key(game.position());
        let entry = bench.context.tt.probe(key, 0, game.position().halfmove_clock());
        (score, entry.expect("quiescence stores what it found"))
    };
    let (_, calm) = probe("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
    assert_eq!((calm.bound, calm.depth), (Some(Bound::Upper), -1), "stand pat is never exact");
    let (score, capture) = probe("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    assert_eq!((capture.bound, capture.depth), (Some(Bound::Exact), -1));
    assert_eq!(capture.score, score);
    let (_, evasion) = probe("4k2r/8/8/8/8/8/2n5/R3K3 w - - 0 1");
    assert_eq!((evasion.depth, evasion.eval), (0, None));
}

mod limits;
mod switches;

#[test]
fn a_stop_unwinds_within_1024_nodes_and_stores_nothing_half_searched() {
    let game = at(EXPLOSION);
    let mut bench = Bench::new();
    let job = bench.job(&game, &Limits::default());
    let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
    worker.completed_depth = 1;
    worker.check_limits().expect("nobody has stopped it");
    bench.context.flags.request_stop();
    let mut quiesce = || worker.quiesce::<Pv>(game.position(), Window::full(), 0);
    let result = with(&[("qs_capture_bonus", 0), ("qs_late_moves", 250)], &mut quiesce);
    assert!(matches!(result, Err(Stopped)));
    assert!(worker.nodes <= 1024, "{}", worker.nodes);
    assert!(bench.context.tt.probe(tt_key(game.position()), 0, 0).is_none());
}
