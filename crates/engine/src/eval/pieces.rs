//! Placement, mobility and good homes of the pieces.

use chess::{Bitboard, PieceType, Rank, Square, attacks};

use super::facts::Facts;
use super::side::{Side, files};
use super::tapered::Tapered;
use super::trace::{Tally, Trace, add, place};
use super::weights::WEIGHTS;

/// Material and square of a man together, by kind and square as its side sees it.
static PLACEMENT: [[Tapered; 64]; 6] = placement();

const fn placement() -> [[Tapered; 64]; 6] {
    let tables = [
        &WEIGHTS.pawn_square,
        &WEIGHTS.knight_square,
        &WEIGHTS.bishop_square,
        &WEIGHTS.rook_square,
        &WEIGHTS.queen_square,
        &WEIGHTS.king_square,
    ];
    let mut placement = [[Tapered::ZERO; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let material = if kind < 5 { WEIGHTS.material[kind] } else { Tapered::ZERO };
        let mut square = 0;
        while square < 64 {
            placement[kind][square] = material.plus(tables[kind][folded(square)]);
            square += 1;
        }
        kind += 1;
    }
    placement
}

/// The place of a square in a table that has left and right alike.
const fn folded(square: usize) -> usize {
    let file = square & 7;
    (square >> 3) * 4 + if file < 4 { file } else { 7 - file }
}

#[inline]
fn place_man<S: Side, T: Trace>(kind: PieceType, square: Square, tally: &mut Tally<T>) {
    let square = square.relative_to(S::US).index();
    tally.score += PLACEMENT[kind.index()][square];
    if kind != PieceType::King {
        tally.note(place!(material[kind.index()]));
    }
    tally.note(place!(pawn_square[kind.index() * 32 + folded(square)]));
}

/// What a piece adds to an attack on the enemy king.
const fn attack_weight(kind: PieceType) -> i32 {
    match kind {
        PieceType::Knight | PieceType::Rook | PieceType::Queen => 3,
        PieceType::Bishop => 2,
        PieceType::Pawn | PieceType::King => 0,
    }
}

/// Everything that can be said piece by piece; fills in what the side attacks.
#[inline]
pub(super) fn pieces<S: Side, T: Trace>(facts: &mut Facts, tally: &mut Tally<T>) {
    let useful = facts.useful::<S>();
    for square in facts.pawns[S::US.index()] {
        place_man::<S, T>(PieceType::Pawn, square, tally);
    }
    knights::<S, T>(facts, useful, tally);
    bishops::<S, T>(facts, useful, tally);
    rooks::<S, T>(facts, useful, tally);
    for square in facts.board.pieces(S::US, PieceType::Queen) {
        let reach = attacks::queen(square, facts.occupied);
        place_man::<S, T>(PieceType::Queen, square, tally);
        note_attack::<S>(facts, PieceType::Queen, reach);
        add!(tally, queen_mobility[(reach & useful).count() as usize]);
    }
    place_man::<S, T>(PieceType::King, facts.king[S::US.index()], tally);
}

#[inline]
fn note_attack<S: Side>(facts: &mut Facts, kind: PieceType, reach: Bitboard) {
    facts.attack(S::US, kind, reach);
    if reach.meets(facts.zone[S::THEM.index()]) {
        let (count, weight) = &mut facts.attackers[S::US.index()];
        *count += 1;
        *weight += attack_weight(kind) + (reach & facts.ring[S::THEM.index()]).count() as i32;
    }
}

#[inline]
fn knights<S: Side, T: Trace>(facts: &mut Facts, useful: Bitboard, tally: &mut Tally<T>) {
    for square in facts.board.pieces(S::US, PieceType::Knight) {
        let reach = attacks::knight(square);
        place_man::<S, T>(PieceType::Knight, square, tally);
        note_attack::<S>(facts, PieceType::Knight, reach);
        add!(tally, knight_mobility[(reach & useful).count() as usize]);
        minor::<S, T>(facts, 0, square, tally);
    }
}

#[inline]
fn bishops<S: Side, T: Trace>(facts: &mut Facts, useful: Bitboard, tally: &mut Tally<T>) {
    let bishops = facts.board.pieces(S::US, PieceType::Bishop);
    if bishops.meets(Bitboard::LIGHT) && bishops.minus(Bitboard::LIGHT).any() {
        add!(tally, bishop_pair[0]);
    }
    // A queen on the diagonal supports the bishop rather than blocks it.
    let occupied = facts.occupied.minus(facts.board.pieces(S::US, PieceType::Queen));
    for square in bishops {
        let reach = attacks::bishop(square, occupied);
        place_man::<S, T>(PieceType::Bishop, square, tally);
        note_attack::<S>(facts, PieceType::Bishop, reach);
        add!(tally, bishop_mobility[(reach & useful).count() as usize]);
        minor::<S, T>(facts, 1, square, tally);

        let color = if Bitboard::LIGHT.has(square) { Bitboard::LIGHT } else { !Bitboard::LIGHT };
        add!(tally, bishop_pawns[0], (facts.pawns[S::US.index()] & color).count() as i32);
        let center = Bitboard::of(Square::D4)
            | Bitboard::of(Square::E4)
            | Bitboard::of(Square::D5)
            | Bitboard::of(Square::E5);
        if (reach.with(square) & center).many() {
            add!(tally, bishop_long_diagonal[0]);
        }
    }
}

/// What is good for knights (0) and bishops (1) alike.
#[inline]
fn minor<S: Side, T: Trace>(facts: &Facts, which: usize, square: Square, tally: &mut Tally<T>) {
    let high = matches!(square.relative_to(S::US).rank(), Rank::R4 | Rank::R5 | Rank::R6);
    let guarded = facts.by(S::US, PieceType::Pawn).has(square);
    if high && guarded && !facts.reach[S::THEM.index()].has(square) {
        add!(tally, outpost[which]);
    }
    if facts.board.kind(PieceType::Pawn).forward(S::THEM).has(square) {
        add!(tally, minor_behind_pawn[which]);
    }
}

#[inline]
fn rooks<S: Side, T: Trace>(facts: &mut Facts, useful: Bitboard, tally: &mut Tally<T>) {
    let rooks = facts.board.pieces(S::US, PieceType::Rook);
    if rooks.is_empty() {
        return;
    }
    let own_files = files(facts.pawns[S::US.index()]);
    let all_files = own_files | files(facts.pawns[S::THEM.index()]);
    let seventh = Bitboard::rank(Rank::R7.relative_to(S::US));
    let eighth = Bitboard::rank(Rank::R8.relative_to(S::US));
    let targets =
        facts.pawns[S::THEM.index()].meets(seventh) || eighth.has(facts.king[S::THEM.index()]);
    // Rooks and queen on one line work together rather than block each other.
    let occupied = facts.occupied.minus(rooks | facts.board.pieces(S::US, PieceType::Queen));
    for square in rooks {
        let reach = attacks::rook(square, occupied);
        let mobility = (reach & useful).count() as usize;
        place_man::<S, T>(PieceType::Rook, square, tally);
        note_attack::<S>(facts, PieceType::Rook, reach);
        add!(tally, rook_mobility[mobility]);
        if !own_files.has(square) {
            add!(tally, rook_file[usize::from(!all_files.has(square))]);
        } else if mobility <= 3 && is_shut_in::<S>(facts, square) {
            add!(tally, rook_trapped[0]);
        }
        if targets && seventh.has(square) {
            add!(tally, rook_seventh[0]);
        }
    }
}

/// Whether the own king, off the centre on the home rank, keeps a rook in the corner.
fn is_shut_in<S: Side>(facts: &Facts, rook: Square) -> bool {
    let king = facts.king[S::US.index()];
    let home = rook.rank() == Rank::R1.relative_to(S::US) && king.rank() == rook.rank();
    let (king, rook) = (king.file().index(), rook.file().index());
    home && (king > 4 && rook > king || king < 3 && rook < king)
}
