//! What the pieces do on a board: the inputs of a network's [head](crate::HeadParameters).
//!
//! Piece-square inputs say where pieces stand, and a hidden layer has to find out from millions of
//! positions what they attack. These inputs say it: mobility, attacks on the king, pieces that are
//! threatened or undefended, pawn structure. Each is a small number, the same for a position and its
//! mirror images.

use chess::{Bitboard, Board, Color, PieceType, Rank, Square, attacks};

/// How many inputs the head has: those of both sides, the number of pieces, and unused ones up to
/// whole cache lines.
pub const HEAD_INPUTS: usize = 192;

/// The inputs of one side: single ones, and which kind of piece attacks which.
const SIDE_INPUTS: usize = SINGLE_INPUTS + ATTACK_INPUTS;
const SINGLE_INPUTS: usize = 60;
const ATTACK_INPUTS: usize = PieceType::ALL.len() * TAKEN.len();

/// All inputs together, without their signs, are at most this many, whatever is on the board.
pub(crate) const INPUT_SUM: i32 = 32_000;

/// The inputs of the head for one board, in whole cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct HeadInputs(pub(crate) [i16; HEAD_INPUTS]);

/// What is won with a pawn, knight, bishop, rook or queen, in quarters of a pawn.
const VALUES: [u32; 5] = [4, 12, 13, 20, 38];

