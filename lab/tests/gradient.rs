//! The trainer's arithmetic against a plain, slow, double-precision computation that takes its
//! inputs from the inference crate.

mod common;

use chess::{Color, Placed, Position};
use lab::data::PackedPosition;
use lab::rng::Rng;
use lab::train::batch::{Target, Worker};
use lab::train::net::{BLOCK, Net, Shape};
use nnue::{KingBuckets, Perspective};

struct Example {
    packed: PackedPosition,
    /// Active inputs: the mover's view, then the other's.
    inputs: [Vec<usize>; 2],
}

fn inputs(position: &Position, side: Color, king_buckets: KingBuckets) -> Vec<usize> {
    let board = position.board();
    let view = Perspective::new(side, board.king(side), king_buckets);
    let index = |square| {
        let piece = board.piece_at(square).expect("an occupied square has a piece");
        view.feature(Placed { piece, square }).index()
    };
    board.occupied().into_iter().map(index).collect()
}

fn examples(count: usize, king_buckets: KingBuckets) -> Vec<Example> {
    let mut rng = Rng::new(11);
    let label = |position: &Position| {
        let us = position.side_to_move();
        let packed =
            PackedPosition::new(position, rng.below(1201) as i16 - 600, rng.below(3) as u8);
        Example { packed, inputs: [us, !us].map(|side| inputs(position, side, king_buckets)) }
    };
    common::random_positions(4, count).iter().map(label).collect()
}

/// The sum of squared errors, computed in the plainest way.
fn reference_loss(net: &Net, examples: &[Example], target: Target) -> f64 {
    let shape = net.shape;
    let weight = |row: usize, column: usize| f64::from(net.rows[row].0[column]);
    let mut loss = 0.0;
    for example in examples {
        let bucket = if shape.buckets == 8 { (example.inputs[0].len() - 2) / 4 } else { 0 };
        let mut output = weight(shape.output_bias(), bucket);
        for (side, inputs) in example.inputs.iter().enumerate() {
            for neuron in 0..shape.hidden {
                let (block, column) = (neuron / BLOCK, neuron % BLOCK);
                let row = |input| shape.feature_weights(block) + shape.row_of_input(input);
                let rows = inputs.iter().map(|&input| row(input));
                let sum: f64 = rows.map(|row| weight(row, column)).sum::<f64>()
                    + weight(shape.feature_bias(block), column);
                let activated = sum.clamp(0.0, 1.0).powi(2);
                output += activated * weight(shape.output_weights(bucket, side, block), column);
            }
        }
        let prediction = 1.0 / (1.0 + (-output).exp());
        let from_score =
            1.0 / (1.0 + (-f64::from(example.packed.score) / f64::from(target.scale)).exp());
        let wdl = f64::from(target.wdl);
        let wanted = wdl * f64::from(example.packed.result) / 2.0 + (1.0 - wdl) * from_score;
        loss += (prediction - wanted).powi(2);
    }
    loss
}

/// A network whose hidden sums lie below, inside and above the sloping part of the activation.
fn lively_net(shape: Shape) -> Net {
    let mut net = Net::random(shape, 3);
    let mut rng = Rng::new(9);
    for row in shape.feature_bias(0)..shape.rows() {
        for value in &mut net.rows[row].0 {
            *value = rng.symmetric(0.6);
        }
    }
    net
}

fn check_gradient(hidden: usize, king_buckets: usize, buckets: usize) {
    let shape = Shape::new(hidden, king_buckets, buckets).expect("a good shape");
    let net = lively_net(shape);
    let examples = examples(300, shape.king_buckets);
    let target = Target { scale: 350.0, wdl: 0.3 };
    let mut worker = Worker::new(shape);
    let loss = worker.learn(&net, examples.iter().map(|e| &e.packed), target, 1.0);
    let expected = reference_loss(&net, &examples, target);
    assert!((loss.blend - expected).abs() < 1e-4 * expected, "{} {expected}", loss.blend);

    let mut rng = Rng::new(21);
    let mut rows: Vec<usize> = (0..40)
        .map(|_| {
            let example = &examples[rng.below(8)];
            let input = example.inputs[rng.below(2)][0];
            shape.feature_weights(rng.below(shape.blocks())) + shape.row_of_input(input)
        })
        .collect();
    rows.extend((0..4).map(|_| rng.below(shape.blocks() * shape.inputs())));
    rows.extend(shape.feature_bias(0)..shape.rows());
    let mut checked = 0;
    for row in rows {
        let bias_row = row == shape.output_bias();
        let column = rng.below(if bias_row { buckets } else { BLOCK });
        // A power of two is exact in both precisions.
        let step = 1.0 / 4096.0;
        let few: Vec<Example> = examples
            .iter()
            .map(|e| Example { packed: e.packed, inputs: e.inputs.clone() })
            .collect();
        let mut moved = net.clone();
        let value = net.rows[row].0[column];
        moved.rows[row].0[column] = value + step;
        let (up, high) = (moved.rows[row].0[column], reference_loss(&moved, &few, target));
        moved.rows[row].0[column] = value - step;
        let (down, low) = (moved.rows[row].0[column], reference_loss(&moved, &few, target));
        let expected = (high - low) / f64::from(up - down);
        let found = f64::from(worker.gradient[row].0[column]);
        let tolerance = 2e-3 + 0.01 * expected.abs();
        assert!((found - expected).abs() < tolerance, "row {row}: {found} {expected}");
        checked += usize::from(expected.abs() > 0.01);
    }
    assert!(checked > 30, "only {checked} gradients were not near zero");
}

#[test]
fn the_gradient_equals_finite_differences_with_one_bucket() {
    check_gradient(128, 1, 1);
}

#[test]
fn the_gradient_equals_finite_differences_with_eight_buckets() {
    check_gradient(64, 1, 8);
}

#[test]
fn the_gradient_equals_finite_differences_with_zones_of_the_king() {
    check_gradient(64, 4, 8);
}

#[test]
fn the_fast_and_the_plain_output_agree() {
    for (king_buckets, buckets) in [(1, 1), (1, 8), (4, 8)] {
        let net = lively_net(Shape::new(128, king_buckets, buckets).expect("a good shape"));
        let target = Target { scale: 400.0, wdl: 1.0 };
        let mut worker = Worker::new(net.shape);
        for example in examples(50, net.shape.king_buckets) {
            let prediction = 1.0 / (1.0 + (-f64::from(net.evaluate(&example.packed))).exp());
            let error = (prediction - f64::from(example.packed.points())).powi(2);
            let found = worker.measure(&net, [&example.packed].into_iter(), target);
            assert!((found.result - error).abs() < 1e-5);
        }
    }
}
