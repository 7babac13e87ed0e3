//! The evaluation network: its file, its accumulators and its inference.
//!
//! # Architecture
//!
//! `(768 mirrored x Z -> H) x 2 -> 1`. Each side sees the board from its own end and, by mirroring,
//! always with its king on the files a to d. Each piece on the board switches on one of [`FEATURES`]
//! inputs (see [`feature`]), of which there may be one set for each [king bucket](KingBuckets) where
//! the king can be; the sum of their weight rows and a bias is that side's *accumulator* of `H`
//! values. The output is a weighted sum of the squared, clipped values of both accumulators, that of
//! the side to move first. The output weights may come in eight sets, one for each range of the
//! number of pieces on the board.
//!
//! A network may have a [head](HeadParameters): a second, small network whose inputs say what the
//! pieces [do](activity) (mobility, threats, safety of the kings, pawn structure) and whose output is
//! added to the score.
//!
//! Everything is integer arithmetic, and every back-end gives the same bits: accumulators have 16
//! bits with [`INPUT_SCALE`] for 1.0, squared activations 13 ([`MAX_ACTIVATION`]), output weights 16
//! with [`OUTPUT_SCALE`] for 1.0. A file whose weights could overflow any of it is refused.
//!
//! # Use
//!
//! A search keeps one [`AccumulatorStack`] for each thread. It tells the stack what every move
//! changed, which costs next to nothing, and pays for the arithmetic only where it asks for a
//! score:
//!
//! ```
//! use std::sync::Arc;
//! use chess::Position;
//! use nnue::{AccumulatorStack, Network, Parameters, Shape};
//!
//! let network = Arc::new(Network::new(&Parameters::zero(Shape::plain(64)))?);
//! let mut position = Position::startpos();
//! let mut accumulators = AccumulatorStack::new(network);
//! accumulators.reset(&position);
//!
//! let delta = position.make(position.legal_moves()[0]);
//! accumulators.push(delta);
//! assert_eq!(accumulators.evaluate(&position), 0);
//! accumulators.pop();
//! # Ok::<(), nnue::FormatError>(())
//! ```

// From the bottom up: a module imports only from those above it.
mod error;
mod scales;
pub mod feature;
mod line;
pub mod activity;
mod head;
mod simd;
mod width;
mod parameters;
pub mod format;
mod network;
mod embedded;
mod forward;
mod refresh;
mod scratch;
mod accumulator;

pub use accumulator::{AccumulatorStack, MAX_PLIES};
pub use embedded::embedded;
pub use error::FormatError;
pub use feature::{FEATURES, Feature, KingBuckets, Perspective};
pub use forward::{EVALUATION_LIMIT, HEAD_RANGE};
pub use head::{HEAD_CEILING, HEAD_NEURONS, HEAD_OUTPUT_SCALE, HEAD_SCALE, HeadParameters};
pub use network::Network;
pub use parameters::{FloatParameters, Parameters, Shape};
pub use scales::{DEFAULT_SCORE_SCALE, INPUT_SCALE, MAX_ACTIVATION, OUTPUT_SCALE, SCORE_SCALES};
pub use scratch::Contribution;
pub use width::Width;
