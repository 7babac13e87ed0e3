//! Test suites: positions with known answers, given to this engine and to others for comparison.

pub mod cli;
mod epd;
mod judge;
mod player;
mod report;
mod run;
mod compare;
mod uci;

pub use compare::{join, merge};
pub use epd::{Task, Wanted, read_suite};
pub use judge::{Verdict, judge};
pub use player::{Answer, Halcyon, Player, Told};
pub use report::{EngineReport, SuiteReport};
pub use run::{Request, run};
