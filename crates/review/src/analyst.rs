//! Lets the engine look at positions and games.

use chess::{Color, Move, Position};
use engine::wdl::Curve;
use engine::{Engine, Game, Limits, Silent};

use crate::eval::Eval;
use crate::tree::GameTree;

/// What the engine found in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
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

impl Look {
    /// The best move.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
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
    pub fn look_afresh(&mut self, position: &Position) -> Look {
        self.engine.new_game();
        self.look(Game::new(*position))
    }

    /// Looks at every position of a game, one more than moves, and tells `progress` after each how
    /// many are done. `None` if `progress` answers that it is enough.
    ///
    /// What the engine knew before is forgotten, so that the same game gets the same answers. The
    /// last position comes first: what is learned at the end of a game helps to understand how it
    /// came there.
    pub fn looks(
        &mut self,
        tree: &GameTree,
        mut progress: impl FnMut(usize) -> bool,
    ) -> Option<Vec<Look>> {
        self.engine.new_game();
        let mut games = vec![Game::new(tree.start)];
        for ply in &tree.main.plies {
            let mut next = games[games.len() - 1].clone();
            next.play(ply.mv);
            games.push(next);
        }
        let mut looks = Vec::with_capacity(games.len());
        for (done, game) in games.into_iter().rev().enumerate() {
            looks.push(self.look(game));
            if !progress(done + 1) {
                return None;
            }
        }
        looks.reverse();
        Some(looks)
    }

    fn look(&mut self, game: Game) -> Look {
        let position = *game.position();
        if let Some(eval) = Eval::of_end(&position) {
            let wdl = [1.0, 0.5, 0.0].map(|chance| 1000 * u32::from(eval.white_chance() == chance));
            return Look { eval, wdl, depth: 0, nodes: 0, lines: Vec::new() };
        }
        self.engine.set_game(game);
        let outcome = self.engine.search(&self.limits, &mut Silent);
        let lines = outcome.lines.iter().map(|line| BestLine {
            eval: Eval::new(&position, line.score),
            moves: line.pv.clone(),
        });
        let chances = Curve::of(&position).wdl(outcome.score);
        let mut wdl = [chances.win, chances.draw, chances.loss];
        if position.side_to_move() == Color::Black {
            wdl.reverse();
        }
        Look {
            eval: Eval::new(&position, outcome.score),
            wdl,
            depth: outcome.lines.first().map_or(0, |line| line.depth),
            nodes: outcome.progress.nodes,
            lines: lines.collect(),
        }
    }
}
