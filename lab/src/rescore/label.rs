//! The labels of one game.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use chess::{Color, Position};
use engine::{Bound, Limits, Line, SingleThreadEngine, TreeScore};

use crate::data::{Game, GameResult, PackedPosition, PositionFilter, ScoredMove, learned_score};
use crate::datagen::white_score;
use crate::rng::{Rng, mix};

/// Which positions are labelled, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelRules {
    /// Nodes of the search that makes a label.
    pub nodes: u64,
    /// One position in so many plies, on average.
    pub every: usize,
    /// At most so many positions of a game; 0 for no limit.
    pub per_game: usize,
    /// Positions of the principal variation that share the label: the same search has seen them too,
    /// with a little less depth.
    pub pv_plies: usize,
    /// Label the positions too that the searches left in the table with at least this depth, bounds
    /// included; 0 for not at all.
    pub tree_depth: i32,
    /// Label so many of the positions that each search has evaluated, too, with searches of their own.
    pub evaluated: usize,
    /// Nodes of these searches.
    pub evaluated_nodes: u64,
    /// Which positions of the game are worth a search, judged by the game's move and score. What the
    /// search then says is kept, however high: with a limit on the labels themselves, of two equally
    /// promising positions the one that turned out better would be missing.
    pub filter: PositionFilter,
    /// Fixes which positions are picked.
    pub seed: u64,
}

impl LabelRules {
    /// The same without a limit on the score.
    fn filter_of_labels(&self) -> PositionFilter {
        PositionFilter { max_score: u16::MAX, ..self.filter.clone() }
    }

    /// The rules as one line of text, to tell runs apart.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self {
            nodes,
            every,
            per_game,
            pv_plies,
            tree_depth,
            evaluated,
            evaluated_nodes,
            filter,
            seed,
        } = self;
        let mut text = format!(
            "nodes {nodes} every {every} per-game {per_game} max-score {} min-ply {} seed {seed}",
            filter.max_score, filter.min_ply
        );
        if filter.min_pieces != PositionFilter::default().min_pieces {
            let _ = write!(text, " min-pieces {}", filter.min_pieces);
        }
        if *pv_plies > 0 {
            let _ = write!(text, " pv-plies {pv_plies}");
        }
        if *tree_depth > 0 {
            let _ = write!(text, " tree-depth {tree_depth}");
        }
        if *evaluated > 0 {
            let _ = write!(text, " evaluated {evaluated} by {evaluated_nodes}");
        }
        text
    }

    /// Plies to the next position that is looked at.
    fn gap(&self, rng: &mut Rng) -> usize {
        1 + rng.below(2 * self.every.max(1) - 1)
    }
}

/// A position with the score that a search gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The position, with everything the rules need.
    pub position: Position,
    /// Centipawns, positive when White is better.
    pub white_score: i16,
    /// Whether that is the score or a bound of it, for the side to move.
    pub bound: Bound,
    /// How deep the position was searched inside a tree; 0 for positions of the game.
    pub depth: u8,
    /// How the game ended.
    pub result: GameResult,
}

impl Label {
    /// The label as a training position, with the score that the network should have given.
    #[must_use]
    pub fn packed(&self) -> PackedPosition {
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::Upper => PackedPosition::UPPER,
            Bound::Lower => PackedPosition::LOWER,
        };
        let score = learned_score(&self.position, self.white_score);
        let packed = PackedPosition::new(&self.position, score, self.result as u8);
        PackedPosition { bound, depth: self.depth, ..packed }
    }

    /// The label as a line of an EPD file: `ce` is the score for the side to move, `c0` the result.
    #[must_use]
    pub fn epd(&self) -> String {
        let fen = self.position.to_fen();
        let fields: Vec<&str> = fen.split(' ').collect();
        let (clock, number) = (fields[4], fields[5]);
        let score = match self.position.side_to_move() {
            Color::White => self.white_score,
            Color::Black => -self.white_score,
        };
        let (placement, result) = (fields[..4].join(" "), self.result);
        format!("{placement} hmvc {clock}; fmvn {number}; ce {score}; c0 \"{result}\";\n")
    }
}

