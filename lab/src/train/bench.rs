//! How fast the trainer is.

use std::time::{Duration, Instant};

use super::adam::{Adam, AdamSettings};
use super::batch::{Target, Worker};
use super::net::{Net, Shape};
use super::trainer::learn_batch;
use crate::data::PackedPosition;
use crate::processor_time::processor_time;
use crate::rng::Rng;

/// What a measurement found.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    /// Positions that were learned from.
    pub positions: u64,
    /// Time by the clock on the wall.
    pub elapsed: Duration,
    /// Time that the processor worked for a thread, on average, where the system tells it. On a
    /// machine that does nothing else this is the elapsed time.
    pub busy: Option<Duration>,
}

impl Speed {
    /// Positions learned in a second.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        self.positions as f64 / self.elapsed.as_secs_f64()
    }

    /// Positions that would be learned in a second if nothing else ran.
    #[must_use]
    pub fn per_busy_second(&self) -> Option<f64> {
        self.busy.map(|busy| self.positions as f64 / busy.as_secs_f64())
    }
}

/// Trains a network of this shape on random positions for about `seconds`.
#[must_use]
pub fn measure(shape: Shape, threads: usize, batch: usize, seconds: f64) -> Speed {
    let mut rng = Rng::new(1);
    let positions: Vec<_> = (0..batch * 16).map(|_| random_position(&mut rng)).collect();
    let mut net = Net::random(shape, 1);
    let mut adam = Adam::new(AdamSettings::USUAL, shape);
    let mut workers: Vec<_> = (0..threads).map(|_| Worker::new(shape)).collect();
    let target = Target { scale: 400.0, wdl: 0.25 };
    let (start, busy) = (Instant::now(), processor_time());
    let mut learned = 0;
    for batch in positions.chunks_exact(batch.max(1)).cycle() {
        learn_batch(&net, &mut workers, target, batch.len(), |range| batch[range].iter());
        adam.step(&mut net, &mut workers, 1e-4);
        learned += batch.len() as u64;
        if start.elapsed().as_secs_f64() >= seconds {
            break;
        }
    }
    let elapsed = start.elapsed();
    let busy = processor_time().zip(busy).map(|(now, then)| (now - then) / threads.max(1) as u32);
    Speed { positions: learned, elapsed, busy: busy.filter(|busy| !busy.is_zero()) }
}

/// A position of 16 to 20 pieces on random squares, pawns only where pawns can stand.
pub(super) fn random_position(rng: &mut Rng) -> PackedPosition {
    let mut squares: Vec<u8> = (0..64).collect();
    rng.shuffle(&mut squares);
    let count = 16 + rng.below(5);
    let mut pieces: Vec<(u8, u8)> = vec![(squares[0], 5), (squares[1], 13)];
    for &square in &squares[2..count] {
        let back_rank = !(8..56).contains(&square);
        let kind = if back_rank || rng.below(5) < 2 { 1 + rng.below(4) as u8 } else { 0 };
        pieces.push((square, kind | (rng.below(2) as u8) << 3));
    }
    PackedPosition::from_pieces(&mut pieces, rng.below(801) as i16 - 400, rng.below(3) as u8)
}
