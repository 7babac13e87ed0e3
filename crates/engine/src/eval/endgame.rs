//! What material alone says about endings: which are hard to win, and how to win the bare ones.

use chess::{Bitboard, Color, File, PieceType, Rank, Square};

use super::SCALE_MAX;
use super::facts::Facts;
use super::side::Side;

/// Added when the enemy has a bare king and we can mate it.
const BARE_KING_WIN: i32 = 400;
/// For each step that a bare king is away from the centre.
const EDGE_STEP: i32 = 20;
/// For each step that a bare king is nearer to a corner in which bishop and knight can mate.
const CORNER_STEP: i32 = 40;
/// For each step that the winning king is nearer to the bare one.
const KING_STEP: i32 = 12;

/// The kinds that count as pieces, with the usual values in pawns.
const VALUES: [(PieceType, i32); 4] =
    [(PieceType::Knight, 3), (PieceType::Bishop, 3), (PieceType::Rook, 5), (PieceType::Queen, 9)];

fn pieces_value(facts: &Facts, color: Color) -> i32 {
    VALUES.iter().map(|&(kind, value)| facts.board.pieces(color, kind).count() as i32 * value).sum()
}

/// How much of an advantage this side can hope to turn into a win, of [`SCALE_MAX`] parts.
pub(super) fn scale<S: Side>(facts: &Facts) -> i32 {
    let pawns = facts.pawns[S::US.index()];
    let their_pieces = facts.board.color(S::THEM).minus(facts.pawns[S::THEM.index()]);
    let they_are_bare = !their_pieces.many();
    if pawns.is_empty() {
        return without_pawns::<S>(facts, they_are_bare);
    }
    if they_are_bare && is_wrong_corner::<S>(facts) {
        return 0;
    }
    if has_opposite_bishops(facts) {
        let others = facts.board.kind(PieceType::Knight) | facts.board.straight_sliders();
        let passed = facts.passed::<S>().count() as i32;
        return if others.is_empty() { 16 + 8 * passed.min(3) } else { 48 };
    }
    // A side with few pawns may see them all exchanged.
    (48 + 4 * pawns.count() as i32).min(SCALE_MAX)
}

fn without_pawns<S: Side>(facts: &Facts, they_are_bare: bool) -> i32 {
    let ours = pieces_value(facts, S::US);
    let knights = facts.board.pieces(S::US, PieceType::Knight).count() as i32;
    if ours <= 3 || (ours == 6 && knights == 2) {
        return 0;
    }
    if they_are_bare {
        return SCALE_MAX;
    }
    let surplus = ours - pieces_value(facts, S::THEM);
    match surplus {
        ..=3 => 8,
        4 => 32,
        _ => 52,
    }
}

/// One bishop each, on different colours.
fn has_opposite_bishops(facts: &Facts) -> bool {
    let bishops = facts.board.kind(PieceType::Bishop);
    let one = |color| facts.board.pieces(color, PieceType::Bishop).count() == 1;
    one(Color::White) && one(Color::Black) && (bishops & Bitboard::LIGHT).count() == 1
}

/// Pawns on one edge file and bishops that do not control its last square, against a king that
/// holds that square.
fn is_wrong_corner<S: Side>(facts: &Facts) -> bool {
    let pawns = facts.pawns[S::US.index()];
    let file = match pawns {
        set if set.minus(Bitboard::file(File::A)).is_empty() => File::A,
        set if set.minus(Bitboard::file(File::H)).is_empty() => File::H,
        _ => return false,
    };
    let bishops = facts.board.pieces(S::US, PieceType::Bishop);
    let others = facts.board.color(S::US).minus(pawns | bishops);
    let corner = Square::new(file, Rank::R8.relative_to(S::US));
    let same = if Bitboard::LIGHT.has(corner) { Bitboard::LIGHT } else { !Bitboard::LIGHT };
    !others.many() && !bishops.meets(same) && facts.king[S::THEM.index()].distance(corner) <= 1
}

/// Helps a side that has mating material against a bare king to make progress.
pub(super) fn mop_up<S: Side>(facts: &Facts) -> i32 {
    if facts.board.color(S::THEM).many() || !can_mate::<S>(facts) {
        return 0;
    }
    let king = facts.king[S::THEM.index()];
    let near = 7 - facts.king[S::US.index()].distance(king) as i32;
    let corner = match bishop_and_knight::<S>(facts) {
        Some(bishop) => CORNER_STEP * towards_corner(king, bishop),
        None => EDGE_STEP * (off_center(king.file().index()) + off_center(king.rank().index())),
    };
    BARE_KING_WIN + corner + KING_STEP * near
}

fn can_mate<S: Side>(facts: &Facts) -> bool {
    let own = |kind| facts.board.pieces(S::US, kind);
    let bishops = own(PieceType::Bishop);
    let knights = own(PieceType::Knight);
    let pair = bishops.meets(Bitboard::LIGHT) && bishops.minus(Bitboard::LIGHT).any();
    (own(PieceType::Rook) | own(PieceType::Queen)).any()
        || pair
        || (bishops.any() && knights.any())
        || knights.count() > 2
}

/// The bishop, if this side has exactly bishop and knight.
fn bishop_and_knight<S: Side>(facts: &Facts) -> Option<Square> {
    let bishops = facts.board.pieces(S::US, PieceType::Bishop);
    let knights = facts.board.pieces(S::US, PieceType::Knight);
    let exact = facts.board.color(S::US).count() == 3 && !bishops.many() && knights.any();
    if exact { bishops.first() } else { None }
}

/// 0 on the two centre lines to 3 at the edge.
fn off_center(line: usize) -> i32 {
    if line < 4 { 3 - line as i32 } else { line as i32 - 4 }
}

/// 0 on the long diagonal of the other colour to 7 in the corners of the bishop's colour.
fn towards_corner(king: Square, bishop: Square) -> i32 {
    let king = if Bitboard::LIGHT.has(bishop) { king.flip_file() } else { king };
    (7 - king.file().index() as i32 - king.rank().index() as i32).abs()
}
