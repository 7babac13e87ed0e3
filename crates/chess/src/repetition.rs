//! Draws that need to know what was played before.

use crate::{Piece, Position, Square, attacks, geometry, zobrist};

/// The keys of the positions that led to the present one, oldest first, without the present one.
///
/// ```
/// use chess::{KeyHistory, Position};
/// let mut position = Position::startpos();
/// let mut history = KeyHistory::default();
/// for san in ["Nf3", "Nf6", "Ng1", "Ng8"] {
///     history.push(&position);
///     position.make(position.parse_san(san)?);
/// }
/// assert!(history.is_repetition(&position, 5));
/// assert!(!history.is_threefold(&position));
/// # Ok::<(), chess::SanError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
}

impl KeyHistory {
    /// A history with room for `plies` positions, so that a search need not allocate.
    #[must_use]
    pub fn with_capacity(plies: usize) -> Self {
        Self { keys: Vec::with_capacity(plies) }
    }

    /// Remembers a position before a move is made on it.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.keys.whole);
    }

    /// Forgets the position before the last move.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// Empties the history, as at the start of a game.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// How many positions are remembered.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether no position is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The key `distance` plies before the present position.
    #[inline]
    fn back(&self, distance: usize) -> Option<u64> {
        self.keys.len().checked_sub(distance).and_then(|index| self.keys.get(index)).copied()
    }

    /// Distances at which the present position stood before, nearest first.
    fn earlier(&self, position: &Position) -> impl Iterator<Item = usize> {
        let key = position.keys.whole;
        let reach = usize::from(position.reversible).min(self.keys.len());
        (4..=reach).step_by(2).filter(move |&distance| self.back(distance) == Some(key))
    }

    /// Whether a search at `ply` plies from its root should call this position a draw: it stood
    /// once before inside the tree, or twice before at all.
    #[must_use]
    pub fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let mut earlier = self.earlier(position);
        match earlier.next() {
            None => false,
            Some(distance) => distance < ply || earlier.next().is_some(),
        }
    }

    /// Whether the present position stands for the third time.
    #[must_use]
    pub fn is_threefold(&self, position: &Position) -> bool {
        self.earlier(position).nth(1).is_some()
    }

    /// Whether the side to move can reach an earlier position with one move, so that it can
    /// count on a draw at least. Before the root (`distance >= ply`) it counts only if the
    /// position reached already stood twice.
    #[must_use]
    pub fn has_upcoming_repetition(&self, position: &Position, ply: usize) -> bool {
        let reach = usize::from(position.reversible);
        if reach < 3 {
            return false;
        }
        let occupied = position.board.occupied();
        let key = position.keys.whole;
        for distance in (3..=reach).step_by(2) {
            let Some(earlier) = self.back(distance) else { return false };
            let Some((a, b)) = cuckoo(key ^ earlier) else { continue };
            if geometry::between(a, b).meets(occupied) {
                continue;
            }
            // The piece that makes the difference must be ours to move back: the opponent's may
            // have come one step further in three.
            let ours = position.board.color(position.side);
            if !ours.has(a) && !ours.has(b) {
                continue;
            }
            if distance < ply {
                return true;
            }
            let stood_before = (distance + 4..=reach)
                .step_by(2)
                .any(|further| self.back(further) == Some(earlier));
            if stood_before {
                return true;
            }
        }
        false
    }
}

const SLOTS: usize = 8192;

const fn first_slot(key: u64) -> usize {
    key as usize % SLOTS
}

const fn second_slot(key: u64) -> usize {
    (key >> 16) as usize % SLOTS
}

/// Key differences of all reversible moves in a cuckoo hash: each stands in one of two slots.
struct Cuckoo {
    keys: [u64; SLOTS],
    moves: [Option<(Square, Square)>; SLOTS],
}

#[allow(long_running_const_eval)]
static CUCKOO: Cuckoo = {
    let mut table = Cuckoo { keys: [0; SLOTS], moves: [None; SLOTS] };
    let mut index = 0;
    while index < 12 * 64 {
        let (piece, a) = (Piece::ALL[index / 64], Square::from_index(index % 64));
        // Each pair of squares once: from the lower to the higher.
        let mut reach = attacks::on_empty_board(piece.kind(), a.index()) & (!1 << a.index());
        while reach != 0 {
            let b = Square::from_index(reach.trailing_zeros() as usize);
            let key = zobrist::piece(piece, a) ^ zobrist::piece(piece, b) ^ zobrist::side();
            table.insert(key, (a, b));
            reach &= reach - 1;
        }
        index += 1;
    }
    table
};

impl Cuckoo {
    const fn insert(&mut self, key: u64, squares: (Square, Square)) {
        let (mut key, mut squares) = (key, Some(squares));
        let mut slot = first_slot(key);
        while squares.is_some() {
            std::mem::swap(&mut self.keys[slot], &mut key);
            std::mem::swap(&mut self.moves[slot], &mut squares);
            // Whoever was pushed out goes to its other slot.
            slot = if slot == first_slot(key) { second_slot(key) } else { first_slot(key) };
        }
    }
}

/// The two squares of the reversible move that changes a key by `difference`.
#[inline]
fn cuckoo(difference: u64) -> Option<(Square, Square)> {
    let table = &CUCKOO;
    [first_slot(difference), second_slot(difference)]
        .into_iter()
        .find(|&slot| table.keys[slot] == difference)
        .and_then(|slot| table.moves[slot])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, PieceType};

    #[test]
    fn every_reversible_move_is_in_the_table() {
        let count = CUCKOO.moves.iter().flatten().count();
        assert_eq!(count, 3668);
        for color in Color::ALL {
            let rook = Piece::new(color, PieceType::Rook);
            let key = zobrist::piece(rook, Square::A1)
                ^ zobrist::piece(rook, Square::A8)
                ^ zobrist::side();
            assert_eq!(cuckoo(key), Some((Square::A1, Square::A8)));
        }
        assert_eq!(cuckoo(0x1234_5678), None);
    }
}
