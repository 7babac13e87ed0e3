//! Halcyon's board in a browser: an HTTP server on the user's own machine, with the page embedded in
//! the program. The page keeps the game; the server knows the rules and searches.
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

mod page;
mod guard;
mod options;
mod feed;
mod job;
mod pool;
mod connection;
mod serve;

pub use board::protocol;
pub use guard::{MIN_PUBLIC_TOKEN, MIN_TOKEN};
pub use options::{DEFAULT_PORT, Options, Problem, TOKEN_VARIABLE};
pub use serve::{Running, start};
