//! Entries stay within bounds, and moves are judged in their own context.

use super::*;

#[test]
fn an_entry_never_leaves_its_bounds_and_forgets() {
    let mut entry = 0;
    for _ in 0..1000 {
        update(&mut entry, 100_000, QUIET_MAX);
    }
    assert_eq!(i32::from(entry), QUIET_MAX);
    for _ in 0..10 {
        update(&mut entry, -500, QUIET_MAX);
    }
    assert!(i32::from(entry) < QUIET_MAX / 4, "{entry}");
    for _ in 0..1000 {
        update(&mut entry, -i32::from(i16::MAX), QUIET_MAX);
    }
    assert_eq!(i32::from(entry), -QUIET_MAX);
}

#[test]
fn surprises_move_an_entry_most() {
    let (mut known, mut fresh) = (7000, 0);
    update(&mut known, 400, QUIET_MAX);
    update(&mut fresh, 400, QUIET_MAX);
    assert!(fresh > known - 7000);
}

#[test]
fn captures_and_answers_to_checks_have_rows_of_their_own() {
    let key = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        ContinuationKey::of_move(&position, position.parse_uci("d1d5").unwrap())
    };
    let calm = key("k7/8/8/8/8/8/8/K2R4 w - - 0 1");
    let capture = key("k7/8/8/3p4/8/8/8/K2R4 w - - 0 1");
    let answer = key("k7/8/8/K6r/8/8/8/3R4 w - - 0 1");
    assert_eq!(calm, ContinuationKey::new(Piece::WhiteRook, Square::D5));
    assert_eq!(calm.piece_to(), capture.piece_to());
    assert_ne!(calm.row(), capture.row());
    assert!(answer.row() < PIECE_TO * KINDS && answer.row() != capture.row());
}

#[test]
fn a_move_made_earlier_is_judged_under_the_threats_it_was_made_under() {
    // The knight is attacked where it stands and safe where it goes.
    let position = Position::from_fen("k7/8/8/3p4/4N3/8/8/K7 w - - 0 1").unwrap();
    let mv = position.parse_uci("e4g5").unwrap();
    let threats = Threats::new(&position);
    let context =
        MoveContext { position: &position, threats: &threats, continuations: [None; 4], ply: 9 };
    let mut history = History::new().unwrap();
    history.update_butterfly(Color::White, mv, context.threat_index(mv), 900);
    assert!(history.quiet(&context, mv) > 0);
    // The same squares without the threat are another row.
    let calm = Position::from_fen("k7/8/8/8/4N3/8/8/K7 w - - 0 1").unwrap();
    let threats = Threats::new(&calm);
    let context =
        MoveContext { position: &calm, threats: &threats, continuations: [None; 4], ply: 9 };
    assert_eq!(history.quiet(&context, mv), 0);
}

#[test]
fn what_is_learnt_about_a_move_is_read_back_for_that_move_only() {
    let position = Position::startpos();
    let threats = Threats::new(&position);
    let key = ContinuationKey::new(Piece::BlackKnight, Square::F6);
    let context = MoveContext {
        position: &position,
        threats: &threats,
        continuations: [Some(key), None, None, None],
        ply: 9,
    };
    let mut history = History::new().unwrap();
    let moves = position.legal_moves();
    history.update_quiet(&context, moves[3], 900);
    assert!(history.quiet(&context, moves[3]) > 0);
    assert!(history.continuation(&context, moves[3]) > 0);
    assert_eq!(history.quiet(&context, moves[5]), 0);
    let elsewhere = MoveContext { continuations: [None; 4], ..context };
    assert_eq!(history.continuation(&elsewhere, moves[3]), 0);
    history.clear();
    assert_eq!(history.quiet(&context, moves[3]), 0);
}
