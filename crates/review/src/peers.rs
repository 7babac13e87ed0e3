//! How well the engine's level of a player's rating does in the same positions.
//!
//! A sample of a player's positions is given to the level of the rating that the game names. Its moves
//! are judged like those of the player, so that the two accuracies can be compared. A move that is the
//! best one, or the one that was played, is judged already; any other needs a search.

use chess::{Color, Move, Position};
use engine::{Game, MIN_ELO};

use crate::analysis::PositionAnalysis;
use crate::analyst::{Analyst, play_or_pass};
use crate::judge::{Review, accuracy, mean_accuracy, weights};
use crate::levels::LevelPlayer;
use crate::tree::GameTree;

/// Positions of a side, at most: each may cost a search.
const SAMPLE: usize = 24;
/// A rating has three or four digits.
const RATINGS: std::ops::RangeInclusive<u32> = 100..=3999;
/// The strongest level that is compared: those above take long.
const MAX_PEER: u32 = 2800;

/// A side beside the engine's level of the same rating.
#[derive(Clone, Debug, PartialEq)]
pub struct PeerReview {
    /// The Elo of the level; the nearest there is to the rating of the player.
    pub elo: u32,
    /// Positions that were compared.
    pub positions: usize,
    /// How well the player did there, from 0 to 100.
    pub own: f64,
    /// How well the level did.
    pub level: f64,
}

/// What a comparison needs next.
#[derive(Clone, Debug)]
pub enum PeerStep {
    /// The move of a level at the end of this game.
    Choose {
        /// The game up to the position in question.
        game: Game,
        /// The Elo of the level.
        elo: u32,
    },
    /// A search of the last position of this game.
    Search {
        /// The game that ends in the position.
        game: Game,
    },
}

/// The comparison of both sides with their levels, step by step. Sides without a rating have none.
#[derive(Clone, Debug)]
pub struct PeerPlan {
    start: Position,
    moves: Vec<Option<Move>>,
    samples: Vec<Sample>,
    /// The move of the level in the next sample, once it has chosen.
    chosen: Option<Move>,
    done: usize,
}

/// A position of the comparison.
#[derive(Clone, Debug)]
struct Sample {
    color: Color,
    elo: u32,
    index: usize,
    weight: f64,
    before: PositionAnalysis,
    /// What the move of the player gave away.
    own_loss: f64,
    /// What that of the level gives away, once it is known.
    level_loss: Option<f64>,
}

impl PeerPlan {
    /// A plan for the sides of a reviewed game that have a rating.
    ///
    /// # Panics
    /// If there are too few looks.
    #[must_use]
    pub fn new(tree: &GameTree, looks: &[PositionAnalysis], review: &Review) -> Self {
        let positions = tree.positions();
        let chances: Vec<f64> = looks.iter().map(|look| look.eval.white_chance()).collect();
        let weights = weights(&chances);
        let moves: Vec<Option<Move>> = tree.main.plies.iter().map(|ply| ply.mv).collect();
        let mut samples = Vec::new();
        for color in [Color::White, Color::Black] {
            let Some(elo) = peer_elo(tree, color) else { continue };
            let own: Vec<usize> = (0..moves.len())
                .filter(|&index| {
                    positions[index].side_to_move() == color
                        && !review.plies[index].is_book
                        && positions[index].legal_moves().len() > 1
                })
                .collect();
            samples.extend(spread(&own).map(|index| Sample {
                color,
                elo,
                index,
                weight: weights[index],
                before: looks[index].clone(),
                own_loss: review.plies[index].loss,
                level_loss: None,
            }));
        }
        Self { start: tree.start, moves, samples, chosen: None, done: 0 }
    }

    /// What is needed next; none if all is done.
    #[must_use]
    pub fn next_step(&self) -> Option<PeerStep> {
        let sample = self.samples.get(self.done)?;
        let mut game = Game::new(self.start);
        self.moves[..sample.index].iter().for_each(|&mv| play_or_pass(&mut game, mv));
        match self.chosen {
            None => Some(PeerStep::Choose { game, elo: sample.elo }),
            Some(mv) => {
                game.play(mv);
                Some(PeerStep::Search { game })
            }
        }
    }

    /// Takes in the move that a level has chosen.
    pub fn choose(&mut self, mv: Move) {
        let Some(sample) = self.samples.get(self.done) else { return };
        if sample.before.best_move() == Some(mv) {
            self.settle(0.0);
        } else if self.moves[sample.index] == Some(mv) {
            self.settle(sample.own_loss);
        } else {
            self.chosen = Some(mv);
            let after = self.next_step().and_then(|step| match step {
                PeerStep::Search { game } => PositionAnalysis::of_end(game.position()),
                PeerStep::Choose { .. } => None,
            });
            if let Some(after) = after {
                self.take(&after);
            }
        }
    }

    /// Takes in what was found in the position after the move of the level.
    pub fn take(&mut self, after: &PositionAnalysis) {
        let Some(sample) = self.samples.get(self.done) else { return };
        let loss = sample.before.eval.chance(sample.color) - after.eval.chance(sample.color);
        self.settle(loss.max(0.0));
    }

    fn settle(&mut self, loss: f64) {
        self.samples[self.done].level_loss = Some(loss);
        self.chosen = None;
        self.done += 1;
    }

