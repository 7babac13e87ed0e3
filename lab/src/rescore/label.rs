//! The labels of one game.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use chess::{Color, Position};
use engine::{Bound, Limits, SingleThreadEngine, TreeScore};

use crate::data::{Game, GameResult, PackedPosition, PositionFilter, ScoredMove, learned_score};
use crate::datagen::white_score;
use crate::rng::Rng;

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
        let Self { nodes, every, per_game, pv_plies, tree_depth, filter, seed } = self;
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
            let mut position = *line.position();
            let Some((best, _)) = engine.search(&line, &limits) else { break };
            if rules.tree_depth > 0 {
                tree.add(&engine.tree_scores(&position, rules.tree_depth), rules, game.result);
            }
            let white_score = white_score(best.score, position.side_to_move());
            if !best.score.is_decisive() {
                let filter = rules.filter_of_labels();
                for &mv in best.pv.iter().take(1 + rules.pv_plies) {
                    if filter.keeps(&position, ScoredMove { mv, white_score }) {
                        let (bound, result) = (Bound::Exact, game.result);
                        labelled.push(Label { position, white_score, bound, depth: 0, result });
                    }
                    position.make(mv);
                }
            }
        }
        line.play(scored.mv);
    }
    let with_own_label: HashSet<u64> = labelled.iter().map(|label| label.position.key()).collect();
    tree.labels.retain(|label| !with_own_label.contains(&label.position.key()));
    labelled.extend(tree.labels);
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
mod tests {
    use super::*;
    use crate::datagen::{GameRules, play_game};

    fn rules(nodes: u64, every: usize) -> LabelRules {
        let filter = PositionFilter { min_ply: 0, max_score: 1500, ..PositionFilter::default() };
        LabelRules { nodes, every, per_game: 0, pv_plies: 0, tree_depth: 0, filter, seed: 3 }
    }

    fn game() -> (SingleThreadEngine, Game) {
        let mut engine = SingleThreadEngine::new(1).unwrap();
        let rules = GameRules { soft_nodes: 60, max_plies: 120, ..GameRules::default() };
        let game = play_game(&mut engine, &rules, None, &mut Rng::derived(5, 1));
        (engine, game)
    }

    #[test]
    fn picked_positions_are_kept_by_the_filter_and_far_apart() {
        let (_, game) = game();
        let rules = rules(100, 6);
        let picked = pick(&game, &rules, &mut Rng::new(1));
        assert!(picked.windows(2).all(|pair| pair[0] < pair[1]));
        let mut kept = Vec::new();
        let mut ply = 0;
        game.replay(|position, scored| {
            if rules.filter.keeps(position, scored) {
                kept.push(ply);
            }
            ply += 1;
        });
        assert!(picked.iter().all(|ply| kept.contains(ply)));
        assert!(picked.len() * 3 <= kept.len(), "{} of {}", picked.len(), kept.len());
        assert!(picked.len() * 12 >= kept.len(), "{} of {}", picked.len(), kept.len());
        let few = LabelRules { per_game: 2, ..rules };
        assert_eq!(pick(&game, &few, &mut Rng::new(1)).len(), 2);
    }

    #[test]
    fn labels_repeat_themselves_and_are_those_of_the_search() {
        let (mut engine, game) = game();
        let rules = rules(400, 4);
        let first = label_game(&mut engine, &game, &rules);
        assert!(!first.is_empty());
        let mut other = SingleThreadEngine::new(1).unwrap();
        assert_eq!(label_game(&mut other, &game, &rules), first);
        assert_ne!(label_game(&mut other, &game, &LabelRules { seed: 4, ..rules.clone() }), first);
        // The first label comes from a fresh engine, so a fresh search gives it again.
        let mut line = engine::Game::new(game.start);
        for scored in &game.moves {
            if *line.position() == first[0].position {
                break;
            }
            line.play(scored.mv);
        }
        other.new_game();
        let (best, _) = other.search(&line, &Limits::nodes(400)).unwrap();
        let learned = i32::from(first[0].packed().score);
        assert_eq!(learned, engine::unscale_eval(line.position(), best.score.raw()));
        assert_ne!(learned, best.score.raw(), "the search's own score is not what is learned");
        let epd = first[0].epd();
        assert!(epd.contains(&format!(" ce {}; ", best.score.raw())), "{epd}");
    }

    #[test]
    fn the_limit_on_scores_chooses_positions_and_not_labels() {
        let (mut engine, game) = game();
        let all = label_game(&mut engine, &game, &rules(400, 1));
        let limit = 60;
        let filter = PositionFilter { max_score: limit, ..rules(400, 1).filter };
        let few = label_game(&mut engine, &game, &LabelRules { filter, ..rules(400, 1) });
        assert!(!few.is_empty() && few.len() < all.len());
        let high = few.iter().filter(|label| label.white_score.unsigned_abs() >= limit).count();
        assert!(high > 0, "{} labels, all low", few.len());
    }

    #[test]
    fn the_tree_of_a_search_gives_labels_with_bounds() {
        let (mut engine, game) = game();
        let alone = label_game(&mut engine, &game, &rules(2000, 8));
        let tree_rules = LabelRules { tree_depth: 3, ..rules(2000, 8) };
        let tree = label_game(&mut engine, &game, &tree_rules);
        assert!(tree.len() > 10 * alone.len(), "{} and {}", tree.len(), alone.len());
        assert_eq!(label_game(&mut SingleThreadEngine::new(1).unwrap(), &game, &tree_rules), tree);
        let mut keys: Vec<u64> = tree.iter().map(|label| label.position.key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), tree.len());
        let of = |bound| tree.iter().filter(|label| label.packed().bound == bound).count();
        let (exact, upper, lower) = (of(0), of(PackedPosition::UPPER), of(PackedPosition::LOWER));
        assert!(exact > 0 && upper > 0 && lower > 0, "{exact}, {upper}, {lower}");
        assert!(tree.iter().all(|label| label.packed().is_sound() && !label.position.is_check()));
        assert_ne!(tree_rules.to_text(), rules(2000, 8).to_text());
    }

    #[test]
    fn positions_of_the_principal_variation_share_its_score() {
        let (mut engine, game) = game();
        let alone = label_game(&mut engine, &game, &rules(400, 4));
        let pv_rules = LabelRules { pv_plies: 2, ..rules(400, 4) };
        let with_pv = label_game(&mut engine, &game, &pv_rules);
        assert!(with_pv.len() > alone.len(), "{} and {}", with_pv.len(), alone.len());
        assert!(alone.iter().all(|label| with_pv.contains(label)));
        // What is new is one or two quiet plies after a searched position, with its score.
        let further = with_pv.iter().filter(|label| !alone.contains(label));
        assert!(further.clone().all(|label| !label.position.is_check()));
        let (mut seen, mut line) = (Vec::new(), engine::Game::new(game.start));
        for scored in &game.moves {
            seen.push(*line.position());
            line.play(scored.mv);
        }
        assert!(further.clone().any(|label| !seen.contains(&label.position)));
        assert_ne!(pv_rules.to_text(), rules(400, 4).to_text());
    }
}
