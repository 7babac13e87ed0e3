//! Rules of the sources that are off by default: each does what it says when it is on.

use super::*;
use crate::search::kind::NonPv;

#[test]
fn forcing_moves_are_exempt_from_see_pruning_where_that_is_asked_for() {
    for (fen, what) in [
        ("8/P7/6k1/8/8/8/K7/7q w - - 0 1", "promotions on a guarded square"),
        ("5rk1/5ppp/5n2/8/8/3B4/8/1K5R w - - 0 1", "a sacrifice with check"),
    ] {
        let ordinary = quiesce(fen);
        let kept = with(&[("qs_keep_forcing", 1)], || quiesce(fen));
        assert!(ordinary.events.get(Event::QuiescenceSeePrune) > 0, "{what}");
        assert!(kept.nodes > ordinary.nodes, "{what}: {} nodes", kept.nodes);
    }
}

#[test]
fn a_node_that_a_queen_cannot_save_ends_at_once() {
    // A pawn that gives check by taking is tried by delta pruning alone.
    let fen = "4k3/4p3/8/8/8/8/4R3/K3Q3 w - - 0 1";
    let hopeless = Window::below(Score::from_cp(5000));
    let ordinary = Bench::new().quiesce_within(&at(fen), hopeless);
    assert!(ordinary.nodes > 0);
    let on = with(&[("qs_node_delta", 1)], || Bench::new().quiesce_within(&at(fen), hopeless));
    assert_eq!((on.nodes, on.events.get(Event::DeltaPrune)), (0, 1));
    assert!(on.score < hopeless.beta && on.score > static_score(&at(fen)), "fail-soft");
    let promoting = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    let on =
        with(&[("qs_node_delta", 1)], || Bench::new().quiesce_within(&at(promoting), hopeless));
    assert!(on.nodes > 0, "a pawn about to promote may bring more than a queen");
}

#[test]
fn a_side_in_zugzwang_does_not_stand_pat() {
    // Whoever is to move loses the pawn.
    let fen = "8/8/8/3pK3/2kP4/8/8/8 w - - 0 1";
    let game = at(fen);
    let (usual, careful) = (quiesce(fen), with(&[("qs_zugzwang", 1)], || quiesce(fen)));
    assert_eq!(usual.score, static_score(&game));
    let after_quiet: Vec<Score> = game
        .position()
        .legal_moves()
        .iter()
        .filter(|mv| mv.is_quiet())
        .map(|&mv| {
            let mut child = *game.position();
            child.make(mv);
            -static_score(&Game::new(child))
        })
        .collect();
    let most = after_quiet.into_iter().max().unwrap();
    assert_eq!(careful.score, usual.score.min(most));
    // With a piece left there is always something to wait with.
    let piece = "8/8/8/3pK3/2kP4/8/8/6N1 w - - 0 1";
    assert_eq!(with(&[("qs_zugzwang", 1)], || quiesce(piece)).score, quiesce(piece).score);
}

#[test]
fn where_nothing_has_happened_for_long_quiescence_is_shallow() {
    let deepest =
        |clock: u32| quiesce(&EXPLOSION.replace(" 0 1", &format!(" {clock} 90"))).seldepth;
    assert!(deepest(60) > 4);
    let fortress = [("qs_fortress_clock", 40)];
    assert_eq!(with(&fortress, || deepest(60)), 4);
    assert!(with(&fortress, || deepest(39)) > 4);
}

#[test]
fn without_anything_to_take_back_the_strict_rule_stops() {
    // After the promotion nothing was taken, and the knight hangs.
    let fen = "8/P6k/8/8/8/8/1q6/1N5K w - - 0 1";
    let nodes = |strict| {
        let values = [("qs_recapture_ply", 1), ("qs_recapture_strict", strict)];
        with(&values, || quiesce(fen)).nodes
    };
    assert!(nodes(1) < nodes(0), "{} against {}", nodes(1), nodes(0));
}

#[test]
fn a_quiet_tt_move_is_searched_where_that_is_asked_for() {
    let game = at("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1");
    let quiet = game.position().parse_uci("c2c4").unwrap();
    let nodes = || {
        let mut bench = Bench::new();
        let entry = crate::tt::Entry {
            depth: 3,
            score: Score::DRAW,
            bound: None,
            best_move: Some(quiet),
            eval: None,
            pv: false,
        };
        bench.context.tt.store(tt_key(game.position()), 0, entry);
        bench.quiesce_within(&game, Window::full()).nodes
    };
    assert_eq!(nodes(), 0);
    assert!(with(&[("qs_tt_quiets", 1)], nodes) > 0);
}

#[test]
fn a_tt_entry_cuts_only_where_it_is_deep_enough_if_that_is_asked_for() {
    // In check the node looks at all evasions: one ply more than the entry of a quiet node.
    let game = at("4k2r/8/8/8/8/8/2n5/R3K3 w - - 0 1");
    let window = Window::below(Score::from_cp(50));
    let cuts = |depth: i32| {
        let mut bench = Bench::new();
        let entry = crate::tt::Entry {
            depth,
            score: Score::from_cp(300),
            bound: Some(Bound::Lower),
            best_move: None,
            eval: None,
            pv: false,
        };
        bench.context.tt.store(tt_key(game.position()), 0, entry);
        let job = bench.job(&game, &Limits::default());
        let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
        worker.quiesce::<NonPv>(game.position(), window, 0).expect("no limit is set");
        worker.record.get(Event::QuiescenceTtCutoff) > 0
    };
    assert!(cuts(-1) && cuts(0));
    assert!(!with(&[("qs_tt_depth", 1)], || cuts(-1)));
    assert!(with(&[("qs_tt_depth", 1)], || cuts(0)));
}

#[test]
fn an_explosion_returns_the_best_that_is_known() {
    // The first capture wins a queen; what is left is given up.
    let mut bench = Bench::new();
    bench.context.settings.qsearch_node_limit = 1;
    let game = at("4k3/8/8/3q1q2/4P3/8/8/4K3 w - - 0 1");
    let result = bench.quiesce(&game);
    assert!(result.events.get(Event::Explosion) > 0);
    assert!(result.score > static_score(&game) + 200, "{}", result.score);
}

#[test]
fn checks_are_followed_for_as_many_plies_as_allowed() {
    let chain = at("6k1/6p1/8/8/8/8/rr6/3Q3K b - - 0 1");
    let nodes: Vec<u64> = (0..=8)
        .map(|plies| {
            let values = [("qs_quiet_checks", 1), ("qs_check_plies", plies)];
            with(&values, || Bench::new().quiesce(&chain)).nodes
        })
        .collect();
    assert!(nodes.is_sorted(), "{nodes:?}");
    assert!(nodes[0] < nodes[8], "{nodes:?}");
}
