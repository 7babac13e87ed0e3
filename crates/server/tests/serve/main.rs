//! The server as a page or a stranger sees it: over HTTP and its websocket.

mod build;
mod client;
mod fairness;
mod games;
mod safety;
mod search;
