//! What the moves of a stage are sorted by.

use chess::{Move, PieceType, exchange_value};

use super::{PickContext, ScoredMove};
use crate::history::QuietRows;
use crate::params;

/// Captures and promotions by what they win and how well they did. Underpromotions, which are
/// rarely wanted, come last.
pub(super) fn noisy_score(pick: &PickContext<'_>, mv: Move) -> i32 {
    let victim = pick.context.position.captured(mv).map_or(0, exchange_value);
    let promotion = match mv.promotion() {
        None => 0,
        Some(PieceType::Queen) => exchange_value(PieceType::Queen),
        Some(_) => -2 * exchange_value(PieceType::Queen),
    };
    params::capture_victim_weight() * (victim + promotion) + pick.history.capture(&pick.context, mv)
}

/// Quiet moves by how well they did, whether they flee from or walk into a lesser piece, and
/// whether they give a sound check.
#[inline(always)]
pub(super) fn quiet_score(pick: &PickContext<'_>, rows: &QuietRows<'_>, mv: Move) -> i32 {
    let context = &pick.context;
    let kind = context.position.moved(mv).kind();
    let mut score = rows.score(mv);
    let threatened = context.threats.attacked_by_lesser(kind);
    if threatened.any() {
        let worth = params::escape_bonus() * exchange_value(kind);
        score += worth * i32::from(threatened.has(mv.from()));
        score -= worth * i32::from(threatened.has(mv.to()));
    }
    if pick.checks.squares[kind.index()].has(mv.to())
        && context.position.see_ge(mv, params::check_see_threshold())
    {
        score += params::check_bonus();
    }
    score
}

/// Sorts the moves that score at least `limit` to the front, best first; the rest stays as it is.
pub(super) fn partial_sort(moves: &mut [ScoredMove], limit: i32) {
    let mut sorted = 0;
    for index in 0..moves.len() {
        let scored = moves[index];
        if scored.score < limit {
            continue;
        }
        moves[index] = moves[sorted];
        let mut slot = sorted;
        while slot > 0 && moves[slot - 1].score < scored.score {
            moves[slot] = moves[slot - 1];
            slot -= 1;
        }
        moves[slot] = scored;
        sorted += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves that can be told apart, with these scores.
    fn scored(scores: &[i32]) -> Vec<ScoredMove> {
        let moves = chess::Position::startpos().legal_moves();
        assert!(scores.len() <= moves.len());
        moves.iter().zip(scores).map(|(&mv, &score)| ScoredMove { mv, score }).collect()
    }

    #[test]
    fn sorting_is_stable() {
        let mut rng = chess::rng::Rng::new(7);
        for _ in 0..500 {
            // Few different scores, so that many are equal.
            let scores: Vec<i32> = (0..20).map(|_| rng.below(5) as i32 * 100 - 200).collect();
            for limit in [i32::MIN, -100, 0, 150, i32::MAX] {
                let before = scored(&scores);
                let mut after = before.clone();
                partial_sort(&mut after, limit);
                let moves = |list: &[ScoredMove]| list.iter().map(|s| s.mv).collect::<Vec<_>>();
                let mut expected: Vec<ScoredMove> =
                    before.iter().copied().filter(|scored| scored.score >= limit).collect();
                let sorted = expected.len();
                expected.sort_by_key(|scored| std::cmp::Reverse(scored.score));
                assert_eq!(moves(&after[..sorted]), moves(&expected), "{scores:?} from {limit}");
                let rest = |list: &[ScoredMove]| {
                    let mut rest: Vec<u16> = list.iter().map(|s| s.mv.bits()).collect();
                    rest.sort_unstable();
                    rest
                };
                assert_eq!(rest(&after), rest(&before), "nothing is lost");
                assert!(after[sorted..].iter().all(|scored| scored.score < limit));
            }
        }
    }
}
