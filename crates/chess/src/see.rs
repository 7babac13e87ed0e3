//! Static exchange evaluation: what a capture is worth when both sides go on taking on its
//! square with their least valuable piece first.
//!
//! Pieces behind pieces join in (x-rays). A piece that is pinned before the first move takes part only
//! along its pin, until the exchange has drawn the pinning piece away. The king takes only what
//! nobody protects. The first move may be a capture in passing or a promotion; pawns that
//! recapture stay pawns, also on the last rank. Checks on the way do not matter.

use crate::{Bitboard, Color, Move, Piece, PieceType, Position, Square, attacks, geometry};

/// The worth of a piece in an exchange, in centipawns.
const VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

/// The worth of a piece in an exchange, in centipawns; the king's is 0, it is never lost.
#[inline]
#[must_use]
pub const fn exchange_value(kind: PieceType) -> i32 {
    VALUES[kind.index()]
}

struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    occupied: Bitboard,
    attackers: Bitboard,
    /// Pieces on both sides that shield their own king from a slider before the first move.
    blockers: Bitboard,
    kings: [Square; 2],
}

impl<'a> Exchange<'a> {
    #[inline]
    fn new(position: &'a Position, mv: Move) -> Self {
        let board = &position.board;
        let square = mv.to();
        let mut occupied = board.occupied().without(mv.from()).with(square);
        if mv.is_en_passant() {
            occupied = occupied.without(square.forward(!position.side));
        }
        let kings = [board.king(Color::White), board.king(Color::Black)];
        let them = !position.side;
        let blockers = position.pinned | board.blockers(them) & board.color(them);
        let attackers = board.attackers(square, occupied) & occupied;
        Self { position, square, occupied, attackers, blockers, kings }
    }

    /// Takes the least valuable piece of `color` that may capture off the board, and lets those
    /// behind it join.
    #[inline]
    fn next_attacker(&mut self, color: Color) -> Option<PieceType> {
        let board = &self.position.board;
        let mut able = self.attackers & board.color(color);
        if able.meets(self.blockers) {
            able = self.without_pinned(able, color);
        }
        let kind = PieceType::ALL.into_iter().find(|&kind| able.meets(board.kind(kind)))?;
        // The king may take only what nobody protects.
        if kind == PieceType::King && self.attackers.meets(board.color(!color)) {
            return None;
        }
        let from = (able & board.kind(kind)).first()?;
        self.occupied = self.occupied.without(from);
        if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
            self.attackers |=
                attacks::bishop(self.square, self.occupied) & board.diagonal_sliders();
        }
        if matches!(kind, PieceType::Rook | PieceType::Queen) {
            self.attackers |= attacks::rook(self.square, self.occupied) & board.straight_sliders();
        }
        self.attackers &= self.occupied;
        Some(kind)
    }

    fn without_pinned(&self, able: Bitboard, color: Color) -> Bitboard {
        let board = &self.position.board;
        let king = self.kings[color.index()];
        let enemies = board.color(!color) & self.occupied;
        let held = |&pinned: &Square| {
            if geometry::aligned(king, pinned, self.square) {
                return false;
            }
            // Still pinned while a slider behind this piece would reach the king without it.
            let gone = self.occupied.without(pinned);
            let sliders = if king.file() == pinned.file() || king.rank() == pinned.rank() {
                attacks::rook(king, gone) & board.straight_sliders()
            } else {
                attacks::bishop(king, gone) & board.diagonal_sliders()
            };
            (sliders & enemies)
                .into_iter()
                .any(|slider| geometry::between(king, slider).has(pinned))
        };
        able.minus((able & self.blockers).into_iter().filter(held).collect())
    }
}

impl Position {
    /// What the first step of the exchange wins, and the piece that then stands to be retaken.
    #[inline]
    fn first_exchange(&self, mv: Move) -> (i32, PieceType) {
        let mut gain = self.captured(mv).map_or(0, exchange_value);
        let mut standing = self.board.piece_at(mv.from()).map_or(PieceType::Pawn, Piece::kind);
        if let Some(kind) = mv.promotion() {
            gain += exchange_value(kind) - exchange_value(PieceType::Pawn);
            standing = kind;
        }
        (gain, standing)
    }

    /// Whether the exchange that starts with this legal move wins at least `threshold`
    /// centipawns for the side to move.
    ///
    /// ```
    /// use chess::Position;
    /// let position = Position::from_fen("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1")?;
    /// let capture = position.parse_san("Nxe5").unwrap();
    /// assert!(!position.see_ge(capture, 0));
    /// assert!(position.see_ge(capture, -200));
    /// # Ok::<(), chess::FenError>(())
    /// ```
    #[must_use]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let (gain, standing) = self.first_exchange(mv);
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= exchange_value(standing);
        if balance >= 0 {
            return true;
        }
        let mut exchange = Exchange::new(self, mv);
        let mut side = !self.side;
        while let Some(kind) = exchange.next_attacker(side) {
            side = !side;
            // From the view of the side that would now recapture.
            balance = -balance - 1 - exchange_value(kind);
            if balance >= 0 {
                break;
            }
        }
        side != self.side
    }

    /// What the exchange that starts with this legal move wins for the side to move, in
    /// centipawns.
    #[must_use]
    pub fn see(&self, mv: Move) -> i32 {
        if mv.is_castle() {
            return 0;
        }
        let (gain, mut standing) = self.first_exchange(mv);
        let mut gains = [0; 33];
        gains[0] = gain;
        let mut depth = 0;
        let mut exchange = Exchange::new(self, mv);
        let mut side = !self.side;
        while depth < 32
            && let Some(kind) = exchange.next_attacker(side)
        {
            depth += 1;
            gains[depth] = exchange_value(standing) - gains[depth - 1];
            standing = kind;
            side = !side;
        }
        // Each side may also stop: walk back and take the better choice.
        while depth > 0 {
            gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
            depth -= 1;
        }
        gains[0]
    }
}
