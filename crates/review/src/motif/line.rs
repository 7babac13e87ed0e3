//! A line of moves with every position on its way.

use chess::{Board, Color, Move, Piece, PieceType, Placed, Position, Square};

/// A position, the moves from it, and what happened just before. The side to move at its start is the
/// one that the line is about: own moves have even indices.
#[derive(Clone, Debug)]
pub struct ForcedLine {
    /// One more than moves.
    positions: Vec<Position>,
    moves: Vec<Move>,
    /// The position before the start and the move that led from it, if known.
    before: Option<(Position, Move)>,
}

impl ForcedLine {
    /// The line of `moves` from a position. Moves from the first illegal one on are left out.
    #[must_use]
    pub fn new(start: Position, moves: &[Move]) -> Self {
        let mut line = Self { positions: vec![start], moves: Vec::new(), before: None };
        let mut position = start;
        for &mv in moves {
            if !position.is_legal(mv) {
                break;
            }
            position.make(mv);
            line.positions.push(position);
            line.moves.push(mv);
        }
        line
    }

    /// The line that answers a move: the first of `moves` is the opponent's, usually a mistake, and
    /// the line begins after it. `None` if that move is illegal.
    #[must_use]
    pub fn after(before: Position, moves: &[Move]) -> Option<Self> {
        let (&first, rest) = moves.split_first()?;
        if !before.is_legal(first) {
            return None;
        }
        let mut start = before;
        start.make(first);
        Some(Self { before: Some((before, first)), ..Self::new(start, rest) })
    }

    /// Whose line it is.
    #[must_use]
    pub fn us(&self) -> Color {
        self.positions[0].side_to_move()
    }

    /// The side that does not solve.
    #[must_use]
    pub fn them(&self) -> Color {
        !self.us()
    }

    /// All moves of the line.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many moves there are, of both sides.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there is no move.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position after the last move.
    #[must_use]
    pub fn end(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// The position before the start and the move that led from it, if known.
    #[must_use]
    pub fn before_start(&self) -> Option<(&Position, Move)> {
        self.before.as_ref().map(|(position, mv)| (position, *mv))
    }

    /// The indices of own moves.
    pub(crate) fn own(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        (0..self.moves.len()).step_by(2)
    }

    /// Indices of own moves that follow another own move.
    pub(super) fn later_own(&self) -> impl DoubleEndedIterator<Item = usize> + use<> {
        (2..self.moves.len()).step_by(2)
    }

    /// The position before the move with this index.
    pub(super) fn before(&self, ply: usize) -> &Position {
        &self.positions[ply]
    }

    /// The position after the move with this index.
    pub(crate) fn position_after(&self, ply: usize) -> &Position {
        &self.positions[ply + 1]
    }

    /// The board before the move with this index.
    pub(crate) fn board_before(&self, ply: usize) -> &Board {
        self.positions[ply].board()
    }

    /// The board after the move with this index.
    pub(super) fn board_after(&self, ply: usize) -> &Board {
        self.positions[ply + 1].board()
    }

    pub(super) fn from(&self, ply: usize) -> Square {
        self.moves[ply].from()
    }

    /// The square on which the moved piece then stands; the king's, if it castles.
    pub(crate) fn to(&self, ply: usize) -> Square {
        let mv = self.moves[ply];
        if mv.is_castle() {
            self.board_after(ply).king(self.before(ply).side_to_move())
        } else {
            mv.to()
        }
    }

    /// The piece that moved, as it then stands: a promoted pawn is what it became.
    pub(crate) fn moved(&self, ply: usize) -> Placed {
        let square = self.to(ply);
        let piece = self.board_after(ply).piece_at(square);
        let piece = piece.unwrap_or_else(|| self.before(ply).moved(self.moves[ply]));
        Placed { piece, square }
    }

    pub(super) fn kind(&self, ply: usize) -> PieceType {
        self.moved(ply).piece.kind()
    }

    /// The kind of piece that a move takes.
    pub(crate) fn captured(&self, ply: usize) -> Option<PieceType> {
        self.before(ply).captured(self.moves[ply])
    }

    /// The piece that a move takes, on the square of the move.
    pub(super) fn captured_piece(&self, ply: usize) -> Option<Placed> {
        let color = !self.before(ply).side_to_move();
        let kind = self.captured(ply)?;
        Some(Placed { piece: Piece::new(color, kind), square: self.to(ply) })
    }

    pub(super) fn gives_check(&self, ply: usize) -> bool {
        self.position_after(ply).is_check()
    }

    /// Whether the line ends with mate by the side that it is about.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        let end = self.end();
        end.side_to_move() == self.them() && end.is_check() && !end.has_legal_move()
    }

    /// Whether its first move gives check.
    #[must_use]
    pub fn begins_with_check(&self) -> bool {
        !self.is_empty() && self.gives_check(0)
    }

    /// Own material less the opponent's after so many moves, in pawns.
    pub(super) fn balance(&self, moves: usize) -> i32 {
        super::worth::balance(self.positions[moves].board(), self.us())
    }
}
