//! The board, apart from where it stands: what the page asks, what it is answered and which searches
//! that takes. `server` carries the words over a websocket and shares its engines among many pages;
//! `wasm` has one page and searches inside it.
//!
//! The modules are listed from the bottom up; each uses only those above it.

#![forbid(unsafe_code)]

pub mod protocol;
mod openings;
mod rules;
mod recorded;
mod task;
mod view;
mod engines;
mod paper;
mod conversation;

pub use conversation::{Conversation, Then, Turn};
pub use engines::{Engines, Found};
pub use task::{Purpose, Task};
pub use view::{End, View};
