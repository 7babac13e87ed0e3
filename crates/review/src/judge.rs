//! How good the moves of a game were.
//!
//! The measure is the chance to win that a move gave away. Chances come from scores by the curve
//! that Lichess fitted to games between people; from there come the limits of what is called an
//! inaccuracy, a mistake and a blunder, and the formulas of the accuracy. `docs/analysis.md` has
//! them.

use chess::{Color, PieceType, Position};
use serde::{Deserialize, Serialize};

use crate::analysis::PositionAnalysis;
use crate::tree::GameTree;

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It gave away five percent of the chance to win.
    Inaccuracy,
    /// It gave away ten percent.
    Mistake,
    /// It gave away fifteen percent.
    Blunder,
}

impl Judgement {
    /// The judgement of a loss, if it deserves one.
    #[must_use]
    pub fn of(loss: f64) -> Option<Self> {
        match loss {
            0.15.. => Some(Self::Blunder),
            0.10.. => Some(Self::Mistake),
            0.05.. => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// Its glyph: `?!`, `?` or `??`.
    #[must_use]
    pub fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }

    /// The name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "Inaccuracy",
            Self::Mistake => "Mistake",
            Self::Blunder => "Blunder",
        }
    }
}

/// The part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The first moves, with nearly all pieces on the board.
    Opening,
    /// What lies between opening and endgame.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

/// Moves that can belong to the opening.
const OPENING_MOVES: u16 = 12;
/// Fewer pieces than this, and the opening is over.
const OPENING_PIECES: u32 = 11;
/// No more pieces than this, and it is an endgame.
const ENDGAME_PIECES: u32 = 6;

impl Phase {
    /// All phases, in their order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The phase of a position, by its pieces (neither pawns nor kings) and the move number.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let board = position.board();
        let others = board.kind(PieceType::Pawn) | board.kind(PieceType::King);
        let pieces = board.occupied().minus(others).count();
        if pieces <= ENDGAME_PIECES {
            Self::Endgame
        } else if pieces >= OPENING_PIECES && position.fullmove() <= OPENING_MOVES {
            Self::Opening
        } else {
            Self::Middlegame
        }
    }

    /// The name in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlyReview {
    /// The chance to win that it gave away, from 0 to 1.
    pub loss: f64,
    /// The same in centipawns.
    pub centipawn_loss: i32,
    /// From 0 to 100.
    pub accuracy: f64,
    /// What it is called.
    pub judgement: Option<Judgement>,
    /// The part of the game.
    pub phase: Phase,
    /// It is from the book and not judged.
    pub is_book: bool,
}

/// How well a side played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SideReview {
    /// Moves that were judged.
    pub moves: u32,
    /// From 0 to 100; none without moves.
    pub accuracy: Option<f64>,
    /// Mean chance to win given away by a move, in percent.
    pub average_loss: f64,
    /// Mean centipawns given away by a move.
    pub average_centipawn_loss: f64,
    /// How many of them.
    pub inaccuracies: u32,
    /// How many of them.
    pub mistakes: u32,
    /// How many of them.
    pub blunders: u32,
}

/// How good the moves of a game were.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// One review for each move.
    pub plies: Vec<PlyReview>,
    /// White's moves in sum.
    pub white: SideReview,
    /// Black's moves in sum.
    pub black: SideReview,
}

