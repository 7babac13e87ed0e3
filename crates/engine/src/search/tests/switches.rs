//! Every technique has a value that turns it off, and it makes a difference.

use super::*;
use crate::params::{PARAMS, with};
use crate::testing::game;

/// Parameters that turn a technique off, or on where it is off by default, besides those of [`BARE`].
const SWITCHES: &[(&str, i32)] = &[
    ("aspiration_delta", 32_000),
    ("killers", 2),
    ("countermove", 1),
    ("capture_victim_weight", 0),
    ("check_bonus", 0),
    ("escape_bonus", 0),
    ("weight_butterfly", 0),
    ("weight_piece_to", 0),
    ("weight_pawn_history", 0),
    ("weight_continuation_1", 0),
    ("weight_continuation_2", 0),
    ("weight_continuation_4", 0),
    ("weight_continuation_6", 0),
    ("continuation_kinds", 0),
    ("malus_max", 0),
    ("prior_bonus_slope", 0),
    ("eval_difference_weight", 0),
    ("tt_cut_bonus", 0),
    ("research_bonus", 0),
    ("probcut_tt_margin", 32_000),
    ("see_capture_history", 0),
    ("double_margin", 32_000),
    ("triple_margin", 0),
    ("multicut", 0),
    ("negative_extension", 0),
    ("check_extension", 1),
    ("recapture_extension", 1),
    ("passed_pawn_extension", 1),
    ("lmr_tt_pv", 0),
    ("lmr_pv", 0),
    ("lmr_cut_node", 0),
    ("lmr_not_improving", 0),
    ("lmr_check", 0),
    ("lmr_tt_capture", 0),
    ("lmr_cutoffs", 0),
    ("lmr_correction", 0),
    ("lmr_deeper_margin", 32_000),
    ("lmr_shallower_margin", 0),
    ("weight_low_ply", 0),
    ("malus_decay", 0),
    ("prior_bonus_late", 0),
    ("nmp_tt_capture", 0),
    ("nmp_not_improving", 60),
    ("probcut_adaptive", 32_000),
    ("double_pv_margin", 32_000),
    ("lmr_tt_pv_score", 0),
    ("lmr_tt_pv_depth", 0),
    ("lmr_cutoffs_all", 0),
    ("lmr_window", 0),
    ("singular_tt_move", 0),
    ("pruning_history", 0),
    ("correction_continuation_4", 0),
    ("prior_malus_slope", 0),
    ("prior_capture_bonus", 0),
    ("qs_capture_bonus", 0),
    ("qs_quiet_checks", 1),
    ("qs_recapture_ply", 1),
    ("qs_blend", 0),
    ("qs_keep_forcing", 1),
    ("qs_node_delta", 1),
    ("qs_zugzwang", 1),
    ("qs_fortress_clock", 1),
    ("qs_tt_quiets", 1),
];

const POSITIONS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
    "8/1r1rp1k1/p1q1Ppp1/1p5p/1P1R3P/2PQ2P1/5PK1/3R4 w - - 0 38",
    "8/2p4P/8/kr6/6R1/8/8/1K6 w - - 0 1",
    "8/p3kp2/1p4p1/2p1p1P1/P1P1P3/1P2KP2/8/8 w - - 0 1",
];

fn nodes(bench: &mut Bench, depth: i32) -> u64 {
    POSITIONS.iter().map(|fen| bench.search(&game(fen, &[]), &Limits::depth(depth)).nodes).sum()
}

#[test]
fn each_technique_can_be_switched_and_changes_the_tree() {
    let mut bench = Bench::new();
    // What does not show in a small tree shows in a larger one.
    let ordinary = [7, 10, 12].map(|depth| (depth, nodes(&mut bench, depth)));
    for &(name, value) in SWITCHES.iter().chain(&BARE) {
        assert!(PARAMS.iter().any(|param| param.name == name && param.default != value), "{name}");
        let changed = ordinary
            .iter()
            .any(|&(depth, usual)| with(&[(name, value)], || nodes(&mut bench, depth)) != usual);
        assert!(changed, "{name} = {value} changes nothing");
    }
}

#[test]
fn a_search_with_everything_switched_at_once_is_sound() {
    let mut bench = Bench::new();
    for fen in POSITIONS {
        let game = game(fen, &[]);
        let all = [SWITCHES, &BARE].concat();
        let found = with(&all, || bench.search(&game, &Limits::depth(5)));
        assert_eq!(found.line.depth, 5);
        let mut position = *game.position();
        for &mv in &found.line.pv {
            assert!(position.is_legal(mv));
            position.make(mv);
        }
    }
}
