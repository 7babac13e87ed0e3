//! Puzzles: positions after a mistake with one clearly best answer.

mod difficulty;
#[cfg(test)]
mod tests;

pub use difficulty::Difficulty;

use chess::{Color, Move, Position};
use engine::Game;

use crate::analysis::Study;
use crate::analyst::{Analyst, play_or_pass};
use crate::eval::Eval;
use crate::levels::level_choices;
use crate::motif::{Finding, ForcedLine, Motif, motifs};
use crate::tree::GameTree;
use crate::zugzwang::zugzwang;

/// When a position is a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuzzleRules {
    /// The chance to win that the move before must have given away, from 0 to 1.
    pub min_loss: f64,
    /// How much better, in the chance to win, the answer must be than any other move.
    pub min_gap: f64,
    /// The chance to win that the answer must reach: a puzzle is worth solving.
    pub min_chance: f64,
    /// Longest solution, in own moves; mates may be longer.
    pub max_moves: usize,
}

impl Default for PuzzleRules {
    fn default() -> Self {
        Self { min_loss: 0.07, min_gap: 0.14, min_chance: 0.40, max_moves: 8 }
    }
}

/// Why a position is no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refusal {
    /// The move is illegal, or the game is over after it.
    Over,
    /// The answer is the only legal move.
    Forced,
    /// The move before was no mistake.
    NoMistake,
    /// Even the best answer is bad.
    Hopeless,
    /// More than one answer is good.
    SeveralAnswers,
}

impl Refusal {
    /// The reason in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Over => "the game is over",
            Self::Forced => "only one legal move",
            Self::NoMistake => "no mistake before it",
            Self::Hopeless => "even the best answer is bad",
            Self::SeveralAnswers => "more than one good answer",
        }
    }
}

/// A position with one clearly best answer, and the line that follows.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position before the mistake.
    pub before: Position,
    /// The mistake, the answer, and on as long as every own move is the only good one.
    pub moves: Vec<Move>,
    /// The first answers that solve it: one, or every mate in one.
    pub answers: Vec<Move>,
    /// What the position after the mistake is worth.
    pub eval: Eval,
    /// What makes the solution work, and what kind of puzzle it is.
    pub findings: Vec<Finding>,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// The Elo of the weakest strength level that finds an answer; none if none that was asked does.
    pub level: Option<u32>,
    /// Nodes that were searched for it.
    pub nodes: u64,
}

impl Puzzle {
    /// The position to solve.
    #[must_use]
    pub fn start(&self) -> Position {
        let mut start = self.before;
        start.make(self.moves[0]);
        start
    }
}

/// Makes a puzzle of a mistake. `game` ends before the mistake; `eval` is what that position is worth,
/// if it is known from an earlier search.
///
/// # Errors
/// If it is none by the rules.
pub fn make_puzzle(
    analyst: &mut Analyst,
    game: &Game,
    mistake: Move,
    eval: Option<Eval>,
    rules: &PuzzleRules,
) -> Result<Puzzle, Refusal> {
    let before = *game.position();
    if !before.is_legal(mistake) {
        return Err(Refusal::Over);
    }
    let them = before.side_to_move();
    let mut after = game.clone();
    after.play(mistake);
    if after.position().outcome().is_some() {
        return Err(Refusal::Over);
    }
    if after.position().count_legal_moves() < 2 {
        return Err(Refusal::Forced);
    }
    let mut maker = Maker { analyst, rules, us: !them, nodes: 0 };
    // What was learned before the mistake would make the answer look easy.
    maker.analyst.forget();
    let first = maker.study(&after);
    let answers = maker.answers(after.position(), &first)?;
    let eval = eval.unwrap_or_else(|| maker.eval_before(game));
    let loss = eval.chance(them) - first.look.eval.chance(them);
    // Whoever was lost may still walk into a mate that was not there.
    let is_mate = |eval: Eval| matches!(eval, Eval::Mate(_)) && eval.chance(them) == 0.0;
    let allows_mate = is_mate(first.look.eval) && !is_mate(eval);
    if loss < rules.min_loss && !allows_mate {
        return Err(Refusal::NoMistake);
    }
    let answer = answers.iter().copied().find(|&mv| Some(mv) == first.look.best_move());
    let answer = answer.unwrap_or(answers[0]);
    let level = level_choices(&after, maker.analyst.nodes(), |mv| answers.contains(&mv)).finds;
    let mut moves = vec![mistake, answer];
    after.play(answer);
    let mut steps = vec![(first.clone(), answers.clone())];
    maker.extend(&mut moves, &mut steps, after);
    let line = ForcedLine::after(before, &moves).ok_or(Refusal::Over)?;
    let mut findings = motifs(&line);
    findings.extend(zugzwang(maker.analyst, &line));
    findings.extend(worth(&line, first.look.eval).map(Finding::whole));
    let difficulty = Difficulty::of(&line, &steps[..line.len().div_ceil(2)]);
    let (eval, nodes) = (first.look.eval, maker.nodes);
    Ok(Puzzle { before, moves, answers, eval, findings, difficulty, level, nodes })
}

