//! Traces tell what happened: every line is legal, every result follows from what is below it, and
//! nodes searched again come to the same.

use std::collections::HashMap;

use chess::{Move, Position};

use super::{BARE, Bench, Worker};
use crate::game::Game;
use crate::limits::Limits;
use crate::params;
use crate::score::Score;
use crate::search::Window;
use crate::stats::{Event, Step, TraceNode, Tracer, Tree};
use crate::testing::random_positions;

const FENS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1",
    "8/8/8/1B6/6k1/8/p7/K7 w - - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 10",
];

fn traced(game: &Game, depth: i32, limit: usize) -> (Tree, u64, Score) {
    traced_without(game, depth, limit, &[])
}

fn traced_without(game: &Game, depth: i32, limit: usize, off: &[Event]) -> (Tree, u64, Score) {
    let mut bench = Bench::new();
    let job = bench.job(game, &Limits::depth(depth));
    let mut worker = Worker::<Tracer>::new(&mut bench.data, &job, 0);
    worker.trace_from(depth, limit, off);
    worker.iterative_deepening();
    let (_, tree) = worker.take_record().into_parts();
    let score = worker.best_line().expect("there is a legal move").score;
    (tree, worker.nodes(), score)
}

/// The game at every node. Panics if a line is not legal.
fn games(root: &Game, tree: &Tree) -> Vec<Game> {
    let mut games: Vec<Game> = Vec::new();
    for (index, node) in tree.nodes.iter().enumerate() {
        assert_eq!(node.id, index);
        let mut game = node.parent.map_or_else(|| root.clone(), |parent| games[parent].clone());
        match node.step {
            Step::Move(mv) => {
                assert!(game.position().is_legal(mv), "{mv:?} in {:?}", game.position());
                game.play(mv);
            }
            Step::Null => {
                let mut position = *game.position();
                assert!(!position.is_check());
                position.make_null();
                game = Game::new(position);
            }
            Step::Without(mv) => assert!(game.position().is_legal(mv)),
            Step::Root => assert_eq!(node.parent, None),
            Step::Again => {}
        }
        games.push(game);
    }
    games
}

/// The last visit to each move of a node.
fn last_visits<'a>(tree: &'a Tree, node: &TraceNode) -> HashMap<Move, &'a TraceNode> {
    let children = tree.nodes.iter().filter(|child| child.parent == Some(node.id));
    children
        .filter_map(|child| match child.step {
            Step::Move(mv) => Some((mv, child)),
            _ => None,
        })
        .collect()
}

fn check_end(node: &TraceNode, position: &Position, children: &HashMap<Move, &TraceNode>) {
    let result = node.result.expect("nothing stops the search");
    let cuts = |child: &&TraceNode| child.result.is_some_and(|score| -score >= node.beta);
    match node.end {
        Some(Event::QuiescenceMate) => {
            assert!(position.is_check() && !position.has_legal_move(), "{node:?}");
            assert_eq!(result, Score::mated_in(node.ply));
        }
        Some(Event::Stalemate) => assert!(!position.is_check() && !position.has_legal_move()),
        Some(Event::NoMove) if !matches!(node.step, Step::Without(_)) => {
            assert!(!position.has_legal_move(), "{node:?}");
        }
        Some(Event::Draw) => assert!(result.raw().abs() <= 1, "{node:?}"),
        Some(Event::StandPatCut) => assert!(result >= node.beta, "{node:?}"),
        Some(end) if end.group() == crate::stats::Group::Cutoffs => {
            assert!(children.values().any(cuts) || node.beta.is_decisive(), "{node:?}");
        }
        // ProbCut searches moves for another question than the node's own.
        None if node.depth < params::probcut_min_depth() => {
            for child in children.values() {
                let score = child.result.expect("nothing stops the search");
                assert!(result >= -score, "{node:?} against {child:?}");
            }
        }
        _ => {}
    }
}

#[test]
fn a_trace_replays_and_changes_nothing() {
    for fen in FENS {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let depth = 5;
        let (tree, nodes, score) = traced(&game, depth, usize::MAX);
        let plain = Bench::new().search(&game, &Limits::depth(depth));
        assert_eq!((plain.nodes, plain.line.score), (nodes, score), "{fen}");
        let root = tree.nodes.iter().rfind(|node| node.step == Step::Root).unwrap();
        // The report leaves out what tells equal draws apart.
        let result = root.result.unwrap();
        let shown = if result.is_near_draw() { Score::DRAW } else { result };
        assert_eq!(shown, score, "{fen}");
        // A root that failed high is searched again a little shallower.
        assert!(root.depth <= depth && root.depth > 0 && tree.omitted == 0, "{fen}");
        for (node, game) in tree.nodes.iter().zip(games(&game, &tree)) {
            check_end(node, game.position(), &last_visits(&tree, node));
        }
    }
}