/// Picks positions of a game and labels them. The table and the histories of the engine are kept
/// along the game: what was searched a few plies earlier helps the next search.
pub fn label_game(engine: &mut SingleThreadEngine, game: &Game, rules: &LabelRules) -> Vec<Label> {
    let mut rng = Rng::derived(rules.seed, game.identity());
    let picked = pick(game, rules, &mut rng);
    let mut labelled = Vec::with_capacity(picked.len());
    if picked.is_empty() {
        return labelled;
    }
    engine.new_game();
    let limits = Limits::nodes(rules.nodes);
    let mut line = engine::Game::new(game.start);
    let mut picked = picked.into_iter().peekable();
    let mut tree = TreeLabels::default();
    for (ply, scored) in game.moves.iter().enumerate() {
        let Some(&next) = picked.peek() else { break };
        if ply == next {
            picked.next();
            let position = *line.position();
            let sample = (rules.evaluated, mix(rules.seed ^ position.key()));
            let Some((best, evaluated)) = engine.search_sampled(&line, &limits, sample) else {
                break;
            };
            if rules.tree_depth > 0 {
                tree.add(&engine.tree_scores(&position, rules.tree_depth), rules, game.result);
            }
            labelled.extend(label_line(&position, &best, game.result, rules));
            labelled.extend(label_evaluated(engine, evaluated, game.result, rules));
        }
        line.play(scored.mv);
    }
    let with_own_label: HashSet<u64> = labelled.iter().map(|label| label.position.key()).collect();
    tree.labels.retain(|label| !with_own_label.contains(&label.position.key()));
    labelled.extend(tree.labels);
    labelled
}

/// Labels the quiet positions at the beginning of a line with the score of its search.
fn label_line(root: &Position, line: &Line, result: GameResult, rules: &LabelRules) -> Vec<Label> {
    let mut labelled = Vec::new();
    if line.score.is_decisive() {
        return labelled;
    }
    let white_score = white_score(line.score, root.side_to_move());
    let filter = rules.filter_of_labels();
    let mut position = *root;
    for &mv in line.pv.iter().take(1 + rules.pv_plies) {
        if filter.keeps(&position, ScoredMove { mv, white_score }) {
            labelled.push(Label { position, white_score, bound: Bound::Exact, depth: 0, result });
        }
        position.make(mv);
    }
    labelled
}

/// Labels positions that a search has evaluated, and the lines that follow from them. Positions with a
/// hanging piece are part of the point, so their best move may be a capture.
fn label_evaluated(
    engine: &mut SingleThreadEngine,
    positions: Vec<Position>,
    result: GameResult,
    rules: &LabelRules,
) -> Vec<Label> {
    let (mut seen, mut labelled) = (HashSet::new(), Vec::new());
    for position in positions {
        let pieces = position.board().occupied().count();
        if pieces < rules.filter.min_pieces || !seen.insert(position.key()) {
            continue;
        }
        let line = engine::Game::new(position);
        let Some((best, _)) = engine.search(&line, &Limits::nodes(rules.evaluated_nodes)) else {
            continue;
        };
        let depth = best.depth.clamp(1, 255) as u8;
        let mut labels = label_line(&position, &best, result, rules);
        if !best.score.is_decisive()
            && labels.first().is_none_or(|first| first.position != position)
        {
            let white_score = white_score(best.score, position.side_to_move());
            labels.push(Label { position, white_score, bound: Bound::Exact, depth, result });
        }
        labelled.extend(labels.into_iter().map(|label| Label { depth, ..label }));
    }
    labelled
}

/// Labels from inside the search trees of one game. Where a position was met in several searches, the
/// deepest counts.
#[derive(Default)]
struct TreeLabels {
    labels: Vec<Label>,
    /// Where the label of a position is.
    places: HashMap<u64, usize>,
}

impl TreeLabels {
    /// Takes what one search has left. A position whose best move is not known may be noisy or not:
    /// its upper bound holds all the same.
    fn add(&mut self, scores: &[TreeScore], rules: &LabelRules, result: GameResult) {
        let filter = rules.filter_of_labels();
        for &TreeScore { position, score, bound, depth, best_move } in scores {
            let white_score = white_score(score, position.side_to_move());
            let is_wanted = |mv| filter.keeps(&position, ScoredMove { mv, white_score });
            let mv = best_move
                .or_else(|| position.legal_moves().iter().copied().find(|mv| mv.is_quiet()));
            if score.is_decisive() || !mv.is_some_and(is_wanted) {
                continue;
            }
            let depth = depth.clamp(1, 255) as u8;
            let label = Label { position, white_score, bound, depth, result };
            match self.places.get(&position.key()) {
                Some(place) if self.labels[*place].depth > depth => {}
                Some(place) => self.labels[*place] = label,
                None => {
                    self.places.insert(position.key(), self.labels.len());
                    self.labels.push(label);
                }
            }
        }
    }
}

/// The plies whose positions are to be searched: far apart, and such as the filter keeps. A ply that
/// is not kept hands its turn to the next one.
fn pick(game: &Game, rules: &LabelRules, rng: &mut Rng) -> Vec<usize> {
    let mut picked = Vec::new();
    let mut next = rng.below(rules.every.max(1));
    let mut ply = 0;
    game.replay(|position, scored| {
        if ply >= next && rules.filter.keeps(position, scored) {
            picked.push(ply);
            next = ply + rules.gap(rng);
        }
        ply += 1;
    });
    if rules.per_game > 0 && picked.len() > rules.per_game {
        rng.shuffle(&mut picked);
        picked.truncate(rules.per_game);
        picked.sort_unstable();
    }
    picked
}

#[cfg(test)]
mod tests;
