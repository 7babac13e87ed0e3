//! Lets the engine look at positions and games.

use chess::{Color, Move, Position};
use engine::wdl::Curve;
use engine::{Bound, Engine, Game, Limits, Line, Report, Score, Silent};

use crate::eval::Eval;
use crate::tree::{GameResult, GameTree};

/// What the engine found in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionAnalysis {
    /// What it is worth.
    pub eval: Eval,
    /// White's chances to win, draw and lose in the engine's own games, in thousandths.
    pub wdl: [u32; 3],
    /// Depth reached; 0 if the game is over.
    pub depth: i32,
    /// Nodes searched.
    pub nodes: u64,
    /// The best lines, best first. None if the game is over.
    pub lines: Vec<BestLine>,
}

/// A line and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct BestLine {
    /// What it is worth.
    pub eval: Eval,
    /// The moves; at least one.
    pub moves: Vec<Move>,
}

impl PositionAnalysis {
    /// What a search has found in a position.
    #[must_use]
    pub fn new(position: &Position, score: Score, lines: &[&Line], nodes: u64) -> Self {
        let chances = Curve::of(position).wdl(score);
        let mut wdl = [chances.win, chances.draw, chances.loss];
        if position.side_to_move() == Color::Black {
            wdl.reverse();
        }
        let line = |line: &&Line| BestLine {
            eval: Eval::new(position, line.score),
            moves: line.pv.clone(),
        };
        Self {
            eval: Eval::new(position, score),
            wdl,
            depth: lines.first().map_or(0, |line| line.depth),
            nodes,
            lines: lines.iter().map(line).collect(),
        }
    }

    /// What is known of a position in which the game is over, without a search.
    #[must_use]
    pub fn of_end(position: &Position) -> Option<Self> {
        let eval = Eval::of_end(position)?;
        let wdl = match eval {
            Eval::Over(GameResult::White) => [1000, 0, 0],
            Eval::Over(GameResult::Black) => [0, 0, 1000],
            _ => [0, 1000, 0],
        };
        Some(Self { eval, wdl, depth: 0, nodes: 0, lines: Vec::new() })
    }

    /// The first move of the best line; none if the game is over.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }
}

/// The review of a game, step by step: which position to search next, and what was found so far.
///
/// The last position comes first: what the engine learns at the end of a game stays in its
/// transposition table and helps with the moves that led there.
pub struct ReviewPlan {
    /// The game at each of its positions, one more than moves.
    games: Vec<Game>,
    /// What was found, the last position first.
    analyses: Vec<PositionAnalysis>,
}

impl ReviewPlan {
    /// A plan for all positions of the main line. Those in which the game is over need no search and
    /// are done from the beginning.
    #[must_use]
    pub fn new(tree: &GameTree) -> Self {
        let mut games = vec![Game::new(tree.start)];
        for ply in &tree.main.plies {
            let mut next = games[games.len() - 1].clone();
            next.play(ply.mv);
            games.push(next);
        }
        let mut plan = Self { games, analyses: Vec::new() };
        plan.skip_ended();
        plan
    }

    /// How many half-moves from the start the position is that is searched next.
    #[must_use]
    pub fn next_ply(&self) -> Option<usize> {
        (self.games.len() - self.analyses.len()).checked_sub(1)
    }

    /// The game up to the position that is searched next; none if all are done.
    #[must_use]
    pub fn next_game(&self) -> Option<&Game> {
        self.games.get(self.next_ply()?)
    }

    /// Takes in what was found in the position of [`Self::next_game`].
    pub fn take(&mut self, analysis: PositionAnalysis) {
        if self.analyses.len() < self.games.len() {
            self.analyses.push(analysis);
        }
        self.skip_ended();
    }

    fn skip_ended(&mut self) {
        while let Some(analysis) =
            self.next_game().and_then(|game| PositionAnalysis::of_end(game.position()))
        {
            self.analyses.push(analysis);
        }
    }

    /// How many positions are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.analyses.len()
    }

    /// How many positions there are: one more than moves.
    #[must_use]
    pub fn total(&self) -> usize {
        self.games.len()
    }

    /// What was found, the first position first.
    #[must_use]
    pub fn finish(mut self) -> Vec<PositionAnalysis> {
        self.analyses.reverse();
        self.analyses
    }
}

