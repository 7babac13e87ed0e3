//! Sentences about moves, and claims that searches confirm or refute.

use chess::Position;
use engine::{Engine, Game, Limits};

use super::{Claim, Clause, Explanation, confirm, explain};
use crate::analyst::Analyst;
use crate::motif::Motif;

fn analyst(nodes: u64) -> Analyst {
    Analyst::new(Engine::new(), Limits::nodes(nodes))
}

fn why(fen: &str, san: &str) -> Explanation {
    let position = Position::from_fen(fen).expect("a legal position");
    let mv = position.parse_san(san).expect("a legal move");
    explain(&mut analyst(8000), &Game::new(position), mv, None)
}

#[test]
fn a_mate_that_is_allowed_is_named_with_its_move() {
    let text = why("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "Rb3").text();
    assert!(text.starts_with("Rb3 allows a back-rank mate in two moves: 1...Ra1+"), "{text}");
    let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let text = why(fool, "g4").text();
    assert!(text.starts_with("g4 allows mate in one: 2...Qh4#."), "{text}");
}

#[test]
fn a_fork_and_what_it_costs_are_named() {
    // The king steps into the fork of king and rook.
    let explanation = why("r7/4k3/8/3N4/8/8/1P3PPP/6K1 b - - 0 1", "Ke8");
    let text = explanation.text();
    assert!(text.starts_with("Ke8 loses a rook: Nc7+ forks"), "{text}");
    assert!(text.contains("the rook on a8") && text.contains("the king"), "{text}");
    assert_eq!(explanation.motifs().next(), Some(Motif::Fork));
}

#[test]
fn a_missed_mate_is_named() {
    let text = why("6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "h3").text();
    assert!(text.contains("Rb8# would have been a back-rank mate. A player of about "), "{text}");
}

#[test]
fn the_level_that_finds_the_missed_move_is_told_and_checked() {
    let explanation = why("6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "h3");
    let mut clause = explanation.clauses.into_iter().find(|clause| clause.found_at.is_some());
    let clause = clause.as_mut().expect("a level finds a mate in one");
    assert!(confirm(&mut analyst(5000), clause), "{}", clause.text);
    // Nobody of 600 plays the move that gives the rook away for nothing.
    clause.line = vec![clause.start.parse_san("Rb7").expect("legal")];
    assert!(!super::found_at::holds(clause));
    // Almost any move is better than this one: it means nothing to find the best.
    let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    assert!(why(fool, "g4").clauses.iter().all(|clause| clause.found_at.is_none()));
}

#[test]
fn good_moves_are_not_scolded() {
    let text = why("6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1", "Rb8#").text();
    assert!(text.starts_with("Rb8# is what the engine would play"), "{text}");
}

#[test]
fn no_move_of_a_lost_side_is_called_fine() {
    // Every king move leaves Black with nothing against the queen.
    let lost = "4k3/8/8/8/8/8/8/3QK3 b - - 0 1";
    for san in ["Ke7", "Kf7", "Kf8"] {
        let text = why(lost, san).text();
        assert!(!text.contains("fine"), "{text}");
    }
}

#[test]
fn every_clause_is_confirmed_by_a_longer_search() {
    let cases = [
        ("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "Rb3"),
        ("r7/4k3/8/3N4/8/8/1P3PPP/6K1 b - - 0 1", "Ke8"),
        ("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "Nd4"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "Qxe5+"),
        ("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "Ng5"),
    ];
    for (fen, san) in cases {
        let explanation = why(fen, san);
        assert!((1..=2).contains(&explanation.clauses.len()), "{fen} {san}");
        for clause in &explanation.clauses {
            assert!(confirm(&mut analyst(20_000), clause), "{fen}: {}", clause.text);
        }
    }
}

#[test]
fn false_claims_are_refuted() {
    let position = Position::from_fen("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1").expect("legal");
    let game = Game::new(position);
    let move_of = |san: &str| position.parse_san(san).expect("legal");
    let claim = Claim::Mate { by: chess::Color::Black, moves: 1 };
    // After h3 there is no mate.
    let wrong = Clause::new(&game, vec![move_of("h3")], String::new(), claim);
    assert!(!confirm(&mut analyst(5000), &wrong));
    let claim = Claim::Prefers { to: move_of("h3") };
    let wrong = Clause::new(&game, vec![move_of("Rb3")], String::new(), claim);
    assert!(!confirm(&mut analyst(5000), &wrong));
    let by = chess::Color::White;
    let claim = Claim::Misses { by, mate: None, pawns: 5, chance: 0.9 };
    let wrong = Clause::new(&game, vec![move_of("Rb3")], String::new(), claim);
    assert!(!confirm(&mut analyst(5000), &wrong));
}

#[test]
fn a_pawn_that_gets_through_and_mates_are_told_as_people_say_it() {
    // The king steps away from the pawn that it could have stopped.
    let text = why("8/8/8/4k2P/8/8/8/K7 b - - 0 1", "Kd4").text();
    assert!(text.starts_with("Kd4 lets a pawn promote: 2.h6"), "{text}");
    let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let text = why(fool, "g4").text();
    assert!(text.starts_with("g4 allows mate in one: 2...Qh4#. Better was "), "{text}");
    assert!(!text.contains("instead of") && !text.contains("mate in one for"), "{text}");
}

#[test]
fn nothing_is_said_twice() {
    // The sentence begins with the move that forks: "it", not its name again.
    let text = why("r3k3/8/8/3N4/8/8/1P3PPP/6K1 w - - 1 2", "h3").text();
    assert!(text.contains("Nc7+ would have won a rook: it forks "), "{text}");
    // A piece that went where it is taken: everybody knows that it is not protected there.
    let text = why("4k3/pppn1ppp/4p3/8/3N4/8/PPP2PPP/6K1 w - - 0 1", "Nxe6").text();
    let beginning = "Nxe6 loses a knight for a pawn: the knight can be taken (1...fxe6";
    assert!(text.starts_with(beginning), "{text}");
    // After a reason the better move is named in few words.
    assert!(text.contains(". Better was ") && text.contains(" instead of "), "{text}");
}

#[test]
fn a_fork_is_seen_whatever_comes_after_it() {
    // Searches of some lengths give the knight away later, for a pawn that gets through.
    let position = Position::from_fen("r7/4k3/8/3N4/8/8/1P3PPP/6K1 b - - 0 1").expect("legal");
    let mv = position.parse_san("Ke8").expect("legal");
    for nodes in (1500..=12_000).step_by(250) {
        let text = explain(&mut analyst(nodes), &Game::new(position), mv, None).text();
        assert!(text.starts_with("Ke8 loses a rook: Nc7+ forks"), "{nodes}: {text}");
        assert!(text.contains(" 3.Nxa8)"), "the line ends with what it shows: {text}");
        assert!(
            !text.contains("pinned"),
            "{nodes}: a pin that wins nothing explains nothing: {text}"
        );
    }
}

#[test]
fn what_takes_quiet_moves_is_only_said_with_a_motif() {
    let line = |fen: &str, moves: &[&str]| {
        let start = Position::from_fen(fen).expect("legal");
        let mut position = start;
        let read = moves.iter().map(|san| {
            let mv = position.parse_san(san).expect("legal");
            position.make(mv);
            mv
        });
        let moves: Vec<_> = read.collect();
        let all = super::Exchange::all(&start, &moves);
        all.iter().map(|one| (one.line.len(), one.quiet)).collect::<Vec<_>>()
    };
    let fen = "r7/4k3/8/3N4/8/8/1P3PPP/6K1 b - - 0 1";
    let walk = ["Kd6", "Ne3", "Ra1+", "Nf1", "Ra4", "h4", "Rxh4"];
    assert_eq!(line(fen, &walk), [(7, 1)]);
    let fork = ["Nc7+", "Kd7", "Nxa8", "Kd6", "Nb6", "Kc5", "h4", "Kxb6"];
    let after = "r3k3/8/8/3N4/8/8/1P3PPP/6K1 w - - 1 2";
    assert_eq!(line(after, &fork).first(), Some(&(3, 0)));
    // Taken back at once, nothing is won; later, the line ends there.
    assert_eq!(line("4k3/8/3p4/2p5/3N4/8/8/4K3 b - - 0 1", &["cxd4", "Ke2"]), [(1, 0)]);
    let traded = ["cxd4", "exd4", "Ke7"];
    assert_eq!(line("4k3/8/3b4/2p5/3N4/4P3/8/4K3 b - - 0 1", &traded), [(2, 0), (3, 1)]);
    assert_eq!(line("4k3/8/3b4/2p5/3P4/4P3/8/4K3 b - - 0 1", &traded), []);
}

#[test]
fn what_the_move_itself_took_is_counted() {
    // The knight takes a pawn and is taken: a knight for a pawn, not a knight.
    let text = why("4k3/pppn1ppp/4p3/8/3N4/8/PPP2PPP/6K1 w - - 0 1", "Nxe6").text();
    assert!(text.starts_with("Nxe6 loses a knight for a pawn:"), "{text}");
    // Rooks are traded: nothing is lost.
    let trade = why("3r2k1/5ppp/8/8/8/8/1n3PPP/3R2K1 w - - 0 1", "Rxd8#").text();
    assert!(!trade.contains("loses"), "{trade}");
    let text = why("r3r1k1/5ppp/8/8/8/1P6/5PPP/R3R1K1 w - - 0 1", "Rxe8+").text();
    assert!(!text.contains("loses a rook"), "{text}");
}