#[test]
fn quiescence_searched_again_comes_to_the_same() {
    // What the table and the corrections know at one time they do not know at another, and which
    // evasion or capture comes first depends on histories.
    let plain = [
        ("use_tt", 0),
        ("qs_skip_evasions", 0),
        ("qs_late_moves", 250),
        ("correction_pawns", 0),
        ("correction_non_pawns", 0),
        ("correction_minors", 0),
        ("correction_continuation", 0),
    ];
    params::with(&plain, || {
        let mut compared = 0;
        let known = FENS.map(|fen| Position::from_fen(fen).unwrap());
        let random = random_positions(30, 77).into_iter().filter(Position::has_legal_move);
        for position in random.chain(known) {
            let root = Game::new(position);
            let (tree, ..) = traced(&root, 4, usize::MAX);
            let mut bench = Bench::new();
            for (node, game) in tree.nodes.iter().zip(games(&root, &tree)) {
                let entered = node.kind == Event::QuiescenceNode && node.depth == 0;
                if !entered || matches!(node.end, Some(Event::Draw | Event::UpcomingRepetition)) {
                    continue;
                }
                let window = Window { alpha: node.alpha, beta: node.beta };
                let again = bench.quiesce_within(&game, window).score;
                let reported = node.result.unwrap();
                // Mates are counted from the root.
                let again = again.from_node(node.ply, 0);
                // A draw is a little above or below zero, as the number of nodes has it.
                if reported.raw().abs() <= 1 && again.raw().abs() <= 1 {
                    continue;
                }
                if reported > node.alpha && reported < node.beta {
                    assert_eq!(reported, again, "{node:?} in {:?}", game.position());
                }
                assert_eq!(reported >= node.beta, again >= node.beta, "{node:?}");
                assert_eq!(reported <= node.alpha, again <= node.alpha, "{node:?}");
                compared += 1;
            }
        }
        assert!(compared > 1000, "{compared}");
    });
}

/// Whether each node, or one below it, was decided by the moves that led to it.
fn depends_on_the_way(tree: &Tree) -> Vec<bool> {
    let mut depends = vec![false; tree.nodes.len()];
    for node in tree.nodes.iter().rev() {
        depends[node.id] |= matches!(node.end, Some(Event::Draw | Event::UpcomingRepetition));
        if let Some(parent) = node.parent {
            depends[parent] |= depends[node.id];
        }
    }
    depends
}

#[test]
fn a_main_node_searched_again_comes_to_the_same() {
    // What is left is a function of position, depth and window, though its moves come in any order.
    let memoryless = [
        ("use_tt", 0),
        ("qs_delta_margin", 32_000),
        ("qs_max_captures", 256),
        ("qs_recapture_ply", 2),
    ];
    params::with(&[&BARE[..], &memoryless].concat(), || {
        let mut compared = [0; 2];
        let known = FENS.map(|fen| Position::from_fen(fen).unwrap());
        let random = random_positions(24, 78).into_iter().filter(Position::has_legal_move);
        for position in random.chain(known) {
            let root = Game::new(position);
            let (tree, ..) = traced(&root, 3, usize::MAX);
            let depends = depends_on_the_way(&tree);
            let mut bench = Bench::new();
            for (node, game) in tree.nodes.iter().zip(games(&root, &tree)) {
                let reported = node.result.unwrap();
                let window = Window { alpha: node.alpha, beta: node.beta };
                // Mates are counted from the root, and the nearest ends the search for others.
                let bounded = node.alpha.is_decisive() || node.beta.is_decisive();
                let near_mate = reported.is_decisive() || bounded && window != Window::full();
                if node.depth < 1 || depends[node.id] || near_mate {
                    continue;
                }
                let game = Game::new(*game.position());
                let again = bench.search_within(&game, window, node.depth);
                if reported > node.alpha && reported < node.beta {
                    assert_eq!(reported, again, "{node:?} in {:?}", game.position());
                }
                assert_eq!(reported >= node.beta, again >= node.beta, "{node:?}");
                assert_eq!(reported <= node.alpha, again <= node.alpha, "{node:?}");
                compared[usize::from(node.kind == Event::PvNode)] += 1;
            }
        }
        assert!(compared.into_iter().all(|count| count > 50), "{compared:?}");
    });
}

#[test]
fn a_limit_keeps_the_first_nodes_and_counts_the_rest() {
    let game = Game::new(Position::from_fen(FENS[0]).unwrap());
    let (whole, nodes, _) = traced(&game, 4, usize::MAX);
    let (part, same, _) = traced(&game, 4, 30);
    assert_eq!(nodes, same);
    assert_eq!(part.nodes.len(), 30);
    assert_eq!(part.omitted as usize, whole.nodes.len() - 30);
    assert!(part.nodes.iter().zip(&whole.nodes).all(|(a, b)| (a.id, a.step) == (b.id, b.step)));
}

#[test]
fn a_rule_that_is_switched_off_prunes_nothing() {
    let game = Game::new(Position::from_fen(FENS[0]).expect("a legal position"));
    let has = |tree: &Tree, rule: Event| {
        tree.nodes.iter().any(|node| {
            node.end == Some(rule) || node.skipped.iter().any(|&(skipped, _)| skipped == rule)
        })
    };
    let (usual, nodes, score) = traced(&game, 7, 100_000);
    let rules: Vec<Event> =
        Event::ALL.iter().copied().filter(|event| event.is_switchable()).collect();
    let at_work = rules.iter().filter(|&&rule| has(&usual, rule)).count();
    assert!(at_work >= 7, "{at_work} rules");
    for &rule in rules.iter().filter(|&&rule| has(&usual, rule)) {
        let (tree, ..) = traced_without(&game, 7, 100_000, &[rule]);
        assert!(!has(&tree, rule), "{rule:?}");
    }
    // Without a word about rules it is the usual search.
    assert_eq!((nodes, score), {
        let (_, nodes, score) = traced_without(&game, 7, 9, &[]);
        (nodes, score)
    });
}