/// The first look at a game takes this part of the budget: it only has to find the mistakes.
pub const SCAN_PART: u64 = 10;
/// The chance to win that a move must lose in the first look to be looked at closely.
const SCAN_LOSS: f64 = 0.07;

/// The puzzles of a game, with the index of the mistake. `losses` has the chance to win that each move
/// gave away in a first look, from 0 to 1.
#[must_use]
pub fn make_puzzles(
    analyst: &mut Analyst,
    tree: &GameTree,
    losses: &[f64],
    rules: &PuzzleRules,
) -> Vec<(usize, Puzzle)> {
    let mut puzzles = Vec::new();
    let mut game = Game::new(tree.start);
    for (index, (ply, loss)) in tree.main.plies.iter().zip(losses).enumerate() {
        if *loss >= SCAN_LOSS
            && let Some(mv) = ply.mv
            && let Ok(puzzle) = make_puzzle(analyst, &game, mv, None, rules)
        {
            puzzles.push((index, puzzle));
        }
        play_or_pass(&mut game, ply.mv);
    }
    puzzles
}

/// From this many centipawns on a position is won for practical purposes.
const CRUSHING: i32 = 600;
/// From this many on it is clearly better.
const ADVANTAGE: i32 = 200;

/// What the solution gains, if it does not mate.
fn worth(line: &ForcedLine, eval: Eval) -> Option<Motif> {
    let us = line.us();
    (!line.is_mate()).then(|| match eval.centipawns(us) {
        CRUSHING.. => Motif::Crushing,
        ADVANTAGE.. => Motif::Advantage,
        _ => Motif::Equality,
    })
}

/// What was found at an own move, and the moves that solve it.
pub(crate) type Step = (Study, Vec<Move>);

struct Maker<'a> {
    analyst: &'a mut Analyst,
    rules: &'a PuzzleRules,
    us: Color,
    nodes: u64,
}

impl Maker<'_> {
    fn study(&mut self, game: &Game) -> Study {
        let study = self.analyst.study(game, 2, &[]);
        self.nodes += study.look.nodes;
        study
    }

    fn eval_before(&mut self, game: &Game) -> Eval {
        let study = self.analyst.study(game, 1, &[]);
        self.nodes += study.look.nodes;
        study.look.eval
    }

    /// The moves that solve a position: the only good one, or all that mate at once.
    fn answers(&self, position: &Position, study: &Study) -> Result<Vec<Move>, Refusal> {
        let best = study.look.lines.first().ok_or(Refusal::Over)?;
        if matches!(best.eval, Eval::Mate(1 | -1)) {
            let mates = |mv: &Move| {
                let mut next = *position;
                next.make(*mv);
                next.is_check() && !next.has_legal_move()
            };
            return Ok(position.legal_moves().iter().copied().filter(mates).collect());
        }
        let chance = best.eval.chance(self.us);
        if chance < self.rules.min_chance {
            return Err(Refusal::Hopeless);
        }
        let second = study.look.lines.get(1).map_or(0.0, |line| line.eval.chance(self.us));
        if chance - second < self.rules.min_gap {
            return Err(Refusal::SeveralAnswers);
        }
        Ok(best.moves.first().copied().into_iter().collect())
    }

    /// The opponent's best answer to the last own move: from the line that was found with it, or from
    /// a search if that is too short.
    fn reply(&mut self, (study, _): &Step, moves: &[Move], game: &Game) -> Option<Move> {
        let line = study.look.lines.first()?;
        if line.moves.first() == moves.last()
            && let Some(&reply) = line.moves.get(1)
        {
            return Some(reply);
        }
        let study = self.analyst.study(game, 1, &[]);
        self.nodes += study.look.nodes;
        study.look.best_move()
    }

    /// Adds the opponent's best answer and the next own move as long as that is the only good one.
    /// `game` ends after the last of `moves`, an own one.
    fn extend(&mut self, moves: &mut Vec<Move>, steps: &mut Vec<Step>, mut game: Game) {
        // Up to where a choice was made; a forced move alone at the end shows nothing.
        let mut chosen = moves.len();
        while moves.len() < 2 * self.rules.max_moves {
            let Some(reply) = self.reply(&steps[steps.len() - 1], moves, &game) else { break };
            game.play(reply);
            if game.position().outcome().is_some() || game.position().is_fifty_move_draw() {
                break;
            }
            let study = self.study(&game);
            let Ok(answers) = self.answers(game.position(), &study) else { break };
            let Some(&answer) = answers.first() else { break };
            let is_forced = game.position().count_legal_moves() == 1;
            moves.extend([reply, answer]);
            steps.push((study, answers));
            game.play(answer);
            let ends = game.position().outcome().is_some();
            if !is_forced || ends {
                chosen = moves.len();
            }
            if ends {
                break;
            }
        }
        moves.truncate(chosen);
    }
}
