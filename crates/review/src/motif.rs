//! Motifs: what makes a line of moves work, as a teacher would name it.
//!
//! A [`ForcedLine`] is a position and the moves from it, own moves at even indices. Every detector is
//! a pure function from a line to [`Finding`]s, each of which names the pieces and squares, so that a
//! sentence or an arrow can be made of it. Names are those of the themes of Lichess's puzzles where
//! these have one. `docs/coach.md` has the definitions and how often they agree with Lichess's.

mod name;
mod line;
mod worth;
mod material;
mod double_attack;
mod sliders;
mod defenders;
mod tempo;
mod pawns;
mod king;
mod mates;
mod draws;
mod shape;
#[cfg(test)]
mod tests;

pub use line::ForcedLine;
pub use name::Motif;
pub(crate) use worth::attacks_of;

use chess::Placed;

/// A motif at a place of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The motif that was found.
    pub motif: Motif,
    /// The index of the move in the line that shows it; 0 is the first own move.
    pub ply: usize,
    /// The pieces that matter, the one that acts first, each where it stands after that move. A piece
    /// that the move takes stands on the square of the move. Empty for properties of the line as a
    /// whole.
    pub pieces: Vec<Placed>,
}

impl Finding {
    pub(crate) fn new(motif: Motif, ply: usize, pieces: Vec<Placed>) -> Self {
        Self { motif, ply, pieces }
    }

    /// A property of a line as a whole.
    pub(crate) fn whole(motif: Motif) -> Self {
        Self::new(motif, 0, Vec::new())
    }
}

/// All motifs of a line, each kind at its first place, in the order of [`Motif::ALL`].
#[must_use]
pub fn motifs(line: &ForcedLine) -> Vec<Finding> {
    let detectors: [fn(&ForcedLine, &mut Vec<Finding>); 10] = [
        mates::find,
        double_attack::find,
        sliders::find,
        material::find,
        defenders::find,
        tempo::find,
        pawns::find,
        king::find,
        draws::find,
        shape::find,
    ];
    let mut all = Vec::new();
    for find in detectors {
        find(line, &mut all);
    }
    let has = |motif| all.iter().any(|finding: &Finding| finding.motif == motif);
    // What a simpler motif explains is not called an attack on the king.
    let is_simple = [Motif::BackRankMate, Motif::Fork, Motif::HangingPiece].into_iter().any(has);
    let is_attack =
        |motif| matches!(motif, Motif::KingsideAttack | Motif::QueensideAttack) && is_simple;
    all.retain(|finding| !is_attack(finding.motif));
    let mut first: Vec<Finding> = Vec::new();
    for motif in Motif::ALL {
        let of_kind = all.iter().filter(|finding| finding.motif == motif);
        first.extend(of_kind.min_by_key(|finding| finding.ply).cloned());
    }
    first
}
