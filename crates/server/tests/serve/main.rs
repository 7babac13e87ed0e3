//! The server as a page or a stranger sees it: over HTTP and its websocket.

mod client;
mod fairness;
mod safety;
mod search;
