//! What the pruning of moves must leave alone.

use super::super::kind::NonPv;
use super::*;
use crate::testing::game;

#[test]
fn quiet_evasions_are_neither_late_nor_bad() {
    // Six quiet squares for the king, and a knight, without which nothing is pruned.
    let game = game("7k/8/8/3r4/8/3K4/8/N7 w - - 0 1", &[]);
    let mut bench = Bench::new();
    let job = bench.job(&game, &Limits::default());
    let mut worker = Worker::<Counters>::new(&mut bench.data, &job, 0);
    worker.root_depth = 1;
    let window = Window::below(Score::from_cp(2000));
    worker.search_at::<NonPv>(game.position(), window, (1, 1, false)).unwrap();
    let pruned = [Event::LateMovePrune, Event::HistoryPrune];
    assert_eq!(pruned.map(|event| worker.record.get(event)), [0, 0]);
}
