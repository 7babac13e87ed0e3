//! Whether the result of a game fits what was played.
//!
//! That every move is legal is checked whenever a game is read; see
//! [`GameReader`](super::GameReader).

use std::fmt;

use chess::{Color, KeyHistory, Outcome, Position};

use super::game::{Game, ScoredMove};

/// What is odd about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// The board says one thing, the result another.
    ResultAgainstBoard,
    /// Moves were played after the rules had ended the game.
    PlayedOn,
    /// The result was adjudicated, but the last score points the other way.
    ResultAgainstScore,
    /// A game without moves.
    Empty,
}

impl Oddity {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 4] =
        [Self::ResultAgainstBoard, Self::PlayedOn, Self::ResultAgainstScore, Self::Empty];
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ResultAgainstBoard => "result contradicts the last position",
            Self::PlayedOn => "moves after the end of the game",
            Self::ResultAgainstScore => "adjudicated against the last score",
            Self::Empty => "no moves",
        })
    }
}

/// What adjudicated games must keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::Args)]
pub struct Adjudication {
    /// The winner's last score is at least this, in centipawns
    #[arg(long, default_value_t = 1)]
    pub min_win_score: i32,
    /// A draw's last score is at most this far from equal, in centipawns
    #[arg(long, default_value_t = 600)]
    pub max_draw_score: i32,
}

impl Default for Adjudication {
    fn default() -> Self {
        Self { min_win_score: 1, max_draw_score: 600 }
    }
}

/// Looks for what is odd about a game.
#[must_use]
pub fn examine(game: &Game, adjudication: Adjudication) -> Option<Oddity> {
    let Some(last) = game.moves.last() else { return Some(Oddity::Empty) };
    let mut history = KeyHistory::with_capacity(game.moves.len());
    let mut played_on = false;
    let end = game.replay(|position, _| {
        played_on |= is_drawn(position, &history);
        history.push(position);
    });
    if played_on {
        return Some(Oddity::PlayedOn);
    }
    let on_board = match end.outcome() {
        Some(Outcome::Win(color)) => Some(Some(color)),
        Some(Outcome::Draw) => Some(None),
        None => is_drawn(&end, &history).then_some(None),
    };
    match on_board {
        Some(winner) if winner == game.result.winner() => None,
        Some(_) => Some(Oddity::ResultAgainstBoard),
        None if fits_score(game, *last, adjudication) => None,
        None => Some(Oddity::ResultAgainstScore),
    }
}

/// Whether the game is drawn here although there are legal moves.
fn is_drawn(position: &Position, history: &KeyHistory) -> bool {
    position.board().is_insufficient_material()
        || position.is_fifty_move_draw()
        || history.is_threefold(position)
}

fn fits_score(game: &Game, last: ScoredMove, adjudication: Adjudication) -> bool {
    let score = i32::from(last.white_score);
    match game.result.winner() {
        Some(Color::White) => score >= adjudication.min_win_score,
        Some(Color::Black) => -score >= adjudication.min_win_score,
        None => score.abs() <= adjudication.max_draw_score,
    }
}
