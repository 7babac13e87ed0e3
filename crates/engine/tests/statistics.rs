//! Counting what a search does changes nothing and adds up.

use chess::Position;
use engine::stats::{Event, Group};
use engine::{Engine, Game, Limits, Outcome, Silent};

fn search(fen: &str, threads: usize, statistics: bool) -> Outcome {
    let mut engine = Engine::new();
    engine.set_threads(threads);
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
        let counters = outcome.statistics.unwrap();
        assert_eq!(counters.total(Group::Nodes), outcome.progress.nodes, "{fen}");
    }
}

#[test]
fn parts_are_never_more_than_the_whole() {
    for fen in FENS {
        let counters = search(fen, 1, true).statistics.unwrap();
        let get = |event| counters.get(event);
        assert!(counters.first_move_cuts() <= counters.total(Group::Cutoffs));
        assert!(counters.total(Group::Cutoffs) > 0);
        for (part, whole) in [
            (Event::TableCut, Event::TableHit),
            (Event::RazorCut, Event::RazorTried),
            (Event::NullMoveCut, Event::NullMoveTried),
            (Event::ProbCutCut, Event::ProbCutTried),
            (Event::Researched, Event::Reduced),
            (Event::Singular, Event::SingularTried),
            (Event::MultiCut, Event::SingularTried),
            (Event::QuiescenceFirstMoveCut, Event::QuiescenceCut),
            (Event::QuiescenceTableCut, Event::QuiescenceTableHit),
        ] {
            assert!(get(part) <= get(whole), "{part:?} of {whole:?} in {fen}");
        }
        assert_eq!(get(Event::CaptureLimit), 0, "the brake must not bite in ordinary positions");
    }
}
