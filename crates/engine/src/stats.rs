//! Counting what the search does. Whether it counts is a type, so that a search that does not
//! count has no trace of it.

mod event;
mod timing;
mod counters;
mod eval_sample;
mod statistics;
mod trace;

pub use counters::{Counters, Off, Recorder, Visit};
pub(crate) use eval_sample::EvalSample;
pub use event::{Event, Group};
pub use statistics::{Iteration, QuiescenceView, Statistics, StopReason, TimePlan};
pub use timing::{Part, Timing};
pub(crate) use trace::Tracer;
pub use trace::{Step, TraceNode, Tree};
