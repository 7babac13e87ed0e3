//! **The choice among moves that look playable.** A move is judged as the player sees it: moves that
//! it overlooks are not there, and an answer of the opponent's that it overlooks does no harm. Of
//! what is left one is drawn, better ones and those that come to mind more often: the chance falls by
//! a factor of e for each `temperature` of centipawns that a move seems to lose.

use chess::rng::Rng;
use chess::{Move, Position, Square};

use super::Level;
use super::habit::habit;
use super::opening::opening_move;
use super::sight::{clutter, is_blind, obscurity};
use crate::score::Score;

/// From this level on a mate in one is never missed.
pub(super) const SEES_MATE_FROM: u32 = 1200;
/// From this level on no piece is left to be taken where it has just been put.
const SEES_LOSS_FROM: u32 = 1000;
/// Up to this level nobody looks for that; in between the care grows with the strength, so that no
/// level is much weaker than the next one.
const LOOKS_FROM: u32 = 800;
/// What it may lose there, in centipawns.
const LOSS_BOUND: i32 = 200;
/// An answer of the opponent's is overlooked so many times as often as an own move.
const ANSWERS: f64 = 1.5;
/// The part of the loss that remains in the eyes of who overlooks the answer.
const UNSEEN_LOSS: f64 = 0.15;
/// How much more habits count than in the games that they were taken from. The temperatures are lower
/// than there by about as much, so that a level is less moody than a crowd.
const HABITS: f64 = 8.0;
/// A score beyond this is worth no more to a person.
const HORIZON: i32 = 1500;
/// What a ply less to a mate is worth beyond that, in centipawns, and up to how many plies.
const MATE_STEP: i32 = 10;
const MATE_PLIES: i32 = 50;

/// A move that may be played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) score: Score,
    /// The answer that the search expects.
    pub(crate) answer: Option<Move>,
}

/// Where a choice is made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'a> {
    pub(crate) position: &'a Position,
    /// The square that the opponent has just moved to.
    pub(crate) last: Option<Square>,
    /// The number of the game, which all luck depends on.
    pub(crate) game: u64,
}

impl Level {
    /// Which of the moves, best first, to play.
    pub(crate) fn choose(&self, candidates: &[Candidate], situation: &Situation<'_>) -> usize {
        let Some(best) = candidates.first() else { return 0 };
        let sees_all = self.overlooks == 0.0 && candidates.len() == 1;
        if sees_all || best.score == Score::mate_in(1) && self.elo >= SEES_MATE_FROM {
            return 0;
        }
        let mut luck = Rng::new(seed(situation.position, situation.game));
        if let Some(mv) = opening_move(situation.position, self.elo, &mut luck)
            && let Some(index) = candidates.iter().position(|candidate| candidate.mv == mv)
        {
            return index;
        }
        let clutter = clutter(situation.position.legal_moves().len());
        let weights: Vec<f64> = candidates
            .iter()
            .map(|candidate| {
                let loss = value(best.score) - value(candidate.score);
                self.weight(candidate, loss, clutter, situation)
            })
            .collect();
        let mut left = luck.unit() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return index;
            }
        }
        0
    }

    /// How often it does not look whether a piece that it moves can be taken at once.
    fn careless(&self) -> f64 {
        let learned = self.elo.saturating_sub(LOOKS_FROM);
        1.0 - (f64::from(learned) / f64::from(SEES_LOSS_FROM - LOOKS_FROM)).min(1.0)
    }

    /// How likely a move is to be played, against others.
    fn weight(&self, candidate: &Candidate, loss: i32, clutter: f64, at: &Situation<'_>) -> f64 {
        let chance = clutter * self.overlooks / 100.0;
        let own = chance * obscurity(at.position, candidate.mv, at.last);
        if is_blind(own, at.game, at.position, candidate.mv) {
            return 0.0;
        }
        let mut seen = f64::from(loss);
        let mut next = *at.position;
        next.make(candidate.mv);
        if let Some(answer) = candidate.answer {
            let to = candidate.mv.to();
            let drops = answer.to() == to && loss > LOSS_BOUND;
            if drops && !is_blind(self.careless(), at.game, &next, answer) {
                return 0.0;
            }
            let chance = ANSWERS * chance * obscurity(&next, answer, Some(to));
            if is_blind(chance, at.game, &next, answer) {
                seen *= UNSEEN_LOSS;
            }
        }
        let liking = HABITS * habit(at.position, candidate.mv, &next, at.last);
        (liking - seen / self.temperature).exp()
    }
}

/// What a score is worth to a person, in centipawns.
fn value(score: Score) -> i32 {
    match score.mate_plies() {
        Some(plies) => {
            let sooner = MATE_STEP * (MATE_PLIES - plies.abs()).max(0);
            (HORIZON + sooner) * plies.signum()
        }
        None => score.raw().clamp(-HORIZON, HORIZON),
    }
}

