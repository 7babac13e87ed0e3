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

/// Sorts the moves that score at least `limit` to the front, best first; the rest follows.
pub(super) fn partial_sort(moves: &mut [ScoredMove], limit: i32) {
    let mut sorted = 0;
    for index in 0..moves.len() {
        if moves[index].score >= limit {
            moves.swap(sorted, index);
            sorted += 1;
        }
    }
    sort(&mut moves[..sorted]);
}

/// Up to so many moves are sorted by rank.
const RANKED: usize = 64;
/// Numbers that are compared at once where the processor can.
const LANES: usize = 16;

/// Sorts moves, best first; equal ones keep their order. **Rank sort**: the place of a move is the number
/// of better ones. These are counted without a branch, many at once, where an insertion sort guesses
/// wrong at every move.
fn sort(moves: &mut [ScoredMove]) {
    let count = moves.len();
    let Some(&first) = moves.first() else { return };
    if count > RANKED {
        moves.sort_by_key(|scored| std::cmp::Reverse(scored.score));
        return;
    }
    // No two keys are equal: of equal scores the earlier one is the higher.
    let mut keys = [i32::MIN; RANKED];
    let mut unsorted = [first; RANKED];
    for (index, ((key, copy), &scored)) in
        keys.iter_mut().zip(&mut unsorted).zip(&*moves).enumerate()
    {
        debug_assert!(scored.score.abs() < i32::MAX >> 8);
        *key = scored.score << 8 | (RANKED - index) as i32;
        *copy = scored;
    }
    let (lines, _) = keys[..count.next_multiple_of(LANES)].as_chunks::<LANES>();
    for (&key, &scored) in keys.iter().zip(&unsorted).take(count) {
        let mut better = [0; LANES];
        for line in lines {
            for (better, &other) in better.iter_mut().zip(line) {
                *better += i32::from(other > key);
            }
        }
        moves[better.iter().sum::<i32>() as usize] = scored;
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
            let count = rng.below(21);
            let scores: Vec<i32> = (0..count).map(|_| rng.below(5) as i32 * 100 - 200).collect();
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
