//! Static exchange evaluation against a simulator that moves pieces about on a list of squares.

use chess::{Color, Move, Piece, PieceType, Position, Square, exchange_value};

use crate::{data, play};

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// A piece that shields its king, and in which direction from the king it stands.
#[derive(Clone, Copy)]
struct Pin {
    pinned: Square,
    direction: (i8, i8),
}

#[derive(Clone)]
struct Simulator {
    pieces: [Option<Piece>; 64],
    square: Square,
    /// Those of the position before the first move.
    pins: Vec<Pin>,
}

impl Simulator {
    fn new(position: &Position, mv: Move) -> Self {
        let pieces = std::array::from_fn(|i| position.board().piece_at(Square::from_index(i)));
        let mut simulator = Self { pieces, square: mv.to(), pins: Vec::new() };
        simulator.pins =
            Color::ALL.into_iter().flat_map(|side| simulator.find_pins(side)).collect();
        if mv.is_en_passant() {
            simulator.pieces[mv.to().forward(!position.side_to_move()).index()] = None;
        }
        let moved = simulator.pieces[mv.from().index()].take().expect("a piece moves");
        let placed = mv.promotion().map_or(moved, |kind| Piece::new(moved.color(), kind));
        simulator.pieces[mv.to().index()] = Some(placed);
        simulator
    }

    fn at(&self, square: Square) -> Option<Piece> {
        self.pieces[square.index()]
    }

    fn king(&self, side: Color) -> Square {
        let king = Piece::new(side, PieceType::King);
        Square::all().find(|&square| self.at(square) == Some(king)).expect("both sides have kings")
    }

    /// The first two pieces seen from a square in a direction.
    fn look(&self, from: Square, (files, ranks): (i8, i8)) -> [Option<(Square, Piece)>; 2] {
        let steps = std::iter::successors(Some(from), |square| square.offset(files, ranks));
        let mut pieces = steps.skip(1).filter_map(|square| Some((square, self.at(square)?)));
        [pieces.next(), pieces.next()]
    }

    fn is_slider(piece: Piece, (files, ranks): (i8, i8)) -> bool {
        let straight = files == 0 || ranks == 0;
        match piece.kind() {
            PieceType::Queen => true,
            PieceType::Rook => straight,
            PieceType::Bishop => !straight,
            _ => false,
        }
    }

    fn is_pinned(&self, side: Color, pin: Pin) -> bool {
        let [first, second] = self.look(self.king(side), pin.direction);
        first.is_some_and(|(square, piece)| square == pin.pinned && piece.color() == side)
            && second.is_some_and(|(_, piece)| {
                piece.color() != side && Self::is_slider(piece, pin.direction)
            })
    }

    fn find_pins(&self, side: Color) -> Vec<Pin> {
        let king = self.king(side);
        STRAIGHT
            .into_iter()
            .chain(DIAGONAL)
            .filter_map(|direction| {
                Some(Pin { pinned: self.look(king, direction)[0]?.0, direction })
            })
            .filter(|&pin| self.is_pinned(side, pin))
            .collect()
    }

    /// Whether the piece on `from` attacks the square of the exchange.
    fn attacks(&self, from: Square, piece: Piece) -> bool {
        let files = self.square.file() as i8 - from.file() as i8;
        let ranks = self.square.rank() as i8 - from.rank() as i8;
        let ahead = if piece.color() == Color::White { 1 } else { -1 };
        match piece.kind() {
            PieceType::Pawn => files.abs() == 1 && ranks == ahead,
            PieceType::Knight => files.abs() * ranks.abs() == 2,
            PieceType::King => files.abs().max(ranks.abs()) == 1,
            _ => STRAIGHT.into_iter().chain(DIAGONAL).any(|direction| {
                Self::is_slider(piece, direction)
                    && self.look(self.square, (-direction.0, -direction.1))[0]
                        .is_some_and(|(square, _)| square == from)
            }),
        }
    }

    fn attackers(&self, side: Color) -> Vec<(Square, PieceType)> {
        let of_side = |square: Square| self.at(square).filter(|piece| piece.color() == side);
        Square::all()
            .filter(|&from| from != self.square)
            .filter_map(|from| Some((from, of_side(from)?)))
            .filter(|&(from, piece)| self.attacks(from, piece))
            .map(|(from, piece)| (from, piece.kind()))
            .collect()
    }

    /// Whether a pin keeps the piece on `from` away from the square.
    fn is_held(&self, side: Color, from: Square) -> bool {
        self.pins.iter().any(|&pin| {
            let (files, ranks) = pin.direction;
            let ray = std::iter::successors(Some(self.king(side)), |sq| sq.offset(files, ranks));
            pin.pinned == from && self.is_pinned(side, pin) && !{ ray }.any(|sq| sq == self.square)
        })
    }

    /// The piece that captures next: the least valuable that may, the lowest square among equals.
    fn next(&self, side: Color) -> Option<(Square, PieceType)> {
        let mut able = self.attackers(side);
        able.retain(|&(from, _)| !self.is_held(side, from));
        let found = able.into_iter().min_by_key(|&(from, kind)| (kind, from))?;
        let suicide = found.1 == PieceType::King && !self.attackers(!side).is_empty();
        (!suicide).then_some(found)
    }

