//! Lets an engine look at positions and games.

use chess::{Move, Position};
use engine::{Engine, Game, Limits};

use crate::analysis::{PositionAnalysis, Study};
use crate::searcher::{SearchRequest, Searcher};
use crate::tree::GameTree;

/// The review of a game, step by step: which position to search next, and what was found so far.
///
/// The last position comes first: what the engine learns at the end of a game stays in its
/// transposition table and helps with the moves that led there.
pub struct ReviewPlan {
    start: Position,
    /// None for a pass.
    moves: Vec<Option<Move>>,
    /// The game up to the position that is searched next.
    next: Option<Game>,
    /// What was found, the last position first.
    analyses: Vec<PositionAnalysis>,
}

impl ReviewPlan {
    /// A plan for all positions of the main line. Those in which the game is over need no search and
    /// are done from the beginning.
    #[must_use]
    pub fn new(tree: &GameTree) -> Self {
        let moves = tree.main.plies.iter().map(|ply| ply.mv).collect();
        let mut plan = Self { start: tree.start, moves, next: None, analyses: Vec::new() };
        plan.advance();
        plan
    }

    /// How many half-moves from the start the position is that is searched next.
    #[must_use]
    pub fn next_ply(&self) -> Option<usize> {
        self.moves.len().checked_sub(self.analyses.len())
    }

    /// The game up to the position that is searched next; none if all are done.
    #[must_use]
    pub fn next_game(&self) -> Option<&Game> {
        self.next.as_ref()
    }

    /// Takes in what was found in the position of [`Self::next_game`].
    pub fn take(&mut self, analysis: PositionAnalysis) {
        if self.next.is_some() {
            self.analyses.push(analysis);
        }
        self.advance();
    }

    /// Goes on to the next position in which the game is not over. The game up to there is played
    /// from the start each time: to keep them all would take memory by the square of their number.
    fn advance(&mut self) {
        self.next = None;
        while let Some(ply) = self.next_ply() {
            let mut game = Game::new(self.start);
            self.moves[..ply].iter().for_each(|&mv| play_or_pass(&mut game, mv));
            let Some(analysis) = PositionAnalysis::of_end(game.position()) else {
                self.next = Some(game);
                return;
            };
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
        self.moves.len() + 1
    }

    /// What was found, the first position first.
    #[must_use]
    pub fn finish(mut self) -> Vec<PositionAnalysis> {
        self.analyses.reverse();
        self.analyses
    }
}

/// Plays a move, or passes. No position from before a pass can come again.
pub fn play_or_pass(game: &mut Game, mv: Option<Move>) {
    match mv {
        Some(mv) => game.play(mv),
        None => {
            let mut position = *game.position();
            position.make_null();
            *game = Game::new(position);
        }
    }
}

/// Nodes of a search that is limited by something else.
const USUAL_NODES: u64 = 50_000;
/// A glance has this part of the nodes of a search, but no fewer than that.
const GLANCE_PART: u64 = 8;
const GLANCE_NODES: u64 = 500;

/// An engine that is asked about positions.
pub struct Analyst {
    searcher: Box<dyn Searcher>,
    limits: Limits,
    /// Best lines of a position of a game.
    lines: usize,
    /// Why the searcher gave no answer, if it gave none.
    failure: Option<String>,
}

impl Analyst {
    /// Asks `engine`, as it is set up, with these limits for each position.
    #[must_use]
    pub fn new(engine: Engine, limits: Limits) -> Self {
        let lines = engine.settings().multipv;
        Self::with_searcher(Box::new(engine), lines, limits)
    }

    /// Asks any searcher for so many lines of each position of a game.
    #[must_use]
    pub fn with_searcher(searcher: Box<dyn Searcher>, lines: usize, limits: Limits) -> Self {
        Self { searcher, limits, lines, failure: None }
    }

    /// Looks at a position that has nothing to do with those before.
    pub fn look_afresh(&mut self, position: &Position) -> PositionAnalysis {
        self.searcher.new_game();
        self.study(&Game::new(*position), self.lines, &[]).look
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
        self.searcher.new_game();
        let mut plan = ReviewPlan::new(tree);
        while let Some(game) = plan.next_game().cloned() {
            let analysis = self.study(&game, self.lines, &[]).look;
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

    /// The nodes of a search; a usual number where other limits end it.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.limits.nodes.unwrap_or(USUAL_NODES)
    }

    /// Does something with searches that are so many times as long, where nodes end them.
    pub(crate) fn longer<T>(&mut self, times: u64, act: impl FnOnce(&mut Self) -> T) -> T {
        let usual = self.limits.clone();
        self.limits.nodes = usual.nodes.map(|nodes| nodes.saturating_mul(times));
        let result = act(self);
        self.limits = usual;
        result
    }

    /// Looks at the last position of a game with a part of the nodes.
    pub(crate) fn glance(&mut self, game: &Game) -> PositionAnalysis {
        let usual = self.limits.clone();
        self.limits = Limits::nodes((self.nodes() / GLANCE_PART).max(GLANCE_NODES));
        let look = self.study(game, 1, &[]).look;
        self.limits = usual;
        look
    }

    /// Forgets what earlier searches have taught.
    pub fn forget(&mut self) {
        self.searcher.new_game();
    }

    /// Why a search since the last call gave no answer, if one gave none. What was made of such a
    /// search means nothing.
    pub fn take_failure(&mut self) -> Option<String> {
        self.failure.take()
    }

    /// Looks at the last position of a game as long as the limits say, for its best `lines` lines
    /// and only at `moves` if there are any, and keeps when the best move changed.
    pub fn study(&mut self, game: &Game, lines: usize, moves: &[Move]) -> Study {
        if let Some(look) = PositionAnalysis::of_end(game.position()) {
            return Study { look, history: Vec::new() };
        }
        // After a failure nothing more is asked: a searcher that hangs would do so every time.
        if self.failure.is_none() {
            let request = SearchRequest { limits: &self.limits, lines, moves };
            match self.searcher.search(game, &request) {
                Ok(study) => return study,
                Err(reason) => self.failure = Some(reason),
            }
        }
        Study { look: PositionAnalysis::unknown(), history: Vec::new() }
    }
}
