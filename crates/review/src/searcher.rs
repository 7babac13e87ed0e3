//! Who searches: this engine, or any other behind the same trait.

use chess::Move;
use engine::{Bound, Engine, Game, Limits, Line, Report};

use crate::analysis::{Iteration, PositionAnalysis, Study};

/// Something that searches positions for an [`Analyst`](crate::Analyst).
pub trait Searcher: Send {
    /// Forgets what earlier searches have taught, so that the same game gets the same answers.
    fn new_game(&mut self);

    /// Searches the last position of a game, in which the game is not over.
    ///
    /// # Errors
    /// If there is no answer that makes sense; the text says why. The next [`Self::new_game`] may
    /// bring the searcher back.
    fn search(&mut self, game: &Game, request: &SearchRequest<'_>) -> Result<Study, String>;
}

/// What is asked of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest<'a> {
    /// How long it may take.
    pub limits: &'a Limits,
    /// How many best lines it is to find.
    pub lines: usize,
    /// The only moves to look at; all if there are none.
    pub moves: &'a [Move],
}

impl Searcher for Engine {
    fn new_game(&mut self) {
        Self::new_game(self);
    }

    fn search(&mut self, game: &Game, request: &SearchRequest<'_>) -> Result<Study, String> {
        let position = *game.position();
        self.set_game(game.clone());
        let multipv = std::mem::replace(&mut self.settings_mut().multipv, request.lines);
        let limits = Limits { search_moves: request.moves.to_vec(), ..request.limits.clone() };
        let mut history: Vec<Iteration> = Vec::new();
        let outcome = Self::search(self, &limits, &mut |report: &Report| {
            if let Report::Line(line, progress) = report
                && line.multipv == 1
                && line.bound == Bound::Exact
                && let Some(&best) = line.pv.first()
            {
                history.retain(|known| known.depth < line.depth);
                history.push(Iteration { depth: line.depth, nodes: progress.nodes, best });
            }
        });
        self.settings_mut().multipv = multipv;
        let lines: Vec<&Line> = outcome.lines.iter().collect();
        let nodes = outcome.progress.nodes;
        let look = PositionAnalysis::new(&position, outcome.score, &lines, nodes);
        Ok(Study { look, history })
    }
}
