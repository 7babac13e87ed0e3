//! What the terms share: who attacks what.

use chess::{Bitboard, Board, Color, PieceType, Rank, Square, attacks};

use super::side::{Side, ahead, beside};

/// Facts about a position, gathered once. Arrays have one entry for each colour.
pub(super) struct Facts<'b> {
    pub(super) board: &'b Board,
    pub(super) occupied: Bitboard,
    pub(super) pawns: [Bitboard; 2],
    pub(super) king: [Square; 2],
    /// The squares next to the king.
    pub(super) ring: [Bitboard; 2],
    /// The ring and the squares ahead of it: a piece that attacks here attacks the king.
    pub(super) zone: [Bitboard; 2],
    /// Squares that the pawns guard now or may guard after advancing.
    pub(super) reach: [Bitboard; 2],
    /// Squares attacked, by kind of man.
    pub(super) by: [[Bitboard; 6]; 2],
    pub(super) attacked: [Bitboard; 2],
    /// Squares attacked at least twice.
    pub(super) doubly: [Bitboard; 2],
    /// Attackers of the enemy king: how many, and what they weigh together.
    pub(super) attackers: [(i32, i32); 2],
}

impl<'b> Facts<'b> {
    /// The part that pawns and kings alone tell.
    #[inline]
    pub(super) fn new(board: &'b Board) -> Self {
        let mut facts = Self {
            board,
            occupied: board.occupied(),
            pawns: [Bitboard::EMPTY; 2],
            king: [Square::A1; 2],
            ring: [Bitboard::EMPTY; 2],
            zone: [Bitboard::EMPTY; 2],
            reach: [Bitboard::EMPTY; 2],
            by: [[Bitboard::EMPTY; 6]; 2],
            attacked: [Bitboard::EMPTY; 2],
            doubly: [Bitboard::EMPTY; 2],
            attackers: [(0, 0); 2],
        };
        for color in Color::ALL {
            let side = color.index();
            let pawns = board.pieces(color, PieceType::Pawn);
            let king = board.king(color);
            let ring = attacks::king(king);
            let guarded = attacks::pawns(color, pawns);
            facts.pawns[side] = pawns;
            facts.king[side] = king;
            facts.ring[side] = ring;
            facts.zone[side] = ring | ring.forward(color) | Bitboard::of(king);
            facts.reach[side] = guarded | ahead(guarded, color);
            facts.by[side][PieceType::Pawn.index()] = guarded;
            facts.by[side][PieceType::King.index()] = ring;
            facts.attacked[side] = guarded | ring;
            let step = pawns.forward(color);
            facts.doubly[side] = (step.east() & step.west()) | (guarded & ring);
        }
        facts
    }

    /// Notes that one more piece of `color` attacks these squares.
    #[inline]
    pub(super) fn attack(&mut self, color: Color, kind: PieceType, squares: Bitboard) {
        let side = color.index();
        self.doubly[side] |= self.attacked[side] & squares;
        self.attacked[side] |= squares;
        self.by[side][kind.index()] |= squares;
    }

    #[inline]
    pub(super) fn by(&self, color: Color, kind: PieceType) -> Bitboard {
        self.by[color.index()][kind.index()]
    }

    /// Squares on which a piece of this side is free to act: neither guarded by an enemy pawn, nor
    /// taken by the own king or by a pawn that is stuck or still at home.
    #[inline]
    pub(super) fn useful<S: Side>(&self) -> Bitboard {
        let ours = self.pawns[S::US.index()];
        let stuck = ours & self.occupied.forward(S::THEM);
        let home = ours & Bitboard::rank(Rank::R2.relative_to(S::US));
        let king = Bitboard::of(self.king[S::US.index()]);
        !(stuck | home | king | self.by(S::THEM, PieceType::Pawn))
    }

    /// Pawns of this side that no enemy pawn can stop or take, and that have no own pawn ahead.
    #[inline]
    pub(super) fn passed<S: Side>(&self) -> Bitboard {
        let ours = self.pawns[S::US.index()];
        let front = ahead(self.pawns[S::THEM.index()], S::THEM);
        ours.minus(front | beside(front) | ahead(ours, S::THEM))
    }
}
