//! The clock on the wall. A WebAssembly module has none of its own and asks its host.

#[cfg(target_family = "wasm")]
pub use memory::host::Instant;
#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;
