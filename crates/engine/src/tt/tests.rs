//! What is stored comes back, and nothing else does.

use super::*;
use chess::{MoveKind, Square};

fn entry(depth: i32) -> Entry {
    Entry {
        depth,
        score: Score::from_cp(-37),
        bound: Some(Bound::Lower),
        best_move: Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush)),
        eval: Some(-1234),
        pv: true,
    }
}

#[test]
fn what_is_stored_comes_back() {
    let table = TranspositionTable::new(1).unwrap();
    for depth in [-1, 0, 1, 17, 200] {
        let key = 0x1234_5678_9ABC_0100_u64.wrapping_add_signed(i64::from(depth) * 8);
        table.store(key, 3, entry(depth));
        assert_eq!(table.probe(key, 3, 0), Some(entry(depth)));
        assert_eq!(table.probe(key ^ 1, 3, 0), None);
    }
}

#[test]
fn a_key_whose_tag_is_zero_is_found() {
    let table = TranspositionTable::new(1).unwrap();
    let packed = Packed::new(&entry(5), 0, 0);
    let key = 0xABCD_0000_0000_0000 | u64::from(packed.tag(0));
    assert_eq!(packed.tag(key), 0);
    table.store(key, 0, entry(5));
    assert_eq!(table.probe(key, 0, 0), Some(entry(5)));
}

#[test]
fn mates_are_stored_relative_to_the_node() {
    let table = TranspositionTable::new(1).unwrap();
    let mate = Entry { score: Score::mate_in(9), ..entry(4) };
    table.store(77, 4, mate);
    assert_eq!(table.probe(77, 2, 0).unwrap().score, Score::mate_in(7));
    assert_eq!(table.probe(77, 2, 96).unwrap().score, Score::MAX_EVAL);
}

#[test]
fn a_fail_low_keeps_the_old_move_of_the_same_position_only() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(5, 0, entry(3));
    let low = Entry { best_move: None, bound: Some(Bound::Upper), ..entry(8) };
    table.store(5, 0, low);
    assert_eq!(table.probe(5, 0, 0).unwrap().best_move, entry(3).best_move);
    assert_eq!(table.probe(5, 0, 0).unwrap().depth, 8);
    table.store(6, 0, low);
    assert_eq!(table.probe(6, 0, 0).unwrap().best_move, None);
}

#[test]
fn a_move_is_not_lost_where_the_older_score_is_kept() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(5, 0, entry(20));
    let mv = Some(Move::new(Square::D2, Square::D4, MoveKind::DoublePush));
    table.store(5, 0, Entry { pv: false, best_move: mv, ..entry(3) });
    assert_eq!(table.probe(5, 0, 0), Some(Entry { best_move: mv, ..entry(20) }));
    table.store(5, 0, Entry { pv: false, best_move: None, ..entry(3) });
    assert_eq!(table.probe(5, 0, 0).unwrap().best_move, mv);
}

#[test]
fn the_key_after_a_move_is_that_of_the_position_after_it() {
    // The second clock cannot go on.
    for clock in ["30", "65535"] {
        let board = "r1bq1rk1/pp3ppp/2n2n2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1";
        let position = Position::from_fen(&format!("{board} w - - {clock} 40")).unwrap();
        for &mv in &position.legal_moves() {
            let mut next = position;
            next.make(mv);
            assert_eq!(tt_key_after(&position, mv), tt_key(&next), "{mv:?}");
        }
    }
}

#[test]
fn a_shallow_search_does_not_push_out_a_deep_one_of_the_same_age() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(5, 0, entry(20));
    table.store(5, 0, Entry { pv: false, ..entry(3) });
    assert_eq!(table.probe(5, 0, 0).unwrap().depth, 20);
    table.age();
    table.store(5, 0, Entry { pv: false, ..entry(3) });
    assert_eq!(table.probe(5, 0, 0).unwrap().depth, 3);
}

#[test]
fn old_entries_give_way_and_every_generation_can_be_replaced() {
    let table = TranspositionTable::new(1).unwrap();
    // Keys of one cluster: equal high bits.
    for generation in 0..70u64 {
        table.age();
        for key in 0..8 {
            table.store(generation * 8 + key, 0, entry(10));
        }
        assert!(table.probe(generation * 8 + 7, 0, 0).is_some());
    }
}

#[test]
fn hashfull_counts_only_the_present_generation() {
    let table = TranspositionTable::new(1).unwrap();
    for index in 0..100_000u64 {
        table.store(index.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0, entry(1));
    }
    assert!(table.hashfull() > 500, "{}", table.hashfull());
    table.age();
    assert_eq!(table.hashfull(), 0);
    table.clear(2);
    assert_eq!(table.hashfull(), 0);
    assert!(table.probe(0, 0, 0).is_none());
}
