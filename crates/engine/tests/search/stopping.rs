//! Stops, ponder hits, and searches that wait for them.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use engine::{ClockTime, Control, Engine, Limits, Outcome, Silent};

use crate::support::{check_outcome, engine_at, search, small_engine};

const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10";
/// Long enough to see that nothing comes.
const PATIENCE: Duration = Duration::from_millis(150);

/// Searches elsewhere, so that it can be stopped from here.
struct Running {
    control: Control,
    outcome: Receiver<(Engine, Outcome)>,
}

impl Running {
    fn start(mut engine: Engine, limits: Limits) -> Self {
        let control = engine.control();
        control.arm();
        let (done, outcome) = channel();
        thread::spawn(move || {
            let outcome = engine.search(&limits, &mut Silent);
            let _ = done.send((engine, outcome));
        });
        Self { control, outcome }
    }

    fn assert_waits(&self, what: &str) {
        let early = self.outcome.recv_timeout(PATIENCE);
        assert!(matches!(early, Err(RecvTimeoutError::Timeout)), "{what} ended by itself");
    }

    fn end(self) -> (Engine, Outcome) {
        let (engine, outcome) = self.outcome.recv_timeout(Duration::from_secs(60)).expect("an end");
        check_outcome(engine.game(), &outcome);
        (engine, outcome)
    }
}

fn infinite() -> Limits {
    Limits { infinite: true, ..Limits::default() }
}

#[test]
fn an_infinite_search_ends_when_it_is_told_and_not_before() {
    let some_time = Some(Duration::from_millis(1));
    let clock = Some(ClockTime { remaining: Duration::from_millis(5), ..ClockTime::default() });
    for (fen, limits, what) in [
        (MIDDLE, infinite(), "an infinite search"),
        ("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", infinite(), "a search with nothing left to find"),
        ("k7/P7/K7/8/8/8/8/8 b - - 0 1", infinite(), "a stalemate"),
        (MIDDLE, Limits { depth: Some(2), ..infinite() }, "with a depth"),
        (MIDDLE, Limits { nodes: Some(500), ..infinite() }, "with a node limit"),
        (MIDDLE, Limits { move_time: some_time, ..infinite() }, "with a time"),
        (MIDDLE, Limits { clock, ..infinite() }, "with a clock"),
        (MIDDLE, Limits { mate: Some(5), soft_nodes: Some(1), ..infinite() }, "with a soft limit"),
    ] {
        let running = Running::start(engine_at(fen), limits);
        running.assert_waits(what);
        running.control.stop();
        running.end();
    }
}

#[test]
fn pondering_waits_for_the_ponder_hit_or_a_stop() {
    let clock = Some(ClockTime { remaining: Duration::from_millis(20), ..ClockTime::default() });
    let ponder = Limits { ponder: true, ..Limits::default() };
    for (limits, what) in [
        (Limits { clock, ..ponder.clone() }, "pondering with an empty clock"),
        (Limits { depth: Some(3), ..ponder.clone() }, "pondering to a depth"),
        (Limits { nodes: Some(500), ..ponder.clone() }, "pondering with a node limit"),
    ] {
        let running = Running::start(engine_at(MIDDLE), limits.clone());
        running.assert_waits(what);
        running.control.ponder_hit();
        let (engine, _) = running.end();
        let running = Running::start(engine, limits);
        running.assert_waits(what);
        running.control.stop();
        running.end();
    }
}

#[test]
fn after_a_ponder_hit_the_own_clock_counts() {
    let clock = Some(ClockTime { remaining: Duration::from_millis(200), ..ClockTime::default() });
    let limits = Limits { clock, ponder: true, ..Limits::default() };
    let running = Running::start(engine_at(MIDDLE), limits);
    running.control.ponder_hit();
    running.end();
}

#[test]
fn a_ponder_hit_or_stop_before_the_search_has_begun_is_not_lost() {
    let engine = engine_at(MIDDLE);
    let control = engine.control();
    control.arm();
    control.ponder_hit();
    control.stop();
    let mut engine = engine;
    let limits = Limits { ponder: true, infinite: true, ..Limits::default() };
    search(&mut engine, &limits);
}

#[test]
fn a_stop_does_not_reach_the_next_search() {
    let mut engine = engine_at(MIDDLE);
    let control = engine.control();
    search(&mut engine, &Limits::depth(3));
    control.stop();
    control.arm();
    assert_eq!(search(&mut engine, &Limits::depth(6)).lines[0].depth, 6);
    // A stop that comes while nothing runs is over when the next search is armed, and a search
    // that nobody stopped leaves none behind.
    assert_eq!(search(&mut engine, &Limits::depth(6)).lines[0].depth, 6);
}

#[test]
fn every_search_of_a_storm_of_stops_returns_a_legal_move() {
    let fens = [
        MIDDLE,
        "r1n1n1b1/1P1P1P1P/1N1N1N2/2RnQrRq/2pKp3/3BNQbQ/k7/4Bq2 w - - 0 1",
        "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
        "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    ];
    let mut engine = small_engine();
    for round in 0..300 {
        if round % 75 == 0 {
            engine.set_threads(1 + round / 75 % 2).unwrap();
        }
        engine.set_game(crate::support::game(fens[round % fens.len()], &[]));
        let running = Running::start(engine, infinite());
        thread::sleep(Duration::from_micros((round as u64 * 7919) % 3000));
        running.control.stop();
        engine = running.end().0;
    }
}
