//! The scores that a search leaves in the transposition table, read along the tree from the root.
//!
//! A search of 20,000 nodes has searched hundreds of positions six plies deep or more. What it found
//! out about them is there for the taking: training labels at no further cost.

use std::collections::HashSet;

use chess::{Move, Position};

use crate::score::{Bound, Score};
use crate::tt::{Entry, TranspositionTable, tt_key, tt_key_after};

/// A position of a search tree with what the search found out about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeScore {
    /// The position that was searched.
    pub position: Position,
    /// Its score, for the side to move.
    pub score: Score,
    /// Whether that is the score or a bound of it.
    pub bound: Bound,
    /// How deep the position was searched.
    pub depth: i32,
    /// The best move, if one is known.
    pub best_move: Option<Move>,
}

/// The positions that can be reached from `root` through positions searched at least `min_depth`
/// plies deep, each once, nearer ones first. Castling, en passant and moves beyond a drawn position
/// are not followed.
pub(crate) fn tree_scores(
    tt: &TranspositionTable,
    root: &Position,
    min_depth: i32,
) -> Vec<TreeScore> {
    let deep = |key: u64, position: &Position| {
        tt.probe(key, 0, position.halfmove_clock()).filter(|entry| entry.depth >= min_depth)
    };
    let mut found: Vec<TreeScore> = Vec::new();
    let mut seen = HashSet::from([tt_key(root)]);
    found.extend(deep(tt_key(root), root).and_then(|entry| tree_score(*root, &entry)));
    let mut next = 0;
    while let Some(parent) = found.get(next).map(|found| found.position) {
        next += 1;
        for &mv in &parent.legal_moves() {
            let key = tt_key_after(&parent, mv);
            if seen.contains(&key) || deep(key, &parent).is_none() {
                continue;
            }
            let mut child = parent;
            child.make(mv);
            // The key that was looked up is exact but for castling rights and en passant.
            if tt_key(&child) != key || child.is_fifty_move_draw() || !seen.insert(key) {
                continue;
            }
            found.extend(deep(key, &child).and_then(|entry| tree_score(child, &entry)));
        }
    }
    found
}

/// What the entry says about the position, unless it belongs to another one with the same tag.
fn tree_score(position: Position, entry: &Entry) -> Option<TreeScore> {
    if entry.best_move.is_some_and(|mv| !position.is_legal(mv)) {
        return None;
    }
    Some(TreeScore {
        position,
        score: entry.score,
        bound: entry.bound?,
        depth: entry.depth,
        best_move: entry.best_move,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, Limits, SingleThreadEngine};

    fn searched(fen: &str, nodes: u64) -> (SingleThreadEngine, Position) {
        let position = Position::from_fen(fen).unwrap();
        let mut engine = SingleThreadEngine::new(4).unwrap();
        engine.search(&Game::new(position), &Limits::nodes(nodes)).unwrap();
        (engine, position)
    }

    const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8";

    #[test]
    fn the_tree_is_read_from_the_root_each_position_once() {
        let (engine, root) = searched(MIDDLEGAME, 20_000);
        let scores = engine.tree_scores(&root, 6);
        assert!(scores.len() > 40, "{}", scores.len());
        assert_eq!(scores[0].position, root);
        let keys: HashSet<u64> = scores.iter().map(|found| found.position.key()).collect();
        assert!(keys.len() > scores.len() * 9 / 10);
        assert!(scores.iter().all(|found| found.depth >= 6));
        assert!(scores.iter().any(|found| found.bound == Bound::Lower));
        assert!(scores.iter().any(|found| found.bound == Bound::Upper));
        assert!(engine.tree_scores(&root, 8).len() < scores.len());
        // Every position but the root is a legal move away from another one.
        for found in &scores[1..] {
            let is_child = scores.iter().any(|parent| {
                parent.position.legal_moves().iter().any(|&mv| {
                    let mut child = parent.position;
                    child.make(mv);
                    child == found.position
                })
            });
            assert!(is_child, "{}", found.position.to_fen());
        }
    }

    #[test]
    fn bounds_hold_in_a_deeper_search() {
        // A bound of a shallow search is no proof, so a margin and a few exceptions are allowed.
        let (engine, root) = searched(MIDDLEGAME, 20_000);
        let scores = engine.tree_scores(&root, 6);
        let mut other = SingleThreadEngine::new(4).unwrap();
        let (mut held, mut asked) = (0, 0);
        for found in scores.iter().step_by(scores.len() / 25 + 1) {
            other.new_game();
            let (line, _) =
                other.search(&Game::new(found.position), &Limits::nodes(20_000)).unwrap();
            let above = line.score - found.score;
            asked += 1;
            held += i32::from(match found.bound {
                Bound::Lower => above > -50,
                Bound::Upper => above < 50,
                Bound::Exact => above.abs() < 50,
            });
        }
        assert!(asked >= 20 && held * 10 >= asked * 8, "{held} of {asked}");
    }

    #[test]
    fn nothing_is_known_before_a_search_and_nothing_deeper_than_it() {
        let (engine, root) = searched(MIDDLEGAME, 500);
        assert!(engine.tree_scores(&root, 40).is_empty());
        let fresh = SingleThreadEngine::new(1).unwrap();
        assert!(fresh.tree_scores(&root, 1).is_empty());
    }
}
