//! What a score means: symmetry, agreement with floating point, buckets, contributions.

mod common;

use chess::{Color, Position, Square};
use common::{Rng, full, random_float_parameters, random_game, random_network, random_parameters};
use nnue::{
    EVALUATION_LIMIT, FloatParameters, INPUT_SCALE, KingBuckets, Network, OUTPUT_SCALE, Parameters,
    Perspective, Shape, Width,
};

/// Every seventh position of some random games.
fn positions(seed: u64, games: usize) -> Vec<Position> {
    let mut random = Rng::new(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let steps = random_game(&Position::startpos(), &mut random, 150);
        positions.extend(steps.iter().step_by(7).map(|step| step.position));
    }
    positions
}

/// The same pieces with left and right exchanged, and no right to castle.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_fen();
    let mut fields = fen.split(' ');
    let placement = fields.next().expect("a FEN has a placement");
    let side = fields.next().expect("a FEN has a side to move");
    let rows = placement.split('/').map(|row| row.chars().rev().collect::<String>());
    let fen = format!("{} {side} - - 0 1", rows.collect::<Vec<_>>().join("/"));
    Position::from_fen(&fen).expect("a mirrored position is a position")
}

#[test]
fn exchanging_the_colours_does_not_change_the_score() {
    let network = random_network(10, full(128));
    for position in positions(11, 20) {
        let flipped = position.color_flipped();
        assert_ne!(position.side_to_move(), flipped.side_to_move());
        assert_eq!(network.evaluate_scratch(&position), network.evaluate_scratch(&flipped));
    }
}

#[test]
fn exchanging_left_and_right_does_not_change_the_score() {
    let network = random_network(12, full(128));
    for position in positions(13, 20) {
        let mirrored = mirrored(&position);
        assert_eq!(network.evaluate_scratch(&position), network.evaluate_scratch(&mirrored));
    }
}

#[test]
fn the_score_depends_on_who_is_to_move_where_the_sides_differ() {
    let network = random_network(14, Shape::plain(64));
    let mut position = Position::startpos();
    let before = network.evaluate_scratch(&position);
    position.make_null();
    // The start is symmetric: the same accumulators, the same score.
    assert_eq!(network.evaluate_scratch(&position), before);
    let uneven = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").expect("the FEN is valid");
    let mut passed = uneven;
    passed.make_null();
    assert_ne!(network.evaluate_scratch(&uneven), network.evaluate_scratch(&passed));
}

/// The definition of the network in floating point, without regard to speed.
fn reference(parameters: &FloatParameters, position: &Position, bucket: usize) -> f64 {
    let Shape { width, king_buckets, .. } = parameters.shape;
    let king_buckets = KingBuckets::from_count(king_buckets).expect("a supported number");
    let us = position.side_to_move();
    let mut output = f64::from(parameters.output_bias[bucket]);
    for (half, side) in [us, !us].into_iter().enumerate() {
        let perspective = Perspective::new(side, position.board().king(side), king_buckets);
        let mut sums: Vec<f64> = parameters.feature_bias.iter().map(|&v| f64::from(v)).collect();
        for square in position.board().occupied() {
            let piece = position.board().piece_at(square).expect("the square is occupied");
            let row = perspective.feature(chess::Placed { piece, square }).index();
            for (neuron, sum) in sums.iter_mut().enumerate() {
                *sum += f64::from(parameters.feature_weights[row * width + neuron]);
            }
        }
        let weights = &parameters.output_weights[(bucket * 2 + half) * width..][..width];
        for (sum, weight) in sums.iter().zip(weights) {
            output += sum.clamp(0.0, 1.0).powi(2) * f64::from(*weight);
        }
    }
    output * 400.0
}

/// The floating-point values that the integers stand for.
fn dequantised(parameters: &Parameters) -> FloatParameters {
    let divide = |values: &[i16], scale: i32| {
        values.iter().map(|&value| f32::from(value) / scale as f32).collect::<Vec<_>>()
    };
    let bias_scale = (INPUT_SCALE * OUTPUT_SCALE) as f32;
    FloatParameters {
        description: parameters.description.clone(),
        shape: parameters.shape,
        score_scale: parameters.score_scale,
        feature_weights: divide(&parameters.feature_weights, INPUT_SCALE),
        feature_bias: divide(&parameters.feature_bias, INPUT_SCALE),
        output_weights: divide(&parameters.output_weights, OUTPUT_SCALE),
        output_bias: parameters.output_bias.iter().map(|&v| v as f32 / bias_scale).collect(),
    }
}

#[test]
fn integer_arithmetic_loses_no_more_than_its_roundings() {
    for width in Width::ALL {
        let parameters = random_parameters(20, full(width.neurons()));
        let network = Network::new(&parameters).expect("the parameters are in range");
        let float = dequantised(&parameters);
        for position in positions(21, 4) {
            let score = f64::from(network.evaluate_scratch(&position));
            let exact = reference(&float, &position, network.bucket(&position));
            assert!((score - exact).abs() < 1.0, "{score} is far from {exact}");
        }
    }
}

#[test]
fn quantisation_costs_less_than_a_centipawn_on_average() {
    let float = random_float_parameters(22, full(64));
    let network = Network::new(&float.quantise()).expect("the parameters are in range");
    let positions = positions(23, 10);
    let errors = positions.iter().map(|position| {
        let exact = reference(&float, position, network.bucket(position));
        (f64::from(network.evaluate_scratch(position)) - exact).abs()
    });
    let errors: Vec<f64> = errors.collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let worst = errors.iter().copied().fold(0.0, f64::max);
    assert!(mean < 1.0 && worst < 4.0, "mean {mean}, worst {worst}");
}

#[test]
fn scores_stay_within_the_limit_whatever_the_weights() {
    for sign in [1, -1] {
        let mut parameters = Parameters::zero(Shape::plain(512));
        parameters.feature_bias.fill(1020);
        parameters.output_weights.fill(258 * sign);
        parameters.output_bias[0] = i32::MAX * i32::from(sign);
        let network = Network::new(&parameters).expect("the parameters are in range");
        let score = network.evaluate_scratch(&Position::startpos());
        assert_eq!(score, EVALUATION_LIMIT * i32::from(sign));
    }
}

#[test]
fn buckets_go_by_four_men_each() {
    let one = random_network(30, Shape::plain(64));
    let eight = random_network(30, full(64));
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", 1),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", 4),
        ("rnbqkbnr/pppppp2/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1", 6),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPP2/RNBQKBNR w KQkq - 0 1", 7),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 7),
    ];
    for (fen, bucket) in cases {
        let position = Position::from_fen(fen).expect("the FEN is valid");
        assert_eq!(eight.bucket(&position), bucket, "{fen}");
        assert_eq!(one.bucket(&position), 0);
    }
}

#[test]
fn contributions_are_the_scores_without_each_man_but_the_kings() {
    let network = random_network(31, full(64));
    let with = Position::from_fen("4k3/8/8/3q4/8/8/P7/4K2R b - - 0 1").expect("the FEN is valid");
    let contributions = network.piece_contributions(&with);
    let squares: Vec<Square> = contributions.iter().map(|c| c.placed.square).collect();
    assert_eq!(squares, [Square::H1, Square::A2, Square::D5]);
    assert_eq!(contributions[0].placed.piece.color(), Color::White);

    let without = Position::from_fen("4k3/8/8/3q4/8/8/P7/4K3 b - - 0 1").expect("the FEN is valid");
    assert_eq!(contributions[0].score_without, network.evaluate_scratch(&without));
}
