//! The limits of quiescence, and that none of them invents a score.

use super::*;

#[test]
fn no_line_is_longer_than_the_limit_of_plies() {
    for limit in [4, 7, 32, 64] {
        let mut bench = Bench::new();
        bench.context.settings.qsearch_max_ply = limit;
        let result = bench.quiesce(&at(EXPLOSION));
        assert!(result.seldepth <= limit, "{} with {limit}", result.seldepth);
        assert!(limit > 4 || result.seldepth == limit, "the position is deep enough");
    }
}

#[test]
fn a_limit_of_nodes_cuts_a_branch_short_and_is_counted() {
    let mut bench = Bench::new();
    let free = bench.quiesce(&at(EXPLOSION));
    assert_eq!(free.events.get(Event::Explosion), 0);
    bench.context.settings.qsearch_node_limit = 20;
    let limited = bench.quiesce(&at(EXPLOSION));
    assert!(limited.events.get(Event::Explosion) > 0);
    assert!(limited.nodes < free.nodes, "{} against {}", limited.nodes, free.nodes);
    assert!(!limited.score.is_decisive());
}

#[test]
fn a_limit_of_captures_is_only_a_brake() {
    let crowd = "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1";
    let braked = with(&[("qs_max_captures", 2)], || quiesce(crowd));
    assert!(braked.events.get(Event::CaptureLimit) > 0);
    let mut bench = Bench::new();
    let mut bites = 0;
    for fen in crate::bench::POSITIONS {
        bites += bench.search(&at(fen), &Limits::depth(4)).events.get(Event::CaptureLimit);
    }
    assert_eq!(bites, 0, "the brake does not bite in the bench");
}

#[test]
fn a_long_chain_of_checks_falls_back_to_captures() {
    let chain = at("6k1/6p1/8/8/8/8/rr6/3Q3K b - - 0 1");
    let free = with(&[("qs_quiet_checks", 1)], || Bench::new().quiesce(&chain));
    let short =
        with(&[("qs_quiet_checks", 1), ("qs_check_plies", 0)], || Bench::new().quiesce(&chain));
    assert!(short.nodes < free.nodes, "{} against {}", short.nodes, free.nodes);
}

#[test]
fn evasions_that_were_left_out_prove_no_mate() {
    // Every answer that captures is mated at once; a quiet one is not.
    for fen in [
        "8/1k3P2/8/8/Q7/p3Rb2/4r1q1/4K3 w - - 0 1",
        "8/7K/1q4b1/3R4/qk2b1Q1/8/1b6/8 w - - 0 1",
        "4b3/P1r2qrK/2N5/8/2k5/6p1/1B4Q1/8 w - - 0 1",
        "6n1/5Pr1/6kq/8/4bK2/2N3n1/4r3/8 w - - 0 1",
        "6k1/5r2/8/8/3q1p2/6q1/8/3BKn2 w - - 0 1",
    ] {
        assert!(!quiesce(fen).score.is_loss(), "{fen}");
        let limited = with(&[("qs_check_plies", 0)], || quiesce(fen).score);
        assert!(!limited.is_loss(), "{limited} in {fen}");
    }
    // Where there is no quiet answer the mate is real.
    let mate = with(&[("qs_check_plies", 0)], || quiesce("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").score);
    assert_eq!(mate, Score::mated_in(0));
}

#[test]
fn the_ply_ceiling_holds_and_gives_a_static_score() {
    let game = at("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut bench = Bench::new();
    let job = bench.job(&game, &Limits::default());
    let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
    for ply in [MAX_PLY - 6, MAX_PLY - 2, MAX_PLY - 1] {
        let score = worker.quiesce::<Pv>(game.position(), Window::full(), ply).unwrap();
        assert!(!score.is_decisive());
        assert!(worker.seldepth < MAX_PLY);
    }
    let score = worker.quiesce::<Pv>(game.position(), Window::full(), MAX_PLY - 1).unwrap();
    assert_eq!(score, static_score(&game));
    let check = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    let score = worker.quiesce::<Pv>(&check, Window::full(), MAX_PLY - 1).unwrap();
    assert_eq!(score, Score::DRAW, "in check nothing is known");
}

#[test]
fn the_switch_really_changes_the_tree() {
    // The rook is guarded: taking it looks good only to those who do not look on.
    let game = at("4k3/8/2p5/3r4/8/8/3Q4/4K3 w - - 0 1");
    let taking = game.position().parse_san("Qxd5").unwrap();
    let mut bench = Bench::new();
    let on = bench.search(&game, &Limits::depth(1));
    assert_ne!(on.line.pv[0], taking);
    bench.context.settings.use_quiescence = false;
    let off = bench.search(&game, &Limits::depth(1));
    assert_eq!(off.line.pv[0], taking);
    assert!(off.nodes < on.nodes, "{} against {}", off.nodes, on.nodes);
}

#[test]
fn the_delta_margin_is_the_parameter_unless_it_is_set() {
    let game = game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10", &[]);
    let nodes = |margin: Option<i32>| {
        let mut bench = Bench::new();
        bench.context.settings.qsearch_delta_margin = margin;
        bench.search(&game, &Limits::depth(7)).nodes
    };
    let usual = nodes(None);
    assert_eq!(nodes(Some(params::qs_delta_margin())), usual);
    let wide = with(&[("qs_delta_margin", 2000)], || nodes(None));
    assert_ne!(wide, usual, "a changed parameter changes the search");
    assert_eq!(nodes(Some(2000)), wide);
}

#[test]
fn recaptures_alone_do_not_bound_what_other_captures_reach() {
    // After the exchange on a7 nothing recaptures there, but e5 takes the queen on d4.
    let game = at("6k1/p7/8/4p3/3Q4/8/6K1/R7 w - - 0 1");
    let mut after = *game.position();
    after.make(after.parse_uci("a1a7").unwrap());
    let bounds = |from: i32| {
        let mut bench = Bench::new();
        with(&[("qs_recapture_ply", from)], || bench.quiesce(&game));
        bench.context.tt.probe(tt_key(&after), 1, 0).map(|entry| entry.bound)
    };
    assert_eq!(bounds(1), Some(None), "only the evaluation is known");
    assert!(bounds(5).is_some_and(|bound| bound.is_some()));
}

#[test]
fn late_captures_are_skipped_unless_they_recapture_check_or_promote() {
    let crowd = "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1";
    let few = with(&[("qs_late_moves", 1)], || quiesce(crowd));
    let all = with(&[("qs_late_moves", 250)], || quiesce(crowd));
    assert!(few.events.get(Event::QuiescenceLateMove) > 0);
    assert_eq!(all.events.get(Event::QuiescenceLateMove), 0);
    assert!(few.nodes < all.nodes);
}
