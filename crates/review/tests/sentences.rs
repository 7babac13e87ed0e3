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

/// What was said about some mistakes, and what longer searches do not confirm of it.
#[derive(Default)]
struct Sample {
    mistakes: usize,
    clauses: usize,
    preferences: usize,
    levels: usize,
    refuted: Vec<String>,
    reversed: Vec<String>,
}

impl Sample {
    fn of<'a>(lines: impl Iterator<Item = &'a str>) -> Self {
        let (mut coach, mut judge) = (analyst(NODES), analyst(AGAIN));
        let mut sample = Self::default();
        for line in lines {
            let (fen, uci) = line.split_once(';').expect("a position and a move");
            let position = Position::from_fen(fen).expect("a legal position");
            let mv = position.parse_uci(uci).expect("a legal move");
            coach.forget();
            let explanation = explain(&mut coach, &Game::new(position), mv, None);
            sample.mistakes += 1;
            for clause in &explanation.clauses {
                sample.clauses += 1;
                sample.levels += usize::from(clause.found_at.is_some());
                let is_preference = matches!(clause.claim, Claim::Prefers { .. });
                sample.preferences += usize::from(is_preference);
                judge.forget();
                if !confirm(&mut judge, clause) {
                    let wrong =
                        if is_preference { &mut sample.reversed } else { &mut sample.refuted };
                    wrong.push(format!("{fen} {uci}: {}", clause.text));
                }
            }
        }
        sample
    }

    fn and(mut self, other: Self) -> Self {
        self.mistakes += other.mistakes;
        self.clauses += other.clauses;
        self.preferences += other.preferences;
        self.levels += other.levels;
        self.refuted.extend(other.refuted);
        self.reversed.extend(other.reversed);
        self
    }
}

#[test]
fn every_reason_of_the_sample_is_confirmed_by_a_longer_search() {
    let lines = || include_str!("mistakes.txt").lines().filter(|line| !line.starts_with('#'));
    // Two halves at a time: each mistake begins with empty tables, so the order does not matter.
    let sample = std::thread::scope(|scope| {
        let even = scope.spawn(|| Sample::of(lines().step_by(2)));
        let odd = Sample::of(lines().skip(1).step_by(2));
        odd.and(even.join().expect("the other half is explained, too"))
    });
    let Sample { mistakes, clauses, preferences, levels, refuted, reversed } = sample;
    assert!(refuted.is_empty(), "{} of {clauses}:\n{}", refuted.len(), refuted.join("\n"));
    // Where nothing can be proven, two moves are compared by scores alone, and a longer search may
    // see it otherwise: with another network, in other positions.
    assert!(
        20 * reversed.len() <= clauses,
        "{} of {clauses}:\n{}",
        reversed.len(),
        reversed.join("\n")
    );
    assert!(mistakes == 200 && clauses >= mistakes, "{mistakes} mistakes, {clauses} clauses");
    // Many sentences say more than which move the engine prefers; quiet mistakes have no other reason.
    assert!(3 * preferences < 2 * clauses, "{preferences} of {clauses} clauses are preferences");
    assert!(levels > 0, "nobody finds anything that was missed");
}
