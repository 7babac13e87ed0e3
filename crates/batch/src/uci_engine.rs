//! Other engines, spoken to in the UCI protocol, with bounds on what they may take: time to answer, the
//! length of a line, and lines that wait to be read.

mod info;
mod process;
mod searcher;

pub use info::{Shown, UciInfo};
pub use process::UciEngine;
pub use searcher::{UciConfig, UciSearcher};
