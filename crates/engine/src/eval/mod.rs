//! The hand-made evaluation: what a position is worth without looking ahead.
//!
//! It is a sum of weights, each counted so many times, tapered between middlegame and endgame by
//! the pieces left on the board, then scaled down where material is hard to turn into a win. One
//! pass serves play and tuning: a [`Trace`] hears of every weight that is used.

mod endgame;
mod facts;
mod king;
mod layout;
mod pawns;
mod pieces;
mod side;
mod tapered;
mod threats;
mod trace;
mod weights;

#[cfg(test)]
mod tests;

use chess::{Board, Color, PieceType, Position};

pub use layout::{Group, Weights};
pub use tapered::Tapered;
pub use trace::{Recorder, Silent, Trace};
pub use weights::WEIGHTS;

use facts::Facts;
use side::{Black, Side, White};
use trace::{Tally, add};

/// The phase with all pieces on the board; bare kings and pawns have phase 0.
pub const PHASE_MAX: i32 = 24;

/// The scale of an advantage that counts in full.
pub const SCALE_MAX: i32 = 64;

/// The value of a position in centipawns for the side to move.
///
/// ```
/// use chess::Position;
/// use engine::eval::evaluate;
/// let queen_up = Position::from_fen("4k3/pppp4/8/8/8/8/PPPP4/3QK3 w - - 0 1")?;
/// assert!(evaluate(&queen_up) > 500);
/// # Ok::<(), chess::FenError>(())
/// ```
#[must_use]
pub fn evaluate(position: &Position) -> i32 {
    let score = evaluate_with(position, &mut Silent).score();
    match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// The parts from which a score is made, all from White's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// The sum of all weights.
    pub sum: Tapered,
    /// How much of the middlegame is left, of [`PHASE_MAX`] parts.
    pub phase: i32,
    /// How much of an advantage counts, of [`SCALE_MAX`] parts: White's, Black's.
    pub scale: [i32; 2],
    /// What is added for progress against a bare king.
    pub mop_up: i32,
}

impl Breakdown {
    /// A position nobody can win.
    const DEAD: Self = Self { sum: Tapered::ZERO, phase: 0, scale: [0; 2], mop_up: 0 };

    /// The sum at the phase of the game, before scaling.
    #[inline]
    #[must_use]
    pub const fn unscaled(&self) -> i32 {
        self.sum.at(self.phase)
    }

    /// The score in centipawns from White's view.
    #[inline]
    #[must_use]
    pub const fn score(&self) -> i32 {
        let unscaled = self.unscaled();
        let scale = self.scale[if unscaled < 0 { 1 } else { 0 }];
        unscaled * scale / SCALE_MAX + self.mop_up
    }
}

/// Evaluates a position and tells `trace` of every weight that it uses.
#[inline]
pub fn evaluate_with<T: Trace>(position: &Position, trace: &mut T) -> Breakdown {
    let board = position.board();
    if board.is_insufficient_material() {
        return Breakdown::DEAD;
    }
    let mut facts = Facts::new(board);
    let side = position.side_to_move();

    // What a side's pieces attack must be known for both before the rest can be judged.
    let white = pieces_part::<White, T>(&mut facts, trace);
    let black = pieces_part::<Black, T>(&mut facts, trace);
    let white = white + relations_part::<White, T>(&facts, side, trace);
    let black = black + relations_part::<Black, T>(&facts, side, trace);

    Breakdown {
        sum: white - black,
        phase: phase(board),
        scale: [endgame::scale::<White>(&facts), endgame::scale::<Black>(&facts)],
        mop_up: endgame::mop_up::<White>(&facts) - endgame::mop_up::<Black>(&facts),
    }
}

#[inline]
fn pieces_part<S: Side, T: Trace>(facts: &mut Facts, trace: &mut T) -> Tapered {
    let mut tally = Tally::new(S::US, trace);
    pieces::pieces::<S, T>(facts, &mut tally);
    tally.score
}

#[inline]
fn relations_part<S: Side, T: Trace>(facts: &Facts, side: Color, trace: &mut T) -> Tapered {
    let mut tally = Tally::new(S::US, trace);
    pawns::structure::<S, T>(facts, &mut tally);
    pawns::passed::<S, T>(facts, side, &mut tally);
    king::shelter::<S, T>(facts, &mut tally);
    king::attack::<S, T>(facts, &mut tally);
    threats::threats::<S, T>(facts, &mut tally);
    if side == S::US {
        add!(tally, tempo[0]);
    }
    tally.score
}

#[inline]
fn phase(board: &Board) -> i32 {
    let count = |kind| board.kind(kind).count() as i32;
    let minors = count(PieceType::Knight) + count(PieceType::Bishop);
    let pieces = minors + 2 * count(PieceType::Rook) + 4 * count(PieceType::Queen);
    pieces.min(PHASE_MAX)
}