/// Odd and irregular, so that neighbouring numbers have far seeds.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The seed of the choice in a position.
fn seed(position: &Position, game: u64) -> u64 {
    let number = u64::from(position.fullmove()) << 32 | game;
    Rng::new(position.key() ^ number.wrapping_mul(STEP)).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::MAX_ELO;

    /// The start position, too late in the game for the book.
    fn start() -> Position {
        Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9").unwrap()
    }

    /// The first legal moves of the start position, with these scores.
    fn candidates(scores: &[i32]) -> Vec<Candidate> {
        let moves = start().legal_moves();
        let scored = moves.iter().zip(scores);
        scored
            .map(|(&mv, &score)| Candidate { mv, score: Score::from_cp(score), answer: None })
            .collect()
    }

    fn at(position: &Position, game: u64) -> Situation<'_> {
        Situation { position, last: None, game }
    }

    /// How often each of the moves is chosen, of 4000 times.
    fn shares(level: &Level, candidates: &[Candidate], position: &Position) -> Vec<u32> {
        let mut counts = vec![0; candidates.len()];
        for game in 0..4000 {
            counts[level.choose(candidates, &at(position, game))] += 1;
        }
        counts
    }

    #[test]
    fn better_moves_are_played_more_often_and_by_better_players() {
        let (moves, start) = (candidates(&[30, 10, -60, -150]), start());
        let weak = shares(&Level::of(800), &moves, &start);
        let strong = shares(&Level::of(2400), &moves, &start);
        assert!(weak.is_sorted_by(|a, b| a > b), "{weak:?}");
        assert!(weak[3] > 0 && weak[3] < 800, "{weak:?}");
        assert!(strong[0] > weak[0] && strong[3] == 0, "{strong:?}");
    }

    #[test]
    fn a_mate_in_one_is_missed_by_beginners_only() {
        let (mut moves, start) = (candidates(&[0, 600, 500]), start());
        moves[0].score = Score::mate_in(1);
        assert!(shares(&Level::of(600), &moves, &start)[0] < 3900);
        for elo in [SEES_MATE_FROM, 2000, MAX_ELO] {
            assert_eq!(shares(&Level::of(elo), &moves, &start)[0], 4000);
        }
    }

    #[test]
    fn a_queen_that_hangs_is_taken_nearly_always() {
        let fen = "4k3/8/2p5/3q4/4P3/8/8/4K1N1 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let mv = |text: &str| position.parse_uci(text).unwrap();
        let quiet = |text, score| Candidate { mv: mv(text), score, answer: None };
        let moves = [quiet("e4d5", Score::from_cp(500)), quiet("g1f3", Score::from_cp(-400))];
        for level in crate::LEVELS {
            let taken = shares(&level, &moves, &position)[0];
            assert!(taken > 3840, "{} takes {taken} of 4000", level.elo);
        }
    }

    #[test]
    fn no_piece_is_put_where_it_is_taken_from_1000_on() {
        let position = Position::from_fen("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1").unwrap();
        let mv = |text: &str| position.parse_uci(text).unwrap();
        let mut next = position;
        next.make(mv("f3e5"));
        let drop = Candidate {
            mv: mv("f3e5"),
            score: Score::from_cp(-100),
            answer: next.parse_uci("d6e5").ok(),
        };
        let sound = Candidate { mv: mv("f3d4"), score: Score::from_cp(200), answer: None };
        for level in crate::LEVELS.iter().filter(|level| level.elo >= 1000) {
            for game in 0..1000 {
                assert_eq!(level.choose(&[sound, drop], &at(&position, game)), 0);
            }
        }
    }

    #[test]
    fn the_care_for_pieces_grows_between_two_levels() {
        let careless = |elo| Level::of(elo).careless();
        assert_eq!([600, 800, 900, 1000, 2000].map(careless), [1.0, 1.0, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn a_shorter_mate_is_better_and_being_mated_is_worst() {
        let order = [
            Score::mate_in(1),
            Score::mate_in(5),
            Score::tablebase_win(3),
            Score::from_cp(100),
            Score::tablebase_loss(3),
            Score::mated_in(8),
            Score::mated_in(2),
        ];
        assert!(order.map(value).is_sorted_by(|a, b| a > b), "{:?}", order.map(value));
    }

    #[test]
    fn the_first_moves_are_from_the_book() {
        let start = Position::startpos();
        let list = start.legal_moves();
        let even = |&mv| Candidate { mv, score: Score::DRAW, answer: None };
        let moves: Vec<Candidate> = list.iter().map(even).collect();
        let counts = shares(&Level::of(1400), &moves, &start);
        let played = |text: &str| {
            let mv = start.parse_uci(text).unwrap();
            list.iter().position(|&other| other == mv).map(|index| counts[index])
        };
        assert!(played("e2e4") > played("c2c4") && played("c2c4") > Some(0), "{counts:?}");
        assert_eq!((played("a2a3"), played("g2g4")), (Some(0), Some(0)));
    }

    #[test]
    fn the_choice_is_fixed_by_position_and_game() {
        let start = start();
        assert_eq!(seed(&start, 3), seed(&start, 3));
        assert_ne!(seed(&start, 3), seed(&start, 4));
        assert_eq!(Level::of(1000).choose(&[], &at(&start, 1)), 0);
    }
}
