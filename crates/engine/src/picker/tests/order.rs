//! What comes before what.

use super::*;

#[test]
fn a_partial_sort_sorts_what_is_worth_it_and_loses_nothing() {
    let mut rng = Rng::new(1);
    let any = Move::new(chess::Square::A1, chess::Square::A2, chess::MoveKind::Quiet);
    for _ in 0..2000 {
        let len = rng.below(60);
        let scores: Vec<i32> = (0..len).map(|_| rng.below(200) as i32 - 100).collect();
        let limit = rng.below(240) as i32 - 120;
        let mut moves: Vec<ScoredMove> =
            scores.iter().map(|&score| ScoredMove { mv: any, score }).collect();
        partial_sort(&mut moves, limit);
        let mut after: Vec<i32> = moves.iter().map(|scored| scored.score).collect();
        let worth = scores.iter().filter(|&&score| score >= limit).count();
        assert!(after[..worth].is_sorted_by(|a, b| a >= b), "{after:?} down to {limit}");
        assert!(after[worth..].iter().all(|&score| score < limit), "{after:?} down to {limit}");
        after.sort_unstable();
        let mut before = scores;
        before.sort_unstable();
        assert_eq!(after, before);
    }
}

#[test]
fn near_the_leaves_only_good_quiets_are_sorted() {
    let root = position(KIWIPETE);
    let mut bench = Bench::taught(2);
    let order = |bench: &mut Bench, depth| {
        let picker = Picker::main(&bench.stack, &root, None, [None; 3], depth);
        let moves = bench.all(&root, picker);
        let threats = Threats::new(&root);
        let checks = root.check_info();
        let context =
            MoveContext { position: &root, threats: &threats, continuations: [None; 4], ply: 9 };
        let pick = PickContext { context, history: &bench.history, checks: &checks };
        let quiets = moves.iter().filter(|mv| mv.is_quiet());
        let rows = pick.history.quiet_rows(&pick.context);
        quiets.map(|&mv| quiet_score(&pick, &rows, mv)).collect::<Vec<i32>>()
    };
    let deep = order(&mut bench, 20);
    assert!(deep.is_sorted_by(|a, b| a >= b), "{deep:?}");
    let shallow = order(&mut bench, 1);
    let worth = shallow.iter().filter(|&&score| score >= -params::quiet_sort_margin()).count();
    assert!(shallow[..worth].is_sorted_by(|a, b| a >= b), "{shallow:?}");
    assert!(!shallow.is_sorted_by(|a, b| a >= b), "the rest is left as it was generated");
}

#[test]
fn captures_come_by_what_they_take_when_nothing_else_is_known() {
    let mut bench = Bench::new(3);
    for position in random_positions(2000, 13).iter().filter(|position| !position.is_check()) {
        let picker = Picker::quiescence(&bench.stack, position, None, QuiescenceMode::Noisy);
        let worth: Vec<i32> = bench
            .all(position, picker)
            .iter()
            .filter(|mv| mv.promotion().is_none_or(|kind| kind == PieceType::Queen))
            .map(|&mv| {
                let victim = position.captured(mv).map_or(0, exchange_value);
                victim + mv.promotion().map_or(0, exchange_value)
            })
            .collect();
        assert!(worth.is_sorted_by(|a, b| a >= b), "{worth:?} in {}", position.to_fen());
    }
}

#[test]
fn both_colours_get_forcing_moves_in_the_same_order() {
    let mut bench = Bench::new(4);
    for position in random_positions(2000, 14) {
        let flipped = position.color_flipped();
        let picker = Picker::quiescence(&bench.stack, &position, None, QuiescenceMode::WithChecks);
        let moves = bench.all(&position, picker);
        let picker = Picker::quiescence(&bench.stack, &flipped, None, QuiescenceMode::WithChecks);
        let mirrored: Vec<Move> = bench
            .all(&flipped, picker)
            .iter()
            .map(|mv| Move::new(mv.from().flip_rank(), mv.to().flip_rank(), mv.kind()))
            .collect();
        assert_eq!(moves, mirrored, "{}", position.to_fen());
    }
}