/// The pieces whose moves are counted one by one.
const PIECES: [PieceType; 4] =
    [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// What can be taken.
const TAKEN: [PieceType; 5] =
    [PieceType::Pawn, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// What a side attacks.
struct Attacks {
    /// By kind of piece.
    by: [Bitboard; 6],
    all: Bitboard,
    /// By each knight, bishop, rook and queen, in this order.
    each: [Bitboard; MAX_COUNTED],
    /// Where these end in the list, kind by kind.
    ends: [usize; 4],
}

/// Of more pieces on a side the rest is not counted one by one; the rules allow fewer.
const MAX_COUNTED: usize = 15;

impl Attacks {
    #[inline]
    fn new(board: &Board, side: Color) -> Self {
        let occupied = board.occupied();
        let mut by = [Bitboard::EMPTY; 6];
        by[PieceType::Pawn.index()] = attacks::pawns(side, board.pieces(side, PieceType::Pawn));
        let (mut each, mut ends, mut count) = ([Bitboard::EMPTY; MAX_COUNTED], [0; 4], 0);
        for (kind, end) in PIECES.into_iter().zip(&mut ends) {
            for square in board.pieces(side, kind) {
                let attacked = attacks::piece(kind, square, occupied);
                by[kind.index()] |= attacked;
                if let Some(place) = each.get_mut(count) {
                    *place = attacked;
                    count += 1;
                }
            }
            *end = count;
        }
        by[PieceType::King.index()] = attacks::king(board.king(side));
        let all = by.into_iter().fold(Bitboard::EMPTY, |all, one| all | one);
        Self { by, all, each, ends }
    }

    /// The squares attacked by something that is worth less than this.
    #[inline]
    fn by_lesser(&self, kind: PieceType) -> Bitboard {
        let [pawns, knights, bishops, rooks, ..] = self.by;
        match kind {
            PieceType::Pawn => Bitboard::EMPTY,
            PieceType::Knight => pawns,
            PieceType::Bishop => pawns | knights,
            PieceType::Rook => pawns | knights | bishops,
            PieceType::Queen | PieceType::King => pawns | knights | bishops | rooks,
        }
    }
}

/// The inputs for the side to move, then for the other side.
#[inline]
pub(crate) fn head_inputs(board: &Board, side_to_move: Color) -> HeadInputs {
    let sides = [side_to_move, !side_to_move];
    let [own, other] = sides.map(|side| Attacks::new(board, side));
    let mut inputs = HeadInputs([0; HEAD_INPUTS]);
    if let ([first, second], [pieces, ..]) = inputs.0.as_chunks_mut::<SIDE_INPUTS>() {
        side_inputs(board, sides[0], (&own, &other), first);
        side_inputs(board, sides[1], (&other, &own), second);
        *pieces = board.occupied().count() as i16;
    }
    debug_assert!(inputs.0.iter().map(|input| i32::from(input.abs())).sum::<i32>() <= INPUT_SUM);
    inputs
}

/// What the head is told about a board, seen by the side to move.
#[must_use]
pub fn activity(board: &Board, side_to_move: Color) -> [i16; HEAD_INPUTS] {
    head_inputs(board, side_to_move).0
}

#[inline]
fn side_inputs(
    board: &Board,
    side: Color,
    (own, other): (&Attacks, &Attacks),
    inputs: &mut [i16; SIDE_INPUTS],
) {
    let occupied = board.occupied();
    let ours = board.color(side);
    let pieces = |kind: PieceType| board.pieces(side, kind);
    let count = |set: Bitboard| set.count() as i16;

    // Mobility and attacks on the squares around the other king.
    let enemy_king = board.king(!side);
    let enemy_zone = attacks::king(enemy_king).with(enemy_king);
    let mut attackers = 0;
    let mut begin = 0;
    let mut sums = [[0; 3]; 4];
    for ((kind, end), sums) in PIECES.into_iter().zip(own.ends).zip(&mut sums) {
        let unsafe_squares = other.by_lesser(kind) | other.by[0];
        for &attacked in &own.each[begin..end] {
            let moves = attacked.minus(ours);
            let on_king = count(attacked & enemy_zone);
            sums[0] += count(moves);
            sums[1] += count(moves.minus(unsafe_squares));
            sums[2] += on_king;
            attackers += i16::from(on_king > 0);
        }
        begin = end;
    }
    let [knight, bishop, rook, queen] = sums;

    // Pieces attacked by something lesser, attacked and undefended, or just undefended.
    let undefended = !own.all;
    let state = |kind: PieceType| {
        let loose = pieces(kind) & undefended;
        [count(pieces(kind) & other.by_lesser(kind)), count(loose & other.all), count(loose)]
    };
    let [pawn_state, knight_state, bishop_state, rook_state, queen_state] = TAKEN.map(state);

    // The own king.
    let king = board.king(side);
    let zone = attacks::king(king).with(king);
    let [_, knights, bishops, rooks, queens, king_attacks] = own.by;
    let defended = own.by[0] | knights | bishops | rooks | queens;
    let pawns = pieces(PieceType::Pawn);
    let [_, enemy_knights, enemy_bishops, enemy_rooks, enemy_queens, _] = other.by;
    let diagonal = attacks::bishop(king, occupied) & (enemy_bishops | enemy_queens);
    let straight = attacks::rook(king, occupied) & (enemy_rooks | enemy_queens);

    // Pawns.
    let enemy_pawns = board.pieces(!side, PieceType::Pawn);
    let enemy_ahead = fill(enemy_pawns.forward(!side), !side);
    let passed = pawns.minus(enemy_ahead | enemy_ahead.east() | enemy_ahead.west());
    let passed_on = |rank: Rank| count(passed & Bitboard::rank(rank.relative_to(side)));
    let files = files_of(pawns);
    let enemy_files = files_of(enemy_pawns);
    let race = passed.into_iter().map(|pawn| race(pawn, side, king, enemy_king)).sum::<i16>();
    let all_rooks = pieces(PieceType::Rook);
    let all_bishops = pieces(PieceType::Bishop);
    let on_colour = |colour: Bitboard| count(all_bishops & colour) * count(pawns & colour);

    // The most that the next capture can win.
    let threat = TAKEN.into_iter().map(|kind| {
        let victims = board.pieces(!side, kind);
        let value = VALUES[kind.index()];
        if (victims & own.all).minus(other.all).any() {
            value
        } else if victims.meets(own.by_lesser(kind)) {
            value - VALUES[0]
        } else {
            0
        }
    });
    let threat = threat.max().unwrap_or(0) as i16;

    // How many pieces of each kind are attacked by each kind.
    let (single, attacked) = inputs.split_at_mut(SINGLE_INPUTS);
    let victims = TAKEN.map(|kind| board.pieces(!side, kind));
    for (counts, attacks) in attacked.as_chunks_mut::<{ TAKEN.len() }>().0.iter_mut().zip(own.by) {
        *counts = victims.map(|victims| count(victims & attacks));
    }

    single.copy_from_slice(&[
        count(pawns),
        count(pieces(PieceType::Knight)),
        count(all_bishops),
        count(all_rooks),
        count(pieces(PieceType::Queen)),
        knight[0],
        knight[1],
        knight[2],
        bishop[0],
        bishop[1],
        bishop[2],
        rook[0],
        rook[1],
        rook[2],
        queen[0],
        queen[1],
        queen[2],
        attackers,
        count(own.by[0] & enemy_zone),
        count(king_attacks.minus(ours | other.all)),
        pawn_state[1],
        pawn_state[2],
        knight_state[0],
        knight_state[1],
        knight_state[2],
        bishop_state[0],
        bishop_state[1],
        bishop_state[2],
        rook_state[0],
        rook_state[1],
        rook_state[2],
        queen_state[0],
        queen_state[1],
        queen_state[2],
        count(zone & other.all),
        count((zone & other.all).minus(defended)),
        count(zone & pawns),
        count(files_of(zone).minus(files_of(pawns))) / 8,
        count((attacks::knight(king) & enemy_knights).minus(own.all)),
        count(diagonal.minus(own.all)),
        count(straight.minus(own.all)),
        passed_on(Rank::R2),
        passed_on(Rank::R3),
        passed_on(Rank::R4),
        passed_on(Rank::R5),
        passed_on(Rank::R6),
        passed_on(Rank::R7),
        race,
        count(pawns.minus(files.east() | files.west())),
        count(pawns & fill(pawns.forward(side), side)),
        count(pawns & own.by[0]),
        count(pawns.forward(side) & occupied),
        count(own.all),
        count(own.all.minus(other.all)),
        count(own.all & CENTRE),
        count(all_rooks.minus(files | enemy_files)),
        count((all_rooks & enemy_files).minus(files)),
        count(pieces(PieceType::Knight) & own.by[0]),
        on_colour(Bitboard::LIGHT) + on_colour(!Bitboard::LIGHT),
        threat,
    ]);
}

/// The squares themselves and all ahead of them, as `side` sees it.
#[inline]
fn fill(squares: Bitboard, side: Color) -> Bitboard {
    let one = squares | squares.forward(side);
    let three = one | one.forward(side).forward(side);
    let four_ahead = three.forward(side).forward(side).forward(side).forward(side);
    three | four_ahead
}

/// The whole files that these squares are on.
#[inline]
fn files_of(squares: Bitboard) -> Bitboard {
    fill(squares, Color::White) | fill(squares, Color::Black)
}

/// How much nearer the own king is to the square before a passed pawn than the other one, times the
/// pawn's rank.
#[inline]
fn race(pawn: Square, side: Color, king: Square, enemy_king: Square) -> i16 {
    let ahead = Bitboard::of(pawn).forward(side).first().unwrap_or(pawn);
    let distance = |from: Square| from.distance(ahead) as i16;
    pawn.rank().relative_to(side).index() as i16 * (distance(enemy_king) - distance(king))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;

    fn of(fen: &str) -> [i16; HEAD_INPUTS] {
        let position = Position::from_fen(fen).unwrap();
        activity(position.board(), position.side_to_move())
    }

    const OWN: usize = 0;
    const OTHER: usize = SIDE_INPUTS;

    #[test]
    fn the_start_position_is_the_same_for_both_sides() {
        let inputs = of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(inputs[..SIDE_INPUTS], inputs[OTHER..OTHER + SIDE_INPUTS]);
        assert_eq!(inputs[..5], [8, 2, 2, 2, 1]);
        // Each knight has two squares, both safe; bishops have none.
        assert_eq!(inputs[5..11], [4, 4, 0, 0, 0, 0]);
        assert_eq!(inputs[2 * SIDE_INPUTS], 32);
        assert!(inputs[2 * SIDE_INPUTS + 1..].iter().all(|&unused| unused == 0));
    }

    #[test]
    fn colours_and_wings_change_nothing() {
        let white = of("r1b2rk1/pp1nqppp/2p1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 4 9");
        let black = of("r1bq1rk1/pp3ppp/2nbpn2/1Bpp4/3P4/2P1PN2/PP1NQPPP/R1B2RK1 b - - 4 9");
        assert_eq!(white, black);
        let wings = of("1kr2b1r/ppp3pp/2nqpn2/4p3/4PP2/2NBPN2/PPP1Q1PP/1KR1B2R w - - 4 9");
        let mirrored = of("r1b2rk1/pp3ppp/2npqn2/3p4/2PP4/2NPBN2/PP1Q1PPP/R2B1RK1 w - - 4 9");
        assert_eq!(wings, mirrored);
    }

    #[test]
    fn what_hangs_and_what_a_capture_wins_are_seen() {
        // The rook on d5 is attacked by the pawn on c4 and by nothing else, and undefended.
        let inputs = of("4k3/8/8/3r4/2P5/8/8/4K3 w - - 0 1");
        assert_eq!(inputs[OTHER + 28..OTHER + 31], [1, 1, 1]);
        assert_eq!(inputs[OWN + SINGLE_INPUTS - 1], 20);
        // Defended by a pawn, it costs the pawn that takes it.
        let inputs = of("4k3/8/4p3/3r4/2P5/8/8/4K3 w - - 0 1");
        assert_eq!(inputs[OTHER + 28..OTHER + 31], [1, 0, 0]);
        assert_eq!(inputs[OWN + SINGLE_INPUTS - 1], 16);
    }

    #[test]
    fn passed_pawns_are_counted_by_rank_and_kings_race_for_them() {
        let inputs = of("8/8/k7/8/4P3/4K3/p6p/8 w - - 0 1");
        assert_eq!(inputs[OWN + 41..OWN + 47], [0, 0, 1, 0, 0, 0]);
        assert_eq!(inputs[OTHER + 41..OTHER + 47], [0, 0, 0, 0, 0, 2]);
        // e5 is two steps from e3 and four from a6: rank 3 times 2.
        assert_eq!(inputs[OWN + 47], 6);
        // a1 is five steps from a6, four from e3; h1 seven and three: rank 6 times (-1 - 4).
        assert_eq!(inputs[OTHER + 47], -30);
    }

    #[test]
    fn pawn_structure_is_counted() {
        // White: c2, c3 doubled and isolated, g2, h3 connected.
        let inputs = of("4k3/8/8/8/2p5/2P4P/2P3P1/4K3 w - - 0 1");
        assert_eq!(inputs[OWN + 48], 2);
        assert_eq!(inputs[OWN + 49], 1);
        assert_eq!(inputs[OWN + 50], 1);
        assert_eq!(inputs[OWN + 51], 2);
    }

    #[test]
    fn boards_with_more_pieces_than_the_rules_allow_stay_within_the_limit() {
        let mut board = *Position::startpos().board();
        for index in 16..48 {
            let piece = board.piece_at(Square::D1).unwrap();
            board.put(piece, Square::from_index(index));
        }
        let sum = |board: &Board| -> i32 {
            activity(board, Color::White).iter().map(|input| i32::from(input.abs())).sum()
        };
        assert!(sum(&board) <= INPUT_SUM);
        // Pawns and bishops everywhere: the largest products and the longest races.
        for index in 8..56 {
            let from = [Square::D2, Square::C1][usize::from(index % 2 == 0)];
            let piece = Position::startpos().board().piece_at(from).unwrap();
            if let Some(other) = board.piece_at(Square::from_index(index)) {
                board.take(other, Square::from_index(index));
            }
            board.put(piece, Square::from_index(index));
        }
        assert!(sum(&board) <= INPUT_SUM);
    }
}
