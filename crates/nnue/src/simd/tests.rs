//! Every back-end gives the bits that the definition gives.

use chess::rng::Rng;

use super::{Backend, Kernels, LANES, Line, Row, Scalar};
use crate::activity::{HEAD_INPUTS, HeadInputs, INPUT_SUM};
use crate::head::{HEAD_NEURONS, Head, HeadParameters};

/// A number from `-limit` to `limit`.
fn within(random: &mut Rng, limit: i16) -> i16 {
    (random.below(2 * limit as usize + 1) as i32 - i32::from(limit)) as i16
}

/// Ways to fill a row: small values, any values, and values at the edges of every range.
#[derive(Clone, Copy)]
enum Fill {
    Usual,
    Any,
    Edges,
}

const FILLS: [Fill; 3] = [Fill::Usual, Fill::Any, Fill::Edges];

fn value(random: &mut Rng, fill: Fill) -> i16 {
    const EDGES: [i16; 10] = [i16::MIN, -1021, -1020, -1, 0, 8, 1019, 1020, 1021, i16::MAX];
    match fill {
        Fill::Usual => within(random, 2400),
        Fill::Any => random.next_u64() as i16,
        Fill::Edges => EDGES[random.below(EDGES.len())],
    }
}

fn row<const N: usize>(random: &mut Rng, fill: Fill) -> Row<N> {
    [(); N].map(|()| Line([(); LANES].map(|()| value(random, fill))))
}

/// Output weights as large as [`crate::Parameters::check`] lets them be.
fn output_weights<const N: usize>(random: &mut Rng, fill: Fill) -> Row<N> {
    let limit = (i32::MAX / crate::MAX_ACTIVATION) as usize / (2 * N * LANES);
    let limit = limit as i16;
    [(); N].map(|()| {
        Line([(); LANES].map(|()| match fill {
            Fill::Usual => within(random, limit),
            Fill::Any => limit,
            Fill::Edges => [-limit, limit][random.below(2)],
        }))
    })
}

/// What an update means, lane by lane.
fn defined_sum<const N: usize>(source: &Row<N>, adds: &[Row<N>], subs: &[Row<N>]) -> Row<N> {
    let mut result = *source;
    for line in 0..N {
        for lane in 0..LANES {
            let total = i64::from(source[line].0[lane])
                + adds.iter().map(|row| i64::from(row[line].0[lane])).sum::<i64>()
                - subs.iter().map(|row| i64::from(row[line].0[lane])).sum::<i64>();
            result[line].0[lane] = total as i16;
        }
    }
    result
}

/// What the output means, without any trick: squares of 1/1020, rounded to 128/1020^2.
fn defined_output<const N: usize>(accumulators: [&Row<N>; 2], weights: [&Row<N>; 2]) -> i64 {
    let values = accumulators.into_iter().flatten().flat_map(|line| line.0);
    let weights = weights.into_iter().flatten().flat_map(|line| line.0);
    values
        .zip(weights)
        .map(|(value, weight)| {
            let square = f64::from(value.clamp(0, 1020)).powi(2);
            // A half is rounded up, which is away from zero.
            (square / 128.0).round() as i64 * i64::from(weight)
        })
        .sum()
}

fn check_update<const N: usize, const ADDS: usize, const SUBS: usize>(
    kernels: impl Kernels,
    random: &mut Rng,
    fill: Fill,
) {
    let source: Row<N> = row(random, fill);
    let adds: [Row<N>; ADDS] = [(); ADDS].map(|()| row(random, fill));
    let subs: [Row<N>; SUBS] = [(); SUBS].map(|()| row(random, fill));
    let mut target = [Line::ZERO; N];
    kernels.update(&source, &mut target, adds.each_ref(), subs.each_ref());
    assert_eq!(target, defined_sum(&source, &adds, &subs));
}

fn check_refresh<const N: usize>(kernels: impl Kernels, random: &mut Rng, fill: Fill) {
    const MOST: usize = if cfg!(miri) { 3 } else { 32 };
    let source: Row<N> = row(random, fill);
    let adds: Vec<Row<N>> = (0..random.below(MOST + 1)).map(|_| row(random, fill)).collect();
    let subs: Vec<Row<N>> = (0..random.below(MOST + 1)).map(|_| row(random, fill)).collect();
    let mut accumulator = source;
    let add_rows: Vec<&Row<N>> = adds.iter().collect();
    let sub_rows: Vec<&Row<N>> = subs.iter().collect();
    kernels.refresh(&mut accumulator, &add_rows, &sub_rows);
    assert_eq!(accumulator, defined_sum(&source, &adds, &subs));
}

