//! Extensions act, each on its own move, and stay within bounds.

use super::super::extensions::{ExtensionFacts, of_move};
use super::*;
use crate::params::with;
use crate::score::MAX_PLY;
use crate::testing::{game, position};

/// Every extension that is off in ordinary play.
const CLASSIC: [(&str, i32); 3] =
    [("check_extension", 1), ("recapture_extension", 1), ("passed_pawn_extension", 1)];

fn extension(fen: &str, san: &str, change: impl Fn(&mut ExtensionFacts)) -> Option<Event> {
    let position = position(fen);
    let mv = position.parse_san(san).unwrap();
    let mut facts = ExtensionFacts {
        ply: 3,
        root_depth: 8,
        gives_check: position.gives_check(mv, &position.check_info()),
        pv_node: true,
        last_capture: None,
    };
    change(&mut facts);
    of_move(&position, mv, &facts)
}

#[test]
fn a_sound_check_is_extended() {
    let fen = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";
    assert_eq!(extension(fen, "Re8", |_| {}), None, "off by default");
    with(&[("check_extension", 1)], || {
        assert_eq!(extension(fen, "Re8", |_| {}), Some(Event::CheckExtension));
        assert_eq!(extension(fen, "Re7", |_| {}), None, "no check");
        let unsound = "r5k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";
        assert_eq!(extension(unsound, "Re8+", |_| {}), None, "it loses the rook");
    });
}

#[test]
fn a_recapture_in_the_principal_variation_is_extended() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
    let after_capture = |facts: &mut ExtensionFacts| facts.last_capture = Some(chess::Square::D5);
    with(&[("recapture_extension", 1)], || {
        assert_eq!(extension(fen, "exd5", after_capture), Some(Event::RecaptureExtension));
        assert_eq!(extension(fen, "exd5", |_| {}), None, "nothing was captured there");
        let zero_window = |facts: &mut ExtensionFacts| {
            after_capture(facts);
            facts.pv_node = false;
        };
        assert_eq!(extension(fen, "exd5", zero_window), None);
    });
    assert_eq!(extension(fen, "exd5", after_capture), None, "off by default");
}

#[test]
fn a_passed_pawn_that_reaches_the_seventh_rank_is_extended() {
    let fen = "8/k7/3P4/8/8/3p4/7K/8 w - - 0 1";
    with(&[("passed_pawn_extension", 1)], || {
        assert_eq!(extension(fen, "d7", |_| {}), Some(Event::PassedPawnExtension));
        let black = "8/k7/3P4/8/8/3p4/7K/8 b - - 0 1";
        assert_eq!(extension(black, "d2", |_| {}), Some(Event::PassedPawnExtension));
        assert_eq!(
            extension("8/k7/8/3P4/8/8/7K/8 w - - 0 1", "d6", |_| {}),
            None,
            "the sixth rank"
        );
        assert_eq!(extension("4k3/8/3P4/8/8/8/7K/8 w - - 0 1", "d7+", |_| {}), None, "it is lost");
    });
    assert_eq!(extension(fen, "d7", |_| {}), None, "off by default");
}

#[test]
fn no_move_is_extended_beyond_twice_the_depth_of_the_iteration() {
    with(&CLASSIC, || {
        let fen = "6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1";
        assert_eq!(extension(fen, "Re8", |facts| facts.ply = 15), Some(Event::CheckExtension));
        assert_eq!(extension(fen, "Re8", |facts| facts.ply = 16), None);
    });
}

#[test]
fn each_extension_acts_in_a_search_and_only_when_it_is_switched_on() {
    // Event, what makes it likely, what switches it off.
    let events: [(Event, &[_], _); 8] = [
        (Event::Singular, &[("singular_margin", 8)], ("singular_min_depth", 250)),
        (Event::DoubleSingular, &[("double_margin", 0)], ("double_margin", 32_000)),
        (
            Event::TripleSingular,
            &[("double_margin", 0), ("triple_margin", 0)],
            ("triple_margin", 32_000),
        ),
        (Event::MultiCut, &[("multicut", 1)], ("multicut", 0)),
        (Event::Negative, &[("negative_extension", 1)], ("negative_extension", 0)),
        (Event::CheckExtension, &[("check_extension", 1)], ("check_extension", 0)),
        (Event::RecaptureExtension, &[("recapture_extension", 1)], ("recapture_extension", 0)),
        (Event::PassedPawnExtension, &[("passed_pawn_extension", 1)], ("passed_pawn_extension", 0)),
    ];
    let games = [
        game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10", &[]),
        game("8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1", &[]),
        game("8/1r1rp1k1/p1q1Ppp1/1p5p/1P1R3P/2PQ2P1/5PK1/3R4 w - - 0 38", &[]),
    ];
    let mut bench = Bench::new();
    for (event, on, off) in events {
        let mut count = |changes: &[(&str, i32)]| {
            let search = |game| bench.search(game, &Limits::depth(9)).events.get(event);
            with(changes, || games.iter().map(search).sum::<u64>())
        };
        assert!(count(on) > 0, "{on:?} does nothing");
        assert_eq!(count(&[off]), 0, "{} cannot be switched off", off.0);
    }
}

#[test]
fn positions_that_invite_explosion_stay_bounded() {
    let wild = [
        ("6k1/6p1/8/8/8/8/rr6/3Q3K w - - 0 1", "a perpetual check"),
        ("3Q4/8/3K4/8/8/3k4/8/3q4 b - - 0 1", "a queen each"),
        ("q3k2q/8/8/8/8/8/8/Q3K2Q w - - 0 1", "two queens each"),
        ("8/1P4P1/3k4/8/8/3K4/1p4p1/8 w - - 0 1", "promotions on both sides"),
        ("8/PPPk4/8/8/8/8/4Kppp/8 w - - 0 1", "more promotions"),
        ("q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1", "captures"),
        ("b2r3r/k4p1p/p2q1np1/NppP4/3p1Q2/P4PPB/1PP4P/1K1RR3 w - - 1 24", "a long attack"),
        ("r4rk1/1b2qppp/p1n1p3/1p6/3P4/P1N1P3/1PQ2PPP/R1B2RK1 b - - 0 1", "calm"),
    ];
    let mut bench = Bench::new();
    for (fen, what) in wild {
        for depth in [4, 7] {
            let limits = Limits::depth(depth);
            let plain = bench.search(&game(fen, &[]), &limits);
            let extended = with(&CLASSIC, || bench.search(&game(fen, &[]), &limits));
            for found in [&plain, &extended] {
                // Twice the depth, quiescence below it, and the ceiling over all.
                let bound = 2 * depth as usize + bench.context.settings.qsearch_max_ply;
                assert!(found.line.seldepth <= bound.min(MAX_PLY), "{what}");
                assert!(found.nodes < 400_000, "{} nodes for {what}", found.nodes);
                assert_eq!(found.line.depth, depth, "{what}");
            }
        }
    }
}
