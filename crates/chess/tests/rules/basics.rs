//! Squares, sets and moves against their definitions, written with files and ranks as numbers.

use chess::{
    Bitboard, Board, Color, File, Move, MoveKind, MoveList, Piece, PieceType, Position, Rank,
    Square,
};

/// File and rank of a square, counted from the lower left corner.
fn place(square: Square) -> (i32, i32) {
    let name = square.to_string();
    let letters = name.as_bytes();
    (i32::from(letters[0] - b'a'), i32::from(letters[1] - b'1'))
}

/// The square at a place, by its name.
fn at(file: i32, rank: i32) -> Option<Square> {
    if !(0..8).contains(&file) || !(0..8).contains(&rank) {
        return None;
    }
    let name: String = [(b'a' + file as u8) as char, (b'1' + rank as u8) as char].iter().collect();
    Square::parse(&name)
}

/// Sets of no square, one, two and many.
fn sets() -> Vec<Bitboard> {
    let mut sets = vec![Bitboard::EMPTY, Bitboard::ALL, Bitboard::LIGHT];
    for square in Square::all().step_by(if cfg!(miri) { 21 } else { 1 }) {
        sets.push(Bitboard::of(square));
        sets.push(Bitboard::of(square).with(Square::E4));
        sets.push(Bitboard(0x9E37_79B9_7F4A_7C15_u64.rotate_left(square.index() as u32)));
    }
    sets
}

#[test]
fn squares_are_where_their_names_say() {
    for (index, square) in Square::all().enumerate() {
        let (file, rank) = place(square);
        assert_eq!(index as i32, 8 * rank + file);
        assert_eq!((square.index(), Square::from_index(index)), (index, square));
        assert_eq!((square.file().index() as i32, square.rank().index() as i32), (file, rank));
        assert_eq!(Square::new(square.file(), square.rank()), square);
        assert_eq!(Some(square.flip_rank()), at(file, 7 - rank));
        assert_eq!(Some(square.flip_file()), at(7 - file, rank));
        assert_eq!(square.relative_to(Color::White), square);
        assert_eq!(Some(square.relative_to(Color::Black)), at(file, 7 - rank));
        assert_eq!(square.rank().relative_to(Color::White), square.rank());
        assert_eq!(
            Some(square.rank().relative_to(Color::Black)),
            at(0, 7 - rank).map(Square::rank)
        );
        for (files, ranks) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 1), (-7, 7), (7, -7)] {
            let there = at(file + i32::from(files), rank + i32::from(ranks));
            assert_eq!(square.offset(files, ranks), there, "{square} {files} {ranks}");
        }
        for (color, step) in [(Color::White, 1), (Color::Black, -1)] {
            if let Some(ahead) = at(file, rank + step) {
                assert_eq!(square.forward(color), ahead);
            }
        }
    }
    assert_eq!(Square::all().len(), 64);
}

#[test]
fn the_distance_is_that_of_a_king() {
    for a in Square::all() {
        for b in Square::all() {
            let ((file, rank), (other_file, other_rank)) = (place(a), place(b));
            let (files, ranks) = ((file - other_file).abs(), (rank - other_rank).abs());
            assert_eq!(a.distance(b) as i32, files.max(ranks), "{a} {b}");
            assert_eq!(a.file().distance(b.file()) as i32, files);
            assert_eq!(a.rank().distance(b.rank()) as i32, ranks);
        }
    }
}