    /// What `side` wins from here on, when both may stop at any time.
    fn best(&self, side: Color) -> i32 {
        let Some((from, _)) = self.next(side) else { return 0 };
        let prize = self.at(self.square).expect("something stands to be taken").kind();
        let mut after = self.clone();
        after.pieces[self.square.index()] = after.pieces[from.index()].take();
        (exchange_value(prize) - after.best(!side)).max(0)
    }
}

fn simulated(position: &Position, mv: Move) -> i32 {
    if mv.is_castle() {
        return 0;
    }
    let mut gain = position.captured(mv).map_or(0, exchange_value);
    if let Some(kind) = mv.promotion() {
        gain += exchange_value(kind) - exchange_value(PieceType::Pawn);
    }
    gain - Simulator::new(position, mv).best(!position.side_to_move())
}

fn assert_exchange(position: &Position, mv: Move) {
    let value = simulated(position, mv);
    assert_eq!(position.see(mv), value, "{position:?} {mv:?}");
    for threshold in [-2000, value - 100, value - 1, value, value + 1, value + 100, 2000] {
        let reached = position.see_ge(mv, threshold);
        assert_eq!(reached, value >= threshold, "{position:?} {mv:?} >= {threshold}");
    }
}

#[test]
fn exchanges_equal_those_of_a_simulator_on_a_list_of_squares() {
    let (mut captures, mut quiets) = (0, 0);
    let count = if cfg!(miri) { 4 } else { 60_000 };
    play::positions(count, 51, |position| {
        for (index, &mv) in position.legal_moves().iter().enumerate() {
            if mv.is_noisy() || index % 8 == 0 {
                assert_exchange(position, mv);
                *(if mv.is_noisy() { &mut captures } else { &mut quiets }) += 1;
            }
        }
    });
    assert!(cfg!(miri) || captures > 40_000 && quiets > 30_000, "{captures} {quiets}");
}

/// One column of the public list per definition. Ours is the plain exchange of its `swap` column
/// (only the first move may promote) with the pins of its `exact` column.
#[test]
fn exchanges_equal_the_public_list_where_the_definitions_coincide() {
    let Some(text) = data::shared_file("see/see.epd") else { return };
    let (mut same, mut pinned) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let position = Position::from_fen(fields[0]).unwrap_or_else(|e| panic!("{line}: {e}"));
        let mv = position.parse_uci(fields[2]).unwrap_or_else(|e| panic!("{line}: {e}"));
        assert_eq!(position.parse_san(fields[1]), Ok(mv), "{line}");
        let [swap, promoting, exact] = [3, 4, 5].map(|i| fields[i].parse::<i32>().unwrap());
        // Where only promotion makes the difference the plain value counts.
        let expected = if swap == promoting { exact } else { swap };
        assert_eq!(position.see(mv), expected, "{line}");
        assert_exchange(&position, mv);
        same += usize::from(swap == exact);
        pinned += usize::from(swap == promoting && swap != exact);
    }
    assert!(same >= 70 && pinned == 1, "{same} {pinned}");
}

#[test]
fn well_known_exchanges_have_their_values() {
    let cases = [
        // Nothing defends the pawn.
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100),
        // The knight goes for a pawn behind a row of x-rays.
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -200),
        // The defender is pinned along another line and may not recapture.
        ("3k4/3n4/8/4p3/8/5N2/8/3RK3 w - - 0 1", "Nxe5", 100),
        ("3k4/3n4/8/4p3/8/5N2/8/4K3 w - - 0 1", "Nxe5", -200),
        // The king may not retake on a protected square.
        ("8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5", -400),
        ("8/8/4k3/3p4/8/1B6/8/3RK3 w - - 0 1", "Rxd5", 100),
        // In passing, where the captured pawn stood in the way of a rook, and with promotion.
        ("3r4/7k/8/3pP3/8/8/8/3RK3 w - d6 0 1", "exd6", 100),
        ("8/8/8/3pP3/8/8/8/3RK2k w - d6 0 1", "exd6", 100),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+", 1100),
    ];
    for (fen, san, value) in cases {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_san(san).unwrap_or_else(|error| panic!("{fen} {san}: {error}"));
        assert_eq!(position.see(mv), value, "{fen} {san}");
        assert_exchange(&position, mv);
    }
}

#[test]
fn a_man_whose_pinner_was_traded_off_takes_part_again() {
    // The knight on d7 is pinned by the rook on d1 until that rook has taken on d5.
    let fen = "3k4/3n4/1n6/3p4/8/2N5/8/3RK3 w - - 0 1";
    let position = Position::from_fen(fen).unwrap();
    for &mv in &position.legal_moves() {
        assert_exchange(&position, mv);
    }
}

#[test]
fn a_slider_on_the_other_side_of_the_king_holds_nobody() {
    // The queen that pinned the rook on e5 has gone to b5; that the bishop's move uncovered the
    // rook on e1 does not matter.
    let position = Position::from_fen("4Q3/8/p7/4r3/4k3/8/4B2K/4R3 w - - 0 1").unwrap();
    let mv = position.parse_san("Bb5+").unwrap();
    assert_eq!(position.see(mv), -300);
    assert_exchange(&position, mv);
}
