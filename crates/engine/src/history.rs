//! What the search has learned about moves: how well each did before, and how wrong the
//! evaluation was.

mod correction;
mod tables;

pub(crate) use correction::{Correction, CorrectionContext};
pub(crate) use tables::{
    CaptureRow, ContinuationKey, Continuations, History, MoveContext, QuietRows, Threats,
};
