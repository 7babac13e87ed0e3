//! What the coach says about a fixed sample of mistakes: every clause is confirmed by a longer search.

use chess::Position;
use engine::{Engine, Game, Limits};
use review::{Analyst, Claim, confirm, explain};

/// Nodes of each search that explains, and of each that checks what was said.
const NODES: u64 = 20_000;
const AGAIN: u64 = 60_000;

fn analyst(nodes: u64) -> Analyst {
    let mut engine = Engine::new();
    engine.set_hash(4).expect("a small table");
    Analyst::new(engine, Limits::nodes(nodes))
}

#[test]
fn every_clause_of_the_sample_is_confirmed_by_a_longer_search() {
    let (mut coach, mut judge) = (analyst(NODES), analyst(AGAIN));
    let (mut mistakes, mut clauses, mut preferences) = (0, 0, 0);
    let mut refuted = Vec::new();
    let sample = include_str!("mistakes.txt");
    for line in sample.lines().filter(|line| !line.starts_with('#')) {
        let (fen, uci) = line.split_once(';').expect("a position and a move");
        let position = Position::from_fen(fen).expect("a legal position");
        let mv = position.parse_uci(uci).expect("a legal move");
        coach.forget();
        let explanation = explain(&mut coach, &Game::new(position), mv, None);
        mistakes += 1;
        for clause in &explanation.clauses {
            clauses += 1;
            preferences += usize::from(matches!(clause.claim, Claim::Prefers { .. }));
            judge.forget();
            if !confirm(&mut judge, clause) {
                refuted.push(format!("{fen} {uci}: {}", clause.text));
            }
        }
    }
    assert!(refuted.is_empty(), "{} of {clauses}:\n{}", refuted.len(), refuted.join("\n"));
    assert!(mistakes >= 60 && clauses >= mistakes, "{mistakes} mistakes, {clauses} clauses");
    // Most sentences say more than which move the engine prefers.
    assert!(2 * preferences < clauses, "{preferences} of {clauses} clauses are preferences");
}
