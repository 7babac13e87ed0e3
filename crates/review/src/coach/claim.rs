//! Claims that a search can check.

use chess::{Color, Move, Position};
use engine::Game;

use super::found_at;
use super::lines::Gain;
use crate::analyst::Analyst;
use crate::eval::Eval;
use crate::motif::{ForcedLine, Motif};
use crate::zugzwang::zugzwang;

/// A clause of an explanation with what proves it.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What is said, a whole sentence.
    pub text: String,
    /// The position in which the line begins.
    pub start: Position,
    /// The game up to there, for repetitions.
    pub(super) game: Game,
    /// The line that proves it.
    pub line: Vec<Move>,
    /// What is claimed, so that code can check it.
    pub claim: Claim,
    /// The motif that the text names, if it names one.
    pub motif: Option<Motif>,
    /// The weakest strength level that finds the first move of the line, if the text says so.
    pub found_at: Option<u32>,
}

impl PartialEq for Clause {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.line == other.line && self.claim == other.claim
    }
}

/// What a clause claims.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// The first move of the line loses no more than this of the chance to win.
    Good {
        /// From 0 to 1.
        loss: f64,
    },
    /// After the first move of the line this side mates in so many moves.
    Mate {
        /// The side that mates.
        by: Color,
        /// In how many moves.
        moves: i32,
    },
    /// After the first `from` moves of the line this side wins material.
    Wins {
        /// The side that wins it.
        by: Color,
        /// Its worth in pawns.
        pawns: i32,
        /// Where the winning part of the line begins.
        from: usize,
        /// The chance to win that this side then has.
        chance: f64,
    },
    /// The line begins with a pass; this side then reaches this chance to win with its first move.
    Threatens {
        /// The side that threatens.
        by: Color,
        /// From 0 to 1.
        chance: f64,
    },
    /// The line was there to be played and mates or wins material.
    Misses {
        /// Whose line it is.
        by: Color,
        /// In how many moves it mates, if it does.
        mate: Option<i32>,
        /// The material that it wins, in pawns.
        pawns: i32,
        /// The chance to win with it.
        chance: f64,
    },
    /// The first move of the line is better than this one.
    Prefers {
        /// The move that is worse.
        to: Move,
    },
}

/// How far two searches may differ in the chance to win and still agree.
const TOLERANCE: f64 = 0.12;
/// How far they may differ when something is said.
const SURE: f64 = TOLERANCE / 2.0;
/// So many times as long is a line looked at that is said to win something.
const LONGER: u64 = 3;

impl Clause {
    pub(super) fn new(game: &Game, line: Vec<Move>, text: String, claim: Claim) -> Self {
        Self {
            text,
            start: *game.position(),
            game: game.clone(),
            line,
            claim,
            motif: None,
            found_at: None,
        }
    }

    fn game_after(&self, moves: usize) -> Game {
        let mut game = self.game.clone();
        for &mv in self.line.iter().take(moves) {
            game.play(mv);
        }
        game
    }
}

/// Whether searches of their own, and the level that it names, agree with a clause.
#[must_use]
pub fn confirm(analyst: &mut Analyst, clause: &Clause) -> bool {
    found_at::holds(clause) && has_zugzwang(analyst, clause) && is_so(analyst, clause, TOLERANCE)
}

/// Whether searches agree with a clause so clearly that longer ones should, too: what is said keeps a
/// distance to what [`confirm`] lets pass, and that the line works at all is looked at for longer.
pub(super) fn is_sure(analyst: &mut Analyst, clause: &Clause) -> bool {
    let (from, by, pawns, chance) = match clause.claim {
        Claim::Wins { by, from, pawns, chance } => (from, by, pawns, chance),
        Claim::Misses { by, mate: None, pawns, chance } => (1, by, pawns, chance),
        _ => return is_so(analyst, clause, SURE),
    };
    let reaches = |analyst: &mut Analyst, moves: usize| {
        let look = analyst.study(&clause.game_after(moves), 1, &[]).look;
        look.eval.chance(by) >= chance - SURE
    };
    wins(clause, by, pawns)
        && analyst.longer(LONGER, |analyst| reaches(analyst, from))
        && reaches(analyst, clause.line.len())
}

/// Whether searches find the zugzwang that a clause names; others name none.
fn has_zugzwang(analyst: &mut Analyst, clause: &Clause) -> bool {
    if clause.motif != Some(Motif::Zugzwang) {
        return true;
    }
    let line = match clause.claim {
        Claim::Wins { .. } => ForcedLine::after(clause.start, &clause.line),
        _ => Some(ForcedLine::new(clause.start, &clause.line)),
    };
    line.is_some_and(|line| zugzwang(analyst, &line).is_some())
}

fn is_so(analyst: &mut Analyst, clause: &Clause, tolerance: f64) -> bool {
    let mut eval = |game: Game| analyst.study(&game, 1, &[]).look.eval;
    match clause.claim {
        Claim::Good { loss } => {
            let us = clause.start.side_to_move();
            let (best, played) = (eval(clause.game.clone()), eval(clause.game_after(1)));
            best.chance(us) - played.chance(us) <= loss + tolerance
        }
        Claim::Mate { by, moves } => mates(eval(clause.game_after(1)), by, moves),
        Claim::Wins { by, pawns, from, chance } => {
            wins(clause, by, pawns)
                && eval(clause.game_after(from)).chance(by) >= chance - tolerance
                && eval(clause.game_after(clause.line.len())).chance(by) >= chance - tolerance
        }
        Claim::Threatens { by, chance } => {
            eval(clause.game_after(1)).chance(by) >= chance - tolerance
        }
        Claim::Misses { by, mate: Some(moves), .. } => mates(eval(clause.game.clone()), by, moves),
        Claim::Misses { by, mate: None, pawns, chance } => {
            wins(clause, by, pawns)
                && eval(clause.game_after(1)).chance(by) >= chance - tolerance
                && eval(clause.game_after(clause.line.len())).chance(by) >= chance - tolerance
        }
        Claim::Prefers { to } => {
            let us = clause.start.side_to_move();
            let better = eval(clause.game_after(1));
            let mut other = clause.game.clone();
            other.play(to);
            better.chance(us) >= eval(other).chance(us)
        }
    }
}

fn mates(eval: Eval, by: Color, moves: i32) -> bool {
    match eval {
        Eval::Mate(found) => eval.chance(by) == 1.0 && found.abs() <= moves,
        // The mate is on the board.
        Eval::Over(_) => eval.chance(by) == 1.0,
        Eval::Cp(_) => false,
    }
}

/// Whether the line wins so much for a side by the count of its captures, first to last.
fn wins(clause: &Clause, by: Color, pawns: i32) -> bool {
    let sign = if by == clause.start.side_to_move() { 1 } else { -1 };
    Gain::of(&clause.start, &clause.line).is_some_and(|gain| sign * gain.pawns() == pawns)
}
