//! Random networks and games for the tests and the benchmark.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each program uses a part")]

use chess::{Delta, Position};
use nnue::activity::HEAD_INPUTS;
use nnue::{FloatParameters, HEAD_NEURONS, HeadParameters, Network, Parameters, Shape};

pub use chess::rng::Rng;

/// A number from `-limit` to `limit`.
fn within(random: &mut Rng, limit: i16) -> i16 {
    (random.below(2 * limit as usize + 1) as i32 - i32::from(limit)) as i16
}

/// Four king buckets and eight buckets, and in [`random_network`] a head: everything that a network can
/// have.
pub const fn full(width: usize) -> Shape {
    Shape { width, king_buckets: 4, buckets: 8 }
}

/// Parameters of the size that training produces: most are small, a few reach the trainer's clip.
pub fn random_parameters(seed: u64, shape: Shape) -> Parameters {
    let mut random = Rng::new(seed);
    let mut weights = |count: usize, usual: i16, clip: i16| -> Vec<i16> {
        (0..count)
            .map(|_| {
                let limit = if random.below(80) == 0 { clip } else { usual };
                within(&mut random, limit)
            })
            .collect()
    };
    Parameters {
        description: format!("random {seed}"),
        shape,
        score_scale: nnue::DEFAULT_SCORE_SCALE,
        feature_weights: weights(shape.feature_weights(), 160, 2020),
        feature_bias: weights(shape.width, 400, 2020),
        output_weights: weights(shape.output_weights(), 160, 1014),
        output_bias: weights(shape.buckets, 3000, 9000)
            .into_iter()
            .map(|bias| 32 * i32::from(bias))
            .collect(),
        head: None,
    }
}

/// As [`random_parameters`], with a head.
pub fn random_parameters_with_head(seed: u64, shape: Shape) -> Parameters {
    let mut random = Rng::new(seed ^ 0x4EAD);
    let mut weights = |count: usize, limit: i16| -> Vec<i16> {
        (0..count).map(|_| within(&mut random, limit)).collect()
    };
    let head = HeadParameters {
        weights: weights(HEAD_INPUTS * HEAD_NEURONS, 900),
        bias: weights(HEAD_NEURONS, 9000).into_iter().map(i32::from).collect(),
        output_weights: weights(HEAD_NEURONS, 2000),
        output_bias: i32::from(weights(1, 3000)[0]) * 1000,
    };
    Parameters { head: Some(head), ..random_parameters(seed, shape) }
}

pub fn random_network(seed: u64, shape: Shape) -> Network {
    let parameters = match shape.king_buckets {
        4 => random_parameters_with_head(seed, shape),
        _ => random_parameters(seed, shape),
    };
    Network::new(&parameters).expect("the parameters are in range")
}

/// As [`random_parameters`], before quantisation.
pub fn random_float_parameters(seed: u64, shape: Shape) -> FloatParameters {
    let mut random = Rng::new(seed);
    let mut weights = |count: usize, limit: f32| -> Vec<f32> {
        (0..count)
            .map(|_| (random.next_u64() as f32 / u64::MAX as f32 * 2.0 - 1.0) * limit)
            .collect()
    };
    FloatParameters {
        description: format!("random {seed}"),
        shape,
        score_scale: nnue::DEFAULT_SCORE_SCALE,
        feature_weights: weights(shape.feature_weights(), 0.2),
        feature_bias: weights(shape.width, 0.4),
        output_weights: weights(shape.output_weights(), 0.4),
        output_bias: weights(shape.buckets, 0.2),
    }
}

/// One step of a random game.
pub struct Step {
    pub position: Position,
    pub delta: Delta,
}

/// A random game; now and then a side passes. Noisy moves and castling are preferred, so that
/// promotions, captures in passing and castling come up often.
pub fn random_game(start: &Position, random: &mut Rng, plies: usize) -> Vec<Step> {
    let mut position = *start;
    let mut steps = Vec::with_capacity(plies);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let delta = if !position.is_check() && random.below(12) == 0 {
            position.make_null();
            Delta::Nothing
        } else {
            let rare =
                moves.iter().find(|mv| mv.is_castle() || mv.is_en_passant() || mv.is_promotion());
            let any = moves[random.below(moves.len())];
            position.make(rare.filter(|_| random.below(3) == 0).copied().unwrap_or(any))
        };
        steps.push(Step { position, delta });
    }
    steps
}
