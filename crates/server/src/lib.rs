//! Halcyon's board in a browser: an HTTP server on the own machine, with the page inside the
//! program. The page keeps its game; the server knows the rules and searches.
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

pub mod protocol;
mod page;
mod guard;
mod openings;
mod rules;
mod recorded;
mod view;
mod job;
mod pool;
mod paper;
mod session;
mod serve;

pub use guard::MIN_TOKEN;
pub use serve::{DEFAULT_PORT, Options, Problem, Running, start};