#[test]
fn names_are_read_and_nothing_else_is() {
    for text in ["", "e", "e44", "e9", "e0", "i4", "`4", "E4", "4e", "é4", "e４"] {
        assert_eq!(Square::parse(text), None, "{text:?}");
    }
    for (index, letter) in ('a'..='h').enumerate() {
        assert_eq!(File::from_letter(letter), Some(File::ALL[index]));
        assert_eq!(File::ALL[index].letter(), letter);
        assert_eq!(File::from_index(index + 8), File::ALL[index]);
    }
    for (index, digit) in ('1'..='8').enumerate() {
        assert_eq!(Rank::from_digit(digit), Some(Rank::ALL[index]));
        assert_eq!(Rank::ALL[index].digit(), digit);
    }
    for (piece, letter) in Piece::ALL.into_iter().zip("PNBRQKpnbrqk".chars()) {
        assert_eq!((piece.letter(), Piece::from_letter(letter)), (letter, Some(piece)));
        assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
        assert_eq!(Piece::ALL[piece.index()], piece);
        assert_eq!(PieceType::from_letter(letter), Some(piece.kind()));
        assert_eq!(PieceType::ALL[piece.kind().index()], piece.kind());
    }
    assert_eq!((Piece::from_letter('x'), PieceType::from_letter('1')), (None, None));
    assert_eq!(Color::ALL.map(|color| !color), [Color::Black, Color::White]);
    assert_eq!(Color::ALL.map(Color::index), [0, 1]);
}

#[test]
fn sets_do_what_lists_of_squares_do() {
    for set in sets() {
        let squares: Vec<Square> = Square::all().filter(|square| set.has(*square)).collect();
        assert_eq!(set.0, squares.iter().map(|square| 1 << square.index()).sum::<u64>());
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!(set.into_iter().size_hint(), (squares.len(), Some(squares.len())));
        assert_eq!(squares.iter().copied().collect::<Bitboard>(), set);
        assert_eq!(set.count() as usize, squares.len());
        assert_eq!((set.is_empty(), set.any()), (squares.is_empty(), !squares.is_empty()));
        assert_eq!((set.many(), set.first()), (squares.len() > 1, squares.first().copied()));
        let moved = |files: i32, ranks: i32| -> Bitboard {
            squares
                .iter()
                .filter_map(|square| {
                    let (file, rank) = place(*square);
                    at(file + files, rank + ranks)
                })
                .collect()
        };
        assert_eq!((set.east(), set.west()), (moved(1, 0), moved(-1, 0)));
        assert_eq!(set.forward(Color::White), moved(0, 1));
        assert_eq!(set.forward(Color::Black), moved(0, -1));
        assert_eq!(set.flip_ranks(), squares.iter().map(|square| square.flip_rank()).collect());
        for other in sets() {
            let is_in = |joined: Bitboard, rule: fn(bool, bool) -> bool| {
                Square::all()
                    .all(|square| joined.has(square) == rule(set.has(square), other.has(square)))
            };
            assert!(is_in(set & other, |a, b| a && b) && is_in(set | other, |a, b| a || b));
            assert!(is_in(set ^ other, |a, b| a != b) && is_in(set.minus(other), |a, b| a && !b));
            assert!(is_in(!set, |a, _| !a));
            assert_eq!(set.meets(other), squares.iter().any(|square| other.has(*square)));
            let mut assigned = [set; 3];
            assigned[0] &= other;
            assigned[1] |= other;
            assigned[2] ^= other;
            assert_eq!(assigned, [set & other, set | other, set ^ other]);
        }
        for square in Square::all() {
            assert_eq!(set.with(square), set | square.into());
            assert_eq!(set.without(square), set & !Bitboard::of(square));
        }
        let listed = squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ");
        assert_eq!(format!("{set:?}"), format!("{{{listed}}}"));
    }
    for square in Square::all() {
        let (file, rank) = place(square);
        assert_eq!(Bitboard::LIGHT.has(square), (file + rank) % 2 == 1);
        for other in Square::all() {
            assert_eq!(Bitboard::file(square.file()).has(other), place(other).0 == file);
            assert_eq!(Bitboard::rank(square.rank()).has(other), place(other).1 == rank);
        }
    }
}

