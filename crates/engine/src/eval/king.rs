//! Safety of the kings.

use chess::{Bitboard, Color, File, PieceType, attacks};

use super::facts::Facts;
use super::side::Side;
use super::trace::{Tally, Trace, add};

/// What each square near the king that is attacked and not properly guarded adds to the danger.
const WEAK_SQUARE: i32 = 2;
/// What a safe check by each kind of piece adds to the danger.
const KNIGHT_CHECK: i32 = 7;
const BISHOP_CHECK: i32 = 4;
const ROOK_CHECK: i32 = 7;
const QUEEN_CHECK: i32 = 6;
/// An attack without a queen is less dangerous by this much.
const NO_QUEEN: i32 = 9;
/// The last entry of the danger table.
const DANGER_MAX: i32 = 63;

/// The pawns around this side's king, own and enemy.
#[inline]
pub(super) fn shelter<S: Side, T: Trace>(facts: &Facts, tally: &mut Tally<T>) {
    let king = facts.king[S::US.index()];
    let center = king.file().index().clamp(File::B.index(), File::G.index());
    // Pawns behind the king protect nothing.
    let level = king.rank().index();
    let front = match S::US {
        Color::White => Bitboard(!0 << (level * 8)),
        Color::Black => Bitboard(!0 >> ((7 - level) * 8)),
    };
    let ours = facts.pawns[S::US.index()] & front;
    let theirs = facts.pawns[S::THEM.index()] & front;
    for file in center - 1..=center + 1 {
        let mask = Bitboard::file(File::from_index(file));
        let own = nearest::<S>(ours & mask);
        let enemy = nearest::<S>(theirs & mask);
        add!(tally, shield[usize::from(file == king.file().index()) * 8 + own]);
        let stopped = own != 0 && enemy == own + 1;
        add!(tally, storm[usize::from(stopped) * 8 + enemy]);
    }
}

/// The rank, as this side sees it, of the pawn that is nearest its home; 0 if there is none.
#[inline]
fn nearest<S: Side>(pawns: Bitboard) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    match S::US {
        Color::White => pawns.0.trailing_zeros() as usize / 8,
        Color::Black => pawns.0.leading_zeros() as usize / 8,
    }
}

/// How dangerous this side's attack on the enemy king is.
#[inline]
pub(super) fn attack<S: Side, T: Trace>(facts: &Facts, tally: &mut Tally<T>) {
    let (count, weight) = facts.attackers[S::US.index()];
    let queen = facts.board.pieces(S::US, PieceType::Queen).any();
    if count < if queen { 1 } else { 2 } {
        return;
    }
    let them = S::THEM.index();
    let ours = facts.attacked[S::US.index()];
    // Squares that only the king or the queen guards are weak: neither likes to recapture there.
    let poor = facts.by(S::THEM, PieceType::King) | facts.by(S::THEM, PieceType::Queen);
    let well_guarded = facts.attacked[them].minus(poor) | facts.doubly[them];
    let weak = (ours & facts.ring[them]).minus(well_guarded);
    let taken = facts.board.color(S::US);
    let safe = !(taken | facts.attacked[them].minus(facts.doubly[S::US.index()] & !well_guarded));

    let king = facts.king[them];
    let straight = attacks::rook(king, facts.occupied) & safe;
    let diagonal = attacks::bishop(king, facts.occupied) & safe;
    let mut danger = weight + WEAK_SQUARE * weak.count() as i32;
    if (attacks::knight(king) & safe).meets(facts.by(S::US, PieceType::Knight)) {
        danger += KNIGHT_CHECK;
    }
    if diagonal.meets(facts.by(S::US, PieceType::Bishop)) {
        danger += BISHOP_CHECK;
    }
    if straight.meets(facts.by(S::US, PieceType::Rook)) {
        danger += ROOK_CHECK;
    }
    if (straight | diagonal).meets(facts.by(S::US, PieceType::Queen)) {
        danger += QUEEN_CHECK;
    }
    if !queen {
        danger -= NO_QUEEN;
    }
    add!(tally, king_danger[danger.clamp(0, DANGER_MAX) as usize]);
}
