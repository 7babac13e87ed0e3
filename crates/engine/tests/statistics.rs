//! Counting what a search does changes nothing and adds up.

use std::time::Duration;

use chess::Position;
use engine::stats::{Event, Group, Part, Statistics, StopReason};
use engine::{ClockTime, Engine, Game, Limits, Outcome, Report, Silent, Warning};

fn search(fen: &str, threads: usize, statistics: bool) -> Outcome {
    let mut engine = Engine::new();
    engine.set_threads(threads).unwrap();
    engine.settings_mut().statistics = statistics;
    engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
    engine.search(&Limits::depth(9), &mut Silent)
}

const FENS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
];

#[test]
fn a_search_that_counts_finds_the_same_in_as_many_nodes() {
    for fen in FENS {
        let (silent, counting) = (search(fen, 1, false), search(fen, 1, true));
        assert_eq!(silent.lines, counting.lines);
        assert_eq!(silent.progress.nodes, counting.progress.nodes);
        assert!(silent.statistics.is_none() && counting.statistics.is_some());
    }
}

#[test]
fn nodes_by_kind_add_up_to_all_nodes_with_one_thread_and_with_two() {
    for (fen, threads) in FENS.into_iter().zip([1, 2, 1]) {
        let outcome = search(fen, threads, true);
        let counters = outcome.statistics.unwrap().counters;
        assert_eq!(counters.total(Group::Nodes), outcome.progress.nodes, "{fen}");
    }
}

#[test]
fn timed_parts_cover_their_calls_and_stay_within_the_whole() {
    let statistics = search(FENS[0], 1, true).statistics.unwrap();
    let counters = &statistics.counters;
    for part in Part::ALL {
        let timing = counters.timing(part);
        assert!(timing.calls() > 1_000, "{part:?}");
        assert!(timing.mean().unwrap() <= timing.longest(), "{part:?}");
        let share = statistics.time_share(part);
        assert!(share > 0.0 && share <= 1.0, "{part:?} {share}");
    }
    // Leaves of the main search enter quiescence once; nodes below them do not count as calls.
    let quiescence = counters.timing(Part::Quiescence);
    assert!(quiescence.calls() < counters.get(Event::QuiescenceNode));
    assert!(counters.timing(Part::Evaluation).calls() <= counters.evaluations());
}

#[test]
fn parts_are_never_more_than_the_whole() {
    for fen in FENS {
        let counters = search(fen, 1, true).statistics.unwrap().counters;
        let get = |event| counters.get(event);
        assert!(counters.first_move_cuts() <= counters.total(Group::Cutoffs));
        assert!(counters.total(Group::Cutoffs) > 0);
        for (part, whole) in [
            (Event::TtCutoff, Event::TtHit),
            (Event::TtProbCut, Event::TtHit),
            (Event::RazorCut, Event::RazorTried),
            (Event::NullMoveCut, Event::NullMoveTried),
            (Event::ProbCutCut, Event::ProbCutTried),
            (Event::Researched, Event::Reduced),
            (Event::Singular, Event::SingularTried),
            (Event::MultiCut, Event::SingularTried),
            (Event::QuiescenceFirstMoveCut, Event::QuiescenceCut),
            (Event::QuiescenceTtCutoff, Event::QuiescenceTtHit),
        ] {
            assert!(get(part) <= get(whole), "{part:?} of {whole:?} in {fen}");
        }
        assert_eq!(get(Event::CaptureLimit), 0, "the brake must not bite in ordinary positions");
    }
}

#[test]
fn iterations_follow_each_other_and_end_with_the_search() {
    let outcome = search(FENS[0], 1, true);
    let statistics = outcome.statistics.unwrap();
    let depths: Vec<i32> = statistics.iterations.iter().map(|one| one.depth).collect();
    assert_eq!(depths, (1..=9).collect::<Vec<_>>());
    let own: u64 = statistics.growth().map(|(_, nodes, _)| nodes).sum();
    assert_eq!(own, outcome.progress.nodes);
    assert!(statistics.growth().skip(1).all(|(.., factor)| factor.is_some_and(|f| f > 0.0)));
    assert_eq!((statistics.stop, statistics.running), (Some(StopReason::Depth), false));
    assert!(statistics.correction_entries > 0);
    assert!(statistics.counters.mean_correction() > 0.0);
}

#[test]
fn every_search_tells_what_ended_it() {
    let stop = |limits: Limits| {
        let mut engine = Engine::new();
        engine.settings_mut().statistics = true;
        engine.search(&limits, &mut Silent).statistics.unwrap()
    };
    let time = |milliseconds| Some(Duration::from_millis(milliseconds));
    assert_eq!(stop(Limits::depth(3)).stop, Some(StopReason::Depth));
    assert_eq!(stop(Limits::nodes(5000)).stop, Some(StopReason::Nodes));
    let timed = stop(Limits { move_time: time(30), ..Limits::default() });
    assert_eq!(timed.stop, Some(StopReason::TimeIsUp));
    assert_eq!((timed.plan.soft, timed.plan.hard), (None, time(20)));
    let clock = ClockTime { remaining: Duration::from_secs(2), increment: Duration::ZERO };
    let played = stop(Limits { clock: Some(clock), ..Limits::default() });
    assert!(matches!(played.stop, Some(StopReason::Enough | StopReason::TimeIsUp)));
    assert!(played.plan.soft <= played.plan.hard && played.plan.wanted.is_some());
}

#[test]
fn a_running_search_tells_its_statistics_and_they_only_grow() {
    let mut engine = Engine::new();
    engine.settings_mut().statistics = true;
    let control = engine.control();
    let mut told: Vec<Statistics> = Vec::new();
    engine.search(&Limits { infinite: true, ..Limits::default() }, &mut |report: &Report| {
        if let Report::Statistics(statistics) = report {
            told.push(statistics.as_ref().clone());
            // A busy machine may give the search no time between two reports.
            if told.len() >= 3 && statistics.nodes() > told[0].nodes() {
                control.stop();
            }
        }
    });
    assert!(told.len() >= 3);
    assert!(told.iter().all(|statistics| statistics.running));
    assert!(told.windows(2).all(|pair| pair[0].nodes() <= pair[1].nodes()));
}

#[test]
fn what_looks_wrong_is_reported_while_statistics_are_counted_and_only_then() {
    let fen = "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1";
    let warnings = |counting: bool, max_ply: usize| {
        let mut engine = Engine::new();
        engine.settings_mut().statistics = counting;
        engine.settings_mut().qsearch_max_ply = max_ply;
        engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
        let mut warnings = Vec::new();
        engine.search(&Limits::nodes(30_000), &mut |report: &Report| {
            if let Report::Warning(warning) = report {
                warnings.push(warning.clone());
            }
        });
        warnings
    };
    assert_eq!(warnings(false, 4), []);
    let counted = warnings(true, 4);
    assert!(matches!(&counted[..], [Warning::PlyLimit { .. }, ..]), "{counted:?}");
    // One a second at most.
    assert!(counted.len() < 30, "{}", counted.len());
}