#[test]
fn a_quiet_move_gains_by_fleeing_and_by_a_safe_check_and_loses_by_walking_into_a_threat() {
    // The knight on f4 is attacked by the pawn on g5; d5 is guarded by the pawn on e6.
    let root = position("3k4/8/4p3/6p1/5N2/8/8/R3K3 w - - 0 1");
    let bench = Bench::new(5);
    let threats = Threats::new(&root);
    let checks = root.check_info();
    let context =
        MoveContext { position: &root, threats: &threats, continuations: [None; 4], ply: 9 };
    let pick = PickContext { context, history: &bench.history, checks: &checks };
    let rows = pick.history.quiet_rows(&pick.context);
    let score = |san: &str| quiet_score(&pick, &rows, root.parse_san(san).unwrap());
    let calm = score("Ke2");
    let knight = params::escape_bonus() * exchange_value(PieceType::Knight);
    assert_eq!(score("Nh5"), calm + knight, "fleeing");
    assert_eq!(score("Ra8+"), calm + params::check_bonus(), "a safe check");
    assert_eq!(score("Nd5"), calm, "from one threat into another");
    let loose = position("3k4/8/4p3/8/8/2N5/8/R3K3 w - - 0 1");
    let threats = Threats::new(&loose);
    let checks = loose.check_info();
    let context =
        MoveContext { position: &loose, threats: &threats, continuations: [None; 4], ply: 9 };
    let pick = PickContext { context, history: &bench.history, checks: &checks };
    let rows = pick.history.quiet_rows(&pick.context);
    let score = |san: &str| quiet_score(&pick, &rows, loose.parse_san(san).unwrap());
    assert_eq!(score("Nd5"), score("Ke2") - knight, "into a threat");
}

#[test]
fn a_check_that_loses_the_piece_gains_nothing() {
    let root = position("3k4/8/8/8/8/5b2/8/R3K3 w - - 0 1");
    let bench = Bench::new(6);
    let threats = Threats::new(&root);
    let checks = root.check_info();
    let context =
        MoveContext { position: &root, threats: &threats, continuations: [None; 4], ply: 9 };
    let pick = PickContext { context, history: &bench.history, checks: &checks };
    let rows = pick.history.quiet_rows(&pick.context);
    let score = |san: &str| quiet_score(&pick, &rows, root.parse_san(san).unwrap());
    assert!(score("Ra8+") < score("Ra7"));
}

#[test]
fn equal_captures_come_from_the_left_and_from_the_own_side_first() {
    let mut bench = Bench::new(12);
    for fen in ["4k3/8/8/1p1p1p2/2P1P3/8/8/4K3", "4k3/8/8/2p1p3/1P1P1P2/8/8/4K3"] {
        for (side, mirror) in [("w", 0), ("b", RANKS)] {
            let position = position(&format!("{fen} {side} - - 0 1"));
            let picker = Picker::quiescence(&bench.stack, &position, None, QuiescenceMode::Noisy);
            let moves = bench.all(&position, picker);
            assert_eq!(moves.len(), 4);
            assert!(moves.is_sorted_by_key(|mv| mv.bits() ^ mirror), "{moves:?}");
        }
    }
}

#[test]
fn promotions_to_less_than_a_queen_come_last() {
    let mut bench = Bench::new(13);
    let root = position("1n2k3/P7/8/8/3p4/4P3/8/4K3 w - - 0 1");
    let picker = Picker::quiescence(&bench.stack, &root, None, QuiescenceMode::Noisy);
    let moves = bench.all(&root, picker);
    assert_eq!(moves.len(), 9);
    let queens = [(Some(PieceType::Queen), true), (Some(PieceType::Queen), false), (None, true)];
    let first: Vec<_> = moves[..3].iter().map(|mv| (mv.promotion(), mv.is_capture())).collect();
    assert_eq!(first, queens);
}

#[test]
fn of_equal_captures_the_one_that_did_well_comes_first() {
    let root = position("4k3/8/8/1p3p2/2P1P3/8/8/4K3 w - - 0 1");
    let threats = Threats::new(&root);
    let checks = root.check_info();
    let context =
        MoveContext { position: &root, threats: &threats, continuations: [None; 4], ply: 9 };
    let [left, right] = ["cxb5", "exf5"].map(|name| root.parse_san(name).unwrap());
    for (good, bad) in [(left, right), (right, left)] {
        let mut bench = Bench::new(14);
        let pick = PickContext { context, history: &bench.history, checks: &checks };
        let pawn = params::capture_victim_weight() * exchange_value(PieceType::Pawn);
        assert_eq!(noisy_score(&pick, good), pawn);
        bench.history.update_capture(&context, good, 2000);
        bench.history.update_capture(&context, bad, -2000);
        let picker = Picker::quiescence(&bench.stack, &root, None, QuiescenceMode::Noisy);
        assert_eq!(bench.all(&root, picker), [good, bad]);
    }
}