/// The best move after an iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The depth of the iteration.
    pub depth: i32,
    /// Nodes searched until its best line was known.
    pub nodes: u64,
    /// The first move of that line.
    pub best: Move,
}

/// What was found in a position, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// The last word of the search.
    pub look: PositionAnalysis,
    /// The best move after each iteration, the first one first.
    pub history: Vec<Iteration>,
}

impl Study {
    /// The iteration from which on the best move was always one of these, if the last one was.
    #[must_use]
    pub fn settled(&self, answers: &[Move]) -> Option<Iteration> {
        let wrong = |iteration: &Iteration| !answers.contains(&iteration.best);
        let first = self.history.iter().rposition(wrong).map_or(0, |index| index + 1);
        self.history.get(first).copied()
    }
}

/// An engine that is asked about positions.
pub struct Analyst {
    engine: Engine,
    limits: Limits,
}

impl Analyst {
    /// Asks `engine`, as it is set up, with these limits for each position.
    #[must_use]
    pub fn new(engine: Engine, limits: Limits) -> Self {
        Self { engine, limits }
    }

    /// Looks at a position that has nothing to do with those before.
    pub fn look_afresh(&mut self, position: &Position) -> PositionAnalysis {
        self.engine.new_game();
        self.look(Game::new(*position))
    }

    /// Analyses every position of a game, one more than moves, and calls `progress` after each with
    /// the number of those that are done. `None` if `progress` answers that it is enough.
    ///
    /// What the engine knew before is forgotten, so that the same game gets the same answers.
    pub fn looks(
        &mut self,
        tree: &GameTree,
        mut progress: impl FnMut(usize) -> bool,
    ) -> Option<Vec<PositionAnalysis>> {
        self.engine.new_game();
        let mut plan = ReviewPlan::new(tree);
        while let Some(game) = plan.next_game().cloned() {
            let analysis = self.look(game);
            plan.take(analysis);
            if !progress(plan.done()) {
                return None;
            }
        }
        Some(plan.finish())
    }

    /// Searches with these limits from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Forgets what earlier searches have taught.
    pub fn forget(&mut self) {
        self.engine.new_game();
    }

    /// Looks at the last position of a game as long as the limits say, for its best `lines` lines
    /// and only at `moves` if there are any, and keeps when the best move changed.
    pub fn study(&mut self, game: Game, lines: usize, moves: &[Move]) -> Study {
        let position = *game.position();
        if let Some(look) = PositionAnalysis::of_end(&position) {
            return Study { look, history: Vec::new() };
        }
        self.engine.set_game(game);
        let multipv = std::mem::replace(&mut self.engine.settings_mut().multipv, lines);
        let limits = Limits { search_moves: moves.to_vec(), ..self.limits.clone() };
        let mut history: Vec<Iteration> = Vec::new();
        let outcome = self.engine.search(&limits, &mut |report: &Report| {
            if let Report::Line(line, progress) = report
                && line.multipv == 1
                && line.bound == Bound::Exact
                && let Some(&best) = line.pv.first()
            {
                history.retain(|known| known.depth < line.depth);
                history.push(Iteration { depth: line.depth, nodes: progress.nodes, best });
            }
        });
        self.engine.settings_mut().multipv = multipv;
        let lines: Vec<&Line> = outcome.lines.iter().collect();
        let nodes = outcome.progress.nodes;
        let look = PositionAnalysis::new(&position, outcome.score, &lines, nodes);
        Study { look, history }
    }

    fn look(&mut self, game: Game) -> PositionAnalysis {
        let position = *game.position();
        if let Some(analysis) = PositionAnalysis::of_end(&position) {
            return analysis;
        }
        self.engine.set_game(game);
        let outcome = self.engine.search(&self.limits, &mut Silent);
        let lines: Vec<&Line> = outcome.lines.iter().collect();
        PositionAnalysis::new(&position, outcome.score, &lines, outcome.progress.nodes)
    }
}
