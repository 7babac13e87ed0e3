//! The board without its host: what the page asks, what it is answered and which searches that takes.
//! `server` adds a websocket and shares its engines among many pages; `wasm` has one page and searches
//! inside it.
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

pub mod protocol;
mod openings;
mod rules;
mod recorded;
mod task;
mod coach;
mod view;
mod engines;
mod pgn;
mod game_review;
mod session;

pub use engines::{Engines, Found};
pub use session::{Bounds, Reply, SearchAction, Session};
pub use task::{Purpose, Question, Task};
pub use view::{End, View};
