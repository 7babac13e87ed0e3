//! Which mistakes are puzzles, and how hard they are.

use chess::{Move, Position};
use engine::{Engine, Game, Limits};

use super::{Puzzle, PuzzleRules, Refusal, make_puzzle, make_puzzles, suspects};
use crate::analysis::{Iteration, PositionAnalysis, Study};
use crate::analyst::Analyst;
use crate::motif::Motif;
use crate::tree::{GameTree, Ply};

fn made(fen: &str, san: &str) -> Result<Puzzle, Refusal> {
    let before = Position::from_fen(fen).expect("a legal position");
    let mistake = before.parse_san(san).expect("a legal move");
    let mut analyst = Analyst::new(Engine::new(), Limits::nodes(5000));
    make_puzzle(&mut analyst, &Game::new(before), mistake, None, &PuzzleRules::default())
}

#[test]
fn a_mate_in_one_after_a_mistake_is_a_puzzle() {
    let fool = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2";
    let puzzle = made(fool, "g4").expect("a puzzle");
    assert_eq!(puzzle.start().to_san(puzzle.moves[1]), "Qh4#");
    assert!(puzzle.findings.iter().any(|finding| finding.motif == Motif::MateIn1));
    assert_eq!(puzzle.difficulty.moves, 1);
    assert_eq!(made(fool, "e4").err(), Some(Refusal::SeveralAnswers));
}

#[test]
fn a_fork_is_a_puzzle_with_its_second_move() {
    let puzzle = made("r7/4k3/8/3N4/8/8/1P3PPP/6K1 b - - 0 1", "Ke8").expect("a puzzle");
    let start = puzzle.start();
    assert_eq!(start.to_san(puzzle.moves[1]), "Nc7+");
    assert!(puzzle.findings.iter().any(|finding| finding.motif == Motif::Fork));
    assert!(puzzle.moves.len() >= 4, "{:?}", puzzle.moves);
}

#[test]
fn forced_answers_finished_games_and_good_moves_are_no_puzzles() {
    // The only legal answer.
    assert_eq!(made("k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8#").err(), Some(Refusal::Over));
    assert_eq!(made("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "Kf7").err(), Some(Refusal::Forced));
    // A recapture after an even exchange follows no mistake.
    let exchange = "3rr1k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1";
    assert_eq!(made(exchange, "Rxd8").err(), Some(Refusal::NoMistake));
}

/// Black is in check on the back rank and has one move, after which White has one mate.
const BACK_RANK: &str = "R5k1/3r1ppp/8/8/8/8/5PPP/6K1 b - - 0 1";

#[test]
fn the_only_mate_is_a_puzzle_even_after_a_forced_move() {
    let puzzle = made(BACK_RANK, "Rd8").expect("a puzzle");
    assert_eq!(puzzle.start().to_san(puzzle.moves[1]), "Rxd8#");
    assert!(!puzzle.is_mistake);
    let fool = made("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2", "g4");
    assert!(fool.expect("a puzzle").is_mistake);
}

#[test]
fn a_mate_is_no_puzzle_after_a_forced_move_where_others_mate_or_win_as_well() {
    // With a queen more anything wins.
    let queen_up = "R5k1/3r1ppp/8/8/8/8/5PPP/Q5K1 b - - 0 1";
    assert_eq!(made(queen_up, "Rd8").err(), Some(Refusal::NoMistake));
    // Either rook mates.
    let two_rooks = "R5k1/3r1ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1";
    assert_eq!(made(two_rooks, "Rd8").err(), Some(Refusal::NoMistake));
}

#[test]
fn what_a_puzzle_of_the_game_asks_for_is_no_puzzle_of_its_own() {
    let made = |fen: &str, moves: &[&str]| {
        let mut tree = GameTree::new(Position::from_fen(fen).expect("a legal position"));
        for san in moves {
            let mv = tree.positions()[tree.main.plies.len()].parse_san(san).expect("a legal move");
            tree.main.plies.push(Ply::new(mv));
        }
        let mut analyst = Analyst::new(Engine::new(), Limits::nodes(5000));
        let looks = analyst.looks(&tree, |_| true).expect("to the end");
        let suspects = suspects(&tree, &looks, 0);
        let puzzles = make_puzzles(&mut analyst, &tree, &suspects, &PuzzleRules::default());
        let found: Vec<usize> = puzzles.iter().map(|(index, _)| *index).collect();
        (suspects, found)
    };
    assert_eq!(made(BACK_RANK, &["Rd8", "Rxd8#"]), (vec![true, false], vec![0]));
    // After the mistake the mate is in two moves; the second is part of the solution.
    let before = "3r2k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 1";
    let line = ["Rd7", "Ra8+", "Rd8", "Rxd8#"];
    assert_eq!(made(before, &line), (vec![true, false, true, false], vec![0]));
}

#[test]
fn an_answer_is_settled_from_the_last_change_on() {
    let position = Position::startpos();
    let mv = |san: &str| position.parse_san(san).expect("legal");
    let history = |moves: &[Move]| -> Vec<Iteration> {
        let iteration = |(index, &best): (usize, &Move)| Iteration {
            depth: index as i32 + 1,
            nodes: 100 * (index as u64 + 1),
            best,
        };
        moves.iter().enumerate().map(iteration).collect()
    };
    let look = PositionAnalysis::of_end(
        &Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("legal"),
    )
    .expect("mate");
    let (e4, d4) = (mv("e4"), mv("d4"));
    let study = Study { look, history: history(&[e4, d4, e4, e4]) };
    assert_eq!(study.settled(&[e4]).map(|known| known.depth), Some(3));
    assert_eq!(study.settled(&[e4, d4]).map(|known| known.depth), Some(1));
    assert_eq!(study.settled(&[d4]), None);
}
