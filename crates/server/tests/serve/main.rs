//! The server as a page or a stranger sees it: over HTTP and its websocket.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

mod build;
mod client;
mod fairness;
mod games;
mod safety;
mod search;
