//! Which thread's move to play: each votes for its own, with the weight of its depth and score.

use chess::Move;

use crate::search::ThreadResult;

/// The thread whose result counts. If one has reached the depth that was asked for, those that have
/// not do not count.
pub(crate) fn choose(results: &[ThreadResult], asked: Option<i32>) -> usize {
    let least = asked.filter(|&asked| results.iter().any(|result| result.depth >= asked));
    let best = |result: &ThreadResult| best(result, least.unwrap_or(1));
    let Some(worst) = results.iter().filter_map(|result| best(result).map(|b| b.1)).min() else {
        return 0;
    };
    let weight = |result: &ThreadResult| {
        best(result).map_or(0, |(_, score)| i64::from(score - worst + 10) * i64::from(result.depth))
    };
    let votes = |mv: Move| -> i64 {
        results.iter().filter(|result| best(result).is_some_and(|b| b.0 == mv)).map(weight).sum()
    };
    let mut chosen = results.iter().position(|result| best(result).is_some()).unwrap_or(0);
    for (index, result) in results.iter().enumerate().skip(chosen + 1) {
        let (Some((mv, score)), Some((chosen_mv, chosen_score))) =
            (best(result), best(&results[chosen]))
        else {
            continue;
        };
        let better = if score.is_win() || chosen_score.is_win() {
            // A proven win, the shortest.
            score > chosen_score
        } else if chosen_score.is_loss() && !score.is_loss() {
            true
        } else if score.is_loss() {
            chosen_score.is_loss() && score > chosen_score
        } else {
            let (new, old) = (votes(mv), votes(chosen_mv));
            new > old || (new == old && weight(result) > weight(&results[chosen]))
        };
        if better {
            chosen = index;
        }
    }
    chosen
}

/// The best move of a thread that has completed this iteration.
fn best(result: &ThreadResult, depth: i32) -> Option<(Move, crate::Score)> {
    result
        .root_moves
        .first()
        .filter(|_| result.depth >= depth)
        .map(|root_move| (root_move.mv, root_move.score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::search::RootMove;

    fn result(index: usize, score: Score, depth: i32) -> ThreadResult {
        let root = chess::Position::startpos();
        let mv = root.legal_moves()[index];
        let mut root_moves = vec![RootMove::new(mv, None)];
        root_moves[0].score = score;
        ThreadResult { root_moves, depth }
    }

    #[test]
    fn two_threads_outvote_a_slightly_better_one() {
        let results = [
            result(0, Score::from_cp(20), 10),
            result(1, Score::from_cp(15), 10),
            result(1, Score::from_cp(16), 10),
        ];
        assert_ne!(choose(&results, None), 0);
    }

    #[test]
    fn the_shortest_mate_wins_and_losses_lose() {
        let mates = [result(0, Score::mate_in(9), 12), result(1, Score::mate_in(5), 8)];
        assert_eq!(choose(&mates, None), 1);
        let lost = [result(0, Score::mated_in(8), 30), result(1, Score::from_cp(-900), 4)];
        assert_eq!(choose(&lost, None), 1);
        let lost = [result(0, Score::from_cp(-900), 4), result(1, Score::mated_in(8), 30)];
        assert_eq!(choose(&lost, None), 0);
    }

    #[test]
    fn a_thread_that_finished_nothing_does_not_count() {
        let results = [result(0, Score::from_cp(5), 3), result(1, Score::from_cp(500), 0)];
        assert_eq!(choose(&results, None), 0);
    }

    #[test]
    fn who_reached_the_depth_that_was_asked_for_counts_alone() {
        let results = [result(0, Score::from_cp(90), 11), result(1, Score::from_cp(15), 12)];
        assert_eq!(choose(&results, Some(12)), 1);
        assert_eq!(choose(&results, Some(13)), 0, "nobody did");
        assert_eq!(choose(&results, Some(11)), 0, "both did");
    }
}
