//! Halcyon's board in a browser: an HTTP server on the own machine, with the page inside the
//! program. The page keeps its game; the server knows the rules and searches.
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

mod page;
mod guard;
mod feed;
mod job;
mod pool;
mod session;
mod serve;

pub use board::protocol;
pub use guard::MIN_TOKEN;
pub use serve::{DEFAULT_PORT, Options, Problem, Running, start};
