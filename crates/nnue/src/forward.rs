//! From accumulators to a score.

use chess::{Board, Color};

use crate::activity::head_inputs;
use crate::scales::{ACTIVATION_SHIFT, divide_rounded};
use crate::simd::{Kernels, Row};
use crate::{INPUT_SCALE, Network, OUTPUT_SCALE};

/// No evaluation is beyond this many centipawns in either direction, so that an engine has room
/// above it for mates.
pub const EVALUATION_LIMIT: i32 = 20_000;

/// Beyond this many centipawns the game is decided, and the head is not asked.
pub const HEAD_RANGE: i32 = 1000;

/// The score in centipawns for the side to move, whose accumulator is the first. The head is asked
/// only if its answer is wanted, given the score without it.
#[inline]
pub(crate) fn score<const N: usize>(
    network: &Network,
    accumulators: [&Row<N>; 2],
    board: &Board,
    side_to_move: Color,
    wants_head: impl FnOnce(i32) -> bool,
) -> i32 {
    let bucket = network.bucket_of_board(board);
    let sum = network.backend().output(accumulators, network.output_weights(bucket));
    // The square carries the input scale twice, less the shift; one is divided out before the bias,
    // which carries it once, is added.
    let square = i64::from(sum) << ACTIVATION_SHIFT;
    let output = square / i64::from(INPUT_SCALE) + i64::from(network.output_bias(bucket));
    let unit = i64::from(INPUT_SCALE * OUTPUT_SCALE);
    let scaled = output * i64::from(network.score_scale());
    let centipawns = divide_rounded(scaled, unit);
    let limit = i64::from(EVALUATION_LIMIT);
    let body = centipawns.clamp(-limit, limit) as i32;
    let Some(head) = network.head().filter(|_| body.abs() <= HEAD_RANGE && wants_head(body)) else {
        return body;
    };
    let sum = network.backend().head(&head_inputs(board, side_to_move), head);
    (body + head.score(sum, network.score_scale())).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
}