/// Judges the moves of a game. `looks` are those of its positions, one more than moves; the first
/// `book_plies` moves are from a book and not judged.
///
/// # Panics
/// If there are too few looks.
#[must_use]
pub fn judge(tree: &GameTree, looks: &[PositionAnalysis], book_plies: usize) -> Review {
    let positions = tree.positions();
    assert_eq!(looks.len(), positions.len(), "one look for each position");
    let plies: Vec<PlyReview> = tree
        .main
        .plies
        .iter()
        .enumerate()
        .map(|(index, ply)| {
            let (before, after) = (&looks[index], &looks[index + 1]);
            let us = positions[index].side_to_move();
            let is_best = before.best_move() == ply.mv;
            // A look after the move sees further than one before it: that is no merit of the move.
            let mut loss = (before.eval.chance(us) - after.eval.chance(us)).max(0.0);
            let mut centipawn_loss =
                (before.eval.centipawns(us) - after.eval.centipawns(us)).max(0);
            if is_best {
                (loss, centipawn_loss) = (0.0, 0);
            }
            // A pass is no move that could be good or bad.
            let is_book = index < book_plies || ply.mv.is_none();
            PlyReview {
                loss,
                centipawn_loss,
                accuracy: accuracy(loss),
                judgement: Judgement::of(loss).filter(|_| !is_book),
                phase: Phase::of(&positions[index]),
                is_book,
            }
        })
        .collect();
    let chances: Vec<f64> = looks.iter().map(|look| look.eval.white_chance()).collect();
    let weights = weights(&chances);
    let side = |color: Color| {
        let own =
            |index: &usize| positions[*index].side_to_move() == color && !plies[*index].is_book;
        let own: Vec<usize> = (0..plies.len()).filter(own).collect();
        summarise(own.iter().map(|&index| (plies[index], weights[index])))
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    Review { plies, white, black }
}

/// The accuracy of a move that gave away this much, from 0 to 100.
pub(crate) fn accuracy(loss: f64) -> f64 {
    // With one point on top for what the engine itself does not know.
    let raw = 103.166_8 * (-0.043_544 * 100.0 * loss).exp() - 3.166_9 + 1.0;
    if loss <= 0.0 { 100.0 } else { raw.clamp(0.0, 100.0) }
}

/// How much each move counts: more where the chances go up and down.
pub(crate) fn weights(chances: &[f64]) -> Vec<f64> {
    let plies = chances.len().saturating_sub(1);
    let size = (plies / 10).clamp(2, 8).min(chances.len());
    (0..plies)
        .map(|ply| {
            // The window that ends after the move; at the beginning, the first whole one.
            let end = (ply + 2).clamp(size, chances.len());
            let window = &chances[end - size..end];
            let mean = window.iter().sum::<f64>() / size as f64;
            let variance =
                window.iter().map(|chance| (chance - mean).powi(2)).sum::<f64>() / size as f64;
            (100.0 * variance.sqrt()).clamp(0.5, 12.0)
        })
        .collect()
}

fn summarise(plies: impl Iterator<Item = (PlyReview, f64)> + Clone) -> SideReview {
    let mut side = SideReview::default();
    for (ply, _) in plies.clone() {
        side.moves += 1;
        side.average_loss += 100.0 * ply.loss;
        side.average_centipawn_loss += f64::from(ply.centipawn_loss);
        match ply.judgement {
            Some(Judgement::Inaccuracy) => side.inaccuracies += 1,
            Some(Judgement::Mistake) => side.mistakes += 1,
            Some(Judgement::Blunder) => side.blunders += 1,
            None => {}
        }
    }
    if side.moves > 0 {
        let count = f64::from(side.moves);
        side.average_loss /= count;
        side.average_centipawn_loss /= count;
    }
    side.accuracy = mean_accuracy(plies.map(|(ply, weight)| (ply.accuracy, weight)));
    side
}

/// The accuracy of moves together, each with its weight: the mean of two means, one weighted by how
/// much was at stake, and the harmonic one, in which bad moves count more. None without moves.
pub(crate) fn mean_accuracy(moves: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut count, mut weighted, mut weight_sum, mut inverse) = (0.0, 0.0, 0.0, 0.0);
    for (accuracy, weight) in moves {
        count += 1.0;
        weighted += accuracy * weight;
        weight_sum += weight;
        inverse += 1.0 / accuracy.max(1.0);
    }
    (count > 0.0).then(|| (weighted / weight_sum + count / inverse) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::BestLine;
    use crate::eval::Eval;
    use crate::tree::Ply;

    /// A game with these scores before each move and at the end.
    fn reviewed(scores: &[i32], book_plies: usize) -> Review {
        let mut tree = GameTree::new(Position::startpos());
        let mut position = tree.start;
        for _ in 1..scores.len() {
            let mv = position.legal_moves()[0];
            tree.main.plies.push(Ply::new(mv));
            position.make(mv);
        }
        // The best move is always another one.
        let positions = tree.positions();
        let looks: Vec<PositionAnalysis> = scores
            .iter()
            .zip(&positions)
            .map(|(&cp, position)| PositionAnalysis {
                eval: Eval::Cp(cp),
                wdl: [0, 1000, 0],
                depth: 1,
                nodes: 1,
                lines: vec![BestLine {
                    eval: Eval::Cp(cp),
                    moves: vec![position.legal_moves()[1]],
                }],
            })
            .collect();
        judge(&tree, &looks, book_plies)
    }

    #[test]
    fn losses_are_seen_from_the_side_that_moved() {
        let review = reviewed(&[0, -300, -300, -300, 300], 0);
        let judgements: Vec<_> = review.plies.iter().map(|ply| ply.judgement).collect();
        assert_eq!(judgements, [Some(Judgement::Blunder), None, None, Some(Judgement::Blunder)]);
        assert_eq!((review.white.blunders, review.black.blunders), (1, 1));
        assert_eq!(review.white.moves, 2);
        assert_eq!(review.white.average_centipawn_loss, 150.0);
        assert!(review.black.accuracy < review.white.accuracy);
    }

    #[test]
    fn the_limits_are_five_ten_and_fifteen_percent() {
        let judged = |loss| Judgement::of(loss);
        assert_eq!(
            [0.0, 0.049, 0.05, 0.099].map(judged)[1..3],
            [None, Some(Judgement::Inaccuracy)]
        );
        assert_eq!([0.10, 0.149].map(judged), [Some(Judgement::Mistake); 2]);
        assert_eq!([0.15, 1.0].map(judged), [Some(Judgement::Blunder); 2]);
    }

    #[test]
    fn accuracy_is_perfect_without_loss_and_falls_with_it() {
        let perfect = reviewed(&[20, 20, 20, 20, 20], 0);
        assert_eq!(perfect.white.accuracy, Some(100.0));
        for percent in 0..100 {
            let (less, more) = (f64::from(percent) / 100.0, f64::from(percent + 1) / 100.0);
            assert!(accuracy(more) <= accuracy(less), "{percent}");
            assert!((0.0..=100.0).contains(&accuracy(more)));
        }
        // As published: ten percent lost is an accuracy of about 64, with the point on top 65.
        assert!((accuracy(0.10) - 64.6).abs() < 0.1);
    }

    #[test]
    fn a_gain_is_no_merit_and_the_book_is_not_judged() {
        let gain = reviewed(&[0, 500, 500], 0);
        assert_eq!(gain.plies[0].loss, 0.0);
        let book = reviewed(&[0, -500, -500], 1);
        assert_eq!((book.plies[0].judgement, book.white.moves), (None, 0));
        assert_eq!(book.white.accuracy, None);
    }

    #[test]
    fn phases_follow_the_pieces() {
        let phase = |fen: &str| Phase::of(&Position::from_fen(fen).unwrap());
        assert_eq!(Phase::of(&Position::startpos()), Phase::Opening);
        assert_eq!(
            phase("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 13"),
            Phase::Middlegame
        );
        assert_eq!(phase("4k3/pppp4/8/8/8/8/PPPP4/R3K2R w - - 0 5"), Phase::Endgame);
    }
}
