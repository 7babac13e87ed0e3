//! What pieces are worth, and which of them stand badly.

use chess::{Bitboard, Board, Color, Piece, PieceType, Placed, Position, Square, attacks};

/// The king in comparisons: worth more than everything else.
const KING: i32 = 99;

/// What a piece is worth in pawns; the king is worth more than all others.
pub(super) fn value(kind: PieceType) -> i32 {
    match kind {
        PieceType::Pawn => 1,
        PieceType::Knight | PieceType::Bishop => 3,
        PieceType::Rook => 5,
        PieceType::Queen => 9,
        PieceType::King => KING,
    }
}

/// The material of a side less that of the other, in pawns.
pub(super) fn balance(board: &Board, us: Color) -> i32 {
    let side = |color| -> i32 {
        let kinds = PieceType::ALL.into_iter().filter(|&kind| kind != PieceType::King);
        kinds.map(|kind| value(kind) * board.pieces(color, kind).count() as i32).sum()
    };
    side(us) - side(!us)
}

pub(super) fn is_slider(kind: PieceType) -> bool {
    matches!(kind, PieceType::Bishop | PieceType::Rook | PieceType::Queen)
}

pub(super) fn placed(board: &Board, square: Square) -> Option<Placed> {
    Some(Placed { piece: board.piece_at(square)?, square })
}

/// The squares that the piece on a square attacks.
pub(crate) fn attacks_of(board: &Board, square: Square) -> Bitboard {
    match board.piece_at(square) {
        Some(piece) if piece.kind() == PieceType::Pawn => attacks::pawn(piece.color(), square),
        Some(piece) => attacks::piece(piece.kind(), square, board.occupied()),
        None => Bitboard::EMPTY,
    }
}

/// The pieces of a side that attack a square.
pub(super) fn attackers(board: &Board, square: Square, by: Color) -> Bitboard {
    board.attackers(square, board.occupied()) & board.color(by)
}

/// The pieces of the other side that the piece on a square attacks.
pub(super) fn targets(board: &Board, square: Square) -> Vec<Placed> {
    let Some(piece) = board.piece_at(square) else { return Vec::new() };
    let set = attacks_of(board, square) & board.color(!piece.color());
    set.into_iter().filter_map(|target| placed(board, target)).collect()
}

/// Whether nobody could recapture if this piece were taken, not even a piece that stands behind the
/// slider that takes it.
pub(super) fn is_loose(board: &Board, Placed { piece, square }: Placed) -> bool {
    let (ours, occupied) = (board.color(piece.color()), board.occupied());
    if board.attackers(square, occupied).meets(ours) {
        return false;
    }
    let sliders = board.diagonal_sliders() | board.straight_sliders();
    let takers = attackers(board, square, !piece.color()) & sliders;
    let behind = |taker: Square| board.attackers(square, occupied.without(taker)).meets(ours);
    !takers.into_iter().any(behind)
}

/// Whether a lesser piece attacks it.
pub(super) fn is_attacked_by_lesser(board: &Board, Placed { piece, square }: Placed) -> bool {
    let lesser = |taker: Square| {
        board.piece_at(taker).is_some_and(|taker| value(taker.kind()) < value(piece.kind()))
    };
    attackers(board, square, !piece.color()).into_iter().any(lesser)
}

/// Whether taking this piece wins material: it is attacked, and loose or worth more than an attacker.
pub(super) fn is_en_prise(board: &Board, target: Placed) -> bool {
    attackers(board, target.square, !target.piece.color()).any()
        && (is_loose(board, target) || is_attacked_by_lesser(board, target))
}

/// Whether the piece of the side to move on a square is lost wherever it goes.
pub(super) fn is_trapped(position: &Position, square: Square) -> bool {
    let board = position.board();
    let Some(target) = placed(board, square) else { return false };
    let kind = target.piece.kind();
    if matches!(kind, PieceType::Pawn | PieceType::King)
        || position.is_check()
        || position.pinned().has(square)
        || !is_en_prise(board, target)
    {
        return false;
    }
    let moves = position.legal_moves();
    moves.iter().filter(|mv| mv.from() == square).all(|&mv| {
        let takes = position.captured(mv).map_or(0, value);
        let mut next = *position;
        next.make(mv);
        let there = placed(next.board(), mv.to());
        takes < value(kind) && there.is_none_or(|there| is_en_prise(next.board(), there))
    })
}

/// The king of a side.
pub(super) fn king(board: &Board, color: Color) -> Placed {
    Placed { piece: Piece::new(color, PieceType::King), square: board.king(color) }
}