fn check_output<const N: usize>(kernels: impl Kernels, random: &mut Rng, fill: Fill) {
    let accumulators: [Row<N>; 2] = [(); 2].map(|()| row(random, fill));
    let weights: [Row<N>; 2] = [(); 2].map(|()| output_weights(random, fill));
    let (accumulators, weights) = (accumulators.each_ref(), weights.each_ref());
    let output = i64::from(kernels.output(accumulators, weights));
    assert_eq!(output, defined_output(accumulators, weights));
}

fn check_width<const N: usize>(kernels: impl Kernels, random: &mut Rng) {
    for _ in 0..if cfg!(miri) { 1 } else { 50 } {
        for fill in FILLS {
            check_update::<N, 1, 1>(kernels, random, fill);
            check_update::<N, 1, 2>(kernels, random, fill);
            check_update::<N, 2, 2>(kernels, random, fill);
            check_refresh::<N>(kernels, random, fill);
            check_output::<N>(kernels, random, fill);
        }
    }
}

fn check_all(kernels: impl Kernels) {
    let mut random = Rng::new(1);
    check_width::<2>(kernels, &mut random);
    check_width::<4>(kernels, &mut random);
    if cfg!(miri) {
        // The loops of the wider ones only run longer, and the interpreter takes its time.
        return;
    }
    check_width::<8>(kernels, &mut random);
    check_width::<12>(kernels, &mut random);
    check_width::<16>(kernels, &mut random);
    check_width::<24>(kernels, &mut random);
    check_width::<32>(kernels, &mut random);
}

#[test]
fn the_portable_loops_compute_what_is_defined() {
    check_all(Scalar);
}

#[test]
fn the_back_end_of_this_processor_computes_what_is_defined() {
    check_all(Backend::detect());
}

/// Every activation alone, and the largest sum that a network may have.
#[test]
fn every_activation_is_exact_and_the_largest_output_does_not_overflow() {
    for value in 0..=1020 {
        let mut values = [Line::ZERO; 2];
        values[1].0[5] = value;
        let mut weights = [Line::ZERO; 2];
        weights[1].0[5] = 1;
        let (values, weights) = ([&values, &[Line::ZERO; 2]], [&weights, &[Line::ZERO; 2]]);
        let expected = defined_output(values, weights);
        assert_eq!(i64::from(Scalar.output(values, weights)), expected, "{value}");
        assert_eq!(i64::from(Backend::detect().output(values, weights)), expected, "{value}");
    }
    let full = [Line([i16::MAX; LANES]); 32];
    for weight in [129, -129] {
        let weights = [Line([weight; LANES]); 32];
        let expected = 2048 * crate::MAX_ACTIVATION * i32::from(weight);
        assert_eq!(Scalar.output([&full; 2], [&weights; 2]), expected);
        assert_eq!(Backend::detect().output([&full; 2], [&weights; 2]), expected);
    }
}

/// A head with weights as large as may be.
fn random_head(random: &mut Rng, fill: Fill) -> Head {
    let mut parameters = HeadParameters::zero();
    for weight in &mut parameters.weights {
        *weight = value(random, fill);
    }
    for bias in &mut parameters.bias {
        *bias = i32::from(value(random, fill)) * 1000;
    }
    for weight in &mut parameters.output_weights {
        *weight = within(random, 8191);
    }
    Head::new(&parameters)
}

#[test]
fn heads_have_the_same_sum_everywhere() {
    let mut random = Rng::new(31);
    for fill in FILLS {
        for _ in 0..200 {
            let head = random_head(&mut random, fill);
            let limit = [3, 60, (INPUT_SUM / HEAD_INPUTS as i32) as i16][random.below(3)];
            let inputs: HeadInputs =
                HeadInputs(std::array::from_fn(|_| within(&mut random, limit)));
            let parameters = head.parameters();
            let expected: i64 = (0..HEAD_NEURONS)
                .map(|neuron| {
                    let values = inputs.0.into_iter().enumerate();
                    let sum: i64 = values
                        .map(|(input, value)| {
                            let weight = parameters.weights[input * HEAD_NEURONS + neuron];
                            i64::from(value) * i64::from(weight)
                        })
                        .sum();
                    let sum = sum + i64::from(parameters.bias[neuron]);
                    sum.clamp(0, 8192) * i64::from(parameters.output_weights[neuron])
                })
                .sum();
            assert_eq!(i64::from(Scalar.head(&inputs, &head)), expected);
            assert_eq!(i64::from(Backend::detect().head(&inputs, &head)), expected);
        }
    }
}
