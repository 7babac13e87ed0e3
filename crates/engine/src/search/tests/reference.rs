//! Quiescence against a plain definition of it.

use std::collections::HashMap;

use chess::{KeyHistory, Position, Square};

use super::*;
use crate::evaluator::scale_eval;
use crate::params::with;
use crate::testing::random_positions;

/// Which moves belong to quiescence, as plainly as it can be said.
#[derive(Clone, Copy)]
struct Plain {
    quiet_checks: bool,
    recapture_ply: usize,
}

/// The plain search gives up above this many nodes.
const PATIENCE: usize = 2000;

struct Reference {
    plain: Plain,
    keys: KeyHistory,
    nodes: usize,
    /// Half-move clocks by position: the evaluation fades with the clock, the table does not ask.
    clocks: HashMap<u64, u16>,
    is_ambiguous: bool,
}

impl Reference {
    /// The score of a position `ply` plies from the root: every evasion in check, otherwise
    /// standing pat or every forcing move, without window, table, order or pruning.
    fn score(&mut self, position: &Position, ply: usize, last: Option<Move>) -> i32 {
        self.nodes += 1;
        let drawn = position.is_fifty_move_draw()
            || self.keys.is_repetition(position, ply)
            || position.board().is_insufficient_material();
        if drawn || self.nodes > PATIENCE {
            return 0;
        }
        let clock = position.halfmove_clock();
        self.is_ambiguous |= *self.clocks.entry(position.key()).or_insert(clock) != clock;
        let moves = position.legal_moves();
        if moves.is_empty() && !position.is_check() && !position.has_pieces(position.side_to_move())
        {
            return 0;
        }
        let mut best = if position.is_check() {
            Score::mated_in(ply).raw()
        } else {
            scale_eval(position, nnue::embedded().evaluate_scratch(position)).raw()
        };
        let target = last.filter(|mv| mv.is_capture()).map(Move::to);
        for &mv in &moves {
            if position.is_check() || self.is_wanted(position, mv, ply, target) {
                let mut child = *position;
                self.keys.push(position);
                child.make(mv);
                best = best.max(-self.score(&child, ply + 1, Some(mv)));
                self.keys.pop();
            }
        }
        best
    }

    fn is_wanted(&self, position: &Position, mv: Move, ply: usize, target: Option<Square>) -> bool {
        match target {
            Some(square) if ply >= self.plain.recapture_ply => mv.is_capture() && mv.to() == square,
            _ if mv.is_noisy() => true,
            _ if !self.plain.quiet_checks || ply > 0 => false,
            _ => {
                let mut child = *position;
                child.make(mv);
                child.is_check()
            }
        }
    }
}

fn compare(plain: Plain, seed: u64, wanted: usize) {
    let switches = [
        ("qs_see_threshold", -32_000),
        ("qs_max_captures", 256),
        ("qs_late_moves", 250),
        ("qs_check_plies", 64),
        ("qs_skip_evasions", 0),
        ("qs_recapture_ply", plain.recapture_ply as i32),
        ("qs_quiet_checks", i32::from(plain.quiet_checks)),
    ];
    let mut bench = Bench::new();
    bench.context.settings.qsearch_delta_margin = Some(32_000);
    bench.context.settings.qsearch_max_ply = 64;
    let (mut compared, mut moved) = (0, 0);
    for position in random_positions(4 * wanted, seed) {
        let mut reference = Reference {
            plain,
            keys: KeyHistory::default(),
            nodes: 0,
            clocks: HashMap::new(),
            is_ambiguous: false,
        };
        let expected = reference.score(&position, 0, None);
        if reference.nodes > PATIENCE || reference.is_ambiguous {
            continue;
        }
        let found = with(&switches, || bench.quiesce(&Game::new(position)));
        // A draw is reported as a little more or less than nothing.
        let difference = (found.score.raw() - expected).abs();
        assert!(difference <= 1, "{expected} but {} in {}", found.score, position.to_fen());
        compared += 1;
        moved += usize::from(reference.nodes > 10);
        if compared == wanted {
            break;
        }
    }
    assert!(compared == wanted && moved > wanted / 8, "{compared} compared, {moved} with moves");
}

#[test]
fn without_pruning_quiescence_equals_a_plain_search_of_all_forcing_moves() {
    compare(Plain { quiet_checks: false, recapture_ply: 64 }, 51, 1000);
}

#[test]
fn recaptures_alone_equal_a_plain_search_of_recaptures() {
    compare(Plain { quiet_checks: false, recapture_ply: 2 }, 52, 1000);
}

#[test]
fn with_checks_quiescence_equals_a_plain_search_with_checks_at_the_first_ply() {
    compare(Plain { quiet_checks: true, recapture_ply: 5 }, 53, 500);
}
