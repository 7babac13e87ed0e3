//! Threads that fail, late helpers, and searches that wait.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::*;
use crate::report::Silent;
use crate::search::{ThreadData, Worker};
use crate::stats::Off;

#[test]
fn a_thread_that_fails_costs_neither_the_search_nor_the_thread() {
    let mut engine = Engine::new();
    engine.set_threads(2).unwrap();
    let limits = Limits::depth(6);
    // A thread without a counter panics when it tells its nodes.
    for (counters, failed) in [(1, 1), (0, 2)] {
        let mut job = engine.context.job(engine.game(), &limits, 2);
        job.tb_hits.truncate(counters);
        let outcome = engine.run(job, &mut Silent);
        assert_eq!(outcome.failed_threads, failed);
        assert_eq!(outcome.best_move.is_some(), counters > 0);
        let next = engine.search(&limits, &mut Silent);
        assert_eq!(next.failed_threads, 0);
        assert_eq!(next.lines[0].depth, 6);
        assert_eq!(engine.threads(), 2);
    }
}

#[test]
fn a_helper_that_begins_late_and_deep_still_stops_at_once() {
    let mut engine = Engine::new();
    engine.set_threads(2).unwrap();
    let job = engine.context.job(engine.game(), &Limits { infinite: true, ..Limits::default() }, 2);
    job.main_depth.store(50, Relaxed);
    job.flags.request_stop();
    let mut data = ThreadData::new().unwrap();
    let mut worker = Worker::<Off>::new(&mut data, &job, 1);
    worker.iterative_deepening();
    assert!(worker.nodes() <= 2048, "{}", worker.nodes());
}

#[test]
fn a_failed_search_that_must_wait_still_waits() {
    let mut engine = Engine::new();
    let control = engine.control();
    control.arm();
    let mut job =
        engine.context.job(engine.game(), &Limits { infinite: true, ..Limits::default() }, 1);
    job.tb_hits.clear();
    let told = Arc::new(AtomicBool::new(false));
    let telling = Arc::clone(&told);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        telling.store(true, Relaxed);
        control.stop();
    });
    engine.run(job, &mut Silent);
    assert!(told.load(Relaxed));
}
