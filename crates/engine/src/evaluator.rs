//! The door to the evaluation: the search tells it of every move and asks it for scores, and does
//! not know how they are made.

use std::sync::Arc;

use chess::{Delta, Position};
use nnue::{AccumulatorStack, Network};

use crate::endgame;
use crate::material::material;
use crate::params;
use crate::score::Score;

/// The evaluation of one search thread.
pub(crate) struct Evaluator {
    accumulators: Box<AccumulatorStack>,
}

impl Evaluator {
    /// Sees the start position with this network.
    pub(crate) fn new(network: &Arc<Network>) -> Self {
        Self { accumulators: Box::new(AccumulatorStack::new(Arc::clone(network))) }
    }

    /// A new root, seen by this network.
    pub(crate) fn reset(&mut self, root: &Position, network: &Arc<Network>) {
        if !Arc::ptr_eq(self.accumulators.network(), network) {
            *self = Self::new(network);
        }
        self.accumulators.reset(root);
    }

    /// A move was made.
    #[inline]
    pub(crate) fn push(&mut self, delta: Delta) {
        self.accumulators.push(delta);
    }

    /// The last move was taken back.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The static score of the current position for the side to move, before corrections.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position) -> Score {
        scale_eval(position, self.accumulators.evaluate(position))
    }

    /// The same for a search that wants to know how the score compares with `alpha` and `beta`. **Lazy
    /// evaluation**: far outside of them, what the network's head would add cannot matter, and it is
    /// not asked.
    ///
    /// Source: the chess programming wiki, "Lazy Evaluation".
    #[inline]
    pub(crate) fn evaluate_near(
        &mut self,
        position: &Position,
        (alpha, beta): (Score, Score),
    ) -> Score {
        let margin = params::lazy_eval_margin();
        let is_near = |body: i32| {
            let score = scale_eval(position, body).raw();
            score + margin > alpha.raw() && score - margin < beta.raw()
        };
        scale_eval(position, self.accumulators.evaluate_with(position, is_near))
    }
}

/// What the search takes the network's score for: it fades as pieces leave the board, so that who
/// stands better keeps them, and as the fifty-move draw comes nearer.
#[inline]
#[must_use]
pub fn scale_eval(position: &Position, score: i32) -> Score {
    let score = endgame::correct(position, score * scale(position) / 1024);
    let clock = i32::from(position.halfmove_clock().min(100));
    Score::from_cp(score * (200 - clock) / 200)
}

/// The other way round: what a network must say so that the search takes it for this score. Networks
/// learn this; with the search's own scores the evaluation would fade twice, and more with every
/// generation. What is known about bare endings is left aside.
#[must_use]
pub fn unscale_eval(position: &Position, score: i32) -> i32 {
    let clock = i32::from(position.halfmove_clock().min(100));
    let faded = scale(position) * (200 - clock);
    let exact = f64::from(score) * f64::from(1024 * 200) / f64::from(faded);
    exact.round() as i32
}

/// How much of the network's score counts with these pieces on the board, in 1/1024.
#[inline]
fn scale(position: &Position) -> i32 {
    params::eval_scale_base() + params::eval_scale_slope() * material(position) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fen: &str) -> i32 {
        scale(&Position::from_fen(fen).unwrap())
    }

    /// The embedded network without a head, and with one that adds the same to every score.
    fn without_and_with_head(centipawns: i32) -> [Arc<Network>; 2] {
        let mut parameters = nnue::embedded().parameters();
        let unit = nnue::HEAD_SCALE * nnue::HEAD_OUTPUT_SCALE;
        let mut head = nnue::HeadParameters::zero();
        head.output_bias = unit / parameters.score_scale * centipawns;
        [None, Some(head)].map(|head| {
            parameters.head = head;
            Arc::new(Network::new(&parameters).unwrap())
        })
    }

    #[test]
    fn the_head_is_asked_near_the_window_and_not_far_from_it() {
        let [without, with] = without_and_with_head(40);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 b - - 31 28",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let score = |network: &Arc<Network>, window: Option<(Score, Score)>| {
                let mut evaluator = Evaluator::new(network);
                evaluator.reset(&position, network);
                match window {
                    Some(window) => evaluator.evaluate_near(&position, window),
                    None => evaluator.evaluate(&position),
                }
            };
            let [body, full] = [&without, &with].map(|network| score(network, None));
            assert!((30..=42).contains(&(full - body)), "{body:?} {full:?}");
            let margin = params::lazy_eval_margin();
            for (away, asked) in [(margin - 1, true), (margin, false), (5 * margin, false)] {
                let above = (body + away, body + (away + 1));
                let below = (body + (-away - 1), body + -away);
                let expected = if asked { full } else { body };
                for window in [above, below] {
                    assert_eq!(score(&with, Some(window)), expected, "{away}");
                    assert_eq!(score(&without, Some(window)), body);
                    let always = || score(&with, Some(window));
                    assert_eq!(params::with(&[("lazy_eval_margin", 32000)], always), full);
                }
            }
            let open = (-Score::INFINITE, Score::INFINITE);
            assert_eq!(score(&with, Some(open)), full);
        }
    }

    #[test]
    fn what_a_network_learns_is_scaled_back_to_the_label() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 b - - 31 28",
            "4k3/5ppp/8/8/8/8/5PPP/3RK3 w - - 77 90",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for label in (-1500..=1500).step_by(7) {
                let learned = unscale_eval(&position, label);
                let back = scale_eval(&position, learned).raw();
                assert!((back - label).abs() <= 2, "{fen}: {label} became {learned}, then {back}");
                assert!(learned.abs() >= label.abs());
            }
        }
    }

    #[test]
    fn scores_fade_with_the_men_and_stay_what_they_are_where_games_begin() {
        let start = scale(&Position::startpos());
        let ending = of("4k3/5ppp/8/8/8/8/5PPP/3RK3 w - - 0 1");
        let kings = of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!((960..=1088).contains(&start), "{start}");
        assert!(kings < ending && ending < start);
        assert_eq!(kings, params::eval_scale_base());
        let off = [("eval_scale_base", 1024), ("eval_scale_slope", 0)];
        assert_eq!(params::with(&off, || scale(&Position::startpos())), 1024);
    }
}
