//! Evaluation without history: slower, for checks and for people.

use chess::{Board, Color, PieceType, Placed, Position};

use crate::width::at_width;
use crate::{Network, Perspective, forward, refresh};

/// What the network thinks of a position without one of its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The piece that is left out, and its square.
    pub placed: Placed,
    /// The score without it, in centipawns for the side to move.
    pub score_without: i32,
}

impl Network {
    /// The score of a position in centipawns for the side to move, computed from nothing.
    #[must_use]
    pub fn evaluate_scratch(&self, position: &Position) -> i32 {
        self.evaluate_board(position.board(), position.side_to_move())
    }

    /// The score of the position without each piece in turn, kings excepted, from a1 to h8.
    ///
    /// The difference from [`evaluate_scratch`](Self::evaluate_scratch) is what the piece is worth
    /// where it stands. The board without it may fall into another bucket, as it would in a game.
    #[must_use]
    pub fn piece_contributions(&self, position: &Position) -> Vec<Contribution> {
        let board = position.board();
        let pieces = board
            .occupied()
            .into_iter()
            .filter_map(|square| board.piece_at(square).map(|piece| Placed { piece, square }));
        pieces
            .filter(|placed| placed.piece.kind() != PieceType::King)
            .map(|placed| {
                let mut rest = *board;
                rest.take(placed.piece, placed.square);
                let score_without = self.evaluate_board(&rest, position.side_to_move());
                Contribution { placed, score_without }
            })
            .collect()
    }

    fn evaluate_board(&self, board: &Board, side_to_move: Color) -> i32 {
        at_width!(self.width(), N => {
            let accumulators = [side_to_move, !side_to_move].map(|side| {
                let perspective = Perspective::new(side, board.king(side), self.king_buckets());
                let mut accumulator = *self.feature_bias::<N>();
                refresh::convert(self, perspective, &mut accumulator, &Board::EMPTY, board);
                accumulator
            });
            forward::score(self, accumulators.each_ref(), board, side_to_move, |_| true)
        })
    }
}
