//! Puzzles: positions after a mistake with one clearly best answer.

mod difficulty;
#[cfg(test)]
mod tests;

pub use difficulty::Difficulty;

use chess::{Color, Move, Position};
use engine::Game;

use crate::analysis::{PositionAnalysis, Study};
use crate::analyst::{Analyst, play_or_pass};
use crate::eval::Eval;
use crate::judge::{PlyReview, judge};
use crate::levels::level_choices;
use crate::motif::{Finding, ForcedLine, Motif, motifs};
use crate::tree::GameTree;
use crate::zugzwang::zugzwang;

/// When a position is a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PuzzleRules {
    /// The chance to win that the move before must have given away, from 0 to 1, unless the answer mates.
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
    /// Whether the first move was a mistake. Before a mate that only one move reaches it may be none.
    pub is_mistake: bool,
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
    let allows_mate = first.look.eval.mates(!them) && !eval.mates(!them);
    let is_mistake = loss >= rules.min_loss || allows_mate;
    if !is_mistake && !maker.is_only_mate(&first, &answers) {
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
    Ok(Puzzle { before, moves, is_mistake, answers, eval, findings, difficulty, level, nodes })
}

/// The first look at a game takes this part of the budget: it only has to find the mistakes.
pub const SCAN_PART: u64 = 10;
/// The chance to win that a move must lose in the first look to be looked at closely.
const SCAN_LOSS: f64 = 0.07;

/// Whether a move may be the beginning of a puzzle, from a first look: it gave away so much of the chance to
/// win, from 0 to 1, and left such a position to the other side.
#[must_use]
pub fn is_suspect(loss: f64, after: Eval, mover: Color) -> bool {
    loss >= SCAN_LOSS || after.mates(!mover)
}

/// Which moves of a game may be the beginning of a puzzle, after a first look at all positions. The first
/// `skipped_plies` are none.
///
/// # Panics
/// If there is not one look for each position of the main line.
#[must_use]
pub fn suspects(tree: &GameTree, looks: &[PositionAnalysis], skipped_plies: usize) -> Vec<bool> {
    let plies = judge(tree, looks, skipped_plies).plies;
    let movers = tree.positions();
    let suspect = |((ply, look), before): ((&PlyReview, &PositionAnalysis), &Position)| {
        !ply.is_book && is_suspect(ply.loss, look.eval, before.side_to_move())
    };
    plies.iter().zip(&looks[1..]).zip(&movers).map(suspect).collect()
}

/// The puzzles of a game, with the index of the mistake. `suspects` says of each move whether it is worth
/// a close look. What an earlier puzzle of the game already asks for is no puzzle of its own.
#[must_use]
pub fn make_puzzles(
    analyst: &mut Analyst,
    tree: &GameTree,
    suspects: &[bool],
    rules: &PuzzleRules,
) -> Vec<(usize, Puzzle)> {
    let mut puzzles: Vec<(usize, Puzzle)> = Vec::new();
    let mut game = Game::new(tree.start);
    let played: Vec<Option<Move>> = tree.main.plies.iter().map(|ply| ply.mv).collect();
    for (index, (&mv, &is_suspect)) in played.iter().zip(suspects).enumerate() {
        let is_asked = puzzles.iter().any(|(first, puzzle)| {
            let line = puzzle.moves.iter().map(|&mv| Some(mv));
            // The last move of the solution is an own one: after it nothing is asked.
            let so_far = index + 1 - first;
            so_far < puzzle.moves.len()
                && line.take(so_far).eq(played[*first..=index].iter().copied())
        });
        if is_suspect
            && !is_asked
            && let Some(mv) = mv
            && let Ok(puzzle) = make_puzzle(analyst, &game, mv, None, rules)
        {
            puzzles.push((index, puzzle));
        }
        play_or_pass(&mut game, mv);
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

    /// Whether only one move mates, and every other gives that much away: whoever sees it has found
    /// something, whether or not the move before was a mistake.
    fn is_only_mate(&self, study: &Study, answers: &[Move]) -> bool {
        let is_clear = answers.len() == 1 && self.gap(study) >= self.rules.min_gap;
        study.look.eval.mates(self.us) && is_clear
    }

    /// How much better the best move is than the second, in the chance to win.
    fn gap(&self, study: &Study) -> f64 {
        let chance = |index: usize| {
            study.look.lines.get(index).map_or(0.0, |line| line.eval.chance(self.us))
        };
        chance(0) - chance(1)
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
        if best.eval.chance(self.us) < self.rules.min_chance {
            return Err(Refusal::Hopeless);
        }
        if self.gap(study) < self.rules.min_gap {
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
