//! What the coach says about a fixed sample of mistakes: longer searches confirm every clause that
//! gives a reason, and nearly all that only name the better move.

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
fn every_reason_of_the_sample_is_confirmed_by_a_longer_search() {
    let (mut coach, mut judge) = (analyst(NODES), analyst(AGAIN));
    let (mut mistakes, mut clauses, mut preferences) = (0, 0, 0);
    let (mut refuted, mut reversed) = (Vec::new(), Vec::new());
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
            let is_preference = matches!(clause.claim, Claim::Prefers { .. });
            preferences += usize::from(is_preference);
            judge.forget();
            if !confirm(&mut judge, clause) {
                let wrong = if is_preference { &mut reversed } else { &mut refuted };
                wrong.push(format!("{fen} {uci}: {}", clause.text));
            }
        }
    }
    assert!(refuted.is_empty(), "{} of {clauses}:\n{}", refuted.len(), refuted.join("\n"));
    // Where nothing can be proven, two moves are compared by scores alone, and a longer search may
    // see it otherwise: with another network, in other positions.
    assert!(
        20 * reversed.len() <= clauses,
        "{} of {clauses}:\n{}",
        reversed.len(),
        reversed.join("\n")
    );
    assert!(mistakes >= 60 && clauses >= mistakes, "{mistakes} mistakes, {clauses} clauses");
    // Many sentences say more than which move the engine prefers; quiet mistakes have no other reason.
    assert!(3 * preferences < 2 * clauses, "{preferences} of {clauses} clauses are preferences");
}
