//! What a line comes to when the captures are over.

use chess::{Move, PieceType, Position, exchange_value};

/// Longest part of a line that is looked at: what comes later is no longer a consequence.
const HORIZON: usize = 9;

/// The forcing part of a line and what it wins for the side that begins it.
pub(super) struct Exchange {
    pub(super) line: Vec<Move>,
    pub(super) gain: Gain,
}

/// What was taken and promoted, by piece: pawn to queen; negative if the other side won it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Gain([i32; 5]);

impl Exchange {
    /// The line up to the end of its captures, if the side that begins it is then at least a pawn up.
    pub(super) fn of(position: &Position, moves: &[Move]) -> Option<Self> {
        let us = position.side_to_move();
        let mut current = *position;
        // What was won after so many moves.
        let mut gains = vec![Gain::default()];
        let mut end = None;
        for (index, &mv) in moves.iter().take(HORIZON).enumerate() {
            if !current.is_legal(mv) {
                break;
            }
            let is_own = current.side_to_move() == us;
            let gain = gains[index].after(&current, mv, if is_own { 1 } else { -1 });
            gains.push(gain);
            current.make(mv);
            // An end of captures: what follows takes nothing back and answers no check.
            let follows = moves.get(index + 1).filter(|&&next| current.is_legal(next));
            let is_quiet = follows.is_none_or(|next| !next.is_noisy()) && !current.is_check();
            if is_quiet && (mv.is_noisy() || !is_own) && gain.pawns() != 0 {
                end = Some(index + 1);
            }
        }
        let end = end?;
        // It should end with an own move: a quiet answer proves nothing.
        let length = if end % 2 == 0 { end - 1 } else { end };
        let gain = gains[end];
        (gain.pawns() > 0 && gains[length] == gain)
            .then(|| Self { line: moves[..length].to_vec(), gain })
    }
}

impl Gain {
    /// With what a move takes and promotes to; `sign` is -1 for a move of the opponent.
    fn after(mut self, position: &Position, mv: Move, sign: i32) -> Self {
        if let Some(kind) = position.captured(mv) {
            self.add(kind, sign);
        }
        if let Some(kind) = mv.promotion() {
            self.add(kind, sign);
            self.add(PieceType::Pawn, -sign);
        }
        self
    }

    fn add(&mut self, kind: PieceType, count: i32) {
        if let Some(known) = self.0.get_mut(kind.index()) {
            *known += count;
        }
    }

    /// Its worth in pawns.
    pub(super) fn pawns(self) -> i32 {
        PieceType::ALL
            .into_iter()
            .take(5)
            .map(|kind| self.0[kind.index()] * exchange_value(kind) / 100)
            .sum()
    }

    /// What was won, as in "a knight" or "a rook for a bishop"; nothing if that cannot be said simply.
    pub(super) fn words(self) -> Option<String> {
        let names = |sign: i32| {
            let mut parts = Vec::new();
            for kind in PieceType::ALL.into_iter().take(5).rev() {
                let count = self.0[kind.index()] * sign;
                if count > 0 {
                    parts.push(counted(kind, count));
                }
            }
            parts
        };
        let [pawns, knights, bishops, rooks, queens] = self.0;
        let minors = knights + bishops;
        if rooks == 1 && minors == -1 && queens == 0 && pawns == 0 {
            return Some(String::from("the exchange"));
        }
        let (won, given) = (names(1), names(-1));
        match (won.len(), given.len()) {
            (1 | 2, 0) => Some(won.join(" and ")),
            (1 | 2, 1 | 2) => Some(format!("{} for {}", won.join(" and "), given.join(" and "))),
            _ => None,
        }
    }
}

fn counted(kind: PieceType, count: i32) -> String {
    let name = super::words::kind(kind);
    match count {
        1 => format!("a {name}"),
        2 => format!("two {name}s"),
        3 => format!("three {name}s"),
        _ => format!("{count} {name}s"),
    }
}