#[test]
fn moves_keep_what_they_were_made_of() {
    use MoveKind as Kind;
    let kinds = [
        (Kind::Quiet, false, None),
        (Kind::DoublePush, false, None),
        (Kind::Castle, false, None),
        (Kind::Capture, true, None),
        (Kind::EnPassant, true, None),
        (Kind::PromoteKnight, false, Some(PieceType::Knight)),
        (Kind::PromoteBishop, false, Some(PieceType::Bishop)),
        (Kind::PromoteRook, false, Some(PieceType::Rook)),
        (Kind::PromoteQueen, false, Some(PieceType::Queen)),
        (Kind::CapturePromoteKnight, true, Some(PieceType::Knight)),
        (Kind::CapturePromoteBishop, true, Some(PieceType::Bishop)),
        (Kind::CapturePromoteRook, true, Some(PieceType::Rook)),
        (Kind::CapturePromoteQueen, true, Some(PieceType::Queen)),
    ];
    let mut count = 0;
    for (kind, takes, piece) in kinds {
        for from in Square::all() {
            for to in Square::all().filter(|to| *to != from) {
                let mv = Move::new(from, to, kind);
                assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
                assert_eq!((mv.is_capture(), mv.promotion()), (takes, piece));
                assert_eq!(mv.is_promotion(), piece.is_some());
                assert_eq!(mv.is_noisy(), takes || piece.is_some());
                assert_eq!(mv.is_quiet(), !mv.is_noisy());
                assert_eq!(mv.is_castle(), kind == Kind::Castle);
                assert_eq!(mv.is_en_passant(), kind == Kind::EnPassant);
                assert_eq!(mv.from_to(), from.index() + 64 * to.index());
                assert_eq!(Move::from_bits(mv.bits()), Some(mv));
                count += 1;
            }
        }
        if let Some(piece) = piece {
            assert_eq!(MoveKind::promotion(piece, takes), kind);
        }
    }
    assert_eq!(MoveKind::promotion(PieceType::King, true), Kind::CapturePromoteQueen);
    assert_eq!((0..=u16::MAX).filter_map(Move::from_bits).count(), count);
    let mv = Move::new(Square::A7, Square::B8, Kind::CapturePromoteRook);
    assert_eq!(format!("{mv:?}"), "a7b8r(CapturePromoteRook)");
}

#[test]
fn a_list_gives_its_moves_back_and_forgets_them() {
    let first = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    let second = Move::new(Square::G1, Square::F3, MoveKind::Quiet);
    let mut list = MoveList::default();
    list.push(first);
    list.push(second);
    assert_eq!(list[..], [first, second]);
    assert_eq!((&list).into_iter().copied().collect::<Vec<_>>(), [first, second]);
    assert_eq!(format!("{list:?}"), "[e2e4(DoublePush), g1f3(Quiet)]");
    list.clear();
    assert!(list.is_empty());
}

#[test]
fn a_board_is_the_men_that_were_put_on_it() {
    let mut board = Board::default();
    assert!(board == Board::EMPTY);
    for (piece, square) in Piece::ALL.into_iter().zip(Square::all().step_by(5)) {
        board.put(piece, square);
        assert_eq!(board.piece_at(square), Some(piece));
        assert_eq!(board.pieces(piece.color(), piece.kind()), square.into());
    }
    assert_eq!(board.occupied().count(), 12);
    for piece in Piece::ALL {
        let pieces = board.pieces(piece.color(), piece.kind());
        assert!(board.kind(piece.kind()).meets(pieces) && board.color(piece.color()).meets(pieces));
        let slides = |kinds: [PieceType; 2]| kinds.contains(&piece.kind());
        let diagonal = slides([PieceType::Bishop, PieceType::Queen]);
        let straight = slides([PieceType::Rook, PieceType::Queen]);
        assert_eq!(board.diagonal_sliders().meets(pieces), diagonal);
        assert_eq!(board.straight_sliders().meets(pieces), straight);
    }
    for (piece, square) in Piece::ALL.into_iter().zip(Square::all().step_by(5)) {
        board.take(piece, square);
    }
    assert!(board == Board::EMPTY);
}

#[test]
fn attacked_squares_are_those_that_have_attackers() {
    for fen in [
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let board = position.board();
        for occupied in [board.occupied(), Bitboard::EMPTY] {
            for color in Color::ALL {
                let attacked = board.attacked_squares(color, occupied);
                for square in Square::all() {
                    let attackers = board.attackers(square, occupied) & board.color(color);
                    assert_eq!(attacked.has(square), attackers.any(), "{fen} {square}");
                    assert_eq!(board.is_attacked(square, color, occupied), attackers.any());
                }
            }
        }
    }
}
