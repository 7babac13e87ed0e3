//! The deepest line that can be searched.

use super::super::kind::Root;
use super::*;
use crate::params::with;
use crate::pool::with_large_stack;
use crate::score::MAX_PLY;
use crate::testing::game;

/// Nothing is pruned, reduced or shortened: the first line goes straight down.
const STRAIGHT: [(&str, i32); 11] = [
    ("rfp_max_depth", 0),
    ("razor_max_depth", 0),
    ("nmp_min_depth", 250),
    ("probcut_min_depth", 250),
    ("iir_min_depth", 250),
    ("hindsight_deeper_reduction", 32_768),
    ("hindsight_shallower_reduction", 32_768),
    ("lmr_min_depth", 250),
    ("lmr_first_move", 32_768),
    ("futility_max_depth", 0),
    ("singular_min_depth", 250),
];

#[test]
fn the_deepest_line_fits_on_the_stack_of_a_search_thread() {
    let deepest = || {
        let game = game("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10", &[]);
        let mut bench = Bench::new();
        let limits = Limits::nodes(300_000);
        let job = bench.job(&game, &limits);
        let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
        worker.completed_depth = 1;
        worker.root_depth = MAX_PLY as i32;
        let window = Window { alpha: Score::from_cp(-2000), beta: Score::from_cp(2000) };
        let depth = MAX_PLY as i32 + 10;
        let stopped = worker.search_at::<Root>(game.position(), window, (depth, 0, false));
        assert!(stopped.is_err(), "the tree cannot be finished");
        worker.seldepth
    };
    let seldepth = with_large_stack(|| with(&STRAIGHT, deepest));
    assert_eq!(seldepth, MAX_PLY - 1, "the line reaches the max ply and does not pass it");
}
