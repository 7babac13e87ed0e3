//! What is kept from move to move equals what a fresh look gives.

use chess::{Board, Color, Delta, Move, Placed, Position};

use crate::play::{Rng, Start, game};

/// All public keys of a position.
fn keys(position: &Position) -> [u64; 5] {
    [
        position.key(),
        position.pawn_key(),
        position.non_pawn_key(Color::White),
        position.non_pawn_key(Color::Black),
        position.minor_key(),
    ]
}

fn assert_fresh(position: &Position) {
    assert!(position.is_consistent(), "{position:?}");
    let read = Position::from_fen(&position.to_fen()).unwrap();
    assert_eq!(keys(position), keys(&read), "{position:?}");
    assert_eq!(position.checkers(), read.checkers(), "{position:?}");
    assert_eq!(position.pinned(), read.pinned(), "{position:?}");
    assert_eq!(position.en_passant(), read.en_passant(), "{position:?}");
}

/// The board as a network would follow it.
fn applied(board: &Board, delta: Delta) -> Board {
    let mut board = *board;
    let (add, sub): (Vec<Placed>, Vec<Placed>) = match delta {
        Delta::Nothing => (vec![], vec![]),
        Delta::Quiet { add, sub } => (vec![add], vec![sub]),
        Delta::Capture { add, sub, captured } => (vec![add], vec![sub, captured]),
        Delta::Castle { add, sub } => (add.to_vec(), sub.to_vec()),
    };
    for placed in sub {
        board.take(placed.piece, placed.square);
    }
    for placed in add {
        board.put(placed.piece, placed.square);
    }
    board
}

fn assert_step(position: &Position, mv: Move) {
    let mut next = *position;
    let delta = next.make(mv);
    assert_fresh(&next);
    assert!(applied(position.board(), delta) == *next.board(), "{position:?} {mv:?}");
    let resets = mv.is_capture() || position.board().piece_at(mv.from()).is_some_and(is_pawn);
    let clock = if resets { 0 } else { position.halfmove_clock() + 1 };
    assert_eq!(next.halfmove_clock(), clock, "{position:?} {mv:?}");
    let black = position.side_to_move() == Color::Black;
    assert_eq!(next.fullmove(), position.fullmove() + u16::from(black));

    // The key to prefetch with is exact unless castling rights or en passant come into play.
    let plain = !mv.is_castle()
        && !mv.is_en_passant()
        && next.castling_rooks() == position.castling_rooks()
        && next.en_passant().is_none();
    if plain {
        assert_eq!(position.key_after(mv), next.key(), "{position:?} {mv:?}");
    }
}

fn is_pawn(piece: chess::Piece) -> bool {
    piece.kind() == chess::PieceType::Pawn
}

fn assert_null_step(position: &Position) {
    let mut next = *position;
    next.make_null();
    assert_fresh(&next);
    assert!(next.board() == position.board());
    assert_eq!(next.side_to_move(), !position.side_to_move());
    assert_eq!(next.en_passant(), None);
    if position.en_passant().is_none() && !next.is_check() {
        let mut back = next;
        back.make_null();
        assert_eq!(keys(&back), keys(position), "{position:?}");
    }
}

#[test]
fn keys_checkers_pins_and_deltas_are_right_after_every_move() {
    let games = if cfg!(miri) { 1 } else { 100 };
    let plies = if cfg!(miri) { 2 } else { 200 };
    let mut rng = Rng::new(31);
    for start in Start::ALL {
        for _ in 0..games {
            let first = start.position(&mut rng);
            game(first, plies, &mut rng, |position, _| {
                // Not only the move of the game: all of them.
                for &mv in &position.legal_moves() {
                    assert_step(position, mv);
                }
                if !position.is_check() {
                    assert_null_step(position);
                }
            });
        }
    }
}

#[test]
fn positions_that_differ_in_one_respect_have_different_keys() {
    let fens = [
        "4k2r/8/8/3pPp2/8/8/8/4K3 w k d6 0 1",
        "4k2r/8/8/3pPp2/8/8/8/4K3 w k f6 0 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 w k d6 0 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 w k - 0 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        "4k2r/8/8/3pP3/8/8/8/4K3 b - - 0 1",
        "4k2r/8/8/3pP3/8/8/8/3K4 b - - 0 1",
        "4k2b/8/8/3pP3/8/8/8/3K4 b - - 0 1",
    ];
    let mut found: Vec<u64> =
        fens.iter().map(|fen| Position::from_fen(fen).unwrap().key()).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), fens.len());
}

#[test]
fn each_key_depends_on_its_own_men_only() {
    let base = "1k6/8/8/8/8/8/8/K7 w - - 0 1";
    let bare = Position::from_fen(base).unwrap();
    // A piece more, and whether the keys of pawns, White's pieces, Black's and minors change.
    let cases = [
        ("P", [true, false, false, false]),
        ("p", [true, false, false, false]),
        ("N", [false, true, false, true]),
        ("n", [false, false, true, true]),
        ("B", [false, true, false, true]),
        ("b", [false, false, true, true]),
        ("R", [false, true, false, false]),
        ("r", [false, false, true, false]),
        ("Q", [false, true, false, false]),
        ("q", [false, false, true, false]),
    ];
    for (piece, changes) in cases {
        let with = Position::from_fen(&base.replacen("/8/", &format!("/7{piece}/"), 1)).unwrap();
        let changed = std::array::from_fn(|i| keys(&with)[i + 1] != keys(&bare)[i + 1]);
        assert_eq!(changed, changes, "{piece}");
        assert_ne!(with.key(), bare.key(), "{piece}");
    }
    // The kings count as their side's pieces and as minor pieces.
    let moved = Position::from_fen("1k6/8/8/8/8/8/K7/8 w - - 0 1").unwrap();
    let changed = std::array::from_fn(|i| keys(&moved)[i + 1] != keys(&bare)[i + 1]);
    assert_eq!(changed, [false, true, false, true]);
}

#[test]
fn an_en_passant_square_that_nobody_can_use_does_not_change_the_key() {
    let pairs = [
        // No pawn stands beside it.
        "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq d6 0 2",
        // The pawn that could take is pinned.
        "k1r5/8/8/1pP5/2K5/8/8/8 w - b6 0 1",
        // Taking would open the rank.
        "8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1",
    ];
    for fen in pairs {
        let position = Position::from_fen(fen).unwrap();
        let without: Vec<&str> =
            fen.split(' ').enumerate().map(|(i, field)| if i == 3 { "-" } else { field }).collect();
        assert_eq!(position.en_passant(), None, "{fen}");
        assert_eq!(position.key(), Position::from_fen(&without.join(" ")).unwrap().key(), "{fen}");
    }
}
