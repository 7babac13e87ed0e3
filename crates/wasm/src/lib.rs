//! Halcyon as a WebAssembly module: the session of the board, and its searches,
//! on one thread.
//!
//! The host calls three functions and lends two; `npm/index.js` does it for everybody else.
//!
//! | exported | |
//! | --- | --- |
//! | `hear(words)` | a request, as JSON |
//! | `work()` | searches for a while; 1 if there is more to do |
//! | `bench(depth)` | nodes of the bench, which must be those of every other build |
//!
//! | imported | |
//! | --- | --- |
//! | `say(words)` | an answer, as JSON |
//! | `now()` | milliseconds |

pub mod session;
#[cfg(target_family = "wasm")]
mod boundary;