    /// How many positions are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done
    }

    /// How many positions are compared.
    #[must_use]
    pub fn total(&self) -> usize {
        self.samples.len()
    }

    /// How a side did beside its level; none if it has no rating or no move to compare.
    #[must_use]
    pub fn side(&self, color: Color) -> Option<PeerReview> {
        let of_side = |sample: &&Sample| sample.color == color && sample.level_loss.is_some();
        let samples: Vec<&Sample> = self.samples.iter().filter(of_side).collect();
        let own = samples.iter().map(|sample| (accuracy(sample.own_loss), sample.weight));
        let level =
            samples.iter().filter_map(|sample| Some((accuracy(sample.level_loss?), sample.weight)));
        Some(PeerReview {
            elo: samples.first()?.elo,
            positions: samples.len(),
            own: mean_accuracy(own)?,
            level: mean_accuracy(level)?,
        })
    }
}

/// Compares both sides of a reviewed game with the levels of their ratings: White's, then Black's. The
/// analyst judges the moves of the levels.
pub fn compare_with_peers(
    analyst: &mut Analyst,
    tree: &GameTree,
    looks: &[PositionAnalysis],
    review: &Review,
) -> [Option<PeerReview>; 2] {
    let mut plan = PeerPlan::new(tree, looks, review);
    while let Some(step) = plan.next_step() {
        match step {
            PeerStep::Choose { game, elo } => {
                // A new player each time, so that no choice depends on those before.
                let Some(mv) = LevelPlayer::new().play(&game, elo) else { break };
                plan.choose(mv);
            }
            PeerStep::Search { game } => plan.take(&analyst.study(&game, 1, &[]).look),
        }
    }
    [plan.side(Color::White), plan.side(Color::Black)]
}

/// The level of a player's rating, if the game names one.
fn peer_elo(tree: &GameTree, color: Color) -> Option<u32> {
    let tag = match color {
        Color::White => "WhiteElo",
        Color::Black => "BlackElo",
    };
    let rating: u32 = tree.tag(tag)?.trim().parse().ok()?;
    RATINGS.contains(&rating).then(|| rating.clamp(MIN_ELO, MAX_PEER))
}

/// Members of a list, evenly spread, no more than a sample.
fn spread(all: &[usize]) -> impl Iterator<Item = usize> {
    let count = all.len().min(SAMPLE);
    (0..count).map(move |index| all[index * all.len() / count])
}

#[cfg(test)]
mod tests {
    use engine::{Engine, Limits};

    use super::*;
    use crate::judge::judge;
    use crate::read::read;
    use crate::split::Splitter;

    const MOVES: &str = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. Ng5 d5 5. exd5 Nxd5 6. Nxf7 Kxf7 \
                         7. Qf3+ Ke6 8. Nc3 Nb4 9. a3 Nxc2+ 10. Kd1 Nxa1 11. Nxd5 Kd6 12. d4 Be6 \
                         13. Nf4 Qf6 14. dxe5+ Kxe5 15. Nxe6 Qxf3+ 16. gxf3 Kf6 17. Nxc7 Rc8";

    fn compared(tags: &str) -> [Option<PeerReview>; 2] {
        let pgn = format!("{tags}\n\n{MOVES} *\n");
        let raw = Splitter::new(pgn.as_bytes()).next_game().unwrap().unwrap();
        let tree = read(&raw).0.unwrap();
        let mut analyst = Analyst::new(Engine::new(), Limits::nodes(3000));
        let looks = analyst.looks(&tree, |_| true).unwrap();
        let review = judge(&tree, &looks, 0);
        compare_with_peers(&mut analyst, &tree, &looks, &review)
    }

    #[test]
    fn sides_with_a_rating_are_compared_with_the_level_of_that_rating() {
        let [white, black] = compared("[WhiteElo \"1500\"]\n[BlackElo \"?\"]");
        let white = white.expect("White has a rating");
        assert_eq!((white.elo, white.positions, black), (1500, 17, None));
        for accuracy in [white.own, white.level] {
            assert!((1.0..=100.0).contains(&accuracy), "{white:?}");
        }
        assert_eq!(compared("[WhiteElo \"1500\"]"), [Some(white), None], "by the same choices");
    }

    #[test]
    fn a_strong_level_does_better_than_a_weak_one_in_the_same_positions() {
        let [weak, _] = compared("[WhiteElo \"500\"]");
        let [strong, _] = compared("[WhiteElo \"2800\"]");
        let (weak, strong) = (weak.unwrap(), strong.unwrap());
        assert_eq!(weak.own, strong.own, "the same moves were played");
        assert!(strong.level > weak.level + 5.0, "{strong:?} {weak:?}");
    }

    #[test]
    fn ratings_beyond_the_ladder_have_the_nearest_level_and_nonsense_has_none() {
        let elo = |value: &str| {
            let mut tree = GameTree::new(Position::startpos());
            tree.set_tag("BlackElo", value.to_owned());
            peer_elo(&tree, Color::Black)
        };
        let found = ["1500", " 1500 ", "120", "3700", "0", "99999", "-", "", "1500?"].map(elo);
        let none = [None; 5];
        assert_eq!(found[..4], [Some(1500), Some(1500), Some(500), Some(2800)]);
        assert_eq!(found[4..], none);
    }

    #[test]
    fn a_sample_is_spread_over_the_game() {
        let sample = |count: usize| spread(&(0..count).collect::<Vec<_>>()).collect::<Vec<_>>();
        assert_eq!((sample(0), sample(3)), (vec![], vec![0, 1, 2]));
        let long = sample(4 * SAMPLE);
        assert_eq!((long.len(), long[0], long[SAMPLE - 1]), (SAMPLE, 0, 4 * SAMPLE - 4));
        assert!(long.windows(2).all(|pair| pair[1] - pair[0] == 4), "{long:?}");
    }
}
