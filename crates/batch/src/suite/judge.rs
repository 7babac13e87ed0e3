//! Whether an answer is right, and whether what it says about mates is true.

use chess::{Move, Position};

use super::epd::{Task, Wanted};
use super::player::{Answer, Told};

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// It is what the task asks for.
    pub solved: bool,
    /// It promises a mate, for either side.
    pub mate: bool,
    /// It promises the mate of the task in just as many moves.
    pub shortest: bool,
    /// What is wrong with the mate that it promises.
    pub fault: Option<Fault>,
}

/// What can be wrong with a promised mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The line does not lead to the mate in the moves promised.
    Line(String),
    /// There is no mate that short.
    TooShort,
    /// The other side mates.
    WrongSide,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(reason) => f.write_str(reason),
            Self::TooShort => f.write_str("no mate is that short"),
            Self::WrongSide => f.write_str("the other side mates"),
        }
    }
}

/// Judges an answer. Scores may be as far from those asked for as `tolerance`, in centipawns.
#[must_use]
pub fn judge(task: &Task, answer: &Answer, tolerance: i32) -> Verdict {
    let Told::Mate(moves) = answer.score else {
        let solved = finds(task, answer, tolerance);
        return Verdict { solved, mate: false, shortest: false, fault: None };
    };
    let mut fault = follow(&task.position, &answer.line, moves).err().map(Fault::Line);
    let mut shortest = false;
    if let Wanted::Mate(known) = task.wanted {
        shortest = moves == known;
        if (moves > 0) != (known > 0) {
            fault = Some(Fault::WrongSide);
        } else if moves.abs() < known.abs() {
            fault = Some(Fault::TooShort);
        }
    }
    let solved = match task.wanted {
        Wanted::Mate(_) => fault.is_none(),
        Wanted::Best(_) | Wanted::Avoid(_) | Wanted::Score(_) => finds(task, answer, tolerance),
    };
    Verdict { solved, mate: true, shortest, fault }
}

/// Whether the move or the score is the one asked for.
fn finds(task: &Task, answer: &Answer, tolerance: i32) -> bool {
    let Some(mv) = answer.best_move else { return false };
    match &task.wanted {
        Wanted::Best(moves) => moves.contains(&mv),
        Wanted::Avoid(moves) => !moves.contains(&mv),
        Wanted::Score(wanted) => match answer.score {
            Told::Centipawns(score) => (score - wanted).abs() <= tolerance,
            Told::Mate(_) => false,
        },
        Wanted::Mate(_) => false,
    }
}

/// Plays a line that promises mate to its end.
fn follow(root: &Position, line: &[Move], moves: i32) -> Result<(), String> {
    let apart = moves.unsigned_abs() as usize;
    let plies = if moves > 0 { 2 * apart - 1 } else { 2 * apart };
    let mut position = *root;
    for &mv in line {
        if !position.is_legal(mv) {
            return Err(format!("{mv:?} is not legal"));
        }
        if position.is_fifty_move_draw() {
            return Err("the line is drawn by the fifty-move rule".into());
        }
        position.make(mv);
    }
    if line.len() != plies {
        return Err(format!("the line has {} plies instead of {plies}", line.len()));
    }
    if !position.is_check() || position.has_legal_move() {
        return Err("the line does not end in mate".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const LADDER: &str = "7k/8/8/8/8/1R6/R7/K7 w - -";

    fn answer(task: &Task, score: Told, line: &[&str]) -> Answer {
        let mut position = task.position;
        let line: Vec<Move> = line
            .iter()
            .map(|san| {
                let mv = position.parse_san(san).unwrap();
                position.make(mv);
                mv
            })
            .collect();
        let best_move = line.first().copied();
        Answer { best_move, score, line, depth: 3, nodes: 1, time: Duration::ZERO }
    }

    fn task(line: &str) -> Task {
        Task::parse(line, 1).unwrap().unwrap()
    }

    #[test]
    fn moves_are_compared_with_those_asked_for() {
        let best = task(&format!("{LADDER} bm Ra7;"));
        let avoid = task(&format!("{LADDER} am Ra7;"));
        for (san, good) in [("Ra7", true), ("Kb1", false)] {
            assert_eq!(judge(&best, &answer(&best, Told::Centipawns(5), &[san]), 50).solved, good);
            assert_eq!(
                judge(&avoid, &answer(&avoid, Told::Centipawns(5), &[san]), 50).solved,
                !good
            );
        }
        let nothing = Answer { best_move: None, ..answer(&best, Told::Centipawns(0), &[]) };
        assert!(!judge(&best, &nothing, 50).solved);
    }

    #[test]
    fn a_score_must_be_near_the_one_asked_for() {
        let task = task(&format!("{LADDER} ce 100;"));
        let solved = |score| judge(&task, &answer(&task, score, &["Kb1"]), 50).solved;
        assert!(solved(Told::Centipawns(50)) && solved(Told::Centipawns(150)));
        assert!(!solved(Told::Centipawns(49)) && !solved(Told::Centipawns(-100)));
        assert!(!solved(Told::Mate(3)));
    }

    #[test]
    fn a_mate_must_be_played_out_in_the_moves_promised() {
        let mate = task(&format!("{LADDER} dm 2;"));
        let whole = judge(&mate, &answer(&mate, Told::Mate(2), &["Ra7", "Kg8", "Rb8#"]), 50);
        assert_eq!((whole.solved, whole.shortest, whole.fault), (true, true, None));
        let cut = judge(&mate, &answer(&mate, Told::Mate(2), &["Ra7", "Kg8"]), 50);
        assert!(!cut.solved && matches!(cut.fault, Some(Fault::Line(_))));
        let astray = judge(&mate, &answer(&mate, Told::Mate(2), &["Ra7", "Kg8", "Kb2"]), 50);
        assert!(!astray.solved && matches!(astray.fault, Some(Fault::Line(_))));
        let long = ["Ra7", "Kg8", "Kb2", "Kh8", "Rb8#"];
        let longer = judge(&mate, &answer(&mate, Told::Mate(3), &long), 50);
        assert_eq!((longer.solved, longer.shortest), (true, false));
    }

    #[test]
    fn a_mate_shorter_than_the_shortest_or_for_the_other_side_is_a_fault() {
        let mate = task(&format!("{LADDER} bm #3;"));
        let short = judge(&mate, &answer(&mate, Told::Mate(2), &["Ra7", "Kg8", "Rb8#"]), 50);
        assert_eq!((short.solved, short.fault), (false, Some(Fault::TooShort)));
        let other = judge(&mate, &answer(&mate, Told::Mate(-1), &["Ra7"]), 50);
        assert_eq!(other.fault, Some(Fault::WrongSide));
        let centipawns = judge(&mate, &answer(&mate, Told::Centipawns(900), &["Ra7"]), 50);
        assert_eq!((centipawns.solved, centipawns.mate), (false, false));
    }
}
