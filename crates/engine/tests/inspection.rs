//! Looking inside the search from outside.

use chess::Position;
use engine::stats::{Event, Group};
use engine::{Engine, Game, Inspector, Score};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn inspector(fen: &str) -> Inspector {
    let mut engine = Engine::new();
    engine.set_game(Game::new(Position::from_fen(fen).unwrap()));
    Inspector::new(&engine).unwrap()
}

#[test]
fn a_quiet_position_is_worth_its_static_score() {
    let found = inspector("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1").quiesce(10, None);
    assert_eq!(found.score, found.static_score);
    assert!(found.line.is_empty());
    assert_eq!((found.nodes, found.tree.nodes.len()), (1, 1));
}

#[test]
fn quiescence_takes_what_hangs_and_shows_where_it_ends() {
    let found = inspector("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").quiesce(100, None);
    assert!(found.score > found.static_score + 500);
    assert_eq!(found.line.len(), 1);
    assert!(found.leaf.to_fen().starts_with("4k3/8/8/3P4/8/8/8/4K3 b"));
    assert_eq!(found.counters.total(Group::Nodes), found.nodes);
    assert_eq!(found.tree.nodes[0].result, Some(found.score));
}

#[test]
fn what_is_seen_is_the_same_every_time_and_does_not_depend_on_how_much_is_shown() {
    let mut inspector = inspector(KIWIPETE);
    let whole = inspector.quiesce(usize::MAX, None);
    let part = inspector.quiesce(5, None);
    assert_eq!((whole.score, whole.nodes, &whole.line), (part.score, part.nodes, &part.line));
    assert_eq!(whole.tree.nodes.len() as u64, whole.nodes);
    assert_eq!(part.tree.omitted, whole.nodes - 5);
    assert_eq!(whole.counters.get(Event::QuiescenceNode), whole.nodes);
    let (line, nodes) = inspector.search(4).unwrap();
    let traced = inspector.trace(4, 1000);
    assert_eq!((traced.line, traced.nodes), (Some(line), nodes));
}

#[test]
fn leaves_are_counted_as_perft_counts_them() {
    for (fen, depth) in [(KIWIPETE, 2), ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3)] {
        let found = inspector(fen).perft(depth).unwrap();
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(found.leaves, chess::perft(&position, depth), "{fen}");
        assert_eq!(found.depths.iter().sum::<u64>(), found.leaves);
        assert!(found.nodes >= found.leaves);
        assert_eq!(found.largest.len(), 10);
        assert!(found.largest.windows(2).all(|pair| pair[0].nodes >= pair[1].nodes));
        for leaf in &found.largest {
            let mut reached = position;
            for &mv in &leaf.line {
                assert!(reached.is_legal(mv));
                reached.make(mv);
            }
            assert_eq!(reached, leaf.position);
        }
    }
}

#[test]
fn a_walk_that_is_told_to_stop_stops() {
    let mut inspector = inspector(KIWIPETE);
    inspector.control().stop();
    assert_eq!(inspector.perft(6), None);
}

#[test]
fn mates_and_stalemates_are_seen_without_a_legal_move() {
    let mut mated = inspector("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(mated.quiesce(1, None).score, Score::mated_in(0));
    assert!(mated.search(4).is_none() && mated.trace(4, 10).line.is_none());
    assert_eq!(inspector("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").quiesce(1, None).score, Score::DRAW);
}
